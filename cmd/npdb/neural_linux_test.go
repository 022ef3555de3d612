package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/serve"
)

// TestNeuralStartsNoProcess uses neural mode and checks that npdb starts no process, both
// without any Python on PATH and with some that would record their start.
func TestNeuralStartsNoProcess(t *testing.T) {
	oracle := cpython.New(cpython.Config{Python: pythons.Any(t), Timeout: time.Minute})
	t.Cleanup(func() {
		if err := oracle.Close(); err != nil {
			t.Error(err)
		}
	})
	server, err := serve.New(serve.Config{Models: []serve.Model{{Name: "oracle", Predictor: oracle}}})
	if err != nil {
		t.Fatal(err)
	}
	const program = "def f(x, by=2):\n    y = x * by\n    return y\n\na = f([1, 2])\nb = f(a)\nc = len(b)\n"
	for _, tt := range []struct {
		name     string
		entry    string
		commands []string
		want     []string
	}{
		{
			"script", "",
			[]string{
				"b 2, len(x) > 2", "tbreak f", "c", "p x + [by]", "c", "p len(x), x[0]", "whatis x", "a", "w", "ll", "source f", "info prog",
				"!by = 3", "r", "raw", "retry", "back", "forth", "until", "display len(a)", "n", "rs", "rf", "j 6", "rewind", "restart", "s",
			},
			[]string{"[1, 2, 2]", "(4, 1)", "<class 'list'>", "def f(x, by=2):", "f()->[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]"},
		},
		{"entry", "f([1, 2])", []string{"p x", "s", "r", "rf"}, []string{"[1, 2]", "f()->[1, 2, 1, 2]"}},
		{"entry left open", "f(3, by=_)", nil, nil},
	} {
		for _, where := range []string{"no Python", "a Python that tells"} {
			t.Run(tt.name+", "+where, func(t *testing.T) {
				t.Parallel()
				home := t.TempDir()
				told := filepath.Join(home, "told")
				env := []string{"NPDB_MODEL=oracle", "NPDB_MODE=neural"}
				if where != "no Python" {
					env = append(env, "VIRTUAL_ENV="+home)
					for _, name := range []string{"python3", "python", "python3.11", "bin/python", "bin/python3"} {
						tattler(t, filepath.Join(home, name), told)
					}
				}
				path := filepath.Join(home, "prog.py")
				if err := os.WriteFile(path, []byte(program), 0o600); err != nil {
					t.Fatal(err)
				}
				m := newModel(t, true)
				pid := make(chan int, 1)
				m.set(func(w http.ResponseWriter, r *http.Request) {
					if strings.HasSuffix(r.URL.Path, "/completions") {
						id := <-pid
						noChildren(t, id)
						pid <- id
					}
					server.Handler().ServeHTTP(w, r)
				})
				env = append(env, "NPDB_BASE_URL=http://"+m.address+"/v1")
				args := []string{"--plain", path}
				if tt.entry != "" {
					args = []string{"--plain", "--entry", tt.entry, path}
				}
				s := talkTo(t, home, npdbCommand(t, home, env, args...))
				pid <- s.cmd.Process.Pid
				if tt.commands == nil { // the oracle cannot fill in arguments, so npdb exits
					_ = s.cmd.Wait()
					if !strings.Contains(s.stderr.String(), `declines to say a value for "by"`) {
						t.Errorf("it said %s", s.stderr.String())
					}
				} else {
					for _, c := range tt.commands {
						if c = s.plain(t, c); strings.Contains(c, "*** ") {
							t.Error(c)
						}
					}
					for _, w := range tt.want {
						if !strings.Contains(s.said.String(), w) {
							t.Errorf("%q is not in\n%s", w, s.said.String())
						}
					}
					noChildren(t, s.cmd.Process.Pid)
					s.quit(t)
				}
				if text, err := os.ReadFile(told); err == nil {
					t.Errorf("a Python was started:\n%s", text)
				}
			})
		}
	}
	// The same check detects the Python process of real mode.
	home := t.TempDir()
	tattler(t, filepath.Join(home, "python3"), filepath.Join(home, "told"))
	if out, err := npdbCommand(t, home, nil, "-c", "x = 1").CombinedOutput(); err == nil {
		t.Errorf("real mode works with what is no Python:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(home, "told")); err != nil {
		t.Error("a Python that tells does not tell:", err)
	}
}

// TestOwnModelStartsNoProcess checks that the model in the binary needs no Python process
// and no Python on PATH.
func TestOwnModelStartsNoProcess(t *testing.T) {
	if !embedded.HasModel() {
		t.Skip("skipped: this build carries no model")
	}
	home := t.TempDir()
	told := filepath.Join(home, "told")
	for _, name := range []string{"python3", "python", "bin/python", "bin/python3"} {
		tattler(t, filepath.Join(home, name), told)
	}
	path := filepath.Join(home, "prog.py")
	if err := os.WriteFile(path, []byte("def f(x):\n    y = x + 1\n    return y\n\na = f(2)\nb = f(a)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := talkTo(t, home, npdbCommand(t, home, []string{"VIRTUAL_ENV=" + home}, "--plain", "--mode", "neural", "--compute", "off", path))
	for _, c := range []string{"b 2", "c", "p x + 1", "!x = 5", "r", "raw", "retry", "back", "w"} {
		if c = s.plain(t, c); strings.Contains(c, "*** ") {
			t.Error(c)
		}
	}
	if !strings.Contains(s.said.String(), "prog.py(2)f()  [predicted ") {
		t.Errorf("it did not come to the breakpoint:\n%s", s.said.String())
	}
	noChildren(t, s.cmd.Process.Pid)
	s.quit(t)
	if text, err := os.ReadFile(told); err == nil {
		t.Errorf("a Python was started:\n%s", text)
	}
}

// tattler writes a program that records its start, and fails.
func tattler(t *testing.T, path, told string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho \"$0 $*\" >>'"+told+"'\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// noChildren checks that a process has no children and never had any: a child that it has
// waited for leaves its page faults in the process's counter (cminflt of proc(5)).
func noChildren(t *testing.T, pid int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Error(err)
		return
	}
	for _, path := range stats {
		fields := statFields(path)
		if fields == nil {
			continue // it has ended meanwhile
		}
		if fields[1] == strconv.Itoa(pid) {
			t.Errorf("npdb has a child, %s", path)
		}
	}
	if own := statFields("/proc/" + strconv.Itoa(pid) + "/stat"); own != nil && own[8] != "0" {
		t.Errorf("npdb has had children: their page faults are %s", own[8])
	}
}

// statFields returns the fields after the name in a process's stat, beginning with its
// state.
func statFields(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}
