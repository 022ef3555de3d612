package cpython

import (
	"context"
	"errors"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// answer is the reply to a question.
func (p *Predictor) answer(ctx context.Context, q backend.Question) (dsl.Reply, error) {
	var none dsl.Reply
	t, err := p.trails.to(q.At)
	if err != nil {
		return none, err
	}
	s, err := p.pool.take(ctx, t.subject, func() *subject {
		first, _ := firstOf(q.At).Step()
		return &subject{of: p, program: q.At.Program(), first: first.Reply}
	})
	if err != nil {
		return none, err
	}
	defer p.pool.give(t.subject, s)
	defer s.tidy()
	at, err := s.locate(ctx, t)
	if err != nil {
		return none, err
	}
	to, stays, err := s.move(ctx, at, q.Action)
	if err != nil {
		return none, err
	}
	return s.reply(ctx, to, stays)
}

// locate finds the place of a text: that of the longest beginning of it which
// is known, and on from there by its steps.
func (s *subject) locate(ctx context.Context, t trail) (place, error) {
	at, i := s.known(t)
	if i < 0 && !t.whole {
		t = s.of.trails.whole(t.nodes[len(t.nodes)-1])
		at, i = s.known(t)
	}
	if i < 0 {
		var err error
		if at, err = s.begin(ctx); err != nil {
			return at, err
		}
		i = 0
	}
	last := len(t.nodes) - 1
	for i < last && at.unsaid == nil {
		i++
		step, _ := t.nodes[i].Step()
		to, err := s.follow(ctx, at, step)
		var why *undeterminedError
		if errors.As(err, &why) {
			to.unsaid = err
		} else if err != nil {
			return at, err
		}
		at = to
	}
	s.places.put(t.texts[last], at)
	return at, at.unsaid
}

// known is the last node of a trail whose place is known; -1 if none is.
func (s *subject) known(t trail) (place, int) {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if at, ok := s.places.get(t.texts[i]); ok {
			return at, i
		}
	}
	return place{}, -1
}

// follow is the place after one step of the text.
func (s *subject) follow(ctx context.Context, at place, step dsl.Step) (place, error) {
	if step.Edit {
		return s.edit(ctx, at, step.Reply.Stop)
	}
	if step.Reply.Outcome == dsl.Unknown || step.Reply.Outcome == dsl.AtStart {
		return at, nil // the format's rule: the place stays
	}
	to, stays, err := s.move(ctx, at, step.Action)
	if err != nil || !s.of.config.Drift {
		return to, err
	}
	if stays {
		to = at
	}
	return s.believe(ctx, to, step.Reply)
}

// edit is the place after the user has edited the state at a place.
func (s *subject) edit(ctx context.Context, at place, edited *dsl.Stop) (place, error) {
	if at.pos.End || at.pos.PostMortem {
		return at, undetermined("an edit where the program is over")
	}
	truth, err := s.stop(ctx, at)
	if err != nil {
		return at, err
	}
	if !samePlace(truth, edited) || !sameText(truth.Value, edited.Value) || len(truth.Locals) > len(visible(edited.Locals)) {
		return at, undetermined("an edit at line %d of %s changes more than values of locals", edited.Line, edited.Function)
	}
	set := differences(truth, edited)
	if len(set) == 0 {
		return at, nil
	}
	to, err := s.change(ctx, at, change{set: set})
	if err != nil {
		return at, err
	}
	if truth, err = s.stop(ctx, to); err != nil {
		return at, err
	}
	if left := differences(truth, edited); len(left) > 0 {
		return at, undetermined("the edit of %s at line %d cannot be made: its text is no literal, or not what the value looks like", left[0].Name, edited.Line)
	}
	return to, nil
}

func sameText(a, b *string) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}
