package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

const entrySource = "def f(x, y):\n    return x\nf(1, 2)\n"

// TestEntryMadeUp checks that arguments that the model makes up are inferred, with its
// confidence: in text, in JSON, on the screen, and when the session is resumed.
func TestEntryMadeUp(t *testing.T) {
	p := .42
	of := &backend.Sureness{By: backend.LogProbabilities, Locals: map[string]float64{"x": p}}
	dir, script := t.TempDir(), scriptOf(t, entrySource)
	o := trace.Options{Script: script, Entry: "f(_, 2)"}
	check := func(what string, a *session.Answer, v *session.View) {
		t.Helper()
		if a.Err != nil || a.Origin != dsl.Inferred || a.Confidence == nil || *a.Confidence != p || fmt.Sprint(a.MadeUp) != "[x]" {
			t.Fatalf("%s: %v %v, made up %v: %v", what, a.Origin, a.Confidence, a.MadeUp, a.Err)
		}
		where, _ := a.Text(session.Where)
		if !strings.Contains(where, "[inferred 0.42]") || !strings.HasSuffix(where, "\nmade up by the model: x\nconfidence 42%: least sure of x (42%)") {
			t.Errorf("%s: people read\n%s", what, where)
		}
		if line := string(frontend.EncodeAnswer(a)); !strings.Contains(line, `"origin": "inferred"`) || !strings.Contains(line, `"confidence": 0.42, "confidences": {"by": "logprobs", "locals": {"x": 0.42}}, "made_up": ["x"]`) {
			t.Errorf("%s: programs read\n%s", what, line)
		}
		if v.Origin != dsl.Inferred || fmt.Sprint(v.MadeUp) != "[x]" || v.Confidence == nil {
			t.Errorf("%s: the screen has %v, made up %v", what, v.Origin, v.MadeUp)
		}
	}
	s := neuralIn(t, &scripted{filled: []string{"7"}, fillSure: &p, sureness: of}, o, dir, journal.Filled{})
	check("begun", s.First(context.Background()), s.View())
	if got := run(s, "raw"); !strings.Contains(got, "made up these arguments:\nx = 7") {
		t.Errorf("raw: %s", got)
	}
	check("begun again", do(s, "restart"), s.View())
	j, err := journal.Find(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	again := neuralIn(t, &scripted{}, j.Options(o), dir, j.Header.Filled)
	check("resumed", again.Resume(context.Background(), j), again.View())

	given := neuralIn(t, &scripted{}, trace.Options{Script: script, Entry: "f(1, 2)"}, "", journal.Filled{})
	if a := given.First(context.Background()); a.Origin != dsl.Given || a.MadeUp != nil || a.Confidence != nil {
		t.Errorf("all arguments given: %v, made up %v", a.Origin, a.MadeUp)
	}
	untold := neuralIn(t, &scripted{filled: []string{"7"}}, o, "", journal.Filled{})
	if a := untold.First(context.Background()); a.Origin != dsl.Inferred || a.Confidence != nil {
		t.Errorf("without a confidence: %v %v", a.Origin, a.Confidence)
	}
}

// TestEntryMadeUpIsBounded checks that a call with too many open arguments is refused
// before any request.
func TestEntryMadeUpIsBounded(t *testing.T) {
	names := make([]string, backend.MostFilled+1)
	for i := range names {
		names[i] = fmt.Sprintf("a%d", i)
	}
	entry := "f(_" + strings.Repeat(", _", len(names)-1) + ")"
	m := &scripted{filled: names}
	script := scriptOf(t, "def f("+strings.Join(names, ", ")+"):\n    pass\n")
	_, err := interpreted(t.Context(), session.Config{Options: trace.Options{Script: script, Entry: entry}, Neural: &nav.Neural{Predictor: m}})
	if err == nil || !strings.Contains(err.Error(), "17 arguments are left to the model, which makes up at most 16: give values for the others") {
		t.Errorf("%v", err)
	}
}

// TestGlobalsUnpredicted checks that a global that predicted states do not have is refused: no
// NameError and no builtin stands for it.
func TestGlobalsUnpredicted(t *testing.T) {
	script := scriptOf(t, "import os\nlimit = 3\nmax = 4\ndef len(x):\n    return limit\nlen([1])\n")
	const hidden, unpredicted = ": it is a function, a class or an import of prog.py, which predicted states do not show", ": it is a global of prog.py, whose code was not predicted"
	s := neuralIn(t, &scripted{}, trace.Options{Script: script, Entry: "len([1])"}, "", journal.Filled{})
	s.First(context.Background())
	answers(t, s,
		"p limit", "*** limit"+unpredicted,
		"p max(x)", "*** max(x): max"+unpredicted,
		"p len(x)", "*** len(x): len"+hidden,
		"p min(x)", "1 (from predicted text)",
		"p nothing", "*** NameError: name 'nothing' has no value here (from predicted text)",
	)
	s = neuralIn(t, &scripted{}, trace.Options{Script: script}, "", journal.Filled{})
	s.First(context.Background())
	answers(t, s,
		"p os", "*** os"+hidden,
		"p limit", "*** NameError: name 'limit' has no value here (from predicted text)",
	)
}
