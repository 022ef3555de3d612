package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/internal/pythons"
)

// branchesOf returns what an answer in JSON says about the history.
func branchesOf(t *testing.T, line []byte) (result string, visit int) {
	t.Helper()
	var answer struct {
		Result *string
		Visit  int
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if answer.Error != nil {
		t.Fatalf("%s", answer.Error.Message)
	}
	if answer.Result != nil {
		result = *answer.Result
	}
	return result, answer.Visit
}

// TestKilledKeepsBranches checks that after kill -9 a session resumes with all branches and marks,
// at the state that was shown, with the built-in model and with CPython.
func TestKilledKeepsBranches(t *testing.T) {
	python := pythons.Any(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for mode, commands := range map[string][]string{
		"neural": {"n", "n", "mark a", "n", "goto #2", "x = 8", "n", "mark b", "goto a", "jump 2", "goto #2", "n", "s", "prune #4", "goto b"},
		"real":   {"n", "n", "mark a", "n", "goto #2", "c", "rs", "mark b", "goto a", "rs", "goto 0", "goto b", "prune #4", "goto a"},
	} {
		t.Run(mode, func(t *testing.T) {
			if mode == "neural" && !embedded.HasModel() {
				t.Skip("this build contains no model")
			}
			dir, home := t.TempDir(), t.TempDir()
			npdb, program := filepath.Join(dir, "npdb"), filepath.Join(dir, "prog.py")
			if err := os.Symlink(self, npdb); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(program, []byte("x = 1\ny = x + 1\nz = y * 2\nw = z - x\nprint(w)\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			run := func(args ...string) *exec.Cmd {
				cmd := exec.Command(npdb, append([]string{"--json", "--mode", mode, "--python", python}, args...)...)
				cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "GORACE=atexit_sleep_ms=0")
				return cmd
			}
			killed := run(program)
			in, err := killed.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := killed.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := killed.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = killed.Process.Kill() })
			answers := bufio.NewReader(out)
			var want string
			var visit int
			for _, line := range append([]string{""}, append(commands, "branches")...) {
				if line != "" {
					if _, err := io.WriteString(in, line+"\n"); err != nil {
						t.Fatal(err)
					}
				}
				answer, err := answers.ReadBytes('\n')
				if err != nil {
					t.Fatal(err)
				}
				want, visit = branchesOf(t, answer)
			}
			if err := killed.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = killed.Wait() // the error is the signal

			again := run("--resume", program)
			again.Stdin = strings.NewReader("branches\nq\n")
			resumed, err := again.Output()
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.Split(resumed, []byte("\n"))
			if got, now := branchesOf(t, lines[1]); got != want || now != visit {
				t.Errorf("resumed at #%d with\n%s\nwant #%d with\n%s", now, got, visit, want)
			}
			if !strings.Contains(want, "├─") || !strings.Contains(want, "[a]") || !strings.Contains(want, "[b]") {
				t.Errorf("the session has no branches: %s", want)
			}
		})
	}
}
