//go:build unix

package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/mcp"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// server returns a server that opens sessions without a model, and stores nothing.
func server(t *testing.T) *mcp.Server {
	t.Helper()
	return serverIn(t, "")
}

// serverIn returns a server that opens sessions without a model. They store breakpoints and journals in the
// folder state of dir, unless dir is "".
func serverIn(t *testing.T, dir string) *mcp.Server {
	t.Helper()
	if dir != "" {
		dir = filepath.Join(dir, "state")
	}
	python := pythons.Any(t)
	s := mcp.New(mcp.Config{Version: "test", Patience: time.Minute, Open: func(ctx context.Context, p mcp.Program, connect func(*session.Config)) (*mcp.Opened, error) {
		o := trace.Options{Python: python, Script: p.File, Module: p.Module, Code: p.Code, Args: p.Args, Dir: p.Dir, Begin: p.Begin()}
		if p.Input != "" {
			o.Stdin = strings.NewReader(p.Input)
		}
		cfg := session.Config{Options: o, Start: session.StartTrace, Mode: session.Real, StateDir: dir}
		cfg.Explain.Talker = explainer{}
		connect(&cfg)
		opened, err := session.Open(ctx, cfg)
		if err != nil {
			return nil, err
		}
		i := command.New(opened, command.Config{})
		return &mcp.Opened{Session: opened, Commands: i, First: i.Start(ctx, nil), Program: p.File, Runs: "python " + p.File, Close: opened.Close}, nil
	}})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// client acts as an agent in the tests.
type client struct {
	t *testing.T
	*sdk.ClientSession
}

func connect(t *testing.T, s *mcp.Server) client {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- s.Run(ctx, theirs) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close() // the server may have closed first
		cancel()
		<-over
	})
	return client{t, c}
}

// call calls a tool and decodes its result into out. It returns the text of an error, "" for none.
func (c client) call(name string, arguments map[string]any, out any) (failure string) {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err.Error()
	}
	text := ""
	for _, part := range r.Content {
		if t, ok := part.(*sdk.TextContent); ok {
			text += t.Text
		}
	}
	if r.IsError {
		return text
	}
	reflect.ValueOf(out).Elem().SetZero()
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, out)
	}
	if err != nil {
		c.t.Errorf("%s: %v", name, err)
	}
	return ""
}

// must calls a tool that must succeed.
func (c client) must(name string, arguments map[string]any, out any) {
	c.t.Helper()
	if failure := c.call(name, arguments, out); failure != "" {
		c.t.Fatalf("%s %v: %s", name, arguments, failure)
	}
}

// TestTools checks that there are at most ten tools, and that each has a description and schemas.
func TestTools(t *testing.T) {
	c := connect(t, server(t))
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(list.Tools); n == 0 || n > 10 {
		t.Errorf("%d tools", n)
	}
	for _, tool := range list.Tools {
		if tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil {
			t.Errorf("%s has no description or no schema", tool.Name)
		}
	}
}

// TestBank checks that four calls that work backwards find the wrong transfer in examples/bank.py.
func TestBank(t *testing.T) {
	c := connect(t, server(t))
	var d mcp.Diagnosis
	c.must("diagnose", map[string]any{"file": bank(t)}, &d)
	if d.Failed || !d.Done || !strings.Contains(d.Output, "WRONG, expected 600") {
		t.Fatalf("the diagnosis is %+v", d)
	}
	var at mcp.Stop
	c.must("move", map[string]any{"action": "inv_breakpoint", "location": "bank.py:43", "condition": "sum(balances.values()) == 600", "hypothesis": "the total was right here for the last time"}, &at)
	if at.Place == nil || at.Place.Line != 43 || at.Boundary != "" {
		t.Fatalf("the last right total is at %+v", at)
	}
	c.must("move", map[string]any{"action": "breakpoint", "location": "bank.py:43"}, &at)
	if got := fmt.Sprint(at.Locals); at.Place.Line != 43 || !strings.Contains(got, "{source 'cy' 0} {target 'cy' 0}") {
		t.Errorf("the wrong transfer is %s in line %d", got, at.Place.Line)
	}
	var chain mcp.Chain
	c.must("provenance", map[string]any{"expression": "received"}, &chain)
	if len(chain.Hops) == 0 || chain.Hops[0].Place == nil || chain.Hops[0].Place.Line != 38 {
		t.Errorf("its value came from %+v", chain.Hops)
	}
}

func bank(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../examples/bank.py")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

const failing = `def half(n):
    return n // d

def work(d):
    rates = {"a": 2, "b": d}
    return total(rates)

def total(rates):
    base = 10
    share = rates["b"]
    return base / share

work(0)
`

// TestFailure checks that the diagnosis of an uncaught exception lists the name that caused it, with the
// literal where its value came from, and that evaluate, history, goto and state work from there.
func TestFailure(t *testing.T) {
	c := connect(t, server(t))
	var d mcp.Diagnosis
	c.must("diagnose", map[string]any{"code": failing, "hypothesis": "it divides by zero"}, &d)
	if !d.Failed || !d.PostMortem || !strings.HasPrefix(d.Value, "ZeroDivisionError") || len(d.Stack) != 3 {
		t.Fatalf("the diagnosis is %+v", d)
	}
	var share *mcp.Suspect
	for k := range d.Suspects {
		if d.Suspects[k].Expression == "share" {
			share = &d.Suspects[k]
		}
	}
	if share == nil || share.Value == nil || *share.Value != "0" || len(share.From) < 3 || share.Last == nil || share.Last.Place.Line != 10 {
		t.Fatalf("the suspects are %+v", d.Suspects)
	}
	if last := share.From[len(share.From)-1]; last.End != "literal" || last.Place.Line != 13 {
		t.Errorf("share comes from %+v", last)
	}
	var v mcp.Evaluated
	c.must("evaluate", map[string]any{"expression": "rates['a'] + base"}, &v)
	if v.Value != "12" {
		t.Errorf("the value is %q", v.Value)
	}
	c.must("evaluate", map[string]any{"expression": "d", "frame": 1}, &v)
	if v.Value != "0" {
		t.Errorf("the caller's value is %q", v.Value)
	}
	var list mcp.Changes
	c.must("history", map[string]any{"expression": "share"}, &list)
	if len(list.Changes) != 1 || list.Changes[0].New == nil || *list.Changes[0].New != "0" {
		t.Errorf("the history is %+v", list)
	}
	var at mcp.Stop
	c.must("move", map[string]any{"action": "goto", "event": list.Changes[0].Begin}, &at)
	if at.Number != list.Changes[0].Begin || at.Place.Line != 10 {
		t.Errorf("goto leads to %+v", at)
	}
	c.must("state", map[string]any{"frame": 1}, &at)
	if at.Place.Function != "work" || fmt.Sprint(at.Locals) != "[{d 0 0} {rates {'a': 2, 'b': 0} 0}]" {
		t.Errorf("the caller is %+v", at)
	}
}

// TestFailurePastBreakpoints checks that diagnose goes on at calls of breakpoint().
func TestFailurePastBreakpoints(t *testing.T) {
	c := connect(t, server(t))
	var d mcp.Diagnosis
	c.must("diagnose", map[string]any{"code": "for i in range(3):\n    print(i)\n    breakpoint()\n1 / 0\n"}, &d)
	if !d.Failed || !d.PostMortem || d.Place.Line != 4 || !strings.HasPrefix(d.Output, "0\n1\n2\n") {
		t.Errorf("the diagnosis is %+v", d)
	}
}

// explainer is a chat model with one answer.
type explainer struct{}

func (explainer) Talk(_ context.Context, _ []backend.Message, show func(string)) (backend.Talk, error) {
	const answer = "It divides by `share = 0`, not by `share = 5`."
	show(answer)
	return backend.Talk{Text: answer}, nil
}

func (explainer) Model() backend.Model { return backend.Model{} }
func (explainer) Close() error         { return nil }

// TestWhy checks that state asks the chat model a question, and returns its claims with their verdicts.
func TestWhy(t *testing.T) {
	c := connect(t, server(t))
	var d mcp.Diagnosis
	c.must("diagnose", map[string]any{"code": failing}, &d)
	var at mcp.Stop
	c.must("state", map[string]any{"why": "what is wrong?"}, &at)
	if at.Said != "It divides by share = 0, not by ~~share = 5~~ (0)." || len(at.Claims) != 2 || at.Claims[1].Verdict != "wrong" || at.Claims[1].Found != "0" || at.Claims[1].Event != at.Number {
		t.Errorf("%+v", at)
	}
}

// TestMisuse checks that a wrong call returns an error that says what to do instead.
func TestMisuse(t *testing.T) {
	c := connect(t, server(t))
	var d mcp.Diagnosis
	for _, m := range []struct {
		tool      string
		arguments map[string]any
		want      string // part of the error
	}{
		{"state", map[string]any{}, "call diagnose"},
		{"diagnose", map[string]any{}, "give file, module or code"},
		{"diagnose", map[string]any{"file": "a.py", "code": "pass"}, "only one of"},
		{"diagnose", map[string]any{"code": "pass", "mode": "fast"}, "real, neural or both"},
		{"diagnose", map[string]any{"file": "/nowhere/x.py"}, "/nowhere/x.py"},
		{"diagnose", map[string]any{"code": "def"}, "does not parse"},
	} {
		if got := c.call(m.tool, m.arguments, &d); !strings.Contains(got, m.want) {
			t.Errorf("%s %v: %q, want %q", m.tool, m.arguments, got, m.want)
		}
	}
	c.must("diagnose", map[string]any{"code": failing}, &d)
	for _, m := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"state", map[string]any{"session": "s99"}, "sessions, op list"},
		{"state", map[string]any{"frame": -1}, "0 is the innermost frame"},
		{"state", map[string]any{"frame": 9}, "3 frames"},
		{"move", map[string]any{"action": "jump"}, "none of step_into"},
		{"move", map[string]any{"action": "inv_breakpoint"}, "needs a location, a condition or both"},
		{"move", map[string]any{"action": "inv_step_over", "location": "x.py:3"}, "use breakpoint"},
		{"move", map[string]any{"action": "step_over", "event": 3}, "use goto"},
		{"move", map[string]any{"action": "step_over", "count": 1 << 30}, "between 1 and"},
		{"move", map[string]any{"action": "goto", "event": -3}, "event"},
		{"move", map[string]any{"action": "wait"}, "nothing is running"},
		{"move", map[string]any{"action": "breakpoint", "location": "3\nq"}, "one line"},
		{"move", map[string]any{"action": "inv_breakpoint", "location": "nowhere"}, "nowhere"},
		{"move", map[string]any{"action": "inv_breakpoint", "condition": "1 +"}, "SyntaxError"},
		{"evaluate", map[string]any{"expression": ""}, "expression is missing"},
		{"evaluate", map[string]any{"expression": "missing_name"}, "missing_name"},
		{"provenance", map[string]any{"expression": "missing_name"}, "missing_name"},
		{"provenance", map[string]any{"expression": ""}, "expression is missing"},
		{"history", map[string]any{"expression": "share", "via": []string{"x"}}, "provenance"},
		{"infer", map[string]any{"action": "step_over"}, "inv_step_into"},
		{"compare", map[string]any{}, "mode both"},
		{"compare", map[string]any{"recordings": []string{"a.npdb"}}, "give two"},
		{"compare", map[string]any{"recordings": []string{"/nowhere/a.npdb", "/nowhere/b.npdb"}}, "/nowhere/a.npdb"},
		{"predict", map[string]any{"code": "pass", "action": "step_over"}, "line"},
		{"sessions", map[string]any{"op": "close"}, "open, list, end, bookmark"},
		{"sessions", map[string]any{"op": "end"}, "name the session"},
		{"sessions", map[string]any{"op": "bookmark"}, "name is missing"},
		{"sessions", map[string]any{"op": "bookmark", "name": "9 lives"}, "a word"},
	} {
		if got := c.call(m.tool, m.arguments, &struct{}{}); !strings.Contains(got, m.want) {
			t.Errorf("%s %v: %q, want %q", m.tool, m.arguments, got, m.want)
		}
	}
}

// TestHTTP checks that the server refuses requests without the token, requests from pages of other
// origins and requests with another Host.
func TestHTTP(t *testing.T) {
	s := server(t)
	h := httptest.NewServer(s.Handler("secret"))
	defer h.Close()
	send := func(change func(r *http.Request)) int {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer secret")
		change(r)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	for name, c := range map[string]struct {
		change func(r *http.Request)
		want   int
	}{
		"right":       {func(*http.Request) {}, http.StatusOK},
		"no token":    {func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"wrong token": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer secrets") }, http.StatusUnauthorized},
		"other origin": {func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Origin", "https://evil.test")
		}, http.StatusForbidden},
		"other host": {func(r *http.Request) { r.Host = "evil.test" }, http.StatusForbidden},
	} {
		if got := send(c.change); got != c.want {
			t.Errorf("%s: status %d, want %d", name, got, c.want)
		}
	}
}

// TestPrograms checks that a program gets the given arguments, standard input and working directory.
func TestPrograms(t *testing.T) {
	c := connect(t, server(t))
	dir := t.TempDir()
	path := filepath.Join(dir, "p.py")
	if err := os.WriteFile(path, []byte("import sys, os\nprint(sys.argv[1:], input(), os.path.realpath(os.getcwd()))\nsys.exit(3)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	var d mcp.Diagnosis
	c.must("diagnose", map[string]any{"file": path, "args": []string{"a b", "c"}, "input": "typed\n", "dir": dir}, &d)
	if want := "['a b', 'c'] typed " + real + "\n"; d.Output != want || !d.Failed || d.Exit == nil || d.Exit.Code != 3 {
		t.Errorf("output %q, exit %+v, want %q", d.Output, d.Exit, want)
	}
}
