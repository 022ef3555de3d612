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

// fifo is a named pipe for synchronisation without polling: a line that a program writes
// is a sign for the test, and its end shows that no process has it open any more.
type fifo struct {
	*testing.T
	path   string
	reader *os.File
	keeper *os.File // a write end that the test keeps open, so that the pipe does not end before a program has opened it
}

// signHere is the start of a program that reports its position on a fifo.
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
	// If a sign never comes, only this test fails, not the whole run.
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

// released waits until no process has the pipe open.
func (f *fifo) released() {
	f.Helper()
	_ = f.keeper.Close()
	if _, err := io.Copy(io.Discard, f.reader); err != nil {
		f.Fatalf("a process of the program's is left: %v", err)
	}
}
