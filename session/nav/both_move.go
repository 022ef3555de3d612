package nav

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// Move makes one action with the reference, while the model predicts its result.
func (s *Both) Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	return s.besides(ctx, from, a, func(ctx context.Context) (trace.Landing, error) {
		l, err := s.reference.Move(ctx, from, a)
		s.landed(l, err)
		return l, err
	})
}

// Pass makes a move with the reference, while the model predicts its result. If a breakpoint
// stopped the move, the model predicts the breakpoint moves that lead there instead. A free move
// (continue or its inverse) is made as a sequence of breakpoint moves.
func (s *Both) Pass(ctx context.Context, from trace.Position, a dsl.Action, stops *Stops) (*Passage, error) {
	waiting := len(stops.waits()) > 0
	switch {
	// A model cannot be asked where find, a watchpoint or a catchpoint stops.
	case stops.find != "" || free(a.Move) && waiting:
		p, err := s.reference.Pass(ctx, from, a, stops)
		if err == nil && p.Position == from {
			s.Displaced(from)
		} else if err == nil {
			s.stand = s.onTruth(p.Position)
		}
		return p, err
	case free(a.Move):
		return singly(ctx, s, from, a, stops)
	case !passes(from, a.Move):
		return made(ctx, s, from, a)
	case len(stops.at) == 0 && !waiting:
		return made(ctx, s, from, a)
	}
	p, err := s.reference.Pass(ctx, from, a, stops.step())
	if err != nil {
		return p, err
	}
	if p.Hit != nil && !p.Hit.OnLine() { // a watchpoint or catchpoint: the model cannot be asked for it
		s.stand = s.onTruth(p.Position)
		return p, nil
	}
	s.landed(p.Landing, nil)
	by := func(from trace.Position, l trace.Landing) { // cannot fail: the reference has made the move
		_, _ = s.besides(ctx, from, *p.By, func(context.Context) (trace.Landing, error) { return l, nil })
	}
	if p.Hit == nil {
		by(from, p.Landing)
		return p, nil
	}
	for _, at := range s.between(from, p) {
		by(from, trace.Landing{Position: at, Horizon: s.horizon(from, at)})
		from = at
	}
	last := p.Landing
	last.Reason, last.Horizon = trace.Landed, s.horizon(from, p.Position)
	by(from, last)
	return p, nil
}

// horizon returns the number of events between two positions of the reference, or UnknownHorizon.
func (s *Both) horizon(from, to trace.Position) int {
	if r := s.recorded(); r != nil {
		return r.Distance(from, to.Event)
	}
	return UnknownHorizon
}

// besides makes an action with the reference, by calling answer, and at the same time asks the
// model where the action leads. Then it compares the two results.
func (s *Both) besides(ctx context.Context, from trace.Position, a dsl.Action, answer func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	asked, ok := s.question(from, a)
	node := s.node()
	replaying := s.base.Replaying() != nil
	var r reply
	known := false
	if ok && !replaying {
		r, known = s.recall(node, asked)
	}
	var got chan reply
	asking, giveUp := context.WithCancel(ctx)
	defer giveUp()
	if ok && !replaying && !known {
		got = make(chan reply, 1)
		go func() { got <- s.ask(asking, node, asked) }()
	}
	l, err := answer(ctx)
	arrived := err == nil && lands(l)
	if !arrived {
		giveUp()
	}
	switch {
	case got != nil:
		r = <-got
	case ok && arrived && !known: // in a replay, the journal lists the reference's reply first
		if r, known = s.recall(node, asked); !known {
			r = s.answered(asked)
		}
	}
	switch {
	case err != nil || !ok && l.Position == from:
	case !arrived || !ok:
		s.stand = s.onTruth(l.Position) // no action led here, or one that the model cannot be asked for
	default:
		s.keep(node, asked, r)
		s.compare(l, a, asked, r)
	}
	return l, err
}

// landed shows the true state while the model's answer is still awaited.
func (s *Both) landed(l trace.Landing, err error) {
	if err == nil && lands(l) {
		s.base.Landed(l.Position)
	}
}

// lands reports whether a landing is where its action leads, so that a prediction can be compared
// with it. An interrupt, an error or a hole can end an action earlier.
func lands(l trace.Landing) bool {
	if l.Boundary == trace.AtHole {
		return false // the events in the hole are unknown
	}
	switch l.Reason {
	case trace.Landed, trace.HitBreakpoint, trace.DiedPostMortem, trace.Ended:
		return true
	}
	return false
}

// node returns the text for the model's next question.
func (s *Both) node() *dsl.Node {
	if s.discipline == Guided {
		return s.stand.truth
	}
	return s.stand.own
}

// question returns an action with the model's file numbers. ok is false if the model need not or
// cannot be asked for it.
func (s *Both) question(from trace.Position, a dsl.Action) (dsl.Action, bool) {
	node := s.node()
	if node == nil || from.End && !a.Move.Inverse() {
		return a, false
	}
	if a.Move.Inverse() && s.isFirst(from) {
		return a, false // nothing can come before the first state
	}
	return s.spelled(a)
}

// spelled returns an action with the model's file numbers. ok is false if the action has lines and
// none of them is in a file that the model was sent.
func (s *Both) spelled(a dsl.Action) (asked dsl.Action, ok bool) {
	if !a.Move.TakesLines() {
		return a, true
	}
	asked = dsl.Action{Move: a.Move}
	files := s.States().Files()
	for _, at := range a.Lines {
		if i := s.model.fileIndex(files[at.File].Name); i >= 0 {
			asked.Lines = append(asked.Lines, dsl.Location{File: i, Line: at.Line})
		}
	}
	return asked, len(asked.Lines) > 0
}

// compare compares the model's answer r with where the action really led, records the pair, and
// moves the model there.
func (s *Both) compare(l trace.Landing, a, asked dsl.Action, r reply) {
	truth, over := s.due(l)
	p := Pair{Action: a, Horizon: l.Horizon, move: len(s.pairs), Event: -1}
	if truth.Stop != nil {
		p.Event = l.Event
		p.File, p.Line = truth.Stop.File, truth.Stop.Line
	}
	if over {
		p.Event = s.fatal
	}
	said, judged := s.heard(&p, r, truth)
	if judged {
		p.Verdicts = compare.Compare(s.Redact.Reply(said), truth, s.rules)
		if r.err == nil && r.made.NoLocals {
			p.Verdicts = p.Verdicts.Untold()
		}
		if n := s.stand.truth; n != nil {
			s.attribute(p.Verdicts, n.Current(), truth.Stop)
		}
		if !p.again {
			s.score.Add(a.Move, p.Verdicts, p.Horizon, p.Confidence)
		}
	}
	s.pairs = append(s.pairs, p)
	if s.diverged < 0 && p.Verdicts.Count() > 0 {
		s.diverged = len(s.pairs) - 1
	}
	guided := s.discipline == Guided
	e := Entry{Guided: guided, Drifted: !guided && (s.stand.drifted || r.compacted), Pair: &p}
	e.Node = s.follow(asked, truth, said, r)
	if !p.again {
		s.base.Ledger.add(e, s.base.Replaying() != nil)
	}
	s.stand.died = s.stand.died || over || l.PostMortem
	if over {
		s.toEnd(l)
	}
}

// follow extends both of the model's texts by an action: own with the model's answer, truth with
// the true state. It returns the text with the true states and the true result at its end, nil if
// that cannot be written.
func (s *Both) follow(asked dsl.Action, truth, said dsl.Reply, r reply) (answered *dsl.Node) {
	at := s.stand
	at.pair = len(s.pairs) - 1
	next := besidePlace{said: at.said, pair: at.pair, truth: at.truth, own: at.own, died: at.died}
	base := at.truth
	if s.discipline == Guided && r.compacted {
		base = r.node
	}
	happened, own := "", ""
	if base != nil {
		answered, _ = base.Append(dsl.Step{Action: asked, Reply: truth})
		if truth.Outcome != dsl.AtStart {
			next.truth = answered
		}
		if answered != nil {
			happened = answered.Added()
		}
	}
	if said.Outcome == dsl.Landed || said.Outcome == dsl.Ended {
		p := prediction{before: at.said, origin: originOf(asked, r.made), made: r.made, exit: said.Exit}
		if said.Stop != nil {
			stop := *said.Stop
			p.stop = &stop
		}
		if node, err := r.node.Append(r.made.Step); err == nil {
			p.node, next.own = node, node
			next.said = s.model.add(p)
			own = node.Added()
		}
	}
	next.drifted = at.drifted || r.compacted || truth.Outcome != dsl.AtStart && own != happened
	if said.Outcome == dsl.Unknown {
		next.said = -1
	}
	if s.discipline == Guided || next.said < 0 { // a model without a state continues from the truth
		next.own, next.drifted = next.truth, false
	}
	s.stand = next
	return answered
}

// heard records the model's answer in a pair. said is the answer, Unknown if there is none. judged
// reports whether it counts in the score. It does not if the model was not reached, or if the true
// state is in a file that the model was not sent.
func (s *Both) heard(p *Pair, r reply, truth dsl.Reply) (said dsl.Reply, judged bool) {
	unknown := dsl.Reply{Outcome: dsl.Unknown}
	if r.err == nil {
		words := r.made.Said()
		p.Confidence, p.Raw, p.again, p.kept = r.made.Confidence, &words, r.again, r.made.Kept
		if r.again {
			s.recalled()
		} else {
			s.heed(r)
			s.journal(r.node, r.made)
		}
		if file, ok := s.unshown(truth.Stop); ok {
			p.Failure = fmt.Sprintf("%s is no file of the text that the model is shown", file)
			return unknown, false
		}
		return r.made.Step.Reply, true
	}
	raw, words := "", ""
	var failed *backend.Error
	switch {
	case errors.As(r.err, &failed):
		p.Failure, raw, words = failed.Message, failed.Raw, failed.Said()
		judged = failed.Kind == backend.NoState || failed.Kind == backend.Cut || failed.Kind == backend.Endless
	case errors.Is(r.err, context.Canceled):
		p.Failure = "the question was cancelled"
	default:
		p.Failure = r.err.Error()
	}
	if words != "" {
		p.Raw = &words
	}
	s.base.Reply(journal.Reply{Raw: raw, Model: s.Called("")})
	return unknown, judged
}

// unshown returns the first file on the stack of a state that the model was not sent.
func (s *Both) unshown(stop *dsl.Stop) (file string, ok bool) {
	if stop == nil {
		return "", false
	}
	i := slices.IndexFunc(stop.Stack, func(f dsl.Frame) bool { return s.model.fileIndex(f.File) < 0 })
	if i < 0 {
		return "", false
	}
	return stop.Stack[i].File, true
}

// answered returns the journal's answer to a question, or the error that the journal recorded.
func (s *Both) answered(asked dsl.Action) reply {
	written := s.base.Replaying().List
	r := s.replayed(s.node(), asked)
	if r.err == nil || len(written) == 0 {
		return r
	}
	failed := &backend.Error{Kind: backend.Unreachable, Message: "the model had given no answer", Err: r.err}
	if raw := written[0].Raw; raw != "" {
		failed.Kind, failed.Message, failed.Raw = backend.NoState, r.err.Error(), raw
	}
	r.err = failed
	return r
}

// due returns the reply that the model should give for a landing. Within one text, the first move
// to an end by an exception should land on that exception, although the reference may have stopped
// there before; over reports that the reference is at the end already.
func (s *Both) due(l trace.Landing) (truth dsl.Reply, over bool) {
	if l.PostMortem {
		s.fatal = l.Event
	}
	if l.End && s.fatal >= 0 && !s.stand.died {
		return dsl.Reply{Outcome: dsl.Landed, Stop: s.stopAt(s.fatal)}, true
	}
	return s.reply(l), false
}

// toEnd extends both texts from the post-mortem stop to the end.
func (s *Both) toEnd(l trace.Landing) {
	goOn := func(n *dsl.Node) *dsl.Node {
		if n == nil || n.Current() == nil {
			return n
		}
		end, err := n.Append(dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: s.reply(l)})
		if err != nil {
			return n
		}
		return end
	}
	same := s.stand.own == s.stand.truth
	s.stand.truth, s.stand.own = goOn(s.stand.truth), goOn(s.stand.own)
	if same {
		s.stand.own = s.stand.truth
	}
}
