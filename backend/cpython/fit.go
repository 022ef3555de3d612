package cpython

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// fitting returns the places of the program at which a text can begin. It compares all events of the
// run, so the program must have an end.
func (s *subject) fitting(ctx context.Context, b beginning) ([]place, error) {
	current := b.given[len(b.given)-1].Stop
	if current == nil || s.origin.first.Stop != nil {
		at, err := s.begin(ctx)
		return []place{at}, err
	}
	start := place{}
	r, err := s.serving(ctx, start)
	if err != nil {
		return nil, err
	}
	if !b.compacted && r.fits(0, current) {
		return []place{start}, nil // if event 0 fits the first state, the text is assumed to begin there
	}
	end := place{pos: trace.Position{End: true}, died: true}
	if r, err = s.serving(ctx, end); err != nil {
		return nil, err
	}
	var found, from []place
	err = r.during(ctx, func() error {
		within := r.callers(b.given[:len(b.given)-1])
		if found = r.placesOf(current, within); b.compacted && (len(found) == 0 || restarts(current)) {
			from = r.jumpsTo(current, within)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(from) > mostChanged {
		return nil, undetermined("the text may have jumped to where it begins, from %d places", len(from))
	}
	for _, at := range from {
		to, err := s.change(ctx, at, change{line: current.Line})
		var why *undeterminedError
		if errors.As(err, &why) {
			continue // the jump is not possible
		}
		if err != nil {
			return nil, err
		}
		truth, err := s.stop(ctx, to)
		if err != nil {
			return nil, err
		}
		if isShown(truth, current) {
			found = append(found, to)
		}
	}
	if len(found) == 0 {
		return nil, undetermined("the text begins where the program does not come: it has no %s at line %d of %s with these locals and this stack",
			current.Event, current.Line, current.Function)
	}
	return found, nil
}

// restarts reports whether a jump to a state's line has another effect than reaching the line: it
// restarts a for loop.
func restarts(s *dsl.Stop) bool {
	text := strings.TrimSpace(s.Source)
	return s.Event == dsl.Line && (strings.HasPrefix(text, "for ") || strings.HasPrefix(text, "async for "))
}

// jumpsTo returns the places from which the user may have jumped to the line of current: other lines of
// the same function, with the same callers and locals.
func (r *run) jumpsTo(current *dsl.Stop, within func([]statetree.StackFrame) bool) []place {
	if current.Event != dsl.Line {
		return nil
	}
	tree := r.rec.Tree()
	var found []place
	for i := range tree.Len() {
		at := tree.At(i)
		if at.Event != dsl.Line || at.Line == current.Line || at.Depth != len(current.Stack)-1 {
			continue
		}
		truth, err := r.stop(i)
		if err != nil || !sameStack(truth, current) || len(differences(current, truth)) > 0 || !within(tree.Stack(i)) {
			continue
		}
		moved := *truth
		moved.Stack = slices.Clone(truth.Stack)
		moved.Line, moved.Stack[at.Depth].Line = current.Line, current.Line
		if sameLines(&moved, current) {
			found = append(found, place{pos: trace.Position{Event: i}})
		}
	}
	return found
}

// callers returns a function that reports whether each activation of a stack was once in the state that
// the text shows of it. states holds the shown states.
func (r *run) callers(states []dsl.Reply) func(stack []statetree.StackFrame) bool {
	tree := r.rec.Tree()
	var known []map[uint32]bool
	var depths []int
	for _, c := range states {
		if c.Stop == nil {
			continue
		}
		acts := map[uint32]bool{}
		for i := range tree.Len() {
			if r.fits(i, c.Stop) {
				acts[tree.At(i).Activation] = true
			}
		}
		known, depths = append(known, acts), append(depths, len(c.Stop.Stack)-1)
	}
	return func(stack []statetree.StackFrame) bool {
		for k, depth := range depths {
			if depth >= len(stack) || !known[k][stack[depth].Activation] {
				return false
			}
		}
		return true
	}
}

// placesOf returns the places of the run whose state equals current and whose stack within accepts.
func (r *run) placesOf(current *dsl.Stop, within func([]statetree.StackFrame) bool) []place {
	tree := r.rec.Tree()
	var found []place
	for i := range tree.Len() {
		if !r.fits(i, current) || !within(tree.Stack(i)) {
			continue
		}
		found = append(found, place{pos: trace.Position{Event: i}})
		if i == r.fatal { // the text does not show whether it was a post-mortem stop
			found = append(found, place{pos: trace.Position{Event: i, PostMortem: true}, died: true})
		}
	}
	return found
}

// fits reports whether the state at an event equals the state that the text shows.
func (r *run) fits(event int, shown *dsl.Stop) bool {
	at := r.rec.Tree().At(event)
	if at.Event != shown.Event || at.Line != shown.Line || at.Kind != shown.Kind || at.Depth != len(shown.Stack)-1 {
		return false
	}
	truth, err := r.stop(event)
	return err == nil && isShown(truth, shown)
}

// isShown reports whether truth, a state of the run, equals the state that the text shows.
func isShown(truth, shown *dsl.Stop) bool {
	return samePlace(truth, shown) && sameText(truth.Value, shown.Value) &&
		len(truth.Locals) == len(visible(shown.Locals)) && len(differences(truth, shown)) == 0 && sameLines(truth, shown)
}

// sameLines reports whether two stacks have the same lines. Unknown lines are ignored.
func sameLines(a, b *dsl.Stop) bool {
	return slices.EqualFunc(a.Stack, b.Stack, func(a, b dsl.Frame) bool { return a.Line == b.Line || a.Line == 0 || b.Line == 0 })
}

// agree keeps the places whose state equals the one that the text shows. If there are none, the shown
// state is wrong, and agree keeps all places.
func (s *subject) agree(ctx context.Context, all []led, shown dsl.Reply) ([]led, error) {
	if len(all) < 2 {
		return all, nil
	}
	var kept []led
	for _, l := range all {
		if l.to.unsaid != nil {
			kept = append(kept, l)
			continue
		}
		reply, err := s.reply(ctx, l.to, l.stays)
		if err != nil {
			return nil, err
		}
		if sameReply(reply, shown) {
			kept = append(kept, l)
		}
	}
	if len(kept) == 0 {
		return all, nil
	}
	return kept, nil
}

// sameReply reports whether truth, a reply of the run, equals the reply that the text shows.
func sameReply(truth, shown dsl.Reply) bool {
	switch {
	case truth.Outcome != shown.Outcome:
		return false
	case truth.Stop != nil && shown.Stop != nil:
		return isShown(truth.Stop, shown.Stop)
	case truth.Exit != nil && shown.Exit != nil:
		return sameExit(*truth.Exit, *shown.Exit)
	}
	return truth.Stop == nil && shown.Stop == nil
}
