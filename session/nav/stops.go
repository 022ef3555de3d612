package nav

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Stops holds what can end a move early: the enabled breakpoints by location, the watchpoints and
// the catchpoints. For find it holds only a condition, which can end the move on any line. A
// breakpoint in a file that cannot be read is left out.
type Stops struct {
	w    *Walker
	at   map[dsl.Location][]*breakpoint.Breakpoint
	find string // the condition of find, "" for none

	unanswered Unanswered // lines at which find could not be evaluated
	goal       *Goal      // the goal of until, nil for none
}

// Stops returns the stops that are enabled now.
func (w *Walker) Stops() *Stops {
	t := &Stops{w: w, at: map[dsl.Location][]*breakpoint.Breakpoint{}}
	for _, b := range w.table.Enabled() {
		if !b.OnLine() {
			continue
		}
		if file := fileIndex(w, b.File); file >= 0 {
			// A breakpoint of an earlier run may have another path to the file.
			b.File = w.States().Files()[file].Path
			at := dsl.Location{File: file, Line: b.Line}
			t.at[at] = append(t.at[at], b)
		}
	}
	return t
}

// Lines returns the locations of the breakpoints in order.
func (t *Stops) Lines() []dsl.Location { return slices.SortedFunc(maps.Keys(t.at), locationOrder) }

func locationOrder(a, b dsl.Location) int {
	if a.File != b.File {
		return a.File - b.File
	}
	return a.Line - b.Line
}

// linesAnd returns the locations of the breakpoints and at, in order.
func (t *Stops) linesAnd(at dsl.Location) []dsl.Location {
	return slices.SortedFunc(slices.Values(append(t.Lines(), at)), locationOrder)
}

// Has reports whether a breakpoint is at a location.
func (t *Stops) Has(at dsl.Location) bool { return len(t.at[at]) > 0 }

// none reports whether there are no stops.
func (t *Stops) none() bool { return len(t.at) == 0 && t.find == "" && len(t.waits()) == 0 }

// step returns the same stops without the goal, so that a source makes one move at a time.
func (t *Stops) step() *Stops {
	one := *t
	one.goal = nil
	return &one
}

// toward returns the breakpoint move to the breakpoints' lines, in the direction of move m.
func (t *Stops) toward(m dsl.Move) dsl.Action {
	if m.Inverse() {
		return dsl.Action{Move: dsl.InvBreakpoint, Lines: t.Lines()}
	}
	return dsl.Action{Move: dsl.Breakpoint, Lines: t.Lines()}
}

// onward returns the action for a free move (continue or its inverse): a breakpoint move if there
// are breakpoints.
func (t *Stops) onward(a dsl.Action) dsl.Action {
	if len(t.at) == 0 {
		return a
	}
	return t.toward(a.Move)
}

// told converts the stops for the tracer, and returns the breakpoint of each. Watchpoints whose
// frame is not on the stack at the live edge are left out.
func (t *Stops) told(edge trace.Position, tree *statetree.Tree) (stops []trace.Stop, whose []*breakpoint.Breakpoint) {
	if t.find != "" {
		return []trace.Stop{{For: trace.Anywhere, Condition: t.find}}, nil
	}
	for _, at := range t.Lines() {
		for _, b := range t.at[at] {
			stop := trace.Stop{At: at, Function: b.Function, Condition: b.Condition, Ignore: b.Ignore}
			if !b.Passing {
				stop.Number = b.Number
			}
			stops = append(stops, stop)
			whose = append(whose, b)
		}
	}
	var stack []statetree.StackFrame
	if !edge.End && edge.Event >= 0 && edge.Event < tree.Len() {
		stack = tree.Stack(edge.Event)
	}
	catching := false
	for _, b := range t.waits() {
		if b.Catch != "" && catching {
			continue // confirm tests all catchpoints, so one stop is enough
		}
		catching = catching || b.Catch != ""
		stop, ok := trace.Stop{For: trace.OnRaise}, true
		if b.Watch != "" {
			stop, ok = t.w.watched[b].stop(b, stack)
		}
		if ok {
			stops, whose = append(stops, stop), append(whose, b)
		}
	}
	return stops, whose
}

// met updates the hit counts after the tracer has made a move, and returns the breakpoint that
// ended it, nil if none did. whose holds the breakpoint of each stop, since is the event at which
// the move began.
func (t *Stops) met(whose []*breakpoint.Breakpoint, since int, l trace.Landing) (b *breakpoint.Breakpoint, raised bool) {
	if l.Reason == trace.HitBreakpoint && !l.End && l.Stop < len(whose) {
		b = whose[l.Stop]
	}
	for _, m := range l.Met {
		if m.Stop >= len(whose) {
			continue
		}
		of := whose[m.Stop]
		if of.Catch != "" {
			continue // confirm counts the hits of catchpoints
		}
		t.crossed(of, since, l, m.Hits)
		of.Ignore -= min(of.Ignore, m.Ignored)
		if m.Error != "" {
			t.w.host.Notice("The condition %s of breakpoint %d stops here: %s", of.Condition, of.Number, m.Error)
			raised = raised || of == b
		}
	}
	return b, raised
}

// crossed counts the hits of a breakpoint between an event and a landing. count is how many the
// tracer counted. Hits in an unrecorded part have no event; they count at the landing.
func (t *Stops) crossed(b *breakpoint.Breakpoint, since int, l trace.Landing, count int) {
	tree := t.w.Past().Tree()
	last := l.Event
	if l.End {
		last = tree.Len() - 1
	}
	if b.OnLine() {
		at := []dsl.Location{{File: fileIndex(t.w, b.File), Line: b.Line}}
		for event, ok := tree.NextLine(since, at); ok && event <= last && count > 0; event, ok = tree.NextLine(event, at) {
			if b.Function == "" || tree.Code(tree.At(event).Code).Name == b.Function {
				b.Cross(event)
				count--
			}
		}
	} else if of := t.w.watched[b]; of != nil {
		for c, ok := of.Next(since, last, t.w.host.Stopping); ok && count > 0; c, ok = of.Next(c.Event, last, t.w.host.Stopping) {
			b.Cross(c.Event)
			count--
		}
	}
	if count > 0 {
		b.CrossUnrecorded(last, count)
	}
}

// confirm returns the breakpoint that stops a move where the tracer stopped, or nil if none does.
// The tracer does not know the types, conditions and counts of catchpoints, so it stops at every
// raised exception, and confirm tests them.
func (t *Stops) confirm(ctx context.Context, b *breakpoint.Breakpoint, event int) (hit *breakpoint.Breakpoint, raised bool) {
	if b.Catch == "" {
		return b, false
	}
	tree := t.w.Past().Tree()
	if next, ok := tree.NextRaise(event - 1); !ok || next != event {
		return nil, false
	}
	for _, b := range t.waits() {
		if b.Catch == "" || !catches(tree, b, event) {
			continue
		}
		if stops, raised := t.satisfied(ctx, b, event, false); stops {
			return b, raised
		}
	}
	return nil, false
}

// test returns the breakpoint that stops at an event, nil if none does. It must be on the event's
// line and in its function, its condition must be true and its ignore count used up. As in bdb,
// each crossing counts as a hit, and a condition that raises an exception stops in any case; raised
// reports that.
func (t *Stops) test(ctx context.Context, event int) (b *breakpoint.Breakpoint, raised bool) {
	states := t.w.States()
	rec := states.At(event)
	for _, b := range t.at[dsl.Location{File: rec.File, Line: rec.Line}] {
		if b.Function != "" && states.Code(rec.Code).Name != b.Function {
			continue
		}
		holds := func() (bool, error) { return t.w.truth(ctx, event, b.Condition) }
		if !t.w.infers() {
			b.Cross(event)
		}
		if stops, err := stopsAt(b, b.Condition != "", holds); stops {
			if err != nil {
				t.w.host.Notice("The condition %s of breakpoint %d stops here: %v", b.Condition, b.Number, err)
			}
			return b, err != nil
		}
	}
	return nil, false
}

// satisfied reports whether a watchpoint or a catchpoint stops at an event: its condition is true
// there and its ignore count is used up.
func (t *Stops) satisfied(ctx context.Context, b *breakpoint.Breakpoint, event int, inverse bool) (stops, raised bool) {
	conditional := b.Condition != "" && !t.w.AtScopeEnd(b, event, inverse)
	holds := func() (bool, error) { return t.w.conditionOf(ctx, b, event, inverse) }
	switch {
	case b.Watch == "" || !inverse:
		b.Cross(event)
	case !t.w.AtScopeEnd(b, event, inverse): // backwards it stops one event before the change
		b.Cross(event + 1)
	}
	stops, err := stopsAt(b, conditional, holds)
	if err != nil {
		t.w.host.Notice("The condition %s of %s stops here: %v", b.Condition, b, err)
	}
	return stops, err != nil
}

// stopsAt reports whether a crossed breakpoint stops, and uses up its ignore count.
func stopsAt(b *breakpoint.Breakpoint, conditional bool, condition func() (bool, error)) (stops bool, err error) {
	holds := true
	if conditional {
		holds, err = condition()
	}
	if err == nil && !holds {
		return false, nil
	}
	if b.Ignore > 0 && err == nil {
		b.Ignore--
		return false, nil
	}
	return true, err
}

// truth evaluates a condition at an event: at the live edge in the running program, else from the
// recorded objects or the states.
func (w *Walker) truth(ctx context.Context, event int, condition string) (bool, error) {
	if holds, asked, err := w.Holds(ctx, event, condition); asked {
		return holds, err
	}
	p := w.Past()
	var fromObjects error
	if p != nil {
		// Try the recorded objects first. If they do not support the condition, evaluate it over
		// texts.
		if c, err := p.Condition(condition); err == nil {
			var holds bool
			if holds, fromObjects = p.Truth(ctx, c, event); fromObjects == nil {
				return holds, nil
			}
		}
	}
	stack := w.States().Stack(event)
	holds, err := python.Truth(ctx, condition, Names(w.States(), p, stack, len(stack)-1, event, condition))
	err = OverTexts(p, condition, err)
	var refused *python.RefusedError
	if errors.As(err, &refused) {
		if fromObjects != nil { // says what the recording lacks
			err = fromObjects
		}
		err = fmt.Errorf("it cannot be told from %s (%w)", w.Text(), err)
	}
	return holds, err
}

// FileOf returns the index of a frame's file, -1 if it is unknown.
func FileOf(states States, f statetree.StackFrame) int {
	if f.Event >= 0 {
		return states.At(f.Event).File
	}
	return slices.IndexFunc(states.Files(), func(file statetree.File) bool { return file.Name == f.File })
}
