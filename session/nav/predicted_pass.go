package nav

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// Pass asks the model for the result of a move. If a breakpoint may be hit in the code that the
// move passes over, Pass first asks for the next breakpoint there. If that stops the move, the
// move itself is not asked for; otherwise there is one more request, and one for each breakpoint
// whose condition does not hold. For an inverse step over it asks for the move first, since the
// code that it passes over is known only then, and for breakpoints afterwards.
func (s *Predicted) Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	switch {
	case free(a.Move):
		return singly(ctx, s, from, a, stops)
	case !passes(from, a.Move):
		return made(ctx, s, from, a)
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
		return p, nil // nothing ran between there and here
	}
	within.below = to.Stack
	if hit, err := s.seek(ctx, from, a, stops, within); hit != nil || err != nil {
		return hit, err
	}
	return p, nil
}

// within is the code that a move passes over: what runs above a part of the stack that stays the
// same meanwhile.
type within struct {
	below []dsl.Frame // the part that stays
	on    string      // the function of the first frame above it, "" for any
}

// holds reports whether a state lies within. An unknown line may be any line. The line of the last
// frame must be known.
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

// withinOf returns the code that a move passes over, nil if no breakpoint can be hit there.
func (s *Predicted) withinOf(from trace.Position, a dsl.Action, t *Stops) *within {
	if len(t.at) == 0 || from.End {
		return nil
	}
	at := s.list[from.Event].stop
	depth := len(at.Stack) - 1
	edge := dsl.Return // where the move looks out of the frame already
	if a.Move.Inverse() {
		edge = dsl.Call
	}
	if a.Move == dsl.InvStepReturn && depth == 0 && (at.Event == dsl.Call || at.Function == "<module>") {
		return nil // there is nothing earlier to go to
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

// canHit reports whether a breakpoint can be hit in the code that a move passes over: one outside
// the frame's function, one in a function that may call itself, or, on the way to the function's
// end, one in its remaining lines.
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

// functionAround returns the innermost function around a line; the zero one for module code and
// class bodies.
func (s *Predicted) functionAround(file, line int) python.Function {
	var found python.Function
	for _, f := range s.sources[file].Functions() {
		if f.Line <= line && line <= f.EndLine && f.Line > found.Line {
			found = f.Function
		}
	}
	return found
}

// namesItself reports whether a function's text uses its own name.
func (s *Predicted) namesItself(file int, f python.Function) bool {
	body := s.sources[file].Lines()[f.Line-1 : f.EndLine]
	names := strings.FieldsFunc(strings.Join(body, "\n"), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slices.Sort(names)
	first, found := slices.BinarySearch(names, f.Name)
	return found && first+1 < len(names) && names[first+1] == f.Name
}

// outgoing returns what the statement at a state may run of the program: operators count if the
// program defines any.
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

// sought returns the first question of seek. If the lines below run repeatedly, it asks for the
// line on top of them too, which comes before they run again.
func (s *Predicted) sought(a dsl.Action, t *Stops, w *within) dsl.Action {
	ask := t.toward(a.Move)
	if again, ok := s.again(w); ok && len(t.at[again]) == 0 {
		ask.Lines = t.linesAnd(again)
	}
	return ask
}

// seek asks for the breakpoints in the code that a move passes over, until one is satisfied or the
// answer lies outside of that code; then the passage is nil.
func (s *Predicted) seek(ctx context.Context, from trace.Position, a dsl.Action, t *Stops, w *within) (*Passage, error) {
	plain, ask := t.toward(a.Move), s.sought(a, t, w)
	p := &Passage{}
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
			ask = plain // the same line of a deeper call: it tells nothing
		}
		p.crossed = append(p.crossed, l.Position)
		if s.base.Stopping() {
			p.Reason = trace.Interrupted
			return p, nil
		}
		at = l.Position
	}
}

// again returns the line on top of the frames below, if any of their lines is run
// repeatedly.
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
