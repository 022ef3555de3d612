package walk

import (
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/past"
	"github.com/npdb/npdb/trace/statetree"
)

// Watched is what a watchpoint looks at in one run.
type Watched struct {
	*past.Followed
	Local bool // its names are a function's: it ends with the activation
	tree  *statetree.Tree
	act   uint32
	frame statetree.StackFrame // that it was set in
}

// Watch has a watchpoint look at what a frame's names are.
func (w *Walker) Watch(b *breakpoint.Breakpoint, frame statetree.StackFrame, event int) (*Watched, error) {
	p := w.Past()
	f, err := p.Follow(b.Watch, Scope(p, frame, event), event)
	if err != nil {
		return nil, err
	}
	at := &Watched{Followed: f, tree: p.Tree(), frame: frame}
	if at.act, at.Local = f.Local(); !at.Local {
		at.act = f.Module()
	}
	w.watched[b] = at
	return at, nil
}

// EndWatches deletes the watchpoints whose names ended with the run before: those of
// functions, and of modules that are not there from the start.
func (w *Walker) EndWatches() {
	for _, b := range slices.Clone(w.table.List) {
		if at := w.watched[b]; at != nil && (at.Local || at.frame.File != at.tree.Files()[0].Name) {
			w.table.Remove(b)
			delete(w.watched, b)
			w.host.Notice("Watchpoint %d is deleted: %s was a name of a frame of the run before", b.Number, b.Subject())
		}
	}
}

// waits is the enabled watchpoints and catchpoints that can stop a move.
func (t *Stops) waits() []*breakpoint.Breakpoint {
	if t.find != "" || t.w.Past() == nil {
		return nil
	}
	var out []*breakpoint.Breakpoint
	for _, b := range t.w.table.Enabled() {
		if b.Catch != "" || b.Watch != "" && t.w.rewatch(b) {
			out = append(out, b)
		}
	}
	return out
}

// rewatch sees to it that a watchpoint looks at this run. One of a function's names
// ended with the run before.
func (w *Walker) rewatch(b *breakpoint.Breakpoint) bool {
	t := w.Past().Tree()
	if at := w.watched[b]; at != nil && at.tree == t {
		return true
	}
	if t.Len() == 0 {
		return false
	}
	_, err := w.Watch(b, t.Stack(0)[0], 0)
	return err == nil
}

// stop is a watchpoint as the tracer tests it; ok is false where the frame that has its
// names is not on the stack.
func (at *Watched) stop(b *breakpoint.Breakpoint, stack []statetree.StackFrame) (stop trace.Stop, ok bool) {
	of := func(act uint32) int {
		return slices.IndexFunc(stack, func(f statetree.StackFrame) bool { return f.Activation == act })
	}
	i := of(at.act)
	if i < 0 {
		return stop, false
	}
	stop = trace.Stop{For: trace.OnChange, Expr: b.Watch, Activation: -1, Condition: b.Condition, Ignore: b.Ignore}
	if at.Local {
		stop.Activation = int(at.act)
	}
	if own := of(at.frame.Activation); own >= 0 {
		i = own
	}
	stop.Up = len(stack) - 1 - i
	return stop, true
}

// sight is an event at which a watchpoint or a catchpoint may stop a move.
type sight struct {
	event int
	b     *breakpoint.Breakpoint
}

// waiting gives the events at which the watchpoints and catchpoints may stop a move,
// the next one first. What was found is kept until the move has passed it.
type waiting struct {
	w       *Walker
	inverse bool
	limit   int
	list    []*breakpoint.Breakpoint
	found   []int // by breakpoint: its next event
	asked   []bool
}

func (t *Stops) waitingFor(limit int, inverse bool) *waiting {
	w := &waiting{w: t.w, inverse: inverse, limit: limit, list: t.waits()}
	w.found, w.asked = make([]int, len(w.list)), make([]bool, len(w.list))
	return w
}

// next is the event nearest to one, behind it or, of an inverse move, before it.
func (w *waiting) next(at int) (best sight, ok bool) {
	for i, b := range w.list {
		if !w.asked[i] || w.found[i] >= 0 && !w.ahead(w.found[i], at) {
			w.found[i], w.asked[i] = w.stopOf(b, at), true
		}
		e := w.found[i]
		if e < 0 || !w.ahead(w.limit, e) {
			continue
		}
		if !ok || w.ahead(best.event, e) {
			best, ok = sight{e, b}, true
		}
	}
	return best, ok
}

// pass has what did not stop give its next event.
func (w *waiting) pass(of sight) {
	for i, b := range w.list {
		if b == of.b {
			w.found[i] = w.stopOf(b, of.event)
		}
	}
}

// ahead reports whether an event comes behind another in the direction of the move.
func (w *waiting) ahead(event, of int) bool { return event != of && (event > of) != w.inverse }

// stopOf is the next event at which a watchpoint or a catchpoint may stop, -1 if there
// is none. Forward a watchpoint stops as of the change, and where the activation that
// has its names is left; back before the line that makes the change, and where that
// activation begins.
func (w *waiting) stopOf(b *breakpoint.Breakpoint, at int) int {
	if b.Catch != "" {
		return w.raiseOf(b, at)
	}
	of := w.w.watched[b]
	begin, end := of.tree.Lifetime(of.act)
	found := -1
	if w.inverse {
		if c, ok := of.Last(min(at, of.tree.Len()-1), w.w.host.Stopping); ok && c.Event-1 > w.limit && (!of.Local || c.Event > begin) {
			found = c.Event - 1
		}
		if of.Local && begin < at && begin > found {
			found = begin
		}
		return found
	}
	if c, ok := of.Next(at, w.limit-1, w.w.host.Stopping); ok && (!of.Local || c.Event > begin) {
		found = c.Event
	}
	if of.Local && end > at && (found < 0 || end < found) {
		found = end
	}
	return found
}

// raiseOf is the next event at which an exception of a catchpoint's type is raised.
func (w *waiting) raiseOf(b *breakpoint.Breakpoint, at int) int {
	t := w.w.Past().Tree()
	for {
		next, ok := t.NextRaise(at)
		if w.inverse {
			next, ok = t.PrevRaise(at)
		}
		if !ok {
			return -1
		}
		if catches(t, b, next) {
			return next
		}
		at = next
	}
}

// conditionOf evaluates a watchpoint's condition as of its change, over the names that
// it sees itself, and a catchpoint's in the frame that raises.
func (w *Walker) conditionOf(ctx context.Context, b *breakpoint.Breakpoint, event int, inverse bool) (bool, error) {
	if b.Watch == "" {
		return w.truth(ctx, event, b.Condition)
	}
	at := event
	if inverse {
		at++
	}
	p := w.Past()
	scope := Scope(p, w.watched[b].frame, at)
	c, err := p.Condition(b.Condition)
	if err == nil {
		var holds bool
		if holds, err = p.TruthIn(ctx, c, scope, at); err == nil {
			return holds, nil
		}
	}
	var refused *python.RefusedError
	if !errors.As(err, &refused) || w.evaluator == nil {
		return false, err
	}
	return w.evaluator.Truth(ctx, b.Condition, Readable(p, b.Condition, namesIn(w.States(), scope, at), scope, at))
}

// AtScopeEnd reports whether a watchpoint stops at an event because the activation that
// has its names begins or ends there.
func (w *Walker) AtScopeEnd(b *breakpoint.Breakpoint, event int, inverse bool) bool {
	if b.Watch == "" || !w.watched[b].Local {
		return false
	}
	at := w.watched[b]
	begin, end := at.tree.Lifetime(at.act)
	c := w.ChangeAt(b, event, inverse)
	return (inverse && event == begin || !inverse && event == end) && (c.Old.Same(c.New) || c.Event == begin)
}

// ChangeAt is the change for which a watchpoint stops a move at an event.
func (w *Walker) ChangeAt(b *breakpoint.Breakpoint, event int, inverse bool) past.Change {
	if inverse {
		event++
	}
	return w.watched[b].ChangeAt(event)
}
