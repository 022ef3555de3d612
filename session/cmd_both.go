package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// besideWidth is how wide the score's plot is on the plain face, in columns.
const besideWidth = 72

// both is the walk of both modes; the error says that this is another one.
func (s *Session) both(what string) (*bothWalk, error) {
	if w, ok := s.walk.(*bothWalk); ok {
		return w, nil
	}
	return nil, errorf(Refused, "%s: %v", what, errNoBoth)
}

// abbreviates reports whether an argument is a word or its beginning.
func abbreviates(arg, word string) bool { return arg != "" && strings.HasPrefix(word, arg) }

// cmdWalk says or sets how the model walks beside CPython.
func (s *Session) cmdWalk(_ context.Context, arg string) error {
	w, err := s.both("walk")
	if err != nil {
		return err
	}
	switch {
	case arg == "":
	case abbreviates(arg, "free"):
		if w.guided {
			w.stand.own, w.stand.drifted = w.stand.truth, false
		}
		w.guided = false
	case abbreviates(arg, "guided"):
		w.guided = true
	default:
		return usage("walk", arg)
	}
	if w.guided {
		s.say("guided: after each move the model is put back on the truth")
	} else {
		s.say("free: the model goes on from what it said itself")
	}
	return nil
}

// cmdResync puts the model on the truth once.
func (s *Session) cmdResync(_ context.Context, arg string) error {
	if arg != "" {
		return usage("resync", arg)
	}
	w, err := s.both("resync")
	if err != nil {
		return err
	}
	if w.stand.truth == nil {
		w.putBack()
	} else {
		w.stand.own, w.stand.drifted = w.stand.truth, false
		w.stand.said = w.told(w.stand.truth, s.pos)
		w.places[s.shown] = w.stand
	}
	s.sayf("The model stands where %s does.", w.referee())
	return nil
}

func (s *Session) cmdScore(_ context.Context, arg string) error {
	if arg != "" {
		return usage("score", arg)
	}
	w, err := s.both("score")
	if err != nil {
		return err
	}
	lines := w.score.Lines(besideWidth)
	if n := w.unjudged(); n > 0 {
		lines = append(lines, fmt.Sprintf("%s could not be judged and %s not counted: the model gave no prediction, or was not shown the file.", plural(n, "move", "moves"), map[bool]string{true: "is", false: "are"}[n == 1]))
	}
	s.say(strings.Join(append(lines, w.partedSentence()), "\n"))
	return nil
}

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

// cmdDivergence shows a place where the two parted.
func (s *Session) cmdDivergence(_ context.Context, arg string) error {
	w, err := s.both("divergence")
	if err != nil {
		return err
	}
	from, step := s.shown+1, 1
	switch {
	case arg == "" || abbreviates(arg, "next"):
	case abbreviates(arg, "previous"):
		from, step = s.shown-1, -1
	case abbreviates(arg, "first"):
		from = 0
	default:
		return usage("divergence", arg)
	}
	first := from == 0 && step > 0 && abbreviates(arg, "first")
	for i := from; i >= 0 && i < len(s.history); i += step {
		if at := w.pairAt(i); at >= 0 && w.pairs[at].parts() && (!first || at == w.parted) {
			s.revisit(i)
			return nil
		}
	}
	switch {
	case first && w.parted < 0:
		return errorf(NotFound, "They have not parted")
	case first:
		return errorf(NotFound, "The first divergence is at no stop of the history: %s", w.pairs[w.parted].divergence())
	}
	if step < 0 {
		return errorf(NotFound, "No earlier stop of the history shows a divergence")
	}
	return errorf(NotFound, "No later stop of the history shows a divergence")
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

// cmdMode changes where states come from.
func (s *Session) cmdMode(ctx context.Context, arg string) error {
	now := s.Mode()
	switch want := Mode(arg); {
	case arg == "" || want == now:
		s.say(string(now))
		return nil
	case want != Real && want != Both && want != Predicted:
		return usage("mode", arg)
	case want != Real && s.cfg.Neural == nil:
		return errorf(Refused, "mode %s: there is no model to ask: give the address of its server with --base-url, or base_url in the configuration", want)
	case s.cfg.Against != nil:
		return errorf(Refused, "mode %s: two models walk beside each other in this session, and nothing is run", want)
	case now == Both && want == Real:
		s.left = s.walk.(*bothWalk)
		s.walkBy(s.left.reference)
	case now == Real && want == Both:
		return s.joinModel()
	case now == Predicted && want == Both:
		s.confirm("The program will be run. Run it? (y/n) ", func() {
			if err := s.joinProgram(ctx); err != nil {
				s.answer.Err = asError(err)
			}
		})
		return nil
	default:
		return errorf(Refused, "mode %s: from %s one goes by --mode %s at the start", want, now, want)
	}
	s.say(string(s.Mode()))
	return nil
}

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
