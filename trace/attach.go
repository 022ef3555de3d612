package trace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/python/supported"
	"github.com/npdb/npdb/trace/saved"
	"github.com/npdb/npdb/trace/statetree"
)

// Attachment is a Python process that ran before npdb. It has loaded the tracer itself, and
// records parts of its run, for example its tests. The parts share the memory and the pipes, so
// one ends before the next begins.
type Attachment struct {
	opts   Options
	proc   *process
	python string // version of the interpreter
	chunk  int    // where the records of the next part begin
	at     int
}

// Theirs are the numbers that the descriptors of an Attachment have in the Python process.
type Theirs struct{ Memory, Events, Commands, Credits int }

// Loader returns the Python code that a process runs by exec to load the tracer, before Attach.
// It is preceded by what loader.py wants to know.
func Loader(t Theirs, o Options) string {
	o.Limits = o.Limits.orDefault()
	return loaderText(t.Memory, t.Events, t.Commands, t.Credits, -1, chunkCount, chunkSize(o), compiledCache())
}

// introduce sends the tracer's code and the options to a process that runs Loader. roots are
// the folders with user code.
func (a *Attachment) introduce(ctx context.Context, roots []string) error {
	var first [1]byte
	if _, err := io.ReadFull(a.proc.events, first[:]); err != nil {
		return err
	}
	r := &Recording{opts: a.opts, proc: a.proc}
	switch first[0] {
	case 'O':
		return &StartError{Kind: OldPython, Message: "npdb needs " + supported.Needed()}
	case 'C':
		if err := r.bring(ctx, a.opts.Python); err != nil {
			return err
		}
	}
	if err := r.tell(append(a.opts.fields(), "roots", strings.Join(roots, "\n"))...); err != nil {
		return err
	}
	m, err := readMessage(a.proc.events, a.opts.Limits.MessageBytes)
	switch {
	case err != nil:
		return err
	case m.tag != msgHello:
		return &ChannelError{fmt.Errorf("the tracer's first message is %q", m.tag)}
	case m.field(1) != "cpython":
		return &StartError{Kind: OldPython, Message: "this Python is " + m.field(1) + ": npdb needs " + supported.Needed()}
	}
	a.python = m.field(0)
	return nil
}

// Begin returns the recording of the next part of the process. module and args say in the file
// how to run that part. Follow must be called next.
func (a *Attachment) Begin(module string, args ...string) *Recording {
	r := a.begin()
	r.opts.Module, r.opts.Args = module, slices.Clone(args)
	go r.readPart(a)
	return r
}

// begin returns the recording of the next part, which readPart has to read.
func (a *Attachment) begin() *Recording {
	o := a.opts
	r := &Recording{
		tree: statetree.New(), opts: o, limits: o.Limits, edge: Position{Event: -1}, from: Position{Event: -1},
		proc: a.proc.part(), messages: make(chan message, 16), chunk: a.chunk, at: a.at,
	}
	r.tree.SetLimits(o.Limits.ValueBytes, o.Limits.Items)
	r.outputs.room, r.outputs.log = o.Limits.OutputBytes, &r.log.Writer
	r.log.started, r.log.python = time.Now(), a.python
	r.decode = decoder{tree: r.tree, name: r.opts.ShownName, output: r.printed}
	r.proc.memory.setFlag(hdrPause, 0)
	return r
}

// readPart reads the tracer's output, as read does, up to the end of the part. If the records
// cannot be decoded, the process goes on all the same: what follows is read and dropped.
func (r *Recording) readPart(a *Attachment) {
	defer close(r.messages)
	defer close(r.proc.exited)
	for {
		m, err := readMessage(r.proc.events, r.opts.Limits.MessageBytes)
		to := r.proc.memory.chunk
		if m.tag == msgOutput {
			r.proc.memory.setFlag(hdrNews, 0) // before reading, so that output during the read sets it again
		}
		if err == nil && m.tag != msgFull {
			to = r.proc.memory.written(r.chunk)
		}
		failed := r.readErr != nil || r.drain(to) != nil
		switch {
		case err != nil:
			if !r.proc.visit.parted.Load() {
				r.vanished()
			}
			return
		case m.tag == msgFull:
			r.at = to
			r.nextChunk()
			_, _ = r.proc.credits.Write([]byte{1}) // fails if the process has ended, which the next read reports
		case m.tag == msgOver:
			a.chunk, a.at = r.chunk, to
			r.isOver(m)
			return
		case failed && m.tag == msgStop:
			_ = r.tell(mode("free", 0, 0, 0)...)
		case !failed && m.tag != msgOutput:
			r.messages <- m
		}
	}
}

// isOver notes how the part ended: with an exception or without.
func (r *Recording) isOver(m message) {
	if said := m.field(1); said != "" {
		r.fatal, r.proc.outcome = &said, 1
	}
	if event := r.raisedAt(m.field(0)); event >= 0 {
		r.log.fatal = &event
	}
}

// vanished notes that the process ended within the part.
func (r *Recording) vanished() {
	r.log.stopped = true
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notices = append(r.notices, "the process ended here: by a signal, by a crash, by os._exit, or after the last of its exit functions")
}

// Follow waits until the part has ended. A part that reaches a limit runs on unrecorded.
func (r *Recording) Follow(ctx context.Context) error {
	landing, err := r.Resume(ctx)
	for err == nil && landing.Reason != Ended {
		if landing.Reason == LimitReached {
			r.Record(false)
			r.mu.Lock()
			const said = "the recording reached its limit of %d events or %d MiB (limits.events, limits.memory): what follows ran unrecorded"
			r.notices = append(r.notices, fmt.Sprintf(said, r.opts.Limits.Events, r.opts.Limits.Bytes>>20))
			r.mu.Unlock()
		}
		landing, err = r.Advance(ctx, nil, nil)
	}
	return err
}

// Notices returns everything that npdb reported about the recording.
func (r *Recording) Notices() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.notices)
}

// Keep writes a recording that Follow has followed to its end to a file, and closes the
// recording. npdb is npdb's version.
func (r *Recording) Keep(path, npdb string) error {
	file, err := saved.Create(path)
	if err != nil {
		return errors.Join(err, r.Close())
	}
	if err := r.Save(file, npdb); err != nil {
		return errors.Join(err, r.Close(), os.Remove(path))
	}
	return r.Close()
}
