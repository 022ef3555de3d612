package session

import (
	"context"
	"errors"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// bothWalk walks as its reference does, over a recording of CPython's or from one
// prediction of another model's to the next, and has a model predict each move
// beside it. The position is the reference's: so is what is looked at and
// evaluated.
//
// A free model lives with its own past. A guided one is put back on the truth
// after each move: it is asked on a text in which the true states stand.
type bothWalk struct {
	*Session
	reference
	*asker
	model  *predictions // what it said, and where it was put
	guided bool
	drawn  backend.Options // how answers are drawn; a retry draws otherwise
	rules  compare.Rules

	stand  besidePlace         // the model's, at the session's position
	places map[int]besidePlace // by place in the history
	pairs  []pair
	fatal  int // the post-mortem stop, once the program has come to it; -1
	parted int // the first pair that was not the same; -1
	score  *score.Score
	vary   map[int]*python.Varying // by file of the model's; made when it is asked for
}

// besidePlace is where the model stands beside the recording.
type besidePlace struct {
	truth *dsl.Node // a text of what really happened; nil where the context cannot hold it
	own   *dsl.Node // a text with what the model said itself
	said  int       // its latest state, in model.list; -1 where it said nothing
	pair  int       // the comparison that led here; -1
	died  bool      // the texts have come to the post-mortem stop
	// drifted tells that own is no longer what really happened.
	drifted bool
}

// pair is a move that was made and predicted.
type pair struct {
	Action     dsl.Action
	event      int // where it led, -1 for the end
	Line       int // there; 0 for the end
	File       string
	Horizon    int
	Verdicts   compare.Verdicts
	Failure    string // why there is no prediction
	confidence *float64
	raw        *string // what the model wrote, nil for nothing
	move       int     // how many moves came before
	again      bool    // the answer was known: it counts no second time
}

func newBothWalk(s *Session) *bothWalk {
	w := &bothWalk{
		Session: s, reference: &recordedWalk{s}, asker: newAsker(s.cfg.Neural, s.cfg.Progress), model: &predictions{},
		rules: compare.All(), places: map[int]besidePlace{}, parted: -1, fatal: -1, score: &score.Score{}, stand: besidePlace{said: -1, pair: -1},
	}
	if n := s.cfg.Against; n != nil {
		w.reference = newPredictedWalk(s, n, nil)
	}
	return w
}

func (s *bothWalk) states() states { return s.reference.states() }

func (s *bothWalk) place() Place { return s.reference.place() }

func (s *bothWalk) output(from, to int) []trace.Output { return s.reference.output(from, to) }

// start stands at the first state, which the model is given.
func (s *bothWalk) start(ctx context.Context) error {
	*s.model = predictions{}
	s.vary = nil
	s.places, s.pairs, s.parted, s.fatal, s.score = map[int]besidePlace{}, nil, -1, -1, &score.Score{}
	s.stand = besidePlace{said: -1, pair: -1}
	if err := s.reference.start(ctx); err != nil {
		return err
	}
	if s.cfg.Against != nil {
		s.notice("%s stands in CPython's place: nothing is run.", s.referee())
	}
	if err := s.model.load(s.cfg.Options); err != nil {
		return err
	}
	if m := s.Predictor.Model(); m.Away {
		s.notice("The program's source and values are sent to %s, which is not this machine.", m.Place)
	}
	s.putBack()
	return nil
}

func (s *bothWalk) interrupt() {
	s.reference.interrupt()
	s.giveUp()
}

func (s *bothWalk) kill() {
	s.reference.kill()
	s.giveUp()
}

func (s *bothWalk) close() error {
	s.giveUp()
	return s.reference.close()
}

// remembered and revisited keep the model's place with the history's.
func (s *bothWalk) remembered(i int) { s.places[i] = s.stand }

func (s *bothWalk) revisited(i int) {
	if at, ok := s.places[i]; ok {
		s.stand = at
		return
	}
	s.join() // a stop at which the model was not there
}

// move makes one action, and has the model predict it meanwhile.
func (s *bothWalk) move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	return s.besides(ctx, from, a, func(ctx context.Context) (trace.Landing, error) { return s.reference.move(ctx, from, a) })
}

// besides has the model predict an action while the reference makes it.
func (s *bothWalk) besides(ctx context.Context, from trace.Position, a dsl.Action, answer func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	asked, ok := s.question(from, a)
	node := s.node()
	var r reply
	known := false
	if ok && s.replaying == nil {
		r, known = s.recall(s.Neural, node, asked)
	}
	var got chan reply
	asking, giveUp := context.WithCancel(ctx)
	defer giveUp()
	if ok && s.replaying == nil && !known {
		got = make(chan reply, 1)
		go func() { got <- s.ask(asking, node, asked, s.drawn, &s.stopping) }()
	}
	l, err := answer(ctx)
	arrived := err == nil && lands(l)
	if !arrived {
		giveUp()
	}
	switch {
	case got != nil:
		r = <-got
	case ok && arrived && !known: // behind the reference's own, as it was written
		if r, known = s.recall(s.Neural, node, asked); !known {
			r = s.answered(asked)
		}
	}
	switch {
	case err != nil || !ok && l.Position == from:
	case !arrived || !ok:
		s.stand = s.onTruth(l.Position) // no action led here, or none that could be asked
	default:
		s.keepAnswer(s.Neural, node, asked, r)
		s.compare(l, a, asked, r)
	}
	return l, err
}

// lands reports whether a landing is where its action leads to.
func lands(l trace.Landing) bool {
	if l.Boundary == trace.AtHole {
		return false // what would have been on the way is not known
	}
	switch l.Reason {
	case trace.Landed, trace.HitBreakpoint, trace.DiedPostMortem, trace.Ended:
		return true
	}
	return false
}

// node is the text that the model is asked on.
func (s *bothWalk) node() *dsl.Node {
	if s.guided {
		return s.stand.truth
	}
	return s.stand.own
}

// question is an action as the model is asked for it; ok is false where it need
// not or cannot be asked.
func (s *bothWalk) question(from trace.Position, a dsl.Action) (dsl.Action, bool) {
	node := s.node()
	if node == nil || from.End && !a.Move.Inverse() {
		return a, false
	}
	if a.Move.Inverse() && s.isFirst(from) {
		return a, false // the first state: the start needs no prediction
	}
	return s.spelled(a)
}

// spelled is an action with the model's numbers of files; ok is false where none of
// its lines is in one of them.
func (s *bothWalk) spelled(a dsl.Action) (asked dsl.Action, ok bool) {
	if !a.Move.TakesLines() {
		return a, true
	}
	asked = dsl.Action{Move: a.Move}
	files := s.states().Files()
	for _, at := range a.Lines {
		if i := s.model.fileIndex(files[at.File].Name); i >= 0 {
			asked.Lines = append(asked.Lines, dsl.Location{File: i, Line: at.Line})
		}
	}
	return asked, len(asked.Lines) > 0
}

// compare sets what the model said beside what happened, and goes on from there.
func (s *bothWalk) compare(l trace.Landing, a, asked dsl.Action, r reply) {
	truth, over := s.due(l)
	p := pair{Action: a, Horizon: l.Horizon, move: len(s.pairs), event: -1}
	if truth.Stop != nil {
		p.event = l.Event
		p.File, p.Line = truth.Stop.File, truth.Stop.Line
	}
	if over {
		p.event = s.fatal
	}
	said, judged := s.heard(&p, r, truth)
	if judged {
		p.Verdicts = compare.Compare(said, truth, s.rules)
		if n := s.stand.truth; n != nil {
			s.attribute(p.Verdicts, n.Current(), truth.Stop)
		}
		if !p.again {
			s.score.Add(a.Move, p.Verdicts, p.Horizon, p.confidence)
		}
	}
	s.pairs = append(s.pairs, p)
	if s.parted < 0 && p.Verdicts.Count() > 0 {
		s.parted = len(s.pairs) - 1
	}
	e := entry{guided: s.guided, drifted: !s.guided && (s.stand.drifted || r.compacted), pair: &p}
	e.node = s.follow(asked, truth, said, r)
	if !p.again {
		s.ledger.add(e, s.replaying != nil)
	}
	s.stand.died = s.stand.died || over || l.PostMortem
	if over {
		s.toEnd(l)
	}
}

// follow moves the model's place: its own text goes on with what it said, the
// true one with what happened. It returns the true text with the answer at its end,
// nil where the context lacks the place.
func (s *bothWalk) follow(asked dsl.Action, truth, said dsl.Reply, r reply) (answered *dsl.Node) {
	at := s.stand
	at.pair = len(s.pairs) - 1
	next := besidePlace{said: at.said, pair: at.pair, truth: at.truth, own: at.own, died: at.died}
	base := at.truth
	if s.guided && r.compacted {
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
		p := prediction{before: at.said, origin: dsl.Predicted, made: r.made, exit: said.Exit}
		if asked.Move.Inverse() {
			p.origin = dsl.Inferred
		}
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
	if s.guided || next.said < 0 { // a model that says nothing has no way of its own to go on
		next.own, next.drifted = next.truth, false
	}
	s.stand = next
	return answered
}

// rewind asks for the first state by an action, whatever the reference would do.
func (s *bothWalk) rewind(ctx context.Context) error { return s.repeat(ctx, dsl.InvContinue, 1) }

func (s *bothWalk) cont(ctx context.Context) error {
	if s.waiting() { // the model cannot be asked for what a watchpoint waits for
		return s.moved(s.reference.cont(ctx))
	}
	return s.toBreakpoint(ctx, dsl.Breakpoint, dsl.Continue)
}

func (s *bothWalk) reverseContinue(ctx context.Context) error {
	if s.waiting() {
		return s.moved(s.reference.reverseContinue(ctx))
	}
	return s.toBreakpoint(ctx, dsl.InvBreakpoint, dsl.InvContinue)
}

func (s *bothWalk) until(ctx context.Context, line int) error {
	return s.stepTowards(ctx, line, dsl.StepOver)
}

func (s *bothWalk) reverseUntil(ctx context.Context, line int) error {
	return s.stepTowards(ctx, line, dsl.InvStepOver)
}

var errNoBoth = errors.New("this session has one source of states; --mode both has two")
