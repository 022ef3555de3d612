package nav

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// Discipline selects whether a model continues from its own states or from the true ones.
type Discipline bool

// A free model continues from its own states. A guided one gets the true states after each move.
const (
	Free   Discipline = false
	Guided Discipline = true
)

// Both compares a model with a reference: a recording of CPython, or another model. Positions, and
// all that is shown and evaluated, are the reference's.
type Both struct {
	reference
	*asker
	compared
	discipline Discipline
	rules      compare.Rules
}

// compared holds the model's answers in a run and their comparison with the truth.
type compared struct {
	model    *predictions        // what it said, and where it was put
	shown    int                 // the place in the history that is shown; -1
	stand    besidePlace         // the model's there
	places   map[int]besidePlace // by place in the history
	pairs    []Pair
	fatal    int // the post-mortem stop, once the program has come to it; -1
	diverged int // the index of the first pair that differs; -1 if none does
	score    *score.Score
	vary     map[int]*python.Varying // by file of the model's; made when it is asked for
}

// besidePlace is the model's position beside the reference.
type besidePlace struct {
	truth *dsl.Node // a text of what really happened; nil where the context cannot hold it
	own   *dsl.Node // a text with what the model said itself
	said  int       // its latest state, in model.list; -1 where it said nothing
	pair  int       // the comparison that led here; -1
	died  bool      // the texts have come to the post-mortem stop
	// drifted reports that own differs from what happened.
	drifted bool
}

// NewBoth compares a model with a reference, a Recorded or a Predicted.
func NewBoth(b *Base, of Source, n *Neural, progress func(backend.Update)) *Both {
	return &Both{reference: of.(reference), asker: newAsker(b, n, progress), compared: nothingCompared(), rules: compare.All()}
}

// nothingCompared returns the state at the beginning of a run.
func nothingCompared() compared {
	return compared{
		model: &predictions{}, shown: -1, stand: besidePlace{said: -1, pair: -1}, places: map[int]besidePlace{},
		fatal: -1, diverged: -1, score: &score.Score{},
	}
}

// Reference returns the source of the true states.
func (s *Both) Reference() Source { return s.reference }

// recorded returns the recording that the model is compared with, nil if that is another model.
func (s *Both) recorded() *Recorded {
	r, _ := s.reference.(*Recorded)
	return r
}

// Start starts with the reference's first state, which is given to the model. If the reference
// cannot start, the earlier comparison stays.
func (s *Both) Start(ctx context.Context) (l trace.Landing, err error) {
	before := s.compared
	defer func() {
		if err != nil {
			s.compared = before
		}
	}()
	s.compared = nothingCompared()
	if err := s.Load(); err != nil { // before anything runs
		return l, err
	}
	if l, err = s.reference.Start(ctx); err != nil {
		return l, err
	}
	if s.recorded() == nil {
		s.base.Notice("%s walks beside %s, which stands in CPython's place: nothing is run.", s.Called("The model"), s.referee())
	}
	s.stand = s.onTruth(l.Position)
	return l, nil
}

// Load reads the program's text for the model.
func (s *Both) Load() error {
	if err := s.model.load(*s.base.Options); err != nil {
		return err
	}
	s.Redact.Program(s.model.program())
	s.tellPlace()
	return nil
}

// GiveUp cancels the questions of both.
func (s *Both) GiveUp() {
	s.reference.GiveUp()
	s.asker.GiveUp()
}

// Shown keeps the model's place for a visit of the history.
func (s *Both) Shown(i int, p trace.Position, again bool) {
	s.reference.Shown(i, p, again)
	s.shown = i
	switch at, ok := s.places[i]; {
	case !again:
		s.places[i] = s.stand
	case ok:
		s.stand = at
	default:
		s.join(p) // a stop at which the model was not there
	}
}

// Displaced moves the model to the reference's position, to which no action led.
func (s *Both) Displaced(p trace.Position) {
	s.reference.Displaced(p)
	s.standAt(s.onTruth(p))
}

// standAt sets the model's place at the position that is shown.
func (s *Both) standAt(at besidePlace) {
	s.stand = at
	if s.shown >= 0 {
		s.places[s.shown] = at
	}
}

// Edited informs the model of a value that the user changed.
func (s *Both) Edited(p trace.Position) {
	s.reference.Edited(p)
	if s.stand.truth == nil {
		return
	}
	stop := s.stopAt(p.Event)
	node, err := s.stand.truth.Append(dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	if err != nil {
		s.base.Notice("The model is not told of the edit: %v", err)
		return
	}
	at := s.stand
	at.truth, at.own, at.drifted, at.pair = node, node, false, -1
	at.said = s.model.add(prediction{node: node, stop: stop, before: at.said, origin: dsl.Edited})
	s.standAt(at)
}

// Discipline returns whether the model walks free or guided.
func (s *Both) Discipline() Discipline { return s.discipline }

// Walk sets the discipline from here on.
func (s *Both) Walk(d Discipline) {
	if s.discipline == Guided && d == Free {
		s.stand.own, s.stand.drifted = s.stand.truth, false
	}
	s.discipline = d
}

// Resync replaces the model's state by the true one, once.
func (s *Both) Resync(p trace.Position) {
	at := s.stand
	if at.truth == nil {
		at = s.onTruth(p)
	} else {
		at.own, at.drifted, at.said = at.truth, false, s.told(at.truth, p)
	}
	s.standAt(at)
}

// onTruth returns the model's place at a position of the reference, in a new text.
func (s *Both) onTruth(pos trace.Position) besidePlace {
	if pos.PostMortem {
		s.fatal = pos.Event
	}
	node, err := s.textAt(pos)
	if err != nil {
		if s.stand.truth != nil || s.stand.pair < 0 && s.stand.said >= 0 {
			s.base.Notice("The model is not asked from here: %v", err)
		}
		return besidePlace{said: -1, pair: -1}
	}
	return besidePlace{truth: node, own: node, said: s.told(node, pos), pair: -1, died: pos.End || pos.PostMortem}
}

// textAt returns a text that ends at a position of the reference, redacted for the model.
func (s *Both) textAt(pos trace.Position) (*dsl.Node, error) {
	node, err := s.reference.textAt(pos, s.model.program(), s.Spelling())
	if err != nil || s.Redact == nil {
		return node, err
	}
	return s.Spelling().Encode(s.Redact.Trajectory(node.Trajectory()))
}

// stopAt returns an event of the reference, redacted for the model.
func (s *Both) stopAt(event int) *dsl.Stop { return s.Redact.Stop(s.reference.stopAt(event)) }

// reply returns the true result of an action, redacted for the model.
func (s *Both) reply(l trace.Landing) dsl.Reply { return s.Redact.Reply(s.reference.reply(l)) }

// told appends a true state to the model's states.
func (s *Both) told(node *dsl.Node, pos trace.Position) int {
	p := prediction{node: node, before: -1, origin: dsl.Real}
	if pos.End || pos.Event < 0 {
		p.exit = s.Mark(pos).Exit
	} else {
		p.stop = s.stopAt(pos.Event)
	}
	return s.model.add(p)
}
