//go:build unix

package trace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// drain reads one of the program's standard streams, including what C code and child processes
// write to it. It reads all the time, so that no writer blocks. take also reads what is still
// in the pipe, so that the output before a stop is complete.
type drain struct {
	file *os.File
	raw  syscall.RawConn
	done chan struct{}
	most int64     // maximum number of bytes stored; further output is dropped
	copy io.Writer // receives all output immediately; may be nil

	mu   sync.Mutex
	held []byte
	over bool
}

// newDrain starts reading a non-blocking file. It stores at most kept bytes plus one; the extra
// byte shows that there was more. also, if not nil, receives all output immediately.
func newDrain(file *os.File, kept int64, also io.Writer) (*drain, error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return nil, err
	}
	d := &drain{file: file, raw: raw, done: make(chan struct{}), most: kept + 1, copy: also}
	go d.run()
	return d, nil
}

func (d *drain) run() {
	defer close(d.done)
	var pace burst
	for {
		waiting := true
		// Read calls the function again, once the file is readable, until it returns true.
		err := d.raw.Read(func(fd uintptr) bool {
			waiting = d.read(int(fd))
			return !waiting
		})
		if err != nil || d.isOver() {
			return
		}
		pace.wait()
	}
}

// read reads all available data and reports whether to wait for more.
func (d *drain) read(fd int) (wait bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var buf [4096]byte
	got := false
	for !d.over {
		n, err := unix.Read(fd, buf[:])
		switch {
		case n > 0:
			if int64(len(d.held)) < d.most {
				d.held = append(d.held, buf[:n]...)
			}
			if d.copy != nil {
				_, _ = d.copy.Write(buf[:n]) // the program need not end when nobody reads its output
			}
			got = true
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			return !got
		default:
			d.over = true
		}
	}
	return false
}

func (d *drain) isOver() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over
}

// take returns and removes all stored data. It may be called on nil.
func (d *drain) take() []byte {
	if d == nil {
		return nil
	}
	return d.takeThrough(nil)
}

// takeThrough returns the stored data up to and including a text. If the text is not
// there, because another writer interrupted it or data was dropped, takeThrough returns
// all data.
func (d *drain) takeThrough(text []byte) []byte {
	_ = d.raw.Control(func(fd uintptr) { d.read(int(fd)) })
	d.mu.Lock()
	defer d.mu.Unlock()
	taken := d.held
	if at := bytes.Index(taken, text); at >= 0 && len(text) > 0 {
		taken = taken[:at+len(text)]
	}
	d.held = d.held[len(taken):]
	if len(d.held) == 0 {
		d.held = nil
	}
	return taken
}

func (d *drain) close() {
	_ = d.file.Close()
	<-d.done
}
