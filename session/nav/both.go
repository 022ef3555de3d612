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

// Discipline selects whether a model continues from its own states (free) or from the true ones
// (guided).
type Discipline bool

// A free model continues from its own predicted states. A guided model is reset to the true state
// after each move.
const (
	Free   Discipline = false
	Guided Discipline = true
)

// Both compares a model with a reference: a recording of CPython, or a second model. All positions
// are the reference's, and so are the states that are shown and used in expressions.
type Both struct {
	reference
	*asker
	compared
	discipline Discipline
	rules      compare.Rules
}

// compared holds the model's predictions in one run and how they compare with the true states.
type compared struct {
	model    *predictions        // all states given to or predicted by the model
	shown    int                 // index of the shown visit in the history, -1 for none
	stand    besidePlace         // the model's place at that visit
	places   map[int]besidePlace // the model's places, by visit
	pairs    []Pair
	fatal    int // event of the post-mortem stop, -1 until it is reached
	diverged int // index of the first pair that differs, -1 for none
	score    *score.Score
	guesses  []guess                 // answers of PeekAside whose actions were not made yet
	fresh    []Pair                  // guesses that were compared since the last call of Compared
	vary     map[int]*python.Varying // per file, made on first use: values that vary between runs
}

// besidePlace is the model's place at a position of the reference: the texts from which it is asked
// next. A text is the program's source followed by the states so far.
type besidePlace struct {
	truth *dsl.Node // text with the true states; nil if it cannot be written
	own   *dsl.Node // text with the model's own states
	said  int       // index of its latest state in model.list, -1 for none
	pair  int       // index of the pair for the move that led here, -1 for none
	died  bool      // both texts contain the post-mortem stop
	// drifted reports that the text own differs from the text truth.
	drifted bool
}

// NewBoth returns a comparison of a model with a reference, a *Recorded or a *Predicted.
func NewBoth(b *Base, of Source, n *Neural, progress func(backend.Update)) *Both {
	asker := newAsker(b, n, progress)
	asker.answers = 1 // the past is known here
	return &Both{reference: of.(reference), asker: asker, compared: nothingCompared(), rules: compare.All()}
}

// nothingCompared returns the value of compared at the start of a run.
func nothingCompared() compared {
	return compared{
		model: &predictions{}, shown: -1, stand: besidePlace{said: -1, pair: -1}, places: map[int]besidePlace{},
		fatal: -1, diverged: -1, score: &score.Score{},
	}
}

// Reference returns the source that the model is compared with.
func (s *Both) Reference() Source { return s.reference }

// recorded returns the reference if it is a recording, or nil if it is another model.
func (s *Both) recorded() *Recorded {
	r, _ := s.reference.(*Recorded)
	return r
}

// Start starts the reference and gives its first state to the model. If the reference cannot start,
// the previous comparison is kept.
func (s *Both) Start(ctx context.Context) (l trace.Landing, err error) {
	before := s.compared
	defer func() {
		if err != nil {
			s.compared = before
		}
	}()
	s.compared = nothingCompared()
	if err := s.Load(); err != nil { // fails before the program is run
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

// Load reads the program's source for the model.
func (s *Both) Load() error {
	if err := s.model.load(*s.base.Options); err != nil {
		return err
	}
	s.Redact.Program(s.model.program())
	s.tellPlace()
	return nil
}

// GiveUp cancels running questions, also those of the reference.
func (s *Both) GiveUp() {
	s.reference.GiveUp()
	s.asker.GiveUp()
}

// Shown saves the model's place for visit i of the history, or restores it if the visit is shown
// again.
func (s *Both) Shown(i int, p trace.Position, again bool) {
	s.reference.Shown(i, p, again)
	s.shown = i
	switch at, ok := s.places[i]; {
	case !again:
		s.places[i] = s.stand
	case ok:
		s.stand = at
	default:
		s.join(p) // the visit was made without the model
	}
}

// Displaced moves the model to the reference's position p, to which no action led. The model's text
// begins anew there.
func (s *Both) Displaced(p trace.Position) {
	s.reference.Displaced(p)
	s.standAt(s.onTruth(p))
}

// standAt sets the model's place at the shown visit.
func (s *Both) standAt(at besidePlace) {
	s.stand = at
	if s.shown >= 0 {
		s.places[s.shown] = at
	}
}

// Edited appends the state with the value that the user changed to the model's text.
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

// Discipline returns whether the model is free or guided.
func (s *Both) Discipline() Discipline { return s.discipline }

// Walk sets whether the model is free or guided from here on.
func (s *Both) Walk(d Discipline) {
	if s.discipline == Guided && d == Free {
		s.stand.own, s.stand.drifted = s.stand.truth, false
	}
	s.discipline = d
}

// Resync replaces the model's state by the true one. A free model continues from there.
func (s *Both) Resync(p trace.Position) {
	at := s.stand
	if at.truth == nil {
		at = s.onTruth(p)
	} else {
		at.own, at.drifted, at.said = at.truth, false, s.told(at.truth, p)
	}
	s.standAt(at)
}

// onTruth returns a place for the model at a position of the reference, with a new text that ends
// in the true state.
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

// textAt returns a text that ends in the reference's state at a position, redacted for the model.
func (s *Both) textAt(pos trace.Position) (*dsl.Node, error) {
	return s.trueText(s.reference, pos, s.model)
}

// trueText returns a text that ends in a reference's state at a position, redacted for the model. p
// has the files of the program.
func (q *asker) trueText(r reference, pos trace.Position, p *predictions) (*dsl.Node, error) {
	node, err := r.textAt(pos, p.program(), q.Spelling())
	if err != nil || q.Redact == nil {
		return node, err
	}
	return q.Spelling().Encode(q.Redact.Trajectory(node.Trajectory()))
}

// stopAt returns the state of an event of the reference, redacted for the model.
func (s *Both) stopAt(event int) *dsl.Stop { return s.Redact.Stop(s.reference.stopAt(event)) }

// reply returns the true result of an action that led to l, redacted for the model.
func (s *Both) reply(l trace.Landing) dsl.Reply { return s.Redact.Reply(s.reference.reply(l)) }

// told appends the true state at a position to the model's states, and returns its index.
func (s *Both) told(node *dsl.Node, pos trace.Position) int {
	p := prediction{node: node, before: -1, origin: dsl.Real}
	if pos.End || pos.Event < 0 {
		p.exit = s.Mark(pos).Exit
	} else {
		p.stop = s.stopAt(pos.Event)
	}
	return s.model.add(p)
}
