//go:build unix

package trace_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// fifo is a named pipe: a line that a program writes to it is a sign that
// reaches the test without polling, and its end is that of every process that
// holds it.
type fifo struct {
	*testing.T
	path   string
	reader *os.File
	keeper *os.File // a write end of the test's own, so that there is no end before a program came
}

// signHere is the start of a program that says on a fifo where it is.
const signHere = "import os, sys\nfd = os.open(sys.argv[1], os.O_WRONLY)\ndef sign(text='here'):\n    os.write(fd, text.encode() + b'\\n')\n"

func newFifo(t *testing.T) *fifo {
	t.Helper()
	f := &fifo{T: t, path: filepath.Join(t.TempDir(), "fifo")}
	if err := syscall.Mkfifo(f.path, 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if f.reader, err = os.OpenFile(f.path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		t.Fatal(err)
	}
	if f.keeper, err = os.OpenFile(f.path, os.O_WRONLY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = f.reader.Close()
		_ = f.keeper.Close()
	})
	// A sign that never comes is a failure that names its test, not one of the whole run.
	if err := f.reader.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return f
}

// wait reads the next line.
func (f *fifo) wait() string {
	f.Helper()
	var line []byte
	for {
		var b [1]byte
		if _, err := f.reader.Read(b[:]); err != nil {
			f.Fatalf("no sign from the program: %v", err)
		}
		if b[0] == '\n' {
			return string(line)
		}
		line = append(line, b[0])
	}
}

// released waits until no process holds the pipe.
func (f *fifo) released() {
	f.Helper()
	_ = f.keeper.Close()
	if _, err := io.Copy(io.Discard, f.reader); err != nil {
		f.Fatalf("a process of the program's is left: %v", err)
	}
}
