//go:build unix

package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

const testChunk = 4096

// pretended returns a recording of a program that has ended. The messages of the tracer
// are written to the file, which is then closed.
func pretended(t testing.TB, memory *sharedMemory) (r *Recording, says *os.File) {
	t.Helper()
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skip(err)
	}
	p := &process{memory: memory, exited: make(chan struct{}), tracer: gone.Process}
	close(p.exited)
	pipe := func() (r, w *os.File) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		return r, w
	}
	p.events, says = pipe()
	for _, to := range []**os.File{&p.commands, &p.credits} {
		r, mine := pipe()
		_ = r.Close()
		*to = mine
	}
	for n := 1; n <= 2; n++ {
		reads, writes := pipe()
		_ = writes.Close()
		var err error
		if p.streams[n], err = newDrain(reads, 100, nil); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Limits: Limits{}.orDefault()}
	r = &Recording{
		tree: statetree.New(), proc: p, opts: o, limits: o.Limits, edge: Position{Event: -1}, from: Position{Event: -1},
		messages: make(chan message, 16),
	}
	r.outputs.room = o.Limits.OutputBytes
	r.decode = decoder{tree: r.tree, name: func(path string) string { return path }, output: r.outputs.add}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	go r.read()
	return r, says
}

func memoryOf(t testing.TB, header, chunks []byte) *sharedMemory {
	t.Helper()
	m, err := newSharedMemory(chunkCount, testChunk)
	if err != nil {
		t.Fatal(err)
	}
	_ = m.file.Close()
	copy(m.data[:sharedHeader], header)
	copy(m.data[sharedHeader:], chunks)
	return m
}

func said(tag byte, fields ...string) []byte { return append([]byte{tag}, packMessage(fields...)...) }

// headerOf returns a header that says how far a chunk is written.
func headerOf(chunk, at uint32) []byte {
	header := make([]byte, hdrReading+1)
	binary.NativeEndian.PutUint64(header[hdrWritten:], uint64(chunk)<<32|uint64(at))
	return header
}

// FuzzHostileTracer checks that a program that writes to the tracer's channels can end its
// recording with an error, but not npdb, and that the recorded part can be read.
func FuzzHostileTracer(f *testing.F) {
	records := program().Bytes()
	stop := said(msgStop, "landed", "0")
	f.Add(headerOf(0, uint32(len(records))), records, stop)
	f.Add(headerOf(0, uint32(len(records))), records, bytes.Join([][]byte{said(msgOutput), said(msgFull), stop, said(msgEnd, "ValueError()")}, nil))
	f.Add(headerOf(0, 1<<31), records, stop)
	f.Add(headerOf(1<<31, 1<<31), bytes.Repeat([]byte{0xff}, 4*testChunk), stop)
	f.Add(headerOf(0, 0), []byte{}, stop)
	f.Add(headerOf(0, 0), []byte{}, said(msgStop, "post_mortem", "4294967295 -1"))
	f.Add(headerOf(0, uint32(len(records))), records, said(msgStop, "breakpoint", "1", "/nowhere", "-9", "x", "y", "/p/a.py"))
	f.Add(headerOf(0, uint32(len(records))), records, bytes.Join([][]byte{said(msgInput, "0"), said(msgAnswer, "error"), said(msgAnswer), said(msgStop)}, nil))
	f.Add(headerOf(3, 7), records, bytes.Repeat(said(msgFull), 9))
	f.Add(headerOf(0, uint32(len(records))), records, said(msgRefused))
	f.Fuzz(func(t *testing.T, header, chunks, messages []byte) {
		if len(messages) > 4096 { // a pipe accepts this much at once
			return
		}
		r, says := pretended(t, memoryOf(t, header, chunks))
		if _, err := says.Write(messages); err != nil {
			t.Fatal(err)
		}
		_ = says.Close()
		landings := func(l Landing, err error) {
			t.Helper()
			switch n := r.tree.Len(); {
			case err != nil && l.Event == 0:
			case l.End, n == 0 && (l.Boundary == AtStart || l.Reason == NeedsInput):
			case l.Event < 0 || l.Event >= n:
				t.Fatalf("%+v, %v of %d events", l, err, n)
			}
		}
		landings(r.await(t.Context()))
		for _, m := range []dsl.Move{dsl.StepInto, dsl.StepOver, dsl.StepReturn, dsl.InvStepInto, dsl.Continue} {
			landings(r.Move(t.Context(), r.LiveEdge(), dsl.Action{Move: m}))
		}
		_, _ = r.Ask(t.Context(), 1, VerbExceptions, "1")
		_, _ = r.Ask(t.Context(), 0, VerbJump, "3")
		r.Output(-1, -1)
		for i := range r.tree.Len() {
			r.tree.State(i)
		}
	})
}

// TestMemoryCutOff checks that a program that truncates the shared memory ends its
// recording, where the kernel does not prevent it.
func TestMemoryCutOff(t *testing.T) {
	file, err := temporaryFile()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	m, err := mapShared(file, chunkCount, testChunk)
	if err != nil {
		t.Fatal(err)
	}
	records := program().Bytes()
	copy(m.data, headerOf(0, uint32(len(records))))
	copy(m.of(m.data, 0), records)
	r, says := pretended(t, m)
	if _, err := says.Write(said(msgStop, "landed", "0")); err != nil {
		t.Fatal(err)
	}
	if l, err := r.await(t.Context()); err != nil || l.Event != 5 {
		t.Fatalf("%+v, %v", l, err)
	}
	if err := file.Truncate(0); err != nil {
		t.Fatal(err)
	}
	_ = says.Close()
	if _, err := r.Move(t.Context(), r.LiveEdge(), dsl.Action{Move: dsl.StepInto}); !errors.Is(err, ErrMemoryLost) {
		t.Errorf("a move: %v", err)
	}
	if m.lost() == nil || m.flag(hdrPause) != 0 || m.begun(0) || len(m.copyOf(nil, 0, 0, 10)) != 0 || m.written(0) != 0 {
		t.Error("what is lost is there")
	}
	m.wipe(0, 10)
	m.setFlag(hdrPause, 1)
	r.Interrupt()
}
