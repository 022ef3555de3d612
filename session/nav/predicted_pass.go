package nav

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// Pass asks the model for the result of a move. If a breakpoint may be hit in the code that the
// move passes over, Pass first asks for the next breakpoint there. If that breakpoint stops the
// move, the move itself is not requested. Otherwise there is one more request, and one for each
// breakpoint whose condition is false. For an inverse step over, Pass requests the move first,
// because the code that it passes over is known only then, and the breakpoints afterwards.
func (s *Predicted) Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	switch {
	case free(a.Move):
		return singly(ctx, s, from, a, stops)
	case !passes(from, a.Move), a.Move.Repeats() != 0 && len(stops.at) == 0:
		return made(ctx, s, from, a)
	case a.Move.Repeats() != 0:
		return s.bySteps(ctx, from, a, stops)
	}
	within := s.withinOf(from, a, stops)
	if within != nil && a.Move != dsl.InvStepOver {
		if p, err := s.seek(ctx, from, a, stops, within); p != nil || err != nil {
			return p, err
		}
	}
	l, err := s.Move(ctx, from, a)
	if err != nil {
		return nil, err
	}
	p := &Passage{Landing: l, By: &a}
	if within == nil || a.Move != dsl.InvStepOver || p.Ends() {
		return p, nil
	}
	to := s.list[l.Event].stop
	if to.Event != dsl.Line || to.Depth != len(within.below)-1 || s.outgoing(to) == python.RunsNothing {
		return p, nil // no code ran between the two lines
	}
	within.below = to.Stack
	if hit, err := s.seek(ctx, from, a, stops, within); hit != nil || err != nil {
		return hit, err
	}
	return p, nil
}

// bySteps makes a block or function move by single steps, so that a breakpoint on a line that the move
// passes over can stop it. It does not ask the model for the move itself.
func (s *Predicted) bySteps(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	step := dsl.Action{Move: a.Move.Repeats()}
	walk := python.NewStepWalk(a.Move, s.list[from.Event].node.Program(), s.list[from.Event].stop)
	var before *Passage
	for at := from; ; {
		p, err := s.Pass(ctx, at, step, stops)
		if err != nil || p.Ends() {
			if p != nil && p.Boundary == trace.AtStart && before != nil {
				return before, nil // the block begins at the first state
			}
			return p, err
		}
		switch walk.Next(s.list[p.Event].stop) {
		case python.WalkLandsBefore:
			return before, nil
		case python.WalkLandsHere:
			return p, nil
		}
		r := s.At(p.Event)
		if r.Event == dsl.Line && len(stops.at[dsl.Location{File: r.File, Line: r.Line}]) > 0 {
			if p.Hit, p.Raised = stops.test(ctx, p.Event); p.Hit != nil {
				return p, nil
			}
		}
		if s.base.Stopping() {
			p.Reason = trace.Interrupted
			return p, nil
		}
		before, at = p, p.Position
	}
}

// within describes the code that a move passes over: everything that runs above the frames below,
// which stay on the stack meanwhile.
type within struct {
	below []dsl.Frame // the frames that stay on the stack
	on    string      // the function of the first frame above below, "" for any
}

// holds reports whether a state lies in the code that the move passes over. An unknown line matches
// any line, except in the last frame of below, whose line must be known.
func (w *within) holds(stop *dsl.Stop) bool {
	n := len(w.below)
	if n > 0 && w.below[n-1].Line == 0 {
		return false
	}
	same := func(a, b dsl.Frame) bool {
		return a.Function == b.Function && a.File == b.File && (a.Line == b.Line || a.Line == 0 || b.Line == 0)
	}
	return len(stop.Stack) > n && slices.EqualFunc(stop.Stack[:n], w.below, same) && (w.on == "" || stop.Stack[n].Function == w.on)
}

// withinOf returns the code that a move passes over, or nil if no breakpoint can be hit there.
func (s *Predicted) withinOf(from trace.Position, a dsl.Action, t *Stops) *within {
	if len(t.at) == 0 || from.End {
		return nil
	}
	at := s.list[from.Event].stop
	depth := len(at.Stack) - 1
	edge := dsl.Return // the event at which step_return leaves the frame
	if a.Move.Inverse() {
		edge = dsl.Call
	}
	if a.Move == dsl.InvStepReturn && depth == 0 && (at.Event == dsl.Call || at.Function == "<module>") {
		return nil // the move cannot go back any further
	}
	if a.Move == dsl.StepReturn || a.Move == dsl.InvStepReturn {
		if at.Event != edge && !s.canHit(at, t, a.Move) {
			return nil
		}
		w := &within{below: at.Stack[:depth]}
		if at.Event != edge {
			w.on = at.Function
		}
		return w
	}
	if at.Event == dsl.Call || at.Event == edge || !s.canHit(at, t, a.Move) {
		return nil
	}
	if at.Event == dsl.Line && !a.Move.Inverse() && s.outgoing(at) == python.RunsNothing {
		return nil
	}
	return &within{below: at.Stack}
}

// canHit reports whether a breakpoint can be hit in the code that a move passes over. It can be hit
// outside of the current function, in the function if that may call itself, and, if the move goes
// to the function's end, in its remaining lines.
func (s *Predicted) canHit(at *dsl.Stop, t *Stops, m dsl.Move) bool {
	file := s.fileIndex(at.File)
	own := s.functionAround(file, at.Line)
	for place := range t.at {
		if place.File != file {
			return true
		}
		f := s.functionAround(file, place.Line)
		switch {
		case s.sources[file].Nested(place.Line), f.QualName != own.QualName || f.Line != own.Line, f.Line > 0 && s.namesItself(file, f):
			return true
		case m == dsl.StepReturn && place.Line > at.Line, m == dsl.InvStepReturn && place.Line < at.Line:
			return true
		case (m == dsl.StepReturn || m == dsl.InvStepReturn) && s.sources[file].Repeated(at.Line):
			return true
		}
	}
	return false
}

// functionAround returns the innermost function around a line. For module code and class bodies it
// returns a zero Function.
func (p *predictions) functionAround(file, line int) python.Function {
	var found python.Function
	for _, f := range p.sources[file].Functions() {
		if f.Line <= line && line <= f.EndLine && f.Line > found.Line {
			found = f.Function
		}
	}
	return found
}

// namesItself reports whether a function's source contains its own name a second time, so that it
// may call itself.
func (s *Predicted) namesItself(file int, f python.Function) bool {
	body := s.sources[file].Lines()[f.Line-1 : f.EndLine]
	names := strings.FieldsFunc(strings.Join(body, "\n"), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slices.Sort(names)
	first, found := slices.BinarySearch(names, f.Name)
	return found && first+1 < len(names) && names[first+1] == f.Name
}

// outgoing returns what code of the program the statement at a state may run. Operators count only
// if the program defines some.
func (p *predictions) outgoing(at *dsl.Stop) python.Outgoing {
	out := p.sources[p.fileIndex(at.File)].Outgoing(at.Line)
	if out != python.RunsOperators {
		return out
	}
	for _, source := range p.sources {
		for _, f := range source.Functions() {
			special := strings.HasPrefix(f.Name, "__") && strings.HasSuffix(f.Name, "__")
			if special && f.Name != "__init__" || strings.HasPrefix(strings.TrimSpace(source.Lines()[f.Line-1]), "@") {
				return python.RunsCalls
			}
		}
	}
	return python.RunsNothing
}

// sought returns the first question of seek. If the frames below may run their lines repeatedly,
// the question includes the line of the last of them, which is reached before they do so.
func (s *Predicted) sought(a dsl.Action, t *Stops, w *within) dsl.Action {
	ask := t.toward(a.Move)
	if again, ok := s.again(w); ok && len(t.at[again]) == 0 {
		ask.Lines = t.linesAnd(again)
	}
	return ask
}

// seek asks for the breakpoints in the code that a move passes over, one after the other, until one
// stops the move. It returns nil if an answer lies outside of that code.
func (s *Predicted) seek(ctx context.Context, from trace.Position, a dsl.Action, t *Stops, w *within) (*Passage, error) {
	plain, ask := t.toward(a.Move), s.sought(a, t, w)
	p := &Passage{}
	passed := unmet{source: s}
	for at := from; ; {
		l, err := s.Move(ctx, at, ask)
		if err != nil {
			return nil, err
		}
		by := ask
		p.Landing, p.By = l, &by
		if l.Reason != trace.Landed && !l.End && !l.PostMortem {
			return p, nil
		}
		if l.End || l.PostMortem || l.Boundary != trace.NoBoundary || !w.holds(s.list[l.Event].stop) {
			return nil, nil
		}
		r := s.At(l.Event)
		if len(t.at[dsl.Location{File: r.File, Line: r.Line}]) > 0 {
			if p.Hit, p.Raised = t.test(ctx, l.Event); p.Hit != nil {
				return p, nil
			}
		} else {
			ask = plain // the added line was reached in a deeper call, so leave it out
		}
		p.crossed = append(p.crossed, l.Position)
		if s.base.Stopping() {
			p.Reason = trace.Interrupted
			return p, nil
		}
		if passed.another(&p.Landing) {
			return p, nil
		}
		at = l.Position
	}
}

// mostUnmet is how many predicted states at breakpoints that do not stop it one move may pass. A model that
// repeats itself would otherwise be asked without end.
const mostUnmet = 25

// unmet counts the answers of a model that lead to breakpoints which do not stop a move.
type unmet struct {
	source Source
	count  int
}

// another counts a landing, if a model was asked for it, and ends the move there if that was the last one
// that the move may pass.
func (u *unmet) another(l *trace.Landing) bool {
	s, ok := u.source.(*Predicted)
	if !ok || s.list[l.Event].origin == dsl.Computed || s.list[l.Event].again {
		return false
	}
	if u.count++; u.count < mostUnmet {
		return false
	}
	l.Reason = trace.LimitReached
	l.Notice = fmt.Sprintf("The model was asked %d times, and no breakpoint has stopped the move; a further move asks as many times again.", mostUnmet)
	return true
}

// again returns the line of the last frame below, and reports whether any line of these frames may
// run repeatedly.
func (s *Predicted) again(w *within) (at dsl.Location, ok bool) {
	for _, f := range w.below {
		file := s.fileIndex(f.File)
		if file < 0 {
			return at, false
		}
		at = dsl.Location{File: file, Line: f.Line}
		ok = ok || f.Line == 0 || s.sources[file].Repeated(f.Line)
	}
	return at, ok && at.Line > 0
}
