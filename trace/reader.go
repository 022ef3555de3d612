package trace

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// read takes what the tracer writes, until it is gone: records go into the
// tree, messages to whoever waits for them.
func (r *Recording) read() {
	defer close(r.messages)
	for {
		m, err := readMessage(r.proc.events, r.opts.Limits.MessageBytes-r.said.Load())
		if errors.Is(err, errMessage) {
			r.mu.Lock()
			_ = r.fail(err)
			r.mu.Unlock()
		}
		to := r.proc.memory.chunk
		switch {
		case m.tag == msgOutput:
			r.proc.memory.setFlag(hdrNews, 0) // before looking: what comes later says so itself
			fallthrough
		case err == nil && m.tag != msgFull:
			to = r.proc.memory.written(r.chunk)
		}
		if failed := r.drain(to); failed != nil || err != nil {
			break
		}
		if m.tag == msgOutput {
			continue
		}
		if m.tag != msgFull {
			r.said.Add(m.cost())
			r.messages <- m
			continue
		}
		r.nextChunk()
		_, _ = r.proc.credits.Write([]byte{1}) // fails when the tracer is gone, as the next read says
	}
	<-r.proc.exited
	_ = r.drain(r.proc.memory.chunk) // what was written before the process died
}

// drain reads the records up to a place in the chunk: what the tracer has
// published, or the end of a chunk that it has left.
func (r *Recording) drain(to int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.copied = r.proc.memory.copyOf(r.copied[:0], r.chunk, r.at, to)
	if err := r.proc.memory.lost(); err != nil {
		return r.fail(err)
	}
	return r.take(r.copied)
}

// take reads records that lie where the last ones ended. r.mu is held.
func (r *Recording) take(records []byte) error {
	n, err := r.understand(records)
	r.at += n
	if err != nil {
		return r.fail(err)
	}
	events, held := r.tree.Len(), r.tree.Bytes()
	if events >= r.limits.Events || held >= r.limits.Bytes {
		r.proc.memory.setFlag(hdrPause, 1)
	}
	// The tracer pauses when the chunk that it writes is full, and after an event of
	// many or large values. A program that writes in its place need not.
	const moreEvents, moreBytes = 1 << 20, 64 << 20
	if events >= r.limits.Events+moreEvents || held >= r.limits.Bytes+r.limits.Bytes/2+moreBytes {
		return r.fail(fmt.Errorf("the recording is at %d events and %d MiB, past its limit, and the program does not pause", events, held>>20))
	}
	return nil
}

// understand decodes records. The program can have written them itself, so what
// is wrong in them, and a fault of npdb's own over them, ends this recording and
// nothing else.
func (r *Recording) understand(records []byte) (n int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("npdb failed over what the tracer wrote: %v, in %s", fault, faultPlace())
		}
	}()
	return r.decode.consume(records)
}

// faultPlace returns where a panic that was just recovered came from.
func faultPlace() string {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") || !more {
			return fmt.Sprintf("%s, line %d", frame.Function, frame.Line)
		}
	}
}

// fail ends the program because what it wrote cannot be read. r.mu is held.
func (r *Recording) fail(err error) error {
	var known *ChannelError
	if !errors.As(err, &known) {
		err = &ChannelError{err}
	}
	if r.readErr == nil {
		r.readErr = err
		r.proc.kill()
	}
	return err
}

// nextChunk leaves a chunk, empty, for the tracer to fill again.
func (r *Recording) nextChunk() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.proc.memory.wipe(r.chunk, r.at)
	r.chunk, r.at = (r.chunk+1)%chunkCount, 0
}
