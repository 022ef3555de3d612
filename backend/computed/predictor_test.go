package computed_test

import (
	"context"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

const source = `import random
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
xs = [gcd(84, 36)]
ys = xs
ys.append(random.random())
n = len(xs)
`

// rest is the other predictor. It answers questions with reply and records their moves in asked.
type rest struct {
	asked      []string
	reply      func(q backend.Question) dsl.Reply
	hear       func(q backend.Question) // if not nil, called with each question
	confidence *float64
}

func (r *rest) Predict(_ context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	r.asked = append(r.asked, q.Action.String())
	if r.hear != nil {
		r.hear(q)
	}
	if r.reply == nil {
		return nil, &backend.Error{Kind: backend.NoState}
	}
	return &backend.Prediction{Step: dsl.Step{Action: q.Action, Reply: r.reply(q)}, Confidence: r.confidence}, nil
}

func (r *rest) Fill(context.Context, *dsl.Node, *dsl.Stop, []int, backend.Options) (*backend.Filled, error) {
	return nil, nil
}

func (r *rest) Model() backend.Model { return backend.Model{Name: "rest"} }

func (r *rest) Close() error { return nil }

// begin returns the node of a program's first state.
func begin(t testing.TB, source string) *dsl.Node {
	t.Helper()
	return beginAt(t, source, &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: "p.py", Line: 1, Source: dsl.SplitLines(source)[0], Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", File: "p.py", Line: 1}},
	})
}

// beginAt returns the node of a history that begins with the state first.
func beginAt(t testing.TB, source string, first *dsl.Stop) *dsl.Node {
	t.Helper()
	node, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: first.File, Lines: dsl.SplitLines(source)}}})
	if err != nil {
		t.Fatal(err)
	}
	return add(t, node, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}})
}

func add(t testing.TB, n *dsl.Node, s dsl.Step) *dsl.Node {
	t.Helper()
	next, err := n.Append(s)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

// walk makes moves and returns the last node, and a description of each prediction.
func walk(t *testing.T, p backend.Predictor, at *dsl.Node, moves ...dsl.Move) (*dsl.Node, []string) {
	t.Helper()
	var seen []string
	for _, m := range moves {
		made, err := p.Predict(t.Context(), backend.Question{At: at, Action: dsl.Action{Move: m}}, nil)
		if err != nil {
			seen = append(seen, "asked in vain")
			continue
		}
		at = add(t, at, made.Step)
		seen = append(seen, describe(made))
	}
	return at, seen
}

// describe returns the origin ("computed" or "asked"), event, line, locals and value of a prediction.
func describe(made *backend.Prediction) string {
	words := []string{map[bool]string{true: "computed", false: "asked"}[made.Computed]}
	s := made.Step.Reply.Stop
	if s == nil {
		return words[0] + " " + made.Step.Reply.Outcome.String()
	}
	words = append(words, s.Event.String(), s.Source)
	for _, l := range s.Locals {
		words = append(words, l.Name+"="+l.Value)
	}
	if s.Value != nil {
		words = append(words, *s.Value)
	}
	return strings.Join(words, " ")
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%d: %s\nwant %s", i, g, w)
		}
	}
}

// TestPredictor checks that the predictor computes what the source determines, asks for the rest, and
// continues from the answer.
func TestPredictor(t *testing.T) {
	other := &rest{}
	p := computed.New(other, python.Version{Major: 3, Minor: 12}, 100)
	defer p.Close()
	first := begin(t, source)
	at, seen := walk(t, p, first, dsl.StepInto, dsl.StepOver, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepReturn, dsl.StepInto, dsl.StepInto)
	expect(t, seen,
		"computed line def gcd(a, b):",
		"computed line xs = [gcd(84, 36)]",
		"computed call def gcd(a, b): a=84 b=36",
		"computed line     while b: a=84 b=36",
		"computed line         a, b = b, a % b a=84 b=36",
		"computed return     return a a=12 b=0 12",
		"computed line ys = xs xs=[12]",
		"computed line ys.append(random.random()) xs=[12] ys=[12]",
	)
	if len(other.asked) > 0 {
		t.Errorf("asked: %q", other.asked)
	}
	other.reply = func(q backend.Question) dsl.Reply {
		s := *q.At.Current()
		s.Line, s.Source = 9, "n = len(xs)"
		s.Locals = []dsl.Local{{Name: "xs", Value: "[12, 0.5]"}, {Name: "ys", Value: "[12, 0.5]"}}
		s.Stack = []dsl.Frame{{Function: "<module>", File: "p.py", Line: 9}}
		return dsl.Reply{Outcome: dsl.Landed, Stop: &s}
	}
	_, seen = walk(t, p, at, dsl.StepOver, dsl.StepOver, dsl.StepInto)
	expect(t, seen,
		"asked line n = len(xs) xs=[12, 0.5] ys=[12, 0.5]",
		"computed return n = len(xs) xs=[12, 0.5] ys=[12, 0.5] n=2 None",
		"computed end",
	)

	// The same states are computed again from an earlier node. Backward moves go to the other predictor.
	_, seen = walk(t, p, first, dsl.StepInto, dsl.StepInto)
	expect(t, seen, "computed line def gcd(a, b):", "computed line xs = [gcd(84, 36)]")

	// Different moves from the same node are all computed.
	for _, m := range []dsl.Move{dsl.StepOver, dsl.StepInto, dsl.StepOver} {
		if _, seen = walk(t, p, first, m); !strings.HasPrefix(seen[0], "computed") {
			t.Errorf("%v: %s", m, seen[0])
		}
	}
	other.reply = nil
	_, seen = walk(t, p, at, dsl.InvStepInto)
	expect(t, seen, "asked in vain")
}

// TestPredictorAfterAnEdit checks that the computation continues with the values that the user changed.
func TestPredictorAfterAnEdit(t *testing.T) {
	p := computed.New(&rest{}, python.Version{}, 100)
	defer p.Close()
	at, _ := walk(t, p, begin(t, "x = 1\ny = x\n"), dsl.StepInto)
	s := *at.Current()
	s.Locals = []dsl.Local{{Name: "x", Value: "7"}}
	at = add(t, at, dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &s}})
	_, seen := walk(t, p, at, dsl.StepInto)
	expect(t, seen, "computed return y = x x=7 y=7 None")
}

// TestPredictorEntry checks a program that begins with the call of a function, after its module has run.
func TestPredictorEntry(t *testing.T) {
	const source = `import math
LIMIT = [3, 4]
def twice(n):
    return n * 2
def f(n):
    LIMIT.append(twice(n))
    return sum(LIMIT), __name__
`
	call := &dsl.Stop{
		State: dsl.State{Event: dsl.Call, File: "p.py", Line: 5, Source: "def f(n):", Function: "f", Locals: []dsl.Local{{Name: "n", Value: "5"}}},
		Stack: []dsl.Frame{{Function: "f", File: "p.py", Line: 5}},
	}
	start := func(source string) *dsl.Node {
		node, err := dsl.ND1.Begin(&dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: dsl.SplitLines(source)}}})
		if err != nil {
			t.Fatal(err)
		}
		return add(t, node, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: call}})
	}
	p := computed.New(&rest{}, python.Version{}, 100)
	defer p.Close()
	first := start(source)
	_, seen := walk(t, p, first, dsl.StepInto, dsl.StepInto, dsl.StepReturn, dsl.StepOver, dsl.StepOver, dsl.StepOver)
	expect(t, seen,
		"computed line     LIMIT.append(twice(n)) n=5",
		"computed call def twice(n): n=5",
		"computed return     return n * 2 n=5 10",
		"computed line     return sum(LIMIT), __name__ n=5",
		"computed return     return sum(LIMIT), __name__ n=5 (17, 'p')",
		"asked in vain", // the entry may call more functions
	)
	_, seen = walk(t, p, first, dsl.StepReturn)
	expect(t, seen, "computed return     return sum(LIMIT), __name__ n=5 (17, 'p')")

	// If the module cannot be computed, no global is known.
	_, seen = walk(t, p, start(strings.Replace(source, "LIMIT = [3, 4]", "import random; LIMIT = [3, 4, random.random()]", 1)), dsl.StepInto, dsl.StepInto)
	expect(t, seen, "computed line     LIMIT.append(twice(n)) n=5", "asked in vain")
}

// TestPredictorAfterLongMoves checks that after a move that was not computed, nothing is assumed about
// values in other frames that the move may have changed.
func TestPredictorAfterLongMoves(t *testing.T) {
	const source = `import random
n = 0
xs = []
def grow():
    global n
    n += int(random.random()) + 1
    xs.append(n)
def f(a):
    a += 1
    grow()
    return a, n, xs
f(3)
`
	other := &rest{}
	p := computed.New(other, python.Version{}, 100)
	defer p.Close()
	at, seen := walk(t, p, begin(t, source), dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto, dsl.StepInto)
	expect(t, seen[6:], "computed line     a += 1 a=3", "computed line     grow() a=4")
	other.reply = func(q backend.Question) dsl.Reply {
		s := *q.At.Current()
		s.Line, s.Source = 11, "    return a, n, xs"
		s.Stack = []dsl.Frame{s.Stack[0], {Function: "f", File: "p.py", Line: 11}}
		return dsl.Reply{Outcome: dsl.Landed, Stop: &s}
	}
	at, seen = walk(t, p, at, dsl.StepOver)
	expect(t, seen, "asked line     return a, n, xs a=4")
	other.reply = nil
	_, seen = walk(t, p, at, dsl.StepOver)
	expect(t, seen, "asked in vain")
}

// TestPredictorExceptions checks the exceptions that operations raise.
func TestPredictorExceptions(t *testing.T) {
	for statement, want := range map[string]string{
		"1 // 0":      "ZeroDivisionError('integer division or modulo by zero')",
		"{'a': 1}[0]": "KeyError(0)",
		"[1][5]":      "IndexError('list index out of range')",
		"int('x')":    `ValueError("invalid literal for int() with base 10: 'x'")`,
		"1 + 'a'":     `TypeError("unsupported operand type(s) for +: 'int' and 'str'")`,
		"(1).x":       `AttributeError("'int' object has no attribute 'x'")`,
		"nope":        `NameError("name 'nope' is not defined")`,
	} {
		p := computed.New(&rest{}, python.Version{Major: 3, Minor: 11}, 100)
		_, seen := walk(t, p, begin(t, "try:\n    "+statement+"\nexcept Exception as e:\n    x = 1\n"), dsl.StepInto, dsl.StepInto, dsl.StepInto)
		expect(t, seen, "computed line     "+statement, "computed exception     "+statement+" "+want, "computed line except Exception as e:")
		p.Close()
	}
}
