package session

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// pass asks for a move, and first for a breakpoint in what it passes over, where
// one can be: that is one question more where none is hit, and none more where one
// is. Only an inverse step over has to be asked for first, for where it passes over
// code is not known before.
func (s *predictedWalk) pass(ctx context.Context, from trace.Position, a dsl.Action, t targets) (passage, error) {
	within := s.withinOf(from, a, t)
	if within != nil && a.Move != dsl.InvStepOver {
		if p, stopped, err := s.seek(ctx, from, a, t, within); stopped || err != nil {
			return p, err
		}
	}
	l, err := s.move(ctx, from, a)
	p := passage{Landing: l, by: a}
	if err != nil || within == nil || a.Move != dsl.InvStepOver || p.ends() {
		return p, err
	}
	to := s.list[l.Event].stop
	if to.Event != dsl.Line || to.Depth != len(within.below)-1 || s.outgoing(to) == python.RunsNothing {
		return p, nil // nothing ran between there and here
	}
	within.below = to.Stack
	if hit, stopped, err := s.seek(ctx, from, a, t, within); stopped || err != nil {
		return hit, err
	}
	return p, nil
}

// within is the code that a move passes over: what runs above a part of the stack
// that stays as it is meanwhile.
type within struct {
	below []dsl.Frame // the part that stays
	on    string      // the function of the first frame above it, "" for any
}

// holds reports whether a state lies within. A line that is not known may be any.
// That of the last frame is known, or nothing is taken to lie within.
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

// withinOf is what a move passes over, nil where no breakpoint can be hit there.
func (s *predictedWalk) withinOf(from trace.Position, a dsl.Action, t targets) *within {
	if len(t) == 0 || from.End {
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

// canHit reports whether a breakpoint can be hit in what a move passes over: one
// outside the frame's function, in a function that may call itself, or, on the way
// to its end, in what of it is still to run.
func (s *predictedWalk) canHit(at *dsl.Stop, t targets, m dsl.Move) bool {
	file := s.predictions.fileIndex(at.File)
	own := s.functionAround(file, at.Line)
	for place := range t {
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

// functionAround is the innermost function around a line, the zero one for module
// code and class bodies.
func (s *predictedWalk) functionAround(file, line int) python.Function {
	var found python.Function
	for _, f := range s.sources[file].Functions() {
		if f.Line <= line && line <= f.EndLine && f.Line > found.Line {
			found = f.Function
		}
	}
	return found
}

// namesItself reports whether the text of a function has its name beyond the def.
func (s *predictedWalk) namesItself(file int, f python.Function) bool {
	body := s.sources[file].Lines()[f.Line-1 : f.EndLine]
	names := strings.FieldsFunc(strings.Join(body, "\n"), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	slices.Sort(names)
	first, found := slices.BinarySearch(names, f.Name)
	return found && first+1 < len(names) && names[first+1] == f.Name
}

// outgoing is what the statement at a state may run of the program. What operators
// and the like are defined as counts where the program defines any.
func (s *predictedWalk) outgoing(at *dsl.Stop) python.Outgoing {
	out := s.sources[s.predictions.fileIndex(at.File)].Outgoing(at.Line)
	if out != python.RunsOperators {
		return out
	}
	for _, source := range s.sources {
		for _, f := range source.Functions() {
			special := strings.HasPrefix(f.Name, "__") && strings.HasSuffix(f.Name, "__")
			if special && f.Name != "__init__" || strings.HasPrefix(strings.TrimSpace(source.Lines()[f.Line-1]), "@") {
				return python.RunsCalls
			}
		}
	}
	return python.RunsNothing
}

// seek asks for the breakpoints within what a move passes over, until one is
// satisfied or the answer lies beyond. Where the lines below run repeatedly, the
// line on top of them is asked for too: it comes before another time of what is
// passed over.
func (s *predictedWalk) seek(ctx context.Context, from trace.Position, a dsl.Action, t targets, w *within) (p passage, stopped bool, err error) {
	ask := t.toward(a.Move)
	plain := ask
	if again, ok := s.again(w); ok {
		if _, known := t[again]; !known {
			ask.Lines = sortedLocations(withLine(t, again))
		}
	}
	for at := from; ; {
		l, err := s.move(ctx, at, ask)
		p.Landing, p.by = l, ask
		if err != nil || l.Reason != trace.Landed && !l.End && !l.PostMortem {
			return p, true, err
		}
		if l.End || l.PostMortem || l.Boundary != trace.NoBoundary || !w.holds(s.list[l.Event].stop) {
			return passage{}, false, nil
		}
		r := s.At(l.Event)
		if _, known := t[dsl.Location{File: r.File, Line: r.Line}]; known {
			if p.hit, p.raised = s.effective(ctx, t, l.Event); p.hit != nil {
				return p, true, nil
			}
		} else {
			ask = plain // the same line of a deeper call: it tells nothing
		}
		p.crossed = append(p.crossed, l.Position)
		if s.stopping.Load() {
			p.Reason = trace.Interrupted
			return p, true, nil
		}
		at = l.Position
	}
}

// again is the line on top of the frames below, if any of their lines is run
// repeatedly.
func (s *predictedWalk) again(w *within) (at dsl.Location, ok bool) {
	for _, f := range w.below {
		file := s.predictions.fileIndex(f.File)
		if file < 0 {
			return at, false
		}
		at = dsl.Location{File: file, Line: f.Line}
		ok = ok || f.Line == 0 || s.sources[file].Repeated(f.Line)
	}
	return at, ok && at.Line > 0
}

// withLine is the places of breakpoints and one more.
func withLine(t targets, at dsl.Location) targets {
	out := targets{at: nil}
	for place, list := range t {
		out[place] = list
	}
	return out
}
