package cpython

import (
	"context"
	"errors"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// unanimous returns the reply to an action if it is the same from all of these places, else an
// undeterminedError.
func (s *subject) unanimous(ctx context.Context, all []place, a dsl.Action) (dsl.Reply, error) {
	var said dsl.Reply
	for i, at := range all {
		if at.unsaid != nil {
			return dsl.Reply{}, at.unsaid
		}
		to, stays, err := s.move(ctx, at, a)
		if err != nil {
			return dsl.Reply{}, err
		}
		reply, err := s.reply(ctx, to, stays)
		if err != nil {
			return dsl.Reply{}, err
		}
		if i > 0 && !sameReply(reply, said) {
			return dsl.Reply{}, undetermined("the text fits %d places of the program, with different answers", len(all))
		}
		said = reply
	}
	return said, nil
}

// locate returns the points of the program's run that a question's text fits: its last state can be
// there. Usually there is one. locate starts at the longest prefix of the text whose points are
// cached, and follows the rest of the text step by step.
func (s *subject) locate(ctx context.Context, t trail) (located, error) {
	at, i := s.known(t)
	if i < 0 && !t.whole {
		var err error
		if t, err = s.of.trails.whole(t.nodes[len(t.nodes)-1]); err != nil {
			return at, err
		}
		at, i = s.known(t)
	}
	if i < 0 {
		var err error
		if at.all, err = s.fitting(ctx, beginningOf(t.nodes[0])); err != nil {
			return at, err
		}
		i = 0
		s.places.put(t.texts[0], at)
	}
	last := len(t.nodes) - 1
	for i < last {
		i++
		step, _ := t.nodes[i].Step()
		var err error
		if at, err = s.follow(ctx, at, step); err != nil {
			return at, err
		}
	}
	s.places.put(t.texts[last], at)
	return at, nil
}

// known returns the cached places of the latest node of a trail that has some, and the node's index. The
// index is -1 if no node has any.
func (s *subject) known(t trail) (located, int) {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if at, ok := s.places.get(t.texts[i]); ok {
			return at, i
		}
	}
	return located{}, -1
}

// led is the result of following one step of the text from a place.
type led struct {
	to     place
	stays  bool // the move found nothing and left the place as it was
	edited bool // the user gave a list, dict or set another value in this step
}

// mostChanged is the largest number of places at which an edit is repeated: each needs a recording of
// its own.
const mostChanged = 4

// follow returns the places after one step of the text, given those before it.
func (s *subject) follow(ctx context.Context, from located, step dsl.Step) (located, error) {
	shown, all := step.Reply, from.all
	if shown.Outcome == dsl.Unknown || shown.Outcome == dsl.AtStart && len(all) == 1 {
		return from, nil // these replies leave the place unchanged
	}
	if (step.Edit || s.of.config.Drift) && len(all) > mostChanged {
		return from, undetermined("the text fits %d places of the program, and is not gone on with at each", len(all))
	}
	after := make([]led, 0, len(all))
	for _, at := range all {
		l, err := s.step(ctx, at, step)
		var why *undeterminedError
		if errors.As(err, &why) {
			l.to.unsaid = err
		} else if err != nil {
			return from, err
		}
		after = append(after, l)
	}
	kept, err := s.agree(ctx, after, shown)
	if err != nil {
		return from, err
	}
	next := located{edited: from.edited}
	for _, l := range kept {
		if s.of.config.Drift && !step.Edit && l.to.unsaid == nil && shown.Outcome != dsl.AtStart {
			to, err := s.believe(ctx, l.to, shown)
			var why *undeterminedError
			if errors.As(err, &why) {
				to.unsaid = err
			} else if err != nil {
				return from, err
			}
			l.to = to
		}
		next.all, next.edited = append(next.all, l.to), next.edited || l.edited
	}
	return next, nil
}

// step follows one step of the text from one place.
func (s *subject) step(ctx context.Context, at place, step dsl.Step) (led, error) {
	if at.unsaid != nil {
		return led{to: at}, nil
	}
	if step.Edit {
		to, mutable, err := s.edit(ctx, at, step.Reply.Stop)
		var why *undeterminedError
		if s.way.edit != rebinds && errors.As(err, &why) {
			err = &undeterminedError{why: why.why, otherEdit: true}
		}
		return led{to: to, edited: mutable}, err
	}
	to, stays, err := s.move(ctx, at, step.Action)
	if stays {
		to = at
	}
	return led{to: to, stays: stays}, err
}

// edit returns the place after an edit that the user made at the place at. edited is the state after the
// edit, as the text shows it. mutable reports whether the edit assigned a list, dict or set.
func (s *subject) edit(ctx context.Context, at place, edited *dsl.Stop) (to place, mutable bool, err error) {
	if at.pos.End || at.pos.PostMortem {
		return at, false, undetermined("an edit where the program is over")
	}
	truth, err := s.stop(ctx, at)
	if err != nil {
		return at, false, err
	}
	if truth.Event == dsl.Line && edited.Event == dsl.Line && truth.Line != edited.Line && sameStack(truth, edited) {
		if at, err = s.change(ctx, at, change{line: edited.Line}); err != nil { // the user's jump
			return at, false, err
		}
		if truth, err = s.stop(ctx, at); err != nil {
			return at, false, err
		}
	}
	if !samePlace(truth, edited) || !sameText(truth.Value, edited.Value) || len(truth.Locals) > len(visible(edited.Locals)) {
		return at, false, undetermined("an edit at line %d of %s changes more than the line and values of locals", edited.Line, edited.Function)
	}
	set := differences(truth, edited)
	if len(set) == 0 {
		return at, false, nil
	}
	for _, l := range set {
		mutable = mutable || strings.HasPrefix(l.Value, "[") || strings.HasPrefix(l.Value, "{") || strings.HasPrefix(l.Value, "set(")
	}
	if to, err = s.change(ctx, at, change{set: set}); err != nil {
		return at, mutable, err
	}
	if truth, err = s.stop(ctx, to); err != nil {
		return at, mutable, err
	}
	if left := append(differences(truth, edited), differences(edited, truth)...); len(left) > 0 {
		return at, mutable, undetermined("the edit of %s at line %d cannot be made: its text is no literal, or not what the value looks like", left[0].Name, edited.Line)
	}
	return to, mutable, nil
}

func sameText(a, b *string) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}
