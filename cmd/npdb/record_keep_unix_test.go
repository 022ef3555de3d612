//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// npdbIn returns a function that runs npdb in a new folder with settings of its own.
func npdbIn(t *testing.T) (dir string, npdb func(args ...string) *exec.Cmd) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	path := filepath.Join(dir, "npdb")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return dir, func(args ...string) *exec.Cmd {
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir, "XDG_RUNTIME_DIR=", "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "GORACE=atexit_sleep_ms=0")
		return cmd
	}
}

// wantKept opens a file and checks that it has the newest events, at least so many.
func wantKept(t *testing.T, path string, events int) (rec *trace.Recording, landing trace.Landing) {
	t.Helper()
	rec, landing, err := trace.OpenFile(path, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	if n := rec.Tree().Len(); n < events || n > events+max(events/4, 300) || !strings.Contains(landing.Notice, "were not kept") {
		t.Errorf("%s has %d events, want %d (%q)", path, n, events, landing.Notice)
	}
	return rec, landing
}

// TestRecordKept checks npdb record --keep at an uncaught exception, and when the program kills
// itself.
func TestRecordKept(t *testing.T) {
	dir, npdb := npdbIn(t)
	const program = "import os\ndef f(n):\n    m = n + 1\n    return m\nfor k in range(3000):\n    f(k)\n"
	for name, c := range map[string]struct {
		end  string
		code int
	}{
		"raises": {"raise ValueError(k)", 1},
		"killed": {"os.kill(os.getpid(), 9)", 137},
		"ends":   {"", 0},
	} {
		path := filepath.Join(dir, name+".npdb")
		cmd := npdb("record", "--keep", "last:1000", "--python", pythons.Any(t), "-o", path, "-c", program+c.end)
		said, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(said), "events, the last 1,") {
			t.Errorf("%s: exit code %d: %s", name, code, said)
		}
		rec, landing := wantKept(t, path, 1000)
		if landing.PostMortem != (name == "raises") {
			t.Errorf("%s begins at %+v", name, landing)
		}
		tree := rec.Tree()
		if at := tree.Stack(tree.Len() - 2); at[0].Line < 5 {
			t.Errorf("%s: the last frame is at line %d", name, at[0].Line)
		}
	}
	cmd := npdb("open", "--plain", "ends.npdb")
	cmd.Stdin = strings.NewReader("goto 0\nrs\nprovenance f\np k\n")
	said, err := cmd.CombinedOutput()
	for _, want := range []string{"events before it were not kept", "Recording began here; what came before was not recorded", "before the recording", "\n2"} {
		if err != nil || !strings.Contains(string(said), want) {
			t.Errorf("%v: %q is not in %s", err, want, said)
		}
	}
}

// TestDump checks that a running program's recording is written when npdb dump asks for it, by either
// process id, and at a signal, and that the program goes on.
func TestDump(t *testing.T) {
	dir, npdb := npdbIn(t)
	const program = `import os
print(os.getpid(), flush=True)
n = 0
while not os.path.exists('stop'):
    n += 1
print('over')
`
	cmd := npdb("record", "--keep", "last:1000", "--python", pythons.Any(t), "-o", "run.npdb", "-c", program)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines, words := bufio.NewReader(out), bufio.NewReader(said)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for n, pid := range []string{strconv.Itoa(cmd.Process.Pid), strings.TrimSpace(first)} {
		path := filepath.Join(dir, fmt.Sprintf("run-%d.npdb", n+1))
		for kept := false; !kept; { // the program may not have had so many events yet
			_ = os.Remove(path)
			answer, err := npdb("dump", pid).CombinedOutput()
			if err != nil || !strings.Contains(string(answer), path) {
				t.Fatalf("npdb dump %s: %v: %s", pid, err, answer)
			}
			if _, err := words.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			rec, landing, err := trace.OpenFile(path, trace.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			kept = strings.Contains(landing.Notice, "were not kept")
			if !strings.Contains(landing.Notice, "still running") {
				t.Errorf("%q", landing.Notice)
			}
			if err := rec.Close(); err != nil {
				t.Error(err)
			}
		}
		wantKept(t, path, 1000)
	}
	if err := cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if line, err := words.ReadString('\n'); err != nil || !strings.Contains(line, "run-3.npdb") {
		t.Errorf("at the signal: %q, %v", line, err)
	}
	wantKept(t, filepath.Join(dir, "run-3.npdb"), 1000)
	if err := os.WriteFile(filepath.Join(dir, "stop"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(lines)
	if err := cmd.Wait(); err != nil || string(rest) != "over\n" {
		t.Errorf("the program ended with %v: %s", err, rest)
	}
	wantKept(t, filepath.Join(dir, "run.npdb"), 1000)
	answer, err := npdb("dump", strings.TrimSpace(first)).CombinedOutput()
	if err == nil || !strings.Contains(string(answer), "no npdb record --keep") {
		t.Errorf("after the end: %v: %s", err, answer)
	}
}
