package session

import (
	"context"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// unjudged is how many moves the score does not count.
func (s *bothWalk) unjudged() int {
	n := 0
	for i := range s.pairs {
		if len(s.pairs[i].Verdicts) == 0 {
			n++
		}
	}
	return n
}

// partedSentence names the first divergence.
func (s *bothWalk) partedSentence() string {
	if s.parted < 0 {
		return "They have not parted."
	}
	return "First parted " + s.pairs[s.parted].divergence() + "."
}

// divergence says where, in what and when prediction and truth differ.
func (p *pair) divergence() string {
	v, _ := p.Verdicts.First()
	where := "at the end"
	if p.Line > 0 {
		where = fmt.Sprintf("line %d of %s", p.Line, p.File)
	}
	return fmt.Sprintf("%s, %s, after %s", where, v.String(), plural(p.move, "move", "moves"))
}

// raw is what the model wrote for the shown state.
func (s *bothWalk) raw() string {
	switch at := s.stand.pair; {
	case at < 0:
		return "No model wrote this state: no action led here."
	case s.pairs[at].raw == nil:
		return "The model wrote nothing: " + s.pairs[at].Failure
	default:
		return *s.pairs[at].raw
	}
}

// pairAt is the comparison that a place of the history shows, -1 for none.
func (s *bothWalk) pairAt(i int) int {
	if at, ok := s.places[i]; ok && at.pair < len(s.pairs) {
		return at.pair
	}
	return -1
}

// parts reports whether prediction and truth differ.
func (p *pair) parts() bool { return p.Failure != "" || p.Verdicts.Count() > 0 }

// joinModel has the model walk beside the recording from here on. Where it did
// before, its score and its divergences go on.
func (s *Session) joinModel() error {
	w := s.left
	s.recordAgain()
	if w == nil {
		w = newBothWalk(s)
		if err := w.model.load(s.cfg.Options); err != nil {
			return err
		}
	}
	s.left = nil
	s.walkBy(w)
	w.rejoin()
	s.say(string(Both))
	return nil
}

// joinProgram runs the program to where the predicted moves lead, and has the model
// walk beside it from here on.
func (s *Session) joinProgram(ctx context.Context) error {
	predicted := s.walk.(*predictedWalk)
	var actions []dsl.Action
	for i := s.pos.Event; predicted.list[i].before >= 0; i = predicted.list[i].before {
		if step, ok := predicted.list[i].node.Step(); ok && step.Action.Move != 0 {
			actions = append(actions, step.Action)
		}
	}
	w := newBothWalk(s)
	s.walkBy(w)
	if err := w.start(ctx); err != nil {
		s.walkBy(predicted)
		return err
	}
	at := s.pos
	for i := len(actions) - 1; i >= 0; i-- {
		l, err := w.reference.move(ctx, at, w.real(actions[i]))
		if err != nil {
			return err
		}
		at = l.Position
	}
	s.arrive(trace.Landing{Position: at}, nil)
	w.join()
	return nil
}

// real is an action on the recording's files.
func (s *bothWalk) real(a dsl.Action) dsl.Action {
	out := dsl.Action{Move: a.Move}
	for _, at := range a.Lines {
		if i := s.fileIndex(s.model.files[at.File].Path); i >= 0 {
			out.Lines = append(out.Lines, dsl.Location{File: i, Line: at.Line})
		}
	}
	return out
}

// Beside is the prediction beside a state of CPython's, of both modes.
type Beside struct {
	State      *dsl.State // nil where there is none, or the end is predicted
	Stack      []dsl.Frame
	Exit       *dsl.Exit
	Origin     dsl.Origin
	Confidence *float64
	Failure    string // why there is no prediction
	Guided     bool
	Referee    string // who says what is true: "CPython", or another model's name
	Compared   bool   // the shown state was predicted, and Verdicts say how well
	Verdicts   compare.Verdicts
	Sentence   string // the same in words
	Inverse    bool   // the shown state was reached backwards
	Moves      int    // predicted so far
	Score      *score.Score
	First      string      // the first divergence in words, "" if there was none
	Parted     *Divergence // the same; nil if there was none
}

// asked is how many moves the model was asked to predict.
func (s *bothWalk) asked() int {
	n := 0
	for i := range s.pairs {
		if !s.pairs[i].again {
			n++
		}
	}
	return n
}

// retry gives the last move again from where it was given, and has the model predict it
// anew.
func (s *bothWalk) retry(ctx context.Context, again lastMove) error {
	if at := s.stand.pair; at >= 0 && s.pairs[at].raw != nil {
		s.drawn = another(len(s.pairs))
		defer func() { s.drawn = backend.Options{} }()
	}
	for i := s.shown; i >= 0; i-- {
		if s.history[i].Position == again.from {
			s.revisit(i)
			return s.give(ctx, again)
		}
	}
	return errorf(NotFound, "The place where the last move was given is shown no more")
}

// beside is what the model says about the shown state.
func (s *bothWalk) beside() *Beside {
	b := &Beside{Guided: s.guided, Referee: s.referee(), Score: &score.Score{}, Moves: s.asked()}
	b.Score.Merge(s.score)
	if s.parted >= 0 {
		b.First, b.Parted = s.partedSentence(), s.firstDivergence()
	}
	if at := s.stand.pair; at >= 0 {
		p := &s.pairs[at]
		b.Compared, b.Failure, b.Verdicts, b.Sentence = true, p.Failure, p.Verdicts, p.sentence()
		b.Inverse = p.Action.Move.Inverse()
	}
	if i := s.stand.said; i >= 0 && b.Failure == "" {
		p := s.model.list[i]
		b.State, b.Exit, b.Origin = s.model.State(i), p.exit, p.origin
		if p.stop != nil {
			b.Stack = p.stop.Stack
		}
		if p.made != nil {
			b.Confidence = p.made.Confidence
		}
	}
	return b
}
