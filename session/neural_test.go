package session_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

const neuralSource = `def f(x):
    y = x + 1
    return y

a = f(2)
b = a * 2
`

// scripted is a model that gives replies in order, whatever is requested.
type scripted struct {
	t         *testing.T
	replies   []string
	errs      map[int]*backend.Error // by number of the request, in place of a reply
	asked     []backend.Question
	gate      chan struct{} // if set, a request waits for it or for its end
	filled    []string
	filling   []backend.Usage     // usage of filling in
	discarded []backend.Discarded // and of its invalid replies
	refuses   bool                // it refuses to fill in values
	away      bool
	late      bool              // its name is only known after a request
	uncounted bool              // it does not report how much it reads
	unsure    bool              // it reports no confidence
	sureness  *backend.Sureness // confidence of the parts of each answer
	fillSure  *float64          // confidence of the values that it fills in
}

func (m *scripted) Predict(ctx context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	n := len(m.asked)
	m.asked = append(m.asked, q)
	if m.gate != nil {
		m.gate <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if err := m.errs[n]; err != nil {
		return nil, err
	}
	if len(m.replies) == 0 {
		m.t.Errorf("the model is asked for %v once more than expected", q.Action)
		return nil, &backend.Error{Kind: backend.Unreachable, Message: "nothing is left to say"}
	}
	raw := m.replies[0]
	m.replies = m.replies[1:]
	d := q.At.Decode(q.Action)
	err := d.Feed(raw)
	if err == nil {
		err = d.Close(true)
	}
	if err != nil {
		return nil, &backend.Error{Kind: backend.NoState, Message: "The reply is no state: " + err.Error(), Raw: raw, Err: err}
	}
	step, _ := d.Step()
	sure := 0.75
	usage := backend.Usage{Prompt: 100, Cached: 90, Completion: 20}
	if m.uncounted {
		usage = backend.Usage{}
	}
	made := &backend.Prediction{Step: step, Raw: raw, Confidence: &sure, Sureness: m.sureness, Usage: usage}
	if m.unsure {
		made.Confidence = nil
	}
	return made, nil
}

func (m *scripted) Fill(_ context.Context, _ *dsl.Node, first *dsl.Stop, missing []int, _ backend.Options) (*backend.Filled, error) {
	if m.refuses {
		return nil, &backend.Error{Kind: backend.NoState, Message: "The model declines.", Discarded: m.discarded}
	}
	out := *first
	out.Locals = append([]dsl.Local(nil), first.Locals...)
	for k, i := range missing {
		out.Locals[i].Value = m.filled[k]
	}
	return &backend.Filled{First: &out, Confidence: m.fillSure, Sureness: m.sureness, Took: m.filling, Discarded: m.discarded}, nil
}

func (m *scripted) Model() backend.Model {
	if m.late && len(m.asked) == 0 {
		return backend.Model{}
	}
	return backend.Model{Name: "scripted", Place: "http://models.example/v1", Away: m.away, Measured: &backend.Measured{Sets: []backend.MeasuredSet{
		{Name: "A", Moves: map[string]backend.MeasuredShare{"step_into": {N: 8, Same: 7}, "step_over": {N: 8, Same: 3}}},
	}}}
}

func (m *scripted) Close() error { return nil }

// neural opens a session on neuralSource in neural mode.
func neural(t *testing.T, m *scripted, o trace.Options) *command.Interpreter {
	t.Helper()
	return neuralIn(t, m, o, "", journal.Filled{})
}

// neuralConfig configures a session of a program that model m predicts.
func neuralConfig(m *scripted, o trace.Options) session.Config {
	return session.Config{Options: o, Neural: &nav.Neural{Predictor: m}}
}

func neuralIn(t *testing.T, m *scripted, o trace.Options, stateDir string, filled journal.Filled) *command.Interpreter {
	t.Helper()
	if o.Script == "" {
		o.Script = filepath.Join(t.TempDir(), "prog.py")
		if err := os.WriteFile(o.Script, []byte(neuralSource), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.t = t
	cfg := neuralConfig(m, o)
	cfg.StateDir, cfg.Neural.Filled = stateDir, filled
	return opens(t, cfg)
}

// opens opens a session, which is closed at the end of the test.
func opens(t *testing.T, cfg session.Config) *command.Interpreter {
	t.Helper()
	s, err := interpreted(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		checkJournals(t, cfg.StateDir)
	})
	return s
}

// do runs one command and returns its answer.
func do(s *command.Interpreter, line string) (answer *session.Answer) {
	s.Line(context.Background(), line, func(a *session.Answer) {
		if answer = a; fitsSchema(a) != nil {
			panic(fitsSchema(a))
		}
	})
	return answer
}

func plainText(t *testing.T, a *session.Answer) string {
	t.Helper()
	var b strings.Builder
	if err := frontend.NewPlain(&b, false).Show(a); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Replies that are right about neuralSource.
const (
	atCall   = `<|line_sep|>{}<|action_sep|>5|a = f(2)` + "\n<|frame_sep|>"
	inF      = `<|call_sep|><|stack_sep|>"f"{"x": "2"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
	atY      = `<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	returnsY = `<|return_sep|>{"x": "..", "y": "3"}<|action_sep|>3|    return y` + "\n<|arg_sep|>\"3\"<|frame_sep|>"
	atB      = `<|line_sep|>{"a": "3"}<|action_sep|>6|b = a * 2` + "\n<|frame_sep|>"
	jumpToY  = `<|line_sep|><|stack_sep|>[["<module>", 5], ["f", 2]]{"x": "2"}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	itEnds   = `<|end_sep|>{"code": 0}<|frame_sep|>`
)

func TestNeuralWalk(t *testing.T) {
	m := &scripted{replies: []string{atCall, inF, atY, returnsY, atB, itEnds}}
	s := neural(t, m, trace.Options{})
	first := s.First(context.Background())
	if first.Origin != dsl.Given || first.State == nil || first.State.Line != 1 || first.Stack[0].Function != "<module>" {
		t.Fatalf("first: %+v", first)
	}
	for _, step := range []struct {
		command, action, function string
		line                      int
		locals                    string
	}{
		{"n", "step_over", "<module>", 5, ""},
		{"s", "step_into", "f", 1, "x=2"},
		{"s", "step_into", "f", 2, "x=2"},
		{"r", "step_return", "f", 3, "x=2 y=3"},
		{"n", "step_over", "<module>", 6, "a=3"},
	} {
		a := do(s, step.command)
		if a.Err != nil {
			t.Fatalf("%s: %v", step.command, a.Err)
		}
		var locals []string
		for _, l := range a.State.Locals {
			locals = append(locals, l.Name+"="+l.Value)
		}
		if *a.Action != step.action || a.State.Function != step.function || a.State.Line != step.line || strings.Join(locals, " ") != step.locals || a.Origin != dsl.Predicted {
			t.Errorf("%s: %s at %s:%d with %v, %v", step.command, *a.Action, a.State.Function, a.State.Line, locals, a.Origin)
		}
		if a.Confidence == nil || *a.Confidence != 0.75 {
			t.Errorf("%s: confidence %v", step.command, a.Confidence)
		}
	}
	end := do(s, "c")
	if !end.Done || end.Exit == nil || end.Exit.Code != 0 || end.Origin != dsl.Predicted {
		t.Errorf("c: %+v", end)
	}
	if again := do(s, "n"); !again.Done || again.Boundary != trace.AtEnd {
		t.Errorf("n at the end: %+v", again)
	}
	for i, q := range m.asked[1:] {
		prompt, err := q.At.Prompt(q.Action)
		before, err2 := m.asked[i].At.Prompt(m.asked[i].Action)
		if err != nil || err2 != nil || !strings.HasPrefix(prompt, before) {
			t.Errorf("question %d does not continue the text of the one before", i+1)
		}
	}
}

func TestNeuralHorizon(t *testing.T) {
	s := neural(t, &scripted{replies: []string{atCall, inF}}, trace.Options{})
	s.First(context.Background())
	var got struct{ Horizon *int }
	if err := json.Unmarshal(frontend.EncodeAnswer(do(s, "n")), &got); err != nil || got.Horizon != nil {
		t.Errorf("n: horizon %v, %v", got.Horizon, err)
	}
	if err := json.Unmarshal(frontend.EncodeAnswer(do(s, "s")), &got); err != nil || got.Horizon == nil || *got.Horizon != 1 {
		t.Errorf("s: horizon %v, %v", got.Horizon, err)
	}
}

func TestNeuralBackwards(t *testing.T) {
	m := &scripted{replies: []string{
		jumpToY,
		`<|call_sep|>{"x": ".."}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>",
		`<|line_sep|>{}<|action_sep|>5|a = f(2)` + "\n<|frame_sep|>",
	}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	if a := do(s, "rs"); a.Boundary != trace.AtStart || a.Err != nil || len(m.asked) != 0 {
		t.Errorf("rs at the first state asks %d questions: %+v", len(m.asked), a)
	}
	do(s, "b 2")
	if a := do(s, "c"); a.Err != nil || a.State.Line != 2 || *a.Action != "breakpoint 2" {
		t.Fatalf("c: %+v", a)
	}
	do(s, "disable 1") // otherwise it is requested too
	if a := do(s, "rf"); a.Err != nil || a.Origin != dsl.Inferred || a.State.Event != dsl.Call {
		t.Errorf("rf: %+v", a)
	}
	if a := do(s, "rn"); a.Err != nil || a.Origin != dsl.Inferred || a.State.Line != 5 {
		t.Errorf("rn: %+v", a)
	}
	asked := len(m.asked)
	if a := do(s, "back 2"); a.Err != nil || a.State.Line != 2 || a.Origin != dsl.Predicted {
		t.Errorf("back 2: %+v", a)
	}
	if a := do(s, "forth"); a.Err != nil || a.State.Event != dsl.Call {
		t.Errorf("forth: %+v", a)
	}
	if a := do(s, "rewind"); a.Err != nil || a.Origin != dsl.Given || a.State.Line != 1 {
		t.Errorf("rewind: %+v", a)
	}
	if len(m.asked) != asked {
		t.Errorf("what was shown is asked for again: %d questions", len(m.asked)-asked)
	}
}

func TestNeuralLooks(t *testing.T) {
	m := &scripted{replies: []string{atCall, inF, atY, returnsY}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	elsewhere := scriptOf(t, "x = 1\n")
	for range 3 {
		do(s, "s")
	}
	for _, test := range [][2]string{
		{"p x", "2"},
		{"p x + 40", "42 (from predicted text)"},
		{"w", "<module>()"},
		{"a", "x = 2"},
		{"ll", "  2  ->\t    y = x + 1"},
		{"source f", "def f(x):"},
		{"p nothing", "*** NameError"},
		{"interact", "*** interact: nothing of the program is run in neural mode"},
		{"import os", "***"},
		{"goto 3", "*** goto: there is no recording in neural mode"},
		{"raw", atY},
		{"info prog", "Model: scripted at http://models.example/v1\nMeasured: step_into is right in 87.5% of 8 (A)\n"},
		{"whatis x", "<class 'int'>"},
		{"exceptions", "Did not find chained exceptions"},
		{"b 99", "End of file"},
		{"b 4", "*** Blank or comment"},
		{"b " + elsewhere + ":1", "is no file of the program that is predicted: a breakpoint in it would never be hit"},
		{"b f", "Breakpoint 1 at"},
		{"output", ""},
		{"condition 1", "Breakpoint 1 is now unconditional."},
	} {
		if got := run(s, test[0]); !strings.Contains(got, test[1]) {
			t.Errorf("%s answers\n%s\nwithout %q", test[0], got, test[1])
		}
	}
	do(s, "clear 1")
	a := do(s, "r")
	if text := plainText(t, a); !strings.Contains(text, "--Return--") || !strings.Contains(text, "f()->3  [predicted 0.75]") {
		t.Errorf("r: %s", text)
	}
	if got := run(s, "retval"); !strings.Contains(got, "3") {
		t.Errorf("retval: %s", got)
	}
	if got := run(s, "u"); !strings.Contains(got, "prog.py(5)<module>()") {
		t.Errorf("u: %s", got)
	}
}

func TestNeuralConditions(t *testing.T) {
	at := func(x string) string {
		return `<|line_sep|><|stack_sep|>[["<module>", 5], ["f", 2]]{"x": "` + x + `"}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	}
	m := &scripted{replies: []string{at("0"), at("1"), at("2")}}
	s := neural(t, m, trace.Options{})
	s.First(context.Background())
	do(s, "b 2, x > 1")
	a := do(s, "c")
	if a.Err != nil || a.State.Locals[0].Value != "2" || len(m.asked) != 3 || a.Horizon >= 0 {
		t.Errorf("c stops at %+v after %d questions", a.State, len(m.asked))
	}
}
