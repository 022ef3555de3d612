package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// onTerminalIn runs npdb --plain on a terminal. dialogue alternates texts to wait for and
// lines to type. It returns the screen's text.
func onTerminalIn(t *testing.T, home, dir string, env, args []string, dialogue ...string) string {
	t.Helper()
	program := filepath.Join(dir, "prog.py")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte(predictedProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer terminal.Close()
	cmd := npdbCommand(t, home, append(env, "TERM=xterm"), append(append([]string{"--plain"}, args...), program)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	shown := &transcript{in: bufio.NewReader(screen)}
	for i := 0; i < len(dialogue); i += 2 {
		shown.until(t, dialogue[i])
		if _, err := io.WriteString(screen, dialogue[i+1]+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, shown.text.String())
	}
	return shown.text.String()
}

// TestLeaveIsAsked checks that npdb asks on a terminal before it connects to anything,
// once for each server and project. After a no it uses the model in the binary, and
// remembers the answer.
func TestLeaveIsAsked(t *testing.T) {
	e, home := newElsewhere(t), t.TempDir()
	one, two := filepath.Join(home, "one"), filepath.Join(home, "two")
	const ask, prompt = "Send it? (y/n) ", "(npdb) "

	shown := onTerminalIn(t, home, one, e.env(), nil, ask, "no", prompt, "n", prompt, "info", prompt, "q")
	if got := e.sent(); got != "" {
		t.Errorf("after a no it got %q", got)
	}
	for _, word := range []string{"nd predicts on another machine, http://models.example/v1", "the source of prog.py", "~/one", "The model that npdb carries predicts in its place"} {
		if !strings.Contains(strings.Join(strings.Fields(shown), " "), word) {
			t.Errorf("%q is not in %s", word, shown)
		}
	}
	shown = onTerminalIn(t, home, one, e.env(), nil, prompt, "n", prompt, "q")
	if strings.Contains(shown, ask) || !strings.Contains(shown, "as you answered") || e.sent() != "" {
		t.Errorf("the no was not kept: %s", shown)
	}

	onTerminalIn(t, home, one, e.env(), []string{"--send", "ask"}, ask, "perhaps", ask, "y", prompt, "n", "y = 2", "q")
	if got := e.sent(); !strings.Contains(got, "x = 1") {
		t.Errorf("after a yes it got %q", got)
	}
	if shown = onTerminalIn(t, home, one, e.env(), nil, prompt, "n", "y = 2", "q"); strings.Contains(shown, ask) {
		t.Errorf("it asks again: %s", shown)
	}
	onTerminalIn(t, home, two, e.env(), nil, ask, "n", prompt, "q")
	onTerminalIn(t, home, one, e.env("NPDB_BASE_URL=http://others.example/v1"), nil, ask, "n", prompt, "q")
}

// TestLeaveIsAskedWhenJoining checks that real mode asks when the model is to join. After
// a no the session continues unchanged.
func TestLeaveIsAskedWhenJoining(t *testing.T) {
	e, home := newElsewhere(t), t.TempDir()
	env := e.env("PATH=" + os.Getenv("PATH"))
	const ask, prompt = "Send it? (y/n) ", "(npdb) "
	shown := onTerminalIn(t, home, home, env, []string{"--mode", "real"},
		prompt, "mode both", ask, "n", "as you answered", "mode both", "as you answered", "n", prompt, "p x", prompt, "q")
	if e.sent() != "" {
		t.Errorf("%s\nit got %q", shown, e.sent())
	}
	onTerminalIn(t, home, home, env, []string{"--mode", "real", "--send", "ask"}, prompt, "mode both", ask, "y", prompt, "n", prompt, "q")
	if !strings.Contains(e.sent(), "x = 1") {
		t.Errorf("it got %q", e.sent())
	}
}

// TestResumeAsks checks that npdb asks on a terminal before it resumes, which runs the
// program again, unless confirm is off.
func TestResumeAsks(t *testing.T) {
	home := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH")}
	const ask, prompt = "Run it? (y/n) ", "(npdb) "
	real := []string{"--mode", "real"}
	onTerminalIn(t, home, home, env, real, prompt, "n", prompt, "n", prompt, "q")
	shown := onTerminalIn(t, home, home, env, append(real, "--resume"), ask, "what", ask, "y", "replayed", "q")
	if !strings.Contains(shown, "Resuming runs prog.py again from the start.") {
		t.Errorf("it asks %s", shown)
	}
	shown = onTerminalIn(t, home, home, append(env, "NPDB_CONFIRM=false"), append(real, "--resume"), "replayed", "q")
	if strings.Contains(shown, ask) {
		t.Errorf("it asks though confirm is off: %s", shown)
	}
}
