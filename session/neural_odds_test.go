package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

func TestNeuralFailures(t *testing.T) {
	cut := `<|line_sep|>{"a": "3`
	m := &scripted{
		replies: []string{cut, atCall, `<|unknown_sep|><|frame_sep|>`, inF, atB},
		errs:    map[int]*backend.Error{3: {Kind: backend.Unreachable, Message: "http://models.example/v1 does not answer."}},
	}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	if a := do(s, "n"); a.Err == nil || a.Err.Kind != session.NoPrediction || a.State.Line != 1 {
		t.Fatalf("a reply that is cut off: %+v", a)
	}
	if got := run(s, "raw"); !strings.Contains(got, cut) {
		t.Errorf("raw: %s", got)
	}
	if a := do(s, "retry"); a.Err != nil || a.State.Line != 5 {
		t.Fatalf("retry: %+v", a)
	}
	if o := m.asked[1].Options; o.Temperature == nil || *o.Temperature == 0 {
		t.Errorf("retry draws the same answer: %+v", o)
	}
	if a := do(s, "s"); a.Err == nil || a.Err.Kind != session.NoPrediction || a.State.Line != 5 {
		t.Errorf("unknown: %+v", a)
	}
	if a := do(s, "retry"); a.Err == nil || a.Err.Kind != session.EndpointFailed || a.State.Line != 5 {
		t.Errorf("an endpoint that is down: %+v", a)
	}
	if a := do(s, "retry"); a.Err != nil || a.State.Function != "f" {
		t.Errorf("retry: %+v", a)
	}
	if o := m.asked[4].Options; o.Temperature != nil {
		t.Errorf("a question that was not answered is asked otherwise: %+v", o)
	}
	// A retry of an answered move samples from where the move began.
	if a := do(s, "retry"); a.Err != nil || a.State.Line != 6 {
		t.Errorf("retry of an answer: %+v", a)
	}
	if m.asked[5].At != m.asked[4].At {
		t.Error("the other answer is drawn from another place")
	}
}

func TestNeuralEdit(t *testing.T) {
	m := &scripted{replies: []string{atCall, inF, atY, returnsY, atB}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	for range 3 {
		do(s, "s")
	}
	a := do(s, "!x = [1, '<|']")
	if a.Err != nil || a.Origin != dsl.Edited || a.State.Locals[0].Value != "[1, '<|']" || a.State.Line != 2 {
		t.Fatalf("x = …: %+v %v", a, a.Err)
	}
	do(s, "r")
	text := m.asked[len(m.asked)-1].At.Text()
	if !strings.Contains(text, `<|debug_sep|>set<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 5], ["f", 2]]{"x": "[1, '\u003c|']"}`) {
		t.Errorf("the model is not told of the edit:\n%s", text)
	}
}

func TestNeuralJump(t *testing.T) {
	m := &scripted{replies: []string{atCall, inF, atY, returnsY}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	for range 3 {
		do(s, "s")
	}
	if a := do(s, "j 5"); a.Err == nil || !strings.Contains(a.Err.Message, "not in f") {
		t.Errorf("a jump out of the function: %+v", a)
	}
	outside := neural(t, &scripted{}, trace.Options{})
	outside.First(context.Background())
	if a := do(outside, "j 3"); a.Err == nil || !strings.Contains(a.Err.Message, "not in <module>") {
		t.Errorf("a jump into a function: %+v", a)
	}
	if a := do(outside, "j 5"); a.Err != nil || a.State.Line != 5 {
		t.Errorf("a jump in the module: %+v", a)
	}
	if a := do(s, "j 3"); a.Err != nil || a.State.Line != 3 || a.Origin != dsl.Edited {
		t.Fatalf("j 3: %+v %v", a, a.Err)
	}
	do(s, "r")
	if text := m.asked[len(m.asked)-1].At.Text(); !strings.Contains(text, "<|compact_sep|>") || strings.Contains(text, "<|debug_sep|>") {
		t.Errorf("a jump begins no new text:\n%s", text)
	}
}

func TestNeuralTooLong(t *testing.T) {
	m := &scripted{
		replies: []string{atCall, atB},
		errs:    map[int]*backend.Error{1: {Kind: backend.TooLong, Message: "too long"}},
	}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	do(s, "n")
	a := do(s, "n")
	notice, _ := a.Text(session.Notice)
	if a.Err != nil || a.State.Line != 6 || !strings.Contains(notice, "compacted") {
		t.Errorf("%+v, %q", a, notice)
	}
}

func TestNeuralInterrupt(t *testing.T) {
	m := &scripted{gate: make(chan struct{})}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	go func() {
		<-m.gate
		s.Interrupt()
	}()
	a := do(s, "n")
	notice, _ := a.Text(session.Notice)
	if a.Err != nil || a.State.Line != 1 || !strings.Contains(notice, "cancelled") {
		t.Errorf("%+v, %q", a, notice)
	}
}

func TestNeuralEntry(t *testing.T) {
	m := &scripted{filled: []string{"7"}}
	s := neural(t, m, trace.Options{Entry: "f(_)"})
	a := s.First(context.Background())
	if a.State == nil || a.State.Event != dsl.Call || a.State.Function != "f" || a.State.Depth != 0 || a.State.Locals[0].Value != "7" {
		t.Errorf("%+v", a.State)
	}
	for entry, want := range map[string]string{
		"g(1)":    "defines no function g",
		"f(1, 2)": "positional argument",
		"f(":      "SyntaxError",
	} {
		path := filepath.Join(t.TempDir(), "prog.py")
		if err := os.WriteFile(path, []byte(neuralSource), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := interpreted(context.Background(), session.Config{Options: trace.Options{Script: path, Entry: entry}, Neural: &nav.Neural{Predictor: m}})
		var failed *trace.StartError
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
			t.Errorf("--entry %s: %v", entry, err)
		}
	}
}

func TestNeuralResume(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "prog.py")
	if err := os.WriteFile(path, []byte(neuralSource), 0o600); err != nil {
		t.Fatal(err)
	}
	o := trace.Options{Script: path, Entry: "f(_)"}
	m := &scripted{replies: []string{atY, returnsY}, filled: []string{"2"}}
	s := neuralIn(t, m, o, dir, journal.Filled{})
	s.First(context.Background())
	do(s, "s")
	do(s, "r")
	j, err := journal.Find(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if j.Header.Model != "scripted" {
		t.Errorf("the journal's model is %q", j.Header.Model)
	}
	nobody := &scripted{}
	again := neuralIn(t, nobody, j.Options(o), dir, j.Header.Filled)
	a := again.Resume(context.Background(), j)
	if a.Err != nil || a.State.Event != dsl.Return || *a.State.Value != "3" || a.State.Locals[0].Value != "2" {
		t.Errorf("resumed at %+v: %v", a.State, a.Err)
	}
	if len(nobody.asked) != 0 {
		t.Errorf("a journal is resumed by asking the model %d questions", len(nobody.asked))
	}
	if a.Confidence == nil || *a.Confidence != 0.75 {
		t.Errorf("resumed, the model was %v sure", a.Confidence)
	}
}

// TestNeuralResumeKeepsWhatTheModelSaid checks that a resumed session has the model's
// confidence and name, also if the name was only known after the first request, and when
// it is resumed twice. A journal without both can be resumed too.
func TestNeuralResumeKeepsWhatTheModelSaid(t *testing.T) {
	dir := t.TempDir()
	s := neuralIn(t, &scripted{replies: []string{atCall}, late: true}, trace.Options{}, dir, journal.Filled{})
	s.First(context.Background())
	do(s, "n")
	o := s.Configured().Options
	for range 2 {
		j, err := journal.Find(dir, o)
		if err != nil || j.Header.Model != "scripted" {
			t.Fatalf("the journal's model is %q: %v", j.Header.Model, err)
		}
		again := neuralIn(t, &scripted{late: true}, o, dir, journal.Filled{})
		a := again.Resume(context.Background(), j)
		if a.Err != nil || a.Confidence == nil || *a.Confidence != 0.75 {
			t.Fatalf("%v sure; %v", a.Confidence, a.Err)
		}
		if name := again.View().Model.Name; name != "scripted" {
			t.Errorf("the view calls the model %q", name)
		}
		if got := run(again, "info prog"); !strings.Contains(got, "Model: scripted") {
			t.Errorf("info prog: %s", got)
		}
	}
	raw, err := os.ReadFile(latest(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	old := strings.NewReplacer(`,"confidence":0.75`, "", `,"model":"scripted"`, "").Replace(string(raw))
	if strings.Contains(old, "confidence") || strings.Contains(old, "scripted") {
		t.Fatalf("not a journal as it was: %s", old)
	}
	j, err := journal.Decode([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	again := neuralIn(t, &scripted{late: true}, o, "", journal.Filled{})
	if a := again.Resume(context.Background(), j); a.Err != nil || a.State.Line != 5 || a.Confidence != nil {
		t.Errorf("an old journal: %+v, %v", a.State, a.Err)
	}
}

func TestNeuralAway(t *testing.T) {
	s := neural(t, &scripted{away: true}, trace.Options{})
	notice, _ := s.First(context.Background()).Text(session.Notice)
	if !strings.Contains(notice, "sent to http://models.example/v1") {
		t.Errorf("where the source goes is not said: %q", notice)
	}
}

func TestRealHasNoModel(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	for _, line := range []string{"raw", "retry"} {
		if got := run(s, line); !strings.Contains(got, "*** "+line+": no model is asked in real mode") {
			t.Errorf("%s: %s", line, got)
		}
	}
	do(s, "s")
	do(s, "s")
	if a := do(s, "back"); a.Err != nil || a.State.Line != 5 {
		t.Errorf("back: %+v", a)
	}
	if a := do(s, "back"); a.Err != nil || a.State.Line != 1 {
		t.Errorf("back: %+v", a)
	}
	if a := do(s, "back"); a.Err == nil {
		t.Errorf("back before the first: %+v", a)
	}
}
