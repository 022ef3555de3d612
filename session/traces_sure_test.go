package session_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// TestTraceIsSure checks that with token probabilities each part of a trace's state has a
// confidence, except parts that the model did not write: a forced event, the locals at a
// return. A resumed session has the same.
func TestTraceIsSure(t *testing.T) {
	_, url := serveOracle(t, serve.Config{})
	dir, script := t.TempDir(), scriptOf(t, "def f(x):\n    y = x + 1\n    return y\na = f(2)\nb = a\n")
	begun := func() *command.Interpreter {
		model, err := openai.New(openai.Config{BaseURL: url, Model: "oracle", Dialect: openai.CWM, Logprobs: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = model.Close() })
		s, err := interpreted(t.Context(), session.Config{
			Options: trace.Options{Script: script}, StateDir: dir, Neural: &nav.Neural{Predictor: model},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	s := begun()
	s.First(t.Context())
	var last *session.Answer
	for _, c := range []struct{ command, want string }{
		{"n", `{"by": "logprobs", "event": 1, "line": 1, "locals": {}}`},
		{"s", `{"by": "logprobs", "event": 1, "line": 1, "locals": {"x": 1}}`},
		{"s", `{"by": "logprobs", "event": 1, "line": 1, "locals": {"x": 1}}`},
		{"s", `{"by": "logprobs", "event": 1, "line": 1, "locals": {"x": 1, "y": 1}}`},
		{"r", `{"by": "logprobs", "event": 1, "line": 1, "locals": {}, "value": 1}`},
		{"restart", ""},
		{"n", `{"by": "logprobs", "event": 1, "line": 1, "locals": {}}`},
		{"s", `{"by": "logprobs", "event": 1, "line": 1, "locals": {"x": 1}}`},
		{"r", `{"by": "logprobs", "line": 1, "locals": {}, "value": 1}`},
		{"n", `{"by": "logprobs", "event": 1, "line": 1, "locals": {"a": 1}}`},
	} {
		last = do(s, c.command)
		if last == nil || last.Err != nil {
			t.Fatalf("%s: %+v", c.command, last)
		}
		if line := string(frontend.EncodeAnswer(last)); c.want != "" && !strings.Contains(line, `"confidences": `+c.want) {
			t.Errorf("%s: %s, want %s", c.command, line, c.want)
		}
	}
	j, err := journal.Find(dir, trace.Options{Script: script})
	if err != nil {
		t.Fatal(err)
	}
	if a := begun().Resume(t.Context(), j); a.Err != nil || a.Sureness == nil || !reflect.DeepEqual(a.Sureness, last.Sureness) {
		t.Errorf("it is resumed as %+v, %v, want %+v", a.Sureness, a.Err, last.Sureness)
	}
}
