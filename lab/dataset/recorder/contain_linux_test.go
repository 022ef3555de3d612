package recorder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
)

// TestOutliving checks that a process that tries to outlive its parent is killed with it when the
// context ends.
func TestOutliving(t *testing.T) {
	if filter() == nil {
		t.Skip("npdb knows no filter of system calls here")
	}
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	w := begin(t, Config{Python: pythons.Any(t), Contain: ContainLimits, Limits: Limits{Wall: time.Hour}})
	// The audit hook ignores code whose file name is that of a file of maker.
	code := fmt.Sprintf("import os, sys, time\nfd = os.open(%q, os.O_WRONLY)\nsys.modules['maker.containing'].system.prctl(1, 0, 0, 0, 0)\nos.write(fd, b'x')\ntime.sleep(20)\n", path)
	source := fmt.Sprintf("import sys\nexec(compile(%q, sys.modules['maker.frames'].__file__, 'exec'))\n", code)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := w.Record(ctx, Job{Program: &Program{Source: source}})
		done <- err
	}()
	fifo, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer fifo.Close()
	if err := fifo.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := fifo.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n, err := fifo.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("it still has what it opened: %d, %v", n, err)
	}
}

// TestWithoutBubblewrap checks programs of root without bubblewrap: they run as another user, or as root
// if only limits were requested, and the warning says so.
func TestWithoutBubblewrap(t *testing.T) {
	const python = "/usr/bin/python3"
	if os.Geteuid() != 0 {
		t.Skip("another user takes root")
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip(err)
	}
	tools := t.TempDir()
	for _, tool := range []string{"setpriv", "sh"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(tools, tool)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", tools)
	who := Job{Program: &Program{Source: "import sys\nexec(compile('import os; x = os.getuid()', sys.modules['maker.frames'].__file__, 'exec'))\n"}}
	w := begin(t, Config{Python: python})
	if said := w.Warning(); !strings.Contains(said, "(bubblewrap (bwrap) is not installed): they run as a user of their own, ") || strings.Contains(said, "root") || strings.Contains(said, "network") {
		t.Error(said)
	}
	if said := inWords(t, w, who); strings.Contains(said, "Value:0 ") || !strings.Contains(said, "Name:x") {
		t.Error(said)
	}
	w = begin(t, Config{Python: python, Contain: ContainLimits})
	if said := w.Warning(); !strings.Contains(said, "(as asked): they run as this user, ") || !strings.HasSuffix(said, "This user is root") {
		t.Error(said)
	}
	if said := inWords(t, w, who); !strings.Contains(said, "Value:0 ") {
		t.Error(said)
	}
	if _, err := Start(t.Context(), Config{Python: python, Contain: ContainBubblewrap}); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
