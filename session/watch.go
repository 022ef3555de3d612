package session

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/past"
	"github.com/npdb/npdb/trace/statetree"
)

// watched is what a watchpoint looks at in one run.
type watched struct {
	*past.Followed
	tree  *statetree.Tree
	local bool // its names are a function's: it ends with the activation
	act   uint32
	frame statetree.StackFrame // that it was set in
}

// waits is the enabled watchpoints and catchpoints.
func (s *recordedWalk) waits() []*breakpoint.Breakpoint {
	var out []*breakpoint.Breakpoint
	for _, b := range s.bps.Enabled() {
		if b.Catch != "" || b.Watch != "" && s.rewatch(b) {
			out = append(out, b)
		}
	}
	return out
}

// rewatch sees to it that a watchpoint looks at this run. One of a function's names
// ended with the run before.
func (s *recordedWalk) rewatch(b *breakpoint.Breakpoint) bool {
	t := s.rec.Tree()
	if w := s.watched[b]; w != nil && w.tree == t {
		return true
	}
	return t.Len() > 0 && s.watchIn(b, t.Stack(0)[0], 0) == nil
}

// endWatches deletes the watchpoints whose names ended with the run before: those of
// functions, and of modules that are not there from the start.
func (s *Session) endWatches() {
	for _, b := range slices.Clone(s.bps.List) {
		if w := s.watched[b]; w != nil && (w.local || w.frame.File != w.tree.Files()[0].Name) {
			s.bps.Remove(b)
			delete(s.watched, b)
			s.notice("Watchpoint %d is deleted: %s was a name of a frame of the run before", b.Number, b.Subject())
		}
	}
}

// watchIn has a watchpoint look at what a frame's names are.
func (s *Session) watchIn(b *breakpoint.Breakpoint, frame statetree.StackFrame, event int) error {
	p := s.pastOf()
	f, err := p.Follow(b.Watch, s.scopeOf(p, frame, event), event)
	if err != nil {
		return err
	}
	w := &watched{Followed: f, tree: p.Tree(), frame: frame}
	if w.act, w.local = f.Local(); !w.local {
		w.act = f.Module()
	}
	s.watched[b] = w
	return nil
}

// sight is an event at which a watchpoint or a catchpoint may stop a move.
type sight struct {
	event int
	b     *breakpoint.Breakpoint
}

// waiting gives the events at which the watchpoints and catchpoints may stop a move,
// the next one first. What was found is kept until the move has passed it.
type waiting struct {
	s       *recordedWalk
	inverse bool
	limit   int
	list    []*breakpoint.Breakpoint
	found   []int // by breakpoint: its next event
	asked   []bool
}

func (s *recordedWalk) waitingFor(limit int, inverse bool) *waiting {
	w := &waiting{s: s, inverse: inverse, limit: limit, list: s.waits()}
	w.found, w.asked = make([]int, len(w.list)), make([]bool, len(w.list))
	return w
}

// next is the event nearest to one, behind it or, of an inverse move, before it.
func (w *waiting) next(at int) (best sight, ok bool) {
	for i, b := range w.list {
		if !w.asked[i] || w.found[i] >= 0 && !w.ahead(w.found[i], at) {
			w.found[i], w.asked[i] = w.s.stopOf(b, at, w.limit, w.inverse), true
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
			w.found[i] = w.s.stopOf(b, of.event, w.limit, w.inverse)
		}
	}
}

// ahead reports whether an event comes behind another in the direction of the move.
func (w *waiting) ahead(event, of int) bool { return event != of && (event > of) != w.inverse }

// stopOf is the next event at which a watchpoint or a catchpoint may stop, -1 if there
// is none. Forward a watchpoint stops as of the change, and where the activation that
// has its names is left; back before the line that makes the change, and where that
// activation begins.
func (s *recordedWalk) stopOf(b *breakpoint.Breakpoint, at, limit int, inverse bool) int {
	if b.Catch != "" {
		return s.raiseOf(b, at, inverse)
	}
	w := s.watched[b]
	t := s.rec.Tree()
	begin, end := t.Lifetime(w.act)
	if inverse {
		found := -1
		if c, ok := w.Last(min(at, t.Len()-1), s.stopping.Load); ok && c.Event-1 > limit && (!w.local || c.Event > begin) {
			found = c.Event - 1
		}
		if w.local && begin < at && begin > found {
			found = begin
		}
		return found
	}
	found := -1
	if c, ok := w.Next(at, limit-1, s.stopping.Load); ok && (!w.local || c.Event > begin) {
		found = c.Event
	}
	if w.local && end > at && (found < 0 || end < found) {
		found = end
	}
	return found
}

// raiseOf is the next event at which an exception of a catchpoint's type is raised.
func (s *recordedWalk) raiseOf(b *breakpoint.Breakpoint, at int, inverse bool) int {
	t := s.rec.Tree()
	for {
		next, ok := t.NextRaise(at)
		if inverse {
			next, ok = t.PrevRaise(at)
		}
		if !ok {
			return -1
		}
		if s.catches(b, next) {
			return next
		}
		at = next
	}
}

// catches reports whether what is raised at an event is of a catchpoint's type, by
// name: that of the exception, or of a class that it is derived from as far as the
// program's text and Python's own exceptions tell.
func (s *Session) catches(b *breakpoint.Breakpoint, event int) bool {
	if b.Catch == breakpoint.AnyException {
		return true
	}
	st := s.states().State(event)
	if st.Value == nil {
		return false
	}
	kind, _, _ := strings.Cut(s.raisedText(event, *st.Value), ":")
	return s.derives(strings.TrimSpace(kind), b.Catch)
}

// satisfied decides whether a watchpoint or a catchpoint stops at an event: its
// condition holds there and its ignore count is used up.
func (s *recordedWalk) satisfied(ctx context.Context, b *breakpoint.Breakpoint, event int, inverse bool) (stops, raised bool) {
	b.Hits++
	holds, err := true, error(nil)
	if b.Condition != "" && !s.atScopeEnd(b, event, inverse) {
		holds, err = s.conditionOf(ctx, b, event, inverse)
	}
	if err == nil && !holds {
		return false, false
	}
	if b.Ignore > 0 && err == nil {
		b.Ignore--
		return false, false
	}
	if err != nil {
		s.notice("The condition %s of %s stops here: %v", b.Condition, b, err)
	}
	return true, err != nil
}

// conditionOf evaluates a watchpoint's condition as of its change, over the names that
// it sees itself, and a catchpoint's in the frame that raises.
func (s *recordedWalk) conditionOf(ctx context.Context, b *breakpoint.Breakpoint, event int, inverse bool) (bool, error) {
	if b.Watch == "" {
		return s.truth(ctx, event, b.Condition)
	}
	at := event
	if inverse {
		at++
	}
	p := s.pastOf()
	scope := s.scopeOf(p, s.watched[b].frame, at)
	c, err := p.Condition(b.Condition)
	if err == nil {
		var holds bool
		if holds, err = p.TruthIn(ctx, c, scope, at); err == nil {
			return holds, nil
		}
	}
	var refused *python.RefusedError
	if !errors.As(err, &refused) || s.cfg.Evaluator == nil {
		return false, err
	}
	return s.cfg.Evaluator.Truth(ctx, b.Condition, readable(p, b.Condition, s.namesOf(scope, at), scope, at))
}

// namesOf is the names of a scope as texts.
func (s *Session) namesOf(scope past.Scope, event int) []dsl.Local {
	own := s.states().LocalsOf(scope.Activation, event)
	if !scope.HasModule {
		return own
	}
	all := slices.DeleteFunc(s.states().LocalsOf(scope.Module, event), func(g dsl.Local) bool {
		_, shadowed := lookup(own, g.Name)
		return shadowed
	})
	return append(all, own...)
}

// atScopeEnd reports whether a watchpoint stops because the activation that has its
// names begins or ends here.
func (s *recordedWalk) atScopeEnd(b *breakpoint.Breakpoint, event int, inverse bool) bool {
	if b.Watch == "" || !s.watched[b].local {
		return false
	}
	change := event
	if inverse {
		change++
	}
	begin, end := s.rec.Tree().Lifetime(s.watched[b].act)
	c := s.watched[b].ChangeAt(change)
	return (inverse && event == begin || !inverse && event == end) && (c.Old.Same(c.New) || change == begin)
}

// tellOf says why a watchpoint or a catchpoint stopped the move that has landed on an
// event.
func (s *Session) tellOf(b *breakpoint.Breakpoint, event int, inverse bool) {
	w, ok := s.recorded()
	if !ok || b.OnLine() {
		return
	}
	if b.Catch != "" {
		s.notice("Catchpoint %d: %s is raised here", b.Number, s.raisedText(event, valueOf(s.states().State(event))))
		return
	}
	if w.atScopeEnd(b, event, inverse) {
		word := "returns here, and its names end"
		if inverse {
			word = "begins here, before that its names have no values"
		}
		s.notice("Watchpoint %d: %s: %s %s", b.Number, b.Watch, b.Scope, word)
		return
	}
	change := event
	if inverse {
		change++
	}
	c := s.changeOf(s.watched[b].ChangeAt(change))
	s.answer.Changes = []Change{c}
	by := ""
	if c.By.Event >= 0 {
		by = ", by " + placeLine(c.By)
	}
	s.notice("Watchpoint %d: %s%s", b.Number, changeText(b.Watch, c), by)
}

func valueOf(st *dsl.State) string {
	if st.Value == nil {
		return ""
	}
	return *st.Value
}

// recorded is the walk over a recording, if the session has one.
func (s *Session) recorded() (*recordedWalk, bool) {
	if s.rec == nil || s.pastOf() == nil {
		return nil, false
	}
	return &recordedWalk{s}, true
}

// stops is all that ends a move beyond the live edge: as the tracer tests it, and
// whose it is. A frame that is not on the stack there is not looked at.
func (s *recordedWalk) stops(t targets) (stops []trace.Stop, whose []*breakpoint.Breakpoint) {
	stops, whose = t.stops()
	var stack []statetree.StackFrame
	if edge := s.rec.LiveEdge(); !edge.End && edge.Event >= 0 && edge.Event < s.rec.Tree().Len() {
		stack = s.rec.Tree().Stack(edge.Event)
	}
	catching := false
	for _, b := range s.waits() {
		if b.Catch != "" && catching {
			continue // see confirm
		}
		catching = catching || b.Catch != ""
		stop := trace.Stop{For: trace.OnRaise}
		if b.Watch != "" {
			up := slices.IndexFunc(stack, func(f statetree.StackFrame) bool { return f.Activation == s.watched[b].act })
			if up < 0 {
				continue
			}
			stop = trace.Stop{
				For: trace.OnChange, Expr: b.Watch, Activation: -1, Up: len(stack) - 1 - up,
				Condition: b.Condition, Ignore: b.Ignore,
			}
			if s.watched[b].local {
				stop.Activation = int(s.watched[b].act)
			}
			if i := slices.IndexFunc(stack, func(f statetree.StackFrame) bool { return f.Activation == s.watched[b].frame.Activation }); i >= 0 {
				stop.Up = len(stack) - 1 - i
			}
		}
		stops, whose = append(stops, stop), append(whose, b)
	}
	return stops, whose
}

// confirm is the breakpoint that a stop of the tracer's is, nil where it is none: what
// the types of catchpoints are, and their conditions and counts, the tracer does not
// know, which stops for the first of them wherever anything is raised.
func (s *recordedWalk) confirm(ctx context.Context, b *breakpoint.Breakpoint, l trace.Landing) (hit *breakpoint.Breakpoint, raised bool) {
	if b.Catch == "" {
		return b, false
	}
	if next, ok := s.rec.Tree().NextRaise(l.Event - 1); !ok || next != l.Event {
		return nil, false
	}
	for _, b := range s.waits() {
		if b.Catch == "" || !s.catches(b, l.Event) {
			continue
		}
		if stops, raised := s.satisfied(ctx, b, l.Event, false); stops {
			return b, raised
		}
	}
	return nil, false
}
