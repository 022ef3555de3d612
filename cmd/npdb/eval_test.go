//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/serve"
)

// evaluation runs npdb eval in a separate process, with a server.
type evaluation struct {
	home, url string
	asked     atomic.Int64 // requests for completions
}

// newEvaluation starts a server that calls each with the number of a request for
// completions before it answers.
func newEvaluation(t *testing.T, each func(n int64)) *evaluation {
	t.Helper()
	oracle := cpython.New(cpython.Config{Python: pythons.Any(t), Timeout: time.Minute})
	t.Cleanup(func() { oracle.Close() })
	server, err := serve.New(serve.Config{Models: []serve.Model{{Name: "oracle", Predictor: oracle}}})
	if err != nil {
		t.Fatal(err)
	}
	e := &evaluation{home: t.TempDir()}
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/completions") {
			each(e.asked.Add(1))
		}
		server.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(listening.Close)
	e.url = listening.URL + "/v1"
	var problems strings.Builder
	for i := range 4 {
		fmt.Fprintf(&problems, `{"code": "def f(x):\n    y = x + 1\n    return y\n", "input": "%d", "output": "%d"}`+"\n", i, i+1)
	}
	e.write(t, "problems.jsonl", problems.String())
	return e
}

func (e *evaluation) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(e.home, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (e *evaluation) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return npdbCommand(t, e.home, []string{"PATH=" + os.Getenv("PATH")}, append([]string{"eval"}, args...)...)
}

// run returns a command's output.
func (e *evaluation) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := e.command(t, args...)
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &complained
	if err := cmd.Run(); err != nil {
		t.Fatalf("npdb eval %q: %v\n%s", args, err, complained.String())
	}
	if strings.ContainsAny(complained.String(), "\r\x1b") {
		t.Errorf("without a terminal there is a progress bar: %q", complained.String())
	}
	return said.String()
}

// TestEval checks that each task prints tables, or JSON that diff can read, and that no
// question is sent twice.
func TestEval(t *testing.T) {
	e := newEvaluation(t, func(int64) {})
	model := []string{"problems.jsonl", "--base-url", e.url, "--baselines", "still", "--python", pythons.Any(t)}
	text := e.run(t, append([]string{"cruxeval", "--only", "output", "--html", "page.html"}, model...)...)
	if !strings.HasPrefix(text, "npdb eval cruxeval: oracle at "+e.url+", 4 programs of problems.jsonl\n") || !strings.Contains(text, "output, by step_return  4  100.0%") {
		t.Errorf("%s", text)
	}
	if page, err := os.ReadFile(filepath.Join(e.home, "page.html")); err != nil || !bytes.HasPrefix(page, []byte("<!doctype html>")) {
		t.Errorf("%v %.100q", err, page)
	}
	before := e.asked.Load()
	text = e.run(t, append([]string{"cruxeval", "--only", "output", "--json"}, model...)...)
	if asked := e.asked.Load() - before; asked != 0 {
		t.Errorf("%d questions were asked again", asked)
	}
	var said struct {
		N      int
		Output map[string]any
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil || said.N != 4 || said.Output["pass@1"] != 1.0 {
		t.Errorf("%v %+v", err, said)
	}
	e.write(t, "a.json", text)
	e.write(t, "b.json", e.run(t, append([]string{"cruxeval", "--only", "output", "--json", "--cache", "", "--strategy", "over"}, model...)...))
	if asked := e.asked.Load() - before; asked != 4*3 { // to line 2, to line 3, to the return
		t.Errorf("%d questions were asked by single steps", asked)
	}
	before = e.asked.Load()
	several := e.command(t, append([]string{"cruxeval", "--only", "output", "--json", "--cache", "", "--strategy", "over", "--dialect", "chat"}, model...)...)
	several.Env = append(several.Env, "NPDB_STOPS=8")
	if said, err := several.CombinedOutput(); err != nil || e.asked.Load()-before != 4*3 {
		t.Errorf("%d questions were asked where a debugger has several answered at once, %v\n%s", e.asked.Load()-before, err, said)
	}
	if text = e.run(t, "diff", "a.json", "b.json"); !strings.Contains(text, "output  4         4      100.0%      100.0%        +0.0  +0.0 to +0.0") {
		t.Errorf("%s", text)
	}
	if text = e.run(t, "errors", "a.json"); text != "no wrong answers\n" {
		t.Errorf("%s", text)
	}
	text = e.run(t, append([]string{"states", "--states", "2", "--limit", "1", "--moves", "step_over,inv_step_over"}, model...)...)
	if !strings.Contains(text, "step_over      2  100.0%") || !strings.Contains(text, "inv_step_over  2  100.0%") || strings.Contains(text, "step_into  ") {
		t.Errorf("%s", text)
	}
	text = e.run(t, append([]string{"inverse", "--states", "1", "--limit", "1"}, model...)...)
	if !strings.Contains(text, "Pasts of a state") {
		t.Errorf("%s", text)
	}
}

// TestEvalInterrupted checks that Ctrl-C prints the results so far, with an exit code that
// shows the interruption.
func TestEvalInterrupted(t *testing.T) {
	third, held := make(chan struct{}), make(chan struct{})
	e := newEvaluation(t, func(n int64) {
		if n == 3 {
			close(third)
			<-held
		}
	})
	defer close(held)
	cmd := e.command(t, "cruxeval", "problems.jsonl", "--base-url", e.url, "--only", "output", "--baselines", "", "-j", "1", "--json", "--python", pythons.Any(t))
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &complained
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-third:
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Error(err)
		}
		if err := <-ended; err == nil {
			t.Error("it ended as if all had been asked")
		}
	case err := <-ended:
		t.Errorf("it ended before its third question: %v", err)
	}
	r, err := eval.ReadResult(said.Bytes())
	if err != nil || r.Complete || r.N != 2 || *r.Output.Pass1 != 1 {
		t.Errorf("%v %+v", err, r)
	}
	if want := "npdb: interrupted after 2 of 4; the same command continues from there\n"; complained.String() != want {
		t.Errorf("%q", complained.String())
	}
}

// TestEvalWeightsWin checks that --weights overrides a server in the configuration file.
func TestEvalWeightsWin(t *testing.T) {
	e := newEvaluation(t, func(int64) {})
	config := filepath.Join(e.home, ".config", "npdb", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("[model]\nbase_url = \""+e.url+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := e.command(t, "states", "problems.jsonl", "--weights", "problems.jsonl", "--python", pythons.Any(t)).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "this is no model of npdb's") || e.asked.Load() > 0 {
		t.Errorf("%v %s", err, out)
	}
}

// TestEvalRefuses checks that invalid inputs are refused before any request.
func TestEvalRefuses(t *testing.T) {
	e := newEvaluation(t, func(int64) {})
	for _, test := range []struct {
		want string
		args []string
	}{
		{"there is no such move", []string{"states", "problems.jsonl", "--moves", "step"}},
		{"there is no such baseline", []string{"states", "problems.jsonl", "--baselines", "luck"}},
		{"there is no strategy", []string{"cruxeval", "problems.jsonl", "--strategy", "luck"}},
		{"use even or odd", []string{"cruxeval", "problems.jsonl", "--half", "third"}},
		{"neither output nor input", []string{"cruxeval", "problems.jsonl", "--only", "luck"}},
		{"at temperature 0", []string{"inverse", "problems.jsonl", "--samples", "5"}},
		{"give only one of them", []string{"states", "problems.jsonl", "--weights", "problems.jsonl"}},
		{"no such file", []string{"states", "none.jsonl"}},
		{"it is no result", []string{"diff", "problems.jsonl", "problems.jsonl"}},
	} {
		if test.args[0] != "diff" {
			test.args = append(test.args, "--base-url", e.url, "--python", pythons.Any(t))
		}
		out, err := e.command(t, test.args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), test.want) {
			t.Errorf("%q: %v %s", test.args, err, out)
		}
	}
	if n := e.asked.Load(); n > 0 {
		t.Errorf("%d questions", n)
	}
}
