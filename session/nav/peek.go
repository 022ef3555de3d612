package nav

import (
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Guess holds the state to which an action leads, as a model predicts it. The action was not made.
type Guess struct {
	Action dsl.Action
	Mark
	State    *dsl.State // nil at the end of the program, and if nothing comes before the position
	Stack    []dsl.Frame
	Recorded bool // the recording has the true state
}

// guess is a Guess whose true state is not compared yet.
type guess struct {
	from          trace.Position
	action, asked dsl.Action
	place         besidePlace // the texts from which the model was asked
	reply         reply
}

// peek asks where an action leads. Until a move uses the answer, it counts for its cost only; then
// the answer is treated as if the move had requested it. weigh chooses among the candidates of the
// answer; it may be nil.
func (q *asker) peek(ctx context.Context, node *dsl.Node, a dsl.Action, weigh func(reply) reply) (reply, error) {
	r, known := q.recall(node, a)
	switch {
	case known:
		q.recalled()
		return r, nil
	case q.base.Replaying() != nil:
		r = q.replayed(node, a)
	default:
		r = q.askShowing(ctx, node, a, nil)
	}
	if errors.Is(r.err, context.Canceled) {
		return r, context.Canceled
	}
	if r.err != nil {
		var shown *Error
		if err := predictionError(r.err, q.base.Key); errors.As(err, &shown) {
			return r, &Error{Kind: shown.Kind, Message: messageOf(r.err)} // retry and raw do not help here
		}
		return r, r.err
	}
	if weigh != nil {
		r = weigh(r)
	}
	q.journal(r.node, r.made)
	q.heed(r)
	r.peeked = true
	q.store(node, a, r)
	return r, nil
}

// messageOf returns the message of a predictor's error.
func messageOf(err error) string {
	var failed *backend.Error
	if errors.As(err, &failed) {
		return failed.Message
	}
	return err.Error()
}

// guessed converts an answer to a guess. p has the lines of the program.
func guessed(a dsl.Action, asked dsl.Action, r reply, p *predictions) (*Guess, error) {
	g := &Guess{Action: a, Mark: Mark{
		Origin: originOf(asked, r.made), Move: a.Move, Confidence: r.made.Confidence, Sureness: r.made.Sureness, Checks: r.made.Checks,
	}}
	switch reply := r.made.Step.Reply; reply.Outcome {
	case dsl.Unknown:
		return nil, errorf(NoPrediction, "The model says that the text does not tell where %s leads.", a)
	case dsl.Ended:
		g.Exit = reply.Exit
	case dsl.Landed:
		st := reply.Stop.State
		st.Locals = slices.Clone(st.Locals)
		if source, ok := p.SourceLine(p.fileIndex(st.File), st.Line); ok {
			st.Source = source // use the true line: the model's may be redacted
		}
		g.State, g.Stack = &st, reply.Stop.Stack
	}
	return g, nil
}

// nowhere returns the error for an action that cannot lead anywhere.
func nowhere(from trace.Position, a dsl.Action, first bool) error {
	switch {
	case from.End && !a.Move.Inverse():
		return errorf(Refused, "peek: the program is over, so no move leads on from here")
	case first && a.Move.Inverse():
		return errorf(Refused, "peek: this is the first state, so no move leads back from here")
	}
	return nil
}

// Peek asks the model where an action leads, without making it. The action then uses this answer.
func (s *Predicted) Peek(ctx context.Context, from trace.Position, a dsl.Action) (*Guess, error) {
	at := s.list[from.Event]
	if err := nowhere(from, a, at.before < 0 && !s.beginsLater()); err != nil {
		return nil, err
	}
	if i := s.mirrored(from, a); i >= 0 {
		return &Guess{Action: a, Mark: s.Mark(trace.Position{Event: i}), State: s.State(i), Stack: s.list[i].stop.Stack}, nil
	}
	r, err := s.peek(ctx, at.node, a, func(r reply) reply { return s.weigh(ctx, &at, a, r) })
	if err != nil {
		return nil, err
	}
	return guessed(a, a, r, s.predictions)
}

// Peek asks the model where an action leads, without making it. The action then uses this answer.
func (s *Both) Peek(ctx context.Context, from trace.Position, a dsl.Action) (*Guess, error) {
	g, _, err := s.foretell(ctx, from, a)
	return g, err
}

// PeekAside does the same as Peek while the model does not walk beside the reference, in real mode: it is
// asked from the true states. When the action is made later, its result is compared (see Compared).
func (s *Both) PeekAside(ctx context.Context, from trace.Position, a dsl.Action) (*Guess, error) {
	s.stand = s.alongTrail(from)
	g, open, err := s.foretell(ctx, from, a)
	if err == nil && open.reply.peeked && !slices.ContainsFunc(s.guesses, func(o guess) bool { return o.isOf(from, a) }) {
		s.guesses = append(s.guesses, open)
		s.recorded().aside = s
	}
	return g, err
}

func (s *Both) foretell(ctx context.Context, from trace.Position, a dsl.Action) (*Guess, guess, error) {
	open := guess{from: from, action: a, place: s.stand}
	if err := nowhere(from, a, s.isFirst(from)); err != nil {
		return nil, open, err
	}
	var ok bool
	if open.asked, ok = s.question(from, a); !ok {
		return nil, open, errorf(Refused, "peek: the model cannot be asked for %s here: it is not shown the file, or the state cannot be written for it", a)
	}
	var err error
	if open.reply, err = s.peek(ctx, s.node(), open.asked, nil); err != nil {
		return nil, open, err
	}
	g, err := guessed(a, open.asked, open.reply, s.model)
	if r := s.recorded(); err == nil && r != nil {
		g.Recorded = r.landFrom(r.eventOf(from), a).Boundary == statetree.NoBoundary
	}
	return g, open, err
}

// isOf reports whether a guess is that of an action at a position.
func (g *guess) isOf(from trace.Position, a dsl.Action) bool {
	return g.from == from && g.action.Move == a.Move && slices.Equal(g.action.Lines, a.Lines)
}

// passed compares the guess of an action, if there is one, with where it led.
func (s *Both) passed(from trace.Position, a dsl.Action, l trace.Landing) {
	i := slices.IndexFunc(s.guesses, func(g guess) bool { return g.isOf(from, a) })
	if i < 0 {
		return
	}
	g := s.guesses[i]
	s.guesses = slices.Delete(s.guesses, i, i+1)
	s.stand = g.place
	node := s.node()
	s.compare(l, a, g.asked, g.reply)
	s.keep(node, g.asked, g.reply)
	s.fresh = append(s.fresh, s.pairs[len(s.pairs)-1])
}

// forget drops the guesses at a position.
func (s *Both) forget(at trace.Position) {
	s.guesses = slices.DeleteFunc(s.guesses, func(g guess) bool { return g.from == at })
}

// Compared returns the guesses of PeekAside that were compared since the last call.
func (s *Both) Compared() []Pair {
	fresh := s.fresh
	s.fresh = nil
	return fresh
}

// pass reports an action that was made, and where it led, to the model that was asked by PeekAside.
// A passage over breakpoints that did not stop it is an action to the first of them.
func (r *Recorded) pass(from trace.Position, p *Passage) {
	if r.aside == nil || p.By == nil || !lands(p.Landing) || p.Hit != nil && !p.Hit.OnLine() {
		return
	}
	l := p.Landing
	if p.By.Move.TakesLines() {
		if crossed := r.between(from, p); len(crossed) > 0 {
			l = trace.Landing{Position: crossed[0], Horizon: r.Distance(from, crossed[0].Event)}
		}
	}
	r.aside.passed(from, *p.By, l)
}

// Begins returns the action with which a user's move begins. That of continue and its inverse is to
// the lines of the enabled breakpoints, if there are any.
func (w *Walker) Begins(m dsl.Move) dsl.Action {
	a := dsl.Action{Move: m}
	if free(m) {
		return w.Stops().onward(a)
	}
	return a
}
