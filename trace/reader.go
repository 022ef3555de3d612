package trace

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"

	"github.com/npdb/npdb/trace/saved"
)

// read reads the tracer's output until the tracer exits. Records go into the tree, messages
// to the waiting caller.
func (r *Recording) read() {
	defer close(r.messages)
	var pace burst
	for {
		select {
		case <-r.proc.exited: // the records of the last message may have taken long
			r.proc.lastWords()
		default:
		}
		m, err := readMessage(r.proc.events, r.opts.Limits.MessageBytes-r.said.Load())
		if errors.Is(err, errMessage) {
			r.mu.Lock()
			_ = r.fail(err)
			r.mu.Unlock()
		}
		to := r.proc.memory.chunk
		switch {
		case m.tag == msgOutput:
			pace.wait()
			r.proc.memory.setFlag(hdrNews, 0) // before reading, so that output during the read sets it again
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
		_, _ = r.proc.credits.Write([]byte{1}) // fails if the tracer has exited, which the next read reports
	}
	<-r.proc.exited
	_ = r.drain(r.proc.memory.chunk) // read the records that were written before the process died
}

// drain decodes the records of the current chunk up to an offset. This is the offset that the
// tracer has published or, if the tracer has finished the chunk, the chunk's end.
func (r *Recording) drain(to int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.copied = r.proc.memory.copyOf(r.copied[:0], r.chunk, r.at, to)
	if err := r.proc.memory.lost(); err != nil {
		return r.fail(err)
	}
	return r.take(r.copied)
}

// take decodes the records that follow those already decoded. The caller has locked r.mu.
func (r *Recording) take(records []byte) error {
	if r.opts.again != nil && !r.addressed {
		r.addressed = addresses.Match(records)
	}
	for {
		n, err := r.understand(records)
		r.at += n
		r.log.Add(saved.KindRecords, records[:n])
		full := r.kept != nil && n < len(records) && r.decode.full(records[n])
		if err == nil && full {
			err = r.cut()
		}
		if err != nil {
			return r.fail(err)
		}
		if !full {
			break
		}
		records = records[n:]
	}
	events, held := r.tree.Len(), r.tree.Bytes()+r.log.Bytes()+r.kept.bytes()
	if r.spending.move != nil && r.spending.events > 0 && events >= r.spending.events {
		r.proc.memory.setFlag(hdrPause, 1)
	}
	if events >= r.limits.Events || held >= r.limits.Bytes {
		r.proc.memory.setFlag(hdrPause, 1)
	}
	// A batch may exceed the limits by this much: the tracer pauses only when a chunk is full,
	// or after an event of many or large values. Beyond that, the program itself has written to
	// the memory, and may never pause.
	const moreEvents, moreBytes = 1 << 20, 64 << 20
	if events >= r.limits.Events+moreEvents || held >= r.limits.Bytes+r.limits.Bytes/2+moreBytes {
		return r.fail(fmt.Errorf("the recording is at %d events and %d MiB, past its limit, and the program does not pause", events, held>>20))
	}
	return nil
}

// addresses matches the text of an object with its address. The tracer leaves addresses out of
// texts of objects, so that one is in a text that the program made.
var addresses = regexp.MustCompile(` at 0x[0-9a-fA-F]+>`)

// understand decodes records. The program may have written them itself, so invalid records,
// and even a panic of npdb while decoding them, end only this recording.
func (r *Recording) understand(records []byte) (n int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("npdb failed to decode what the tracer wrote: %v, in %s", fault, faultPlace())
		}
	}()
	return r.decode.consume(records)
}

// faultPlace returns the source position of a recovered panic.
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

// fail ends the program, because its records cannot be read or the tracer refuses it, and
// keeps the first error for await. The caller has locked r.mu.
func (r *Recording) fail(err error) error {
	var channel *ChannelError
	var start *StartError
	if !errors.As(err, &channel) && !errors.As(err, &start) {
		err = &ChannelError{err}
	}
	if r.readErr == nil {
		r.readErr = err
		r.proc.kill()
	}
	return err
}

// nextChunk clears the current chunk for reuse and moves to the next.
func (r *Recording) nextChunk() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.proc.memory.wipe(r.chunk, r.at)
	r.chunk, r.at = (r.chunk+1)%chunkCount, 0
}
