package session

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
)

// Span is a part of the timeline: the events from First to Last, and what happened in them.
type Span struct {
	First, Last int  // events of the recording; in neural mode indices into View.History
	Depth       int  // depth of the stack at First
	Exception   bool // an exception was raised here, not only propagated
	Breakpoint  bool // a line with an enabled breakpoint was reached
	Shown       bool // a stop of the history is here
	// Part of the run before one of these events, or after the last of all, was not recorded.
	Hole          bool
	Diverged      bool // in side-by-side mode: prediction and truth differed here
	FirstDiverged bool // they differed here for the first time
}

// Timeline divides the known run into at most the given number of spans. All but the last have the
// same number of events, a power of two, so that spans stay the same as the run continues, until
// there are too many. The time it takes depends on columns, not on the length of the recording.
func (vs *visits) Timeline(columns int) []Span {
	n := vs.whereabouts().Events
	if n == 0 || columns < 1 {
		return nil
	}
	spans := cut(n, columns)
	if vs.program.rec != nil {
		vs.surveyRecording(spans)
	} else {
		vs.surveyHistory(spans)
	}
	if b := vs.program.beside(); b != nil {
		vs.surveyPairs(b, spans)
	}
	return spans
}

// cut divides n events into at most columns spans.
func cut(n, columns int) []Span {
	per := 1
	for (n-1)/per >= columns {
		per *= 2
	}
	spans := make([]Span, (n-1)/per+1)
	for i := range spans {
		spans[i].First, spans[i].Last = i*per, min((i+1)*per, n)-1
	}
	return spans
}

// spanOf returns the index of the span that contains an event.
func spanOf(spans []Span, event int) int {
	lo, hi := 0, len(spans)-1
	for lo < hi {
		if mid := (lo + hi + 1) / 2; spans[mid].First <= event {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// surveyRecording fills in the spans of a recording.
func (vs *visits) surveyRecording(spans []Span) {
	t := vs.program.rec.Tree()
	stops := vs.program.nav.Stops().Lines()
	for i := range spans {
		at := &spans[i]
		at.Depth = t.At(at.First).Depth
		if edge, ok := t.HoleAfter(at.First - 1); ok {
			at.Hole = edge <= at.Last || i == len(spans)-1
		}
		if e, ok := t.NextRaise(at.First - 1); ok {
			at.Exception = e <= at.Last
		}
		if e, ok := t.NextLine(at.First-1, stops); ok {
			at.Breakpoint = e <= at.Last
		}
	}
	for _, v := range vs.tree.List() {
		if !v.End && v.Run == vs.program.shown && v.Inferred == 0 && v.Event >= 0 && v.Event < t.Len() {
			spans[spanOf(spans, v.Event)].Shown = true
		}
	}
}

// surveyHistory fills in the spans of the history, in neural mode.
func (vs *visits) surveyHistory(spans []Span) {
	stops := vs.program.nav.Stops()
	for i := range spans {
		at := &spans[i]
		at.Shown = true
		for n := at.First; n <= at.Last; n++ {
			v := vs.tree.List()[n]
			if v.End {
				continue
			}
			t := vs.program.sourceOf(v.Position).States()
			r := t.At(v.Event)
			if n == at.First {
				at.Depth = r.Depth
			}
			at.Exception = at.Exception || r.Event == dsl.Exception && !vs.exceptionPasses(v)
			at.Breakpoint = at.Breakpoint || r.Event == dsl.Line && t == vs.program.states() && stops.Has(dsl.Location{File: r.File, Line: r.Line})
		}
	}
}

// exceptionPasses reports whether the exception at a visit was raised in a called frame, which the
// parent shows being left.
func (vs *visits) exceptionPasses(v Visit) bool {
	before := vs.tree.Visit(v.Parent)
	if before == nil || before.End {
		return false
	}
	callee := vs.program.sourceOf(before.Position).States().At(before.Event)
	return callee.Kind == dsl.Unwound && callee.Depth == vs.program.sourceOf(v.Position).States().At(v.Event).Depth+1
}

// surveyPairs marks the divergences in the spans. The end of the program is not an event, so a
// divergence there is marked at the last event.
func (vs *visits) surveyPairs(b *nav.Both, spans []Span) {
	pairs, first := b.Pairs(), b.FirstDivergence()
	mark := func(place, pair int) {
		at := &spans[spanOf(spans, place)]
		at.Diverged = true
		at.FirstDiverged = at.FirstDiverged || &pairs[pair] == first
	}
	if vs.program.rec == nil { // the spans are those of the history
		for i, v := range vs.tree.List() {
			if at := b.PairAt(v.Number); at >= 0 && pairs[at].Diverges() {
				mark(i, at)
			}
		}
		return
	}
	for i := range pairs {
		switch p := &pairs[i]; {
		case !p.Diverges():
		case p.Event >= 0:
			mark(p.Event, i)
		case p.Line == 0 && vs.program.rec.Exit() != nil:
			mark(spans[len(spans)-1].Last, i)
		}
	}
}
