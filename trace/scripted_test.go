//go:build unix

package trace

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
)

// scripted is a recording with the test in place of the tracer: it writes records and
// messages, and reads what npdb sends to the tracer.
type scripted struct {
	*testing.T
	rec   *Recording
	says  *os.File
	hears *os.File
	at    int // how far the first chunk is written
}

// scriptedAt returns a recording whose current position is the last event of some records.
func scriptedAt(t *testing.T, records *written) *scripted {
	t.Helper()
	s := newScripted(t)
	s.write(records)
	s.say(msgStop, "landed", "0")
	if _, err := s.rec.await(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// newScripted returns a recording without records.
func newScripted(t *testing.T) *scripted {
	t.Helper()
	r, says := pretended(t, memoryOf(t, nil, nil))
	hears, commands, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.proc.commands.Close()
	r.proc.commands = commands
	t.Cleanup(func() { _ = errors.Join(says.Close(), hears.Close()) })
	return &scripted{T: t, rec: r, says: says, hears: hears}
}

// write adds records, which npdb reads with the next message.
func (s *scripted) write(records *written) {
	data := s.rec.proc.memory.data
	copy(data[sharedHeader+s.at:sharedHeader+testChunk], records.Bytes())
	s.at += records.Len()
	copy(data, headerOf(0, uint32(s.at))[:hdrReading])
}

func (s *scripted) say(tag byte, fields ...string) {
	s.Helper()
	if _, err := s.says.Write(said(tag, fields...)); err != nil {
		s.Fatal(err)
	}
}

// over ends the messages of the tracer.
func (s *scripted) over() { _ = s.says.Close() }

// wantTold checks the next message to the tracer.
func (s *scripted) wantTold(want ...string) {
	s.Helper()
	if fields := s.told(); !reflect.DeepEqual(fields, want) {
		s.Errorf("the tracer is told %q, want %q", fields, want)
	}
}

func (s *scripted) told() []string {
	s.Helper()
	// If a message never comes, only this test fails, not the whole run.
	_ = s.hears.SetReadDeadline(time.Now().Add(2 * time.Minute))
	var size [4]byte
	if _, err := io.ReadFull(s.hears, size[:]); err != nil {
		s.Fatal(err)
	}
	body := make([]byte, binary.LittleEndian.Uint32(size[:]))
	if _, err := io.ReadFull(s.hears, body); err != nil {
		s.Fatal(err)
	}
	var fields []string
	for len(body) > 0 {
		n := binary.LittleEndian.Uint32(body)
		fields, body = append(fields, string(body[4:4+n])), body[4+n:]
	}
	return fields
}

// wantLanding checks the landing of a move.
func (s *scripted) wantLanding(want Landing) func(Landing, error) {
	return func(got Landing, err error) {
		s.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			s.Errorf("lands at %+v, %v, want %+v", got, err, want)
		}
	}
}

// answered makes one move from the live edge; does plays the tracer once it has received
// the move.
func (s *scripted) answered(m dsl.Move, does func()) (Landing, error) {
	s.Helper()
	landing := s.begins(func() (Landing, error) { return s.moves(m) })
	s.told()
	does()
	return landing()
}

// moves makes one move from the live edge.
func (s *scripted) moves(m dsl.Move, stops ...Stop) (Landing, error) {
	return s.rec.Move(s.Context(), s.rec.LiveEdge(), dsl.Action{Move: m}, stops...)
}

// begins makes a move that runs concurrently with the test as the tracer. Records that are
// written before the tracer has received the move may be read before it is sent.
func (s *scripted) begins(move func() (Landing, error)) (landing func() (Landing, error)) {
	type answer struct {
		Landing
		error
	}
	done := make(chan answer, 1)
	go func() {
		l, err := move()
		done <- answer{l, err}
	}()
	return func() (Landing, error) {
		a := <-done
		return a.Landing, a.error
	}
}

// standing returns records of the beginning of a program with a module, a function f and a
// generator g, up to a position.
func standing(at string) *written {
	w := new(written)
	w.define(recFile, "/p/a.py", "def f(): pass\n", "/real/a.py")
	w.define(recFile, "/p/b.py", "", "/real/b.py")
	w.define(recCode, "0", "<module>", "<module>", "1", "9", "00", "0")
	w.define(recCode, "0", "f", "f", "1", "9", "10", "0")
	w.define(recCode, "0", "g", "g", "1", "9", "11", "0")
	return w.events(at)
}

// events adds events, one for each word.
func (w *written) events(happens string) *written {
	for word := range strings.FieldsSeq(happens) {
		switch word {
		case "module":
			w.rec(recEnter, 0).rec(recLine, 1)
		case "f":
			w.rec(recEnter, 1).rec(recCall, 2)
		case "g":
			w.rec(recEnter, 2).rec(recCall, 3)
		case "line":
			w.rec(recLine, 4)
		case "raise":
			w.rec(recException, 5, "E()")
		case "yield":
			w.rec(recReturn, 6, []byte{byte(dsl.Yielded)}, "1")
		case "return":
			w.rec(recReturn, 7, []byte{byte(dsl.Returned)}, "1")
		case "hole":
			w.rec(recHole, 1, 0, 8)
		}
	}
	return w
}

// more returns the record of the next line.
func more() *written { return new(written).events("line") }
