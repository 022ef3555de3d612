package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// bothModes opens a session on the fake's program, with a scripted model beside it.
func bothModes(t *testing.T, m *scripted) (*command.Interpreter, *fake) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	m.t = t
	f := newFakeOf(t, path)
	s := open(t, f, func(c *session.Config) {
		c.Options = trace.Options{Script: path}
		c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: m}
	})
	return s, f
}

// Replies about the fake's program.
const (
	saysLoop = `<|line_sep|>{}<|action_sep|>5|for i in range(3):` + "\n<|frame_sep|>"
	saysCall = `<|line_sep|>{"i": "0"}<|action_sep|>6|    f(i)` + "\n<|frame_sep|>"
	saysOne  = `<|line_sep|>{"i": "1"}<|action_sep|>6|    f(i)` + "\n<|frame_sep|>"
	saysInF  = `<|call_sep|><|stack_sep|>"f"{"x": "0"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
	saysInF1 = `<|call_sep|><|stack_sep|>"f"{"x": "1"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
)

func TestBothFree(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF1}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	if a := do(s, "s"); a.Beside == nil || !a.Beside.Compared || !a.Beside.Verdicts.Same() || a.State.Line != 5 {
		t.Fatalf("%+v", a)
	}
	a := do(s, "s")
	if a.Beside.Verdicts.Same() || a.State.Locals[0].Value != "0" || a.Beside.State.Locals[0].Value != "1" {
		t.Errorf("%+v %+v", a.State, a.Beside.State)
	}
	if text := plainText(t, a); !strings.Contains(text, "mispredicted") {
		t.Errorf("%s", text)
	}
	do(s, "s")
	if text := m.asked[2].At.Text(); !strings.Contains(text, `{"i": "1"}`) {
		t.Errorf("a free model does not live with its past:\n%s", text)
	}
	if got := run(s, "score"); !strings.Contains(got, "First divergence: line 6 of prog.py") || !strings.Contains(got, "after 1 move") {
		t.Errorf("score: %s", got)
	}
}

func TestBothGuided(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF, `<|unknown_sep|><|frame_sep|>`, saysInF}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	if got := run(s, "walk guided"); !strings.Contains(got, "guided") {
		t.Errorf("walk guided: %s", got)
	}
	do(s, "s 3")
	text := m.asked[2].At.Text()
	if strings.Contains(text, `{"i": "1"}`) || !strings.Contains(text, `{"i": "0"}`) {
		t.Errorf("a guided model is not put back on the truth:\n%s", text)
	}
	a := do(s, "s")
	if a.Err != nil || a.State.Line != 2 || a.Beside.Verdicts == nil || a.Beside.Verdicts.Same() {
		t.Errorf("a model that cannot say: %+v", a)
	}
}

func TestBothResync(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	do(s, "s")
	do(s, "s")
	if a := do(s, "resync"); a.Err != nil || a.Beside.State.Locals[0].Value != "0" {
		t.Errorf("resync: %+v", a.Beside.State)
	}
	do(s, "s")
	if text := m.asked[2].At.Text(); strings.Contains(text, `{"i": "1"}`) {
		t.Errorf("the model still lives with what it said:\n%s", text)
	}
}

func TestBothDivergence(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF1}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	for range 3 {
		do(s, "s")
	}
	if a := do(s, "divergence previous"); a.Err != nil || a.State.Line != 6 {
		t.Errorf("previous: %+v", a)
	}
	if a := do(s, "divergence previous"); a.Err == nil {
		t.Errorf("there is none before: %+v", a)
	}
	if a := do(s, "divergence"); a.Err != nil || a.State.Function != "f" || !a.Beside.Compared {
		t.Errorf("next: %+v", a)
	}
	if a := do(s, "divergence first"); a.Err != nil || a.State.Line != 6 {
		t.Errorf("first: %+v", a)
	}
}

// TestBothDivergenceOnward checks that without a later divergence in the history, onward
// makes moves until one occurs, and reports their number. The next time it finds this
// divergence in the history.
func TestBothDivergenceOnward(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysCall, saysInF1}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	do(s, "s")
	a := do(s, "divergence onward")
	if said, _ := a.Text(session.Said); a.Err != nil || a.State.Function != "f" || said != "Divergence after 2 moves by step." {
		t.Fatalf("%+v %q", a, said)
	}
	if n := len(s.History()); n != 4 {
		t.Errorf("%d stops are in the history", n)
	}
	do(s, "back 3")
	asked := len(m.asked)
	if a := do(s, "divergence onward"); a.Err != nil || a.State.Function != "f" || len(m.asked) != asked || len(s.History()) != 4 {
		t.Errorf("the one in the history: %+v", a)
	}
}

// TestBothDivergenceOnwardEnds checks that onward makes no move at the end, and no request
// after the model failed.
func TestBothDivergenceOnwardEnds(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, `<|line_sep|>{"i": "0`, `<|end_sep|>{"code": 0}<|frame_sep|>`}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	a := do(s, "divergence onward")
	if said, _ := a.Text(session.Said); said != "The model gave no prediction after 2 moves by next." {
		t.Errorf("%q", said)
	}
	a = do(s, "c")
	if !a.Done {
		t.Fatalf("%+v", a)
	}
	if a := do(s, "divergence onward"); a.Err == nil || a.Err.Kind != session.NotFound {
		t.Errorf("at the end: %+v", a)
	}
}

// TestBothElsewhere checks that a place that no action leads to begins a new text, with
// what is known of the stack.
func TestBothElsewhere(t *testing.T) {
	m := &scripted{replies: []string{`<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	do(s, "goto 3")
	if len(m.asked) != 0 {
		t.Errorf("goto asks %d questions", len(m.asked))
	}
	a := do(s, "s")
	if a.Err != nil || a.State.Line != 2 || !a.Beside.Verdicts.Same() {
		t.Errorf("%+v", a)
	}
	if text := m.asked[0].At.Text(); !strings.Contains(text, `<|compact_sep|>`) || !strings.Contains(text, `[["<module>", 6], ["f", 1]]{"x": "0"}`) || !strings.Contains(text, `[["<module>", 6]]{"i": "0"}`) {
		t.Errorf("%s", text)
	}
}

// TestBothAtOnce checks that a move takes as long as the slower of the two, not their sum:
// the request and the program run concurrently.
func TestBothAtOnce(t *testing.T) {
	asked := make(chan struct{})
	m := &gated{scripted: scripted{t: t, replies: []string{saysLoop}}, asked: asked}
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(fakeSource), 0o600); err != nil {
		t.Fatal(err)
	}
	f := newFakeOf(t, path)
	s := open(t, f, func(c *session.Config) {
		c.Options = trace.Options{Script: path}
		c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: m}
	})
	s.First(context.Background())
	// The program's move waits for the request, and the reply waits for the program's
	// move.
	f.before = func() {
		select {
		case <-asked:
		case <-time.After(gateTimeout):
			t.Error("the program moves before the model is asked")
		}
		close(m.goOn)
	}
	m.goOn = make(chan struct{})
	if a := do(s, "s"); a.Err != nil || a.State.Line != 5 || !a.Beside.Verdicts.Same() {
		t.Errorf("%+v", a)
	}
}

// gateTimeout is the time after which a hanging test fails.
const gateTimeout = time.Minute

// gated is a model that reports requests, and replies on demand.
type gated struct {
	scripted
	asked chan struct{}
	goOn  chan struct{}
}

func (m *gated) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	close(m.asked)
	select {
	case <-m.goOn:
	case <-time.After(gateTimeout):
		m.t.Error("the model is asked before the program moves")
	}
	return m.scripted.Predict(ctx, q, show)
}

// TestBothShowsTheReferenceFirst checks that the reference's landing is shown while the
// model still replies. This does not change the session's state.
func TestBothShowsTheReferenceFirst(t *testing.T) {
	var views []*session.View
	s, _ := bothModes(t, &scripted{replies: []string{saysLoop}})
	s.SetLanded(func(v *session.View) { views = append(views, v) })
	s.First(t.Context())
	do(s, "s")
	if len(views) != 1 {
		t.Fatalf("%d views", len(views))
	}
	v := views[0]
	if v.State.Line != 5 || len(v.History) != 2 || v.Shown != 1 || v.Beside == nil || v.Beside.Compared || v.Selected != 0 {
		t.Errorf("%+v, beside %+v", v, v.Beside)
	}
	if len(s.History()) != 2 || s.Position().Event != 1 {
		t.Errorf("%+v at %+v", s.History(), s.Position())
	}
}

func TestBothJoin(t *testing.T) {
	s := alone(t, &scripted{replies: []string{saysCall}}, session.Real)
	do(s, "s")
	if a := do(s, "mode both"); a.Err != nil || a.Beside == nil {
		t.Fatalf("mode both: %+v", a)
	}
	if a := do(s, "s"); a.Err != nil || !a.Beside.Verdicts.Same() {
		t.Errorf("%+v", a)
	}
	if a := do(s, "mode real"); a.Err != nil || a.Beside != nil {
		t.Errorf("mode real: %+v", a)
	}
	if s.Mode() != session.Real {
		t.Errorf("mode %s", s.Mode())
	}
}

func TestBothFromNeural(t *testing.T) {
	s := alone(t, &scripted{replies: []string{saysLoop, saysOne, saysInF}}, session.Predicted)
	do(s, "s")
	do(s, "s")
	if a := do(s, "mode both"); a.Waiting != session.ForConfirmation {
		t.Fatalf("the program is run without a question: %+v", a)
	}
	a := do(s, "y")
	if a.Err != nil || s.Mode() != session.Both || a.State == nil || a.State.Line != 6 || a.State.Locals[0] != (dsl.Local{Name: "i", Value: "0"}) {
		t.Fatalf("%+v %v", a, a.Err)
	}
	if a := do(s, "s"); a.Err != nil || !a.Beside.Verdicts.Same() {
		t.Errorf("%+v", a)
	}
}

// TestBothFirstDivergence checks that the first divergence is named, also if a stop before
// it has no prediction.
func TestBothFirstDivergence(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysInF1}, errs: map[int]*backend.Error{1: {Kind: backend.Unreachable, Message: "nobody answers"}}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	do(s, "s")
	if a := do(s, "divergence first"); a.Err == nil || a.Err.Message != "There is no divergence yet" {
		t.Errorf("%+v", a.Err)
	}
	do(s, "s")
	do(s, "s")
	if a := do(s, "divergence first"); a.Err != nil || a.State.Function != "f" {
		t.Errorf("%+v", a)
	}
	if got := run(s, "score"); !strings.Contains(got, "1 move could not be judged and is not counted") || !strings.Contains(got, "First divergence: line 1 of prog.py") {
		t.Errorf("score: %s", got)
	}
}

// TestBothFirstDivergenceUnshown checks that a first divergence inside a continue is
// named, although it is at no stop.
func TestBothFirstDivergenceUnshown(t *testing.T) {
	const saysZero = `<|line_sep|><|stack_sep|>[["<module>", 6]]{"i": "9"}<|action_sep|>6|    f(i)` + "\n<|frame_sep|>"
	m := &scripted{replies: []string{saysZero, strings.Replace(saysZero, "9", "1", 1)}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	do(s, "b 6")
	do(s, "ignore 1 1")
	do(s, "c")
	if a := do(s, "divergence first"); a.Err == nil || !strings.Contains(a.Err.Message, "at no stop of the history: line 6 of prog.py, i = 9, actually 0") {
		t.Errorf("%+v", a.Err)
	}
}
