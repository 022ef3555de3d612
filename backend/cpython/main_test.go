//go:build unix

package cpython_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// anyPython returns the newest Python from 3.10 to 3.14, the versions for which the vectors have line
// numbers.
func anyPython(t testing.TB) string {
	t.Helper()
	found := pythons.Between(t, 10, 14)
	return found[len(found)-1].Path
}

// predictor returns a predictor that is closed when the test ends. Its time limit is long, for busy
// machines.
func predictor(t testing.TB, c cpython.Config) *cpython.Predictor {
	t.Helper()
	if c.Python == "" {
		c.Python = anyPython(t)
	}
	if c.Timeout == 0 {
		c.Timeout = time.Minute
	}
	p := cpython.New(c)
	t.Cleanup(func() { p.Close() })
	return p
}

// program returns a program with one file.
func program(source string) *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: "program.py", Lines: dsl.SplitLines(source)}}}
}

// begin returns the node of a program with its first state.
func begin(t testing.TB, p *dsl.Program, first dsl.Reply) *dsl.Node {
	t.Helper()
	n, err := dsl.ND1.Begin(p)
	if err != nil {
		t.Fatal(err)
	}
	if n, err = n.Append(dsl.Step{Reply: first}); err != nil {
		t.Fatal(err)
	}
	return n
}

// module returns the first state of a program whose first statement is on this line.
func module(p *dsl.Program, line int) dsl.Reply {
	return landed(dsl.State{Event: dsl.Line, File: p.Files[0].Name, Line: line, Source: p.Files[0].Lines[line-1], Function: "<module>"})
}

// called returns a first state that is the call of a function. arguments are names and values in turn.
func called(p *dsl.Program, function string, line int, arguments ...string) dsl.Reply {
	s := dsl.State{Event: dsl.Call, File: p.Files[0].Name, Line: line, Source: p.Files[0].Lines[line-1], Function: function}
	for i := 0; i < len(arguments); i += 2 {
		s.Locals = append(s.Locals, dsl.Local{Name: arguments[i], Value: arguments[i+1]})
	}
	return landed(s)
}

func landed(s dsl.State) dsl.Reply {
	stop := &dsl.Stop{State: s, Stack: []dsl.Frame{{Function: s.Function, File: s.File, Line: s.Line}}}
	return dsl.Reply{Outcome: dsl.Landed, Stop: stop}
}

// start returns the node of a one-file program at its first line, which is line 1.
func start(t testing.TB, source string) *dsl.Node {
	t.Helper()
	p := program(source)
	return begin(t, p, module(p, 1))
}

// ask asks to which state an action leads.
func ask(t testing.TB, p *cpython.Predictor, at *dsl.Node, action string) *backend.Prediction {
	t.Helper()
	made, err := p.Predict(t.Context(), backend.Question{At: at, Action: parse(t, action)}, nil)
	if err != nil {
		t.Fatalf("%s: %v", action, err)
	}
	return made
}

// walk asks for several actions in a row and returns the last node.
func walk(t testing.TB, p *cpython.Predictor, at *dsl.Node, actions ...string) *dsl.Node {
	t.Helper()
	for _, action := range actions {
		made := ask(t, p, at, action)
		next, err := at.Append(made.Step)
		if err != nil {
			t.Fatal(err)
		}
		if at.Text()+actionText(t, at, made.Step.Action)+made.Raw != next.Text() {
			t.Fatalf("%s: the raw text is %q, the step added %q", action, made.Raw, next.Added())
		}
		at = next
	}
	return at
}

func actionText(t testing.TB, at *dsl.Node, a dsl.Action) string {
	t.Helper()
	prompt, err := at.Prompt(a)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(prompt, at.Text())
}

// parse parses an action as it is written in nd/1.
func parse(t testing.TB, text string) dsl.Action {
	t.Helper()
	a, err := dsl.ParseAction(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// reread returns a node as a server has it: parsed from its text.
func reread(t testing.TB, n *dsl.Node) *dsl.Node {
	t.Helper()
	again, asked, err := dsl.ND1.Read(n.Text())
	if err != nil || asked != nil {
		t.Fatalf("%v, %v", asked, err)
	}
	return again
}

// shows fails the test unless the state of a node has this description, such as "line 3 {x: 1}".
func shows(t testing.TB, n *dsl.Node, want string) {
	t.Helper()
	if got := shown(n); got != want {
		t.Errorf("stands at %s, want %s", got, want)
	}
}

func shown(n *dsl.Node) string {
	step, _ := n.Step()
	return replied(step.Reply)
}

func replied(r dsl.Reply) string {
	switch {
	case r.Exit != nil && r.Exit.Exception != nil:
		return "end " + *r.Exit.Exception
	case r.Stop == nil:
		return r.Outcome.String()
	}
	var b strings.Builder
	s := r.Stop
	b.WriteString(s.Event.String() + " " + s.Function + " " + s.Source + " {")
	for i, l := range s.Locals {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(l.Name + ": " + l.Value)
	}
	b.WriteString("}")
	if s.Value != nil {
		b.WriteString(" = " + *s.Value)
	}
	return b.String()
}

func isKind(err error, kind backend.ErrorKind) bool {
	var failed *backend.Error
	return errors.As(err, &failed) && failed.Kind == kind
}
