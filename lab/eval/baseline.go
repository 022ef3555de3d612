package eval

import (
	"context"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// The baselines, simple predictors with which a model's results are compared.
const (
	// Still predicts that nothing changes, and that the next line of the file follows.
	Still = "still"
	// Last predicts that the same happens as the last time: the same line follows, or the same value is
	// returned. If the text shows no last time, it predicts like Still.
	Last = "last"
	// Oracle is CPython, which reads the same text as the model.
	Oracle = "oracle"
)

// BaselineNames returns the names of all baselines. Computing and Checking, which use the
// model, are not among them.
func BaselineNames() []string { return []string{Still, Last, Oracle} }

// asker is a function that asks for the reply to an action from a node.
type asker func(ctx context.Context, at *dsl.Node, a dsl.Action, sample int) (answer, error)

// baseline returns a function that answers questions about one program like the named baseline. The
// caller must call end after the last question.
func (r *runner) baseline(name string) (ask asker, end func()) {
	switch name {
	case Computing:
		return r.computing()
	case Checking:
		return r.checking()
	case Oracle:
		return func(ctx context.Context, at *dsl.Node, a dsl.Action, _ int) (answer, error) {
			return judgeAnswer(r.Oracle.Predict(ctx, backend.Question{At: at, Action: a}, nil))
		}, func() {}
	}
	return func(_ context.Context, at *dsl.Node, a dsl.Action, _ int) (answer, error) {
		g := guess{at: at, now: at.Current(), last: name == Last}
		if g.now == nil { // the program has already ended
			return answer{fate: declined}, nil
		}
		return answer{fate: answered, step: dsl.Step{Action: a, Reply: g.reply(a)}}, nil
	}, func() {}
}

// guess predicts a reply by simple rules, from the text up to a node.
type guess struct {
	at   *dsl.Node
	now  *dsl.Stop
	last bool
}

func (g guess) reply(a dsl.Action) dsl.Reply {
	landed := func(s *dsl.Stop) dsl.Reply { return dsl.Reply{Outcome: dsl.Landed, Stop: s} }
	switch a.Move {
	case dsl.StepInto, dsl.StepOver, dsl.StepBlock:
		return g.next()
	case dsl.StepFunction:
		if g.now.Event == dsl.Return {
			return g.next()
		}
		return landed(g.returned())
	case dsl.StepReturn:
		if g.now.Event == dsl.Return {
			return g.next()
		}
		return landed(g.returned())
	case dsl.Breakpoint, dsl.InvBreakpoint:
		return landed(g.onLine(a))
	case dsl.InvStepInto, dsl.InvStepOver, dsl.InvStepBlock:
		return g.before()
	case dsl.InvStepReturn, dsl.InvStepFunction:
		if g.now.Event == dsl.Call {
			return g.before()
		}
		return landed(g.called())
	case dsl.InvContinue:
		return landed(g.first())
	}
	return dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}
}

// next predicts the next line of the file. After a return it predicts the caller.
func (g guess) next() dsl.Reply {
	if g.now.Event == dsl.Return {
		if len(g.now.Stack) < 2 {
			return dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{}}
		}
		return dsl.Reply{Outcome: dsl.Landed, Stop: g.below()}
	}
	n := 0
	if g.last {
		n = g.followed()
	}
	if n == 0 {
		n = g.code(g.now.Line, 1)
	}
	if n == 0 {
		return dsl.Reply{Outcome: dsl.Landed, Stop: g.returned()}
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: g.moved(n)}
}

// before predicts the previous line of the file. At a call it predicts the caller.
func (g guess) before() dsl.Reply {
	n := g.code(g.now.Line, -1)
	switch f, ok := g.function(); {
	case g.now.Event == dsl.Call && len(g.now.Stack) > 1:
		return dsl.Reply{Outcome: dsl.Landed, Stop: g.below()}
	case n == 0:
		return dsl.Reply{Outcome: dsl.AtStart}
	case ok && n <= f.Line:
		return dsl.Reply{Outcome: dsl.Landed, Stop: g.called()}
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: g.moved(n)}
}

// followed returns the line that came after the current one the last time that the current
// function was there. It returns 0 if the text does not show it.
func (g guess) followed() int {
	after := 0
	for n := g.at; n != nil; n = n.Parent() {
		s := n.Current()
		if s == nil || s.Function != g.now.Function || len(s.Stack) != len(g.now.Stack) || s.Event == dsl.Return {
			after = 0
			continue
		}
		if s.Line == g.now.Line && after > 0 {
			return after
		}
		after = s.Line
	}
	return 0
}

// lines returns the lines of the current file.
func (g guess) lines() []string {
	for _, f := range g.at.Program().Files {
		if f.Name == g.now.File {
			return f.Lines
		}
	}
	return nil
}

// code returns the nearest line that is neither empty nor a comment, after line n if by is
// 1, before it if by is -1. It returns 0 if there is none.
func (g guess) code(n, by int) int {
	lines := g.lines()
	for n += by; n >= 1 && n <= len(lines); n += by {
		if text := strings.TrimSpace(lines[n-1]); text != "" && !strings.HasPrefix(text, "#") {
			return n
		}
	}
	return 0
}

func (g guess) function() (python.Signature, bool) { return signature(g.lines(), g.now.Function) }

// moved returns the current state with another line.
func (g guess) moved(n int) *dsl.Stop {
	s := *g.now
	s.Event, s.Kind, s.Value, s.Line, s.Source = dsl.Line, dsl.NoReturn, nil, n, g.lines()[n-1]
	s.Stack = slices.Clone(s.Stack)
	s.Stack[len(s.Stack)-1].Line = n
	return &s
}

// onLine returns the current state on the first line of a breakpoint in the direction of the move. At
// the end of the file, the search continues at the other end.
func (g guess) onLine(a dsl.Action) *dsl.Stop {
	lines := len(g.lines())
	found, least := g.now.Line, lines+1
	for _, at := range a.Lines {
		away := at.Line - g.now.Line
		if a.Move.Inverse() {
			away = -away
		}
		if away <= 0 {
			away += lines
		}
		if away < least && at.Line >= 1 && at.Line <= lines {
			found, least = at.Line, away
		}
	}
	return g.moved(found)
}

// returned predicts the return of the current function from its last line. The value is None. For the
// baseline Last it is the value of the local in the return statement, or of the last local.
func (g guess) returned() *dsl.Stop {
	n := g.now.Line
	if f, ok := g.function(); ok && f.EndLine <= len(g.lines()) {
		n = f.EndLine
	}
	s := g.moved(n)
	value := "None"
	if locals := s.Locals; g.last && len(locals) > 0 {
		value = locals[len(locals)-1].Value
		for _, l := range locals {
			if strings.TrimSpace(s.Source) == "return "+l.Name {
				value = l.Value
			}
		}
	}
	s.Event, s.Kind, s.Value = dsl.Return, dsl.Returned, &value
	return s
}

// called predicts the call of the current function. The arguments are the current values of
// its parameters, as far as they are known.
func (g guess) called() *dsl.Stop {
	f, ok := g.function()
	if !ok {
		s := g.moved(g.now.Line)
		s.Event = dsl.Call
		return s
	}
	s := g.moved(f.Line)
	s.Event, s.Locals = dsl.Call, nil
	for _, p := range f.Params {
		i := slices.IndexFunc(g.now.Locals, func(l dsl.Local) bool { return l.Name == p.Name })
		switch {
		case i >= 0:
			s.Locals = append(s.Locals, g.now.Locals[i])
		case g.last && g.now.Value != nil:
			s.Locals = append(s.Locals, dsl.Local{Name: p.Name, Value: *g.now.Value})
		}
	}
	return s
}

// below returns the caller's state, as the text showed it last.
func (g guess) below() *dsl.Stop {
	stack := g.now.Stack[:len(g.now.Stack)-1]
	top := stack[len(stack)-1]
	caller := guess{at: g.at, now: &dsl.Stop{State: dsl.State{File: top.File, Function: top.Function, Line: top.Line, Depth: len(stack) - 1}, Stack: stack}}
	for n := g.at; n != nil; n = n.Parent() {
		if s := n.Current(); s != nil && len(s.Stack) == len(stack) {
			caller.now.Locals, caller.now.Line = s.Locals, s.Line
			break
		}
	}
	if lines := len(caller.lines()); caller.now.Line < 1 || caller.now.Line > lines {
		caller.now.Line = 1
	}
	return caller.moved(caller.now.Line)
}

// first returns the first state if the text shows it; otherwise the first line of the
// module.
func (g guess) first() *dsl.Stop {
	for n := g.at; n.Parent() != nil; n = n.Parent() {
		if n.Parent().Parent() == nil && n.Current() != nil {
			return n.Current()
		}
	}
	main := g.at.Program().Files[0]
	line := max(python.Read([]byte(strings.Join(main.Lines, "\n"))).First(), 1)
	return &dsl.Stop{
		State: dsl.State{Event: dsl.Line, File: main.Name, Line: line, Function: "<module>"},
		Stack: []dsl.Frame{{Function: "<module>", File: main.Name, Line: line}},
	}
}
