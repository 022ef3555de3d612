//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// started is a running npdb whose program has reported that it runs.
type started struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	alive  io.Reader // reaches its end when the program's process ends
}

// start runs npdb on a program that opens the FIFO in its first argument, reports that it
// runs, and then executes body.
func start(t *testing.T, body string) *started {
	t.Helper()
	return startBy(t, body, "c")
}

// startBy is like start, with a different first command.
func startBy(t *testing.T, body, command string) *started {
	t.Helper()
	python := pythons.Any(t)
	dir := t.TempDir()
	fifo, program := filepath.Join(dir, "alive"), filepath.Join(dir, "prog.py")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	text := "import itertools, os, sys\nalive = open(sys.argv[1], 'w')\n" + body + "\n"
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable() // TestMain runs npdb if it is called with this name
	if err != nil {
		t.Fatal(err)
	}
	npdb := filepath.Join(t.TempDir(), "npdb")
	if err := os.Symlink(self, npdb); err != nil {
		t.Fatal(err)
	}
	s := &started{cmd: exec.Command(npdb, "--plain", "--python", python, program, fifo)}
	s.cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "GORACE=atexit_sleep_ms=0")
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if s.stdout, err = s.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // has usually ended already
	s.say(t, command)
	// Opening waits until the program opens its end.
	alive, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = alive.Close() })
	in := bufio.NewReader(alive)
	if line, err := in.ReadString('\n'); err != nil || line != "runs\n" {
		t.Fatalf("the program said %q, %v", line, err)
	}
	s.alive = in
	return s
}

func (s *started) say(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(s.stdin, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

// gone waits until the program's process has ended.
func (s *started) gone(t *testing.T) {
	t.Helper()
	if _, err := io.Copy(io.Discard, s.alive); err != nil {
		t.Fatal(err)
	}
}

// Programs that do not end, in Python and in C. The second one reports from within the C
// function that ignores signals, because an interrupt between two calls could stop it.
const (
	tells    = "print('runs', file=alive, flush=True)\n"
	loops    = "while True:\n    pass"
	forever  = tells + loops
	heedless = "sum(itertools.chain(map(os.write, [alive.fileno()], [b'runs\\n']), range(10**15)))"
)

// TestNoOrphans ends npdb in every way while its program runs; the program must end with
// it.
func TestNoOrphans(t *testing.T) {
	tests := []struct {
		name   string
		body   string
		signal syscall.Signal
		code   int
	}{
		{"terminate", forever, syscall.SIGTERM, 128 + int(syscall.SIGTERM)},
		{"terminate what heeds no signal", heedless, syscall.SIGTERM, 128 + int(syscall.SIGTERM)},
		{"hang up", forever, syscall.SIGHUP, 128 + int(syscall.SIGHUP)},
		{"kill", forever, syscall.SIGKILL, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, tt.body)
			if err := s.cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			s.gone(t)
			_, _ = io.Copy(io.Discard, s.stdout) // must be read before Wait
			_ = s.cmd.Wait()                     // the exit code is checked below
			if code := s.cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
		})
	}
}

// interrupted interrupts npdb, sends one more command and quits. It returns npdb's output
// from then on.
func (s *started) interrupted(t *testing.T, command string) string {
	t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	s.say(t, command)
	s.say(t, "q")
	out, err := io.ReadAll(s.stdout)
	if err != nil {
		t.Fatal(err)
	}
	s.gone(t)
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	return string(out)
}

func TestInterrupt(t *testing.T) {
	s := start(t, forever)
	if text := s.interrupted(t, "p 6 * 7"); !strings.Contains(text, "Program interrupted.") || !strings.Contains(text, "\n42\n") {
		t.Errorf("it said\n%s", text)
	}
}

// TestInterruptStopsWhatFollows checks that one interrupt stops the running command and
// all that should follow it.
func TestInterruptStopsWhatFollows(t *testing.T) {
	for _, command := range []string{"c;;p 6 * 7;;c", "alias again c;;again\nagain", "n 1000000;;p 6 * 7"} {
		s := startBy(t, forever, command)
		if text := s.interrupted(t, "p 'done'"); !strings.Contains(text, "was not run.") || strings.Contains(text, "\n42\n") || !strings.Contains(text, "'done'") {
			t.Errorf("%s: it said\n%s", command, text)
		}
	}
}

// TestSecondInterruptEndsTheProgram interrupts a program that ignores signals.
func TestSecondInterruptEndsTheProgram(t *testing.T) {
	s := start(t, heedless)
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = io.Copy(io.Discard, s.alive) // reads until the program has ended
	}()
	for running := true; running; {
		select {
		case <-over:
			running = false
		default:
			if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			runtime.Gosched()
		}
	}
	s.say(t, "q")
	// A late interrupt may stop even this command; the end of the input quits, too.
	if err := s.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(s.stdout)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(string(out), "killed by signal 9") {
		t.Errorf("it said\n%s", out)
	}
}

// TestBrokenPipe closes the reader in the middle of the answers.
func TestBrokenPipe(t *testing.T) {
	s := start(t, tells+"x = 1\nbreakpoint()\n"+loops)
	if err := s.stdout.Close(); err != nil {
		t.Fatal(err)
	}
	// npdb may have ended before the last of these.
	for range 3 {
		_, _ = io.WriteString(s.stdin, "w\n")
	}
	s.gone(t)
	if err := s.cmd.Wait(); err == nil {
		t.Error("npdb ended as if its answers had been read")
	}
}
