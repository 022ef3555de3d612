package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"github.com/npdb/npdb/internal/pythons"
)

// TestFaultLosesNothing checks that after a panic of npdb the terminal is restored, and
// that a line says how to resume, which works.
func TestFaultLosesNothing(t *testing.T) {
	python := pythons.Any(t)
	dir, home := t.TempDir(), t.TempDir()
	program := filepath.Join(dir, "prog.py")
	if err := os.WriteFile(program, []byte("print('done ' + str(11 * 11))\nb = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"npdb", faultyName} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	if err := pty.Setsize(terminal, &pty.Winsize{Cols: 100, Rows: 30}); err != nil {
		t.Fatal(err)
	}
	before := modes(t, terminal)
	env := append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "TERM=xterm-256color", "NO_COLOR=1", "GORACE=atexit_sleep_ms=0")

	cmd := exec.Command(filepath.Join(dir, faultyName), "--python", python, program)
	cmd.Env = env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	shown := &transcript{in: bufio.NewReader(screen)}
	shown.until(t, "live")
	for _, step := range []struct{ key, shows string }{{"n", "done 121"}, {":p 1200 + 34\r", "1234"}, {"Q", "npdb --resume goes on"}} {
		if _, err := io.WriteString(screen, step.key); err != nil {
			t.Fatal(err)
		}
		shown.until(t, step.shows)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("a fault ends npdb with exit code 0")
	}
	if after := modes(t, terminal); !reflect.DeepEqual(after, before) {
		t.Errorf("the terminal's modes are %+v, they were %+v", after, before)
	}
	for _, off := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?1002l"} {
		if !strings.Contains(shown.text.String(), off) {
			t.Errorf("%q did not come", off)
		}
	}
	_ = terminal.Close()

	again := exec.Command(filepath.Join(dir, "npdb"), "--plain", "--python", python, "--resume")
	again.Env, again.Stdin = env, strings.NewReader("q\n")
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Resumed: ") || !strings.Contains(string(out), "-> b = 2") {
		t.Errorf("%v\n%s", err, out)
	}
}
