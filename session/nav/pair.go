package nav

import (
	"fmt"

	humanize "github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/trace"
)

// Pair is a move and how its prediction compares with the truth.
type Pair struct {
	Action     dsl.Action
	Event      int // the event where the move led, -1 for the end
	Line       int // the line where the move led, 0 for the end
	File       string
	Horizon    int
	Verdicts   compare.Verdicts
	Failure    string // why there is no prediction
	Confidence *float64
	Raw        *string // the model's reply, nil for none
	move       int     // number of moves before this one
	again      bool    // the answer was cached, so it is not counted again
	kept       bool    // the answer came with the reply to an earlier question
	// Inferred reports that the prediction was inferred across a hole in an earlier run. Then
	// Candidates is the number of candidates, and Candidate that of the true one, 0 for none.
	Inferred              bool
	Candidate, Candidates int
}

// Diverges reports whether the prediction is wrong or missing.
func (p *Pair) Diverges() bool { return p.Failure != "" || p.Verdicts.Count() > 0 }

// Divergence describes the first difference between prediction and truth, and where it is.
func (p *Pair) Divergence() string {
	v, _ := p.Verdicts.First()
	where := "at the end"
	if p.Line > 0 {
		where = fmt.Sprintf("line %d of %s", p.Line, p.File)
	}
	return fmt.Sprintf("%s, %s, after %s %s", where, v.String(), humanize.Comma(int64(p.move)), english.PluralWord(p.move, "move", ""))
}

// Sentence describes the result of the comparison for the user.
func (p *Pair) Sentence() string {
	switch v, diverged := p.Verdicts.First(); {
	case p.Failure != "":
		return "no prediction: " + p.Failure
	case !diverged:
		return "prediction matches"
	default:
		text := "mispredicted: " + v.String()
		if n := p.Verdicts.Count(); n > 1 {
			text += fmt.Sprintf(" (and %d more)", n-1)
		}
		return text
	}
}

// Divergence describes a mispredicted move.
type Divergence struct {
	File    string          // where the move led
	Line    int             // the line where the move led, 0 at the end
	Verdict compare.Verdict // the first wrong verdict
	Moves   int             // number of predicted moves before this one
}

// Beside is the prediction for the shown state of the reference.
type Beside struct {
	State      *dsl.State // nil if there is no prediction, or the end is predicted
	Stack      []dsl.Frame
	Exit       *dsl.Exit
	Origin     dsl.Origin
	Move       dsl.Move // the move that the model was asked for, 0 for none
	Confidence *float64
	Sureness   *backend.Sureness
	Checks     backend.Checks
	Failure    string // why there is no prediction
	Guided     bool
	Referee    string // source of the true states: "CPython" or a model's name
	Awaited    bool   // the model's answer has not arrived yet
	Compared   bool   // the shown state was predicted; Verdicts is the result
	Verdicts   compare.Verdicts
	Sentence   string // Verdicts as a sentence
	Inverse    bool   // a backward move led to the shown state
	Moves      int    // number of predicted moves so far
	Score      *score.Score
	First      string      // description of the first divergence, "" if there is none
	Divergence *Divergence // the first divergence, nil if there is none
}

// Beside returns the prediction for the shown state.
func (s *Both) Beside() *Beside {
	b := s.Awaited()
	b.Awaited = false
	if at := s.stand.pair; at >= 0 {
		p := &s.pairs[at]
		b.Compared, b.Failure, b.Verdicts, b.Sentence = true, p.Failure, p.Verdicts, p.Sentence()
		b.Inverse = p.Action.Move.Inverse()
	}
	if i := s.stand.said; i >= 0 && b.Failure == "" {
		p := s.model.list[i]
		b.State, b.Exit, b.Origin = s.model.State(i), p.exit, p.origin
		if p.stop != nil {
			b.Stack = p.stop.Stack
		}
		if p.made != nil {
			b.Checks = p.made.Checks
			b.Confidence, b.Sureness, b.Move = p.made.Confidence, p.made.Sureness, p.made.Step.Action.Move
		}
	}
	return b
}

// Awaited returns the value of Beside while the model's answer for the shown state is awaited.
func (s *Both) Awaited() *Beside {
	b := &Beside{Awaited: true, Guided: s.discipline == Guided, Referee: s.referee(), Score: &score.Score{}, Moves: s.asked()}
	b.Score.Merge(s.score)
	if p := s.FirstDivergence(); p != nil {
		v, _ := p.Verdicts.First()
		b.First, b.Divergence = s.DivergenceSentence(), &Divergence{File: p.File, Line: p.Line, Verdict: v, Moves: p.move}
	}
	return b
}

// Glance shows another visit of the history, until back is called.
func (s *Both) Glance(i int, p trace.Position) (back func()) {
	shown, stand := s.shown, s.stand
	s.Shown(i, p, true)
	return func() { s.shown, s.stand = shown, stand }
}

// Referee returns the name of the source of true states: "CPython" or another model.
func (s *Both) Referee() string { return s.referee() }

// Score returns the model's score in this run.
func (s *Both) Score() *score.Score { return s.score }

// Pairs returns the compared moves of this run in order.
func (s *Both) Pairs() []Pair { return s.pairs }

// PairAt returns the index of the pair at visit i of the history, -1 for none.
func (s *Both) PairAt(i int) int {
	if at, ok := s.places[i]; ok && at.pair < len(s.pairs) {
		return at.pair
	}
	return -1
}

// FirstDivergence returns the first mispredicted move, nil if there is none.
func (s *Both) FirstDivergence() *Pair {
	if s.diverged < 0 {
		return nil
	}
	return &s.pairs[s.diverged]
}

// DivergenceSentence describes the first divergence.
func (s *Both) DivergenceSentence() string {
	if p := s.FirstDivergence(); p != nil {
		return "First divergence: " + p.Divergence() + "."
	}
	return "No divergence yet."
}

// Unjudged returns the number of moves that do not count in the score.
func (s *Both) Unjudged() int {
	n := 0
	for i := range s.pairs {
		if len(s.pairs[i].Verdicts) == 0 {
			n++
		}
	}
	return n
}

// asked returns the number of moves that the model was asked to predict.
func (s *Both) asked() int {
	n := 0
	for i := range s.pairs {
		if !s.pairs[i].again {
			n++
		}
	}
	return n
}

// Raw returns the model's reply for the shown state, or why there is none.
func (s *Both) Raw() string {
	switch at := s.stand.pair; {
	case at < 0:
		return "No model wrote this state: no action led here."
	case s.pairs[at].Raw == nil:
		return "The model wrote nothing: " + s.pairs[at].Failure
	case s.pairs[at].kept:
		return cameBefore + *s.pairs[at].Raw
	default:
		return *s.pairs[at].Raw
	}
}

// Redraw makes the model sample another answer until done is called, if it gave one for the shown
// state.
func (s *Both) Redraw() (done func()) {
	if at := s.stand.pair; at < 0 || s.pairs[at].Raw == nil {
		return func() {}
	}
	return s.redraw(len(s.pairs))
}

// attribute names the source of wrong values that nobody can predict, because they come from the
// clock or from random numbers and differ in each run. before is the state before the move. If the
// reference is a model too, attribute does nothing.
func (s *Both) attribute(verdicts compare.Verdicts, before, truth *dsl.Stop) {
	if s.recorded() == nil || verdicts.Count() == 0 {
		return
	}
	for i := range verdicts {
		v := &verdicts[i]
		if !v.Kind.Wrong() {
			continue
		}
		switch v.Field {
		case compare.Local:
			if t := s.varying(truth); t != nil {
				v.Own = t.Name(truth.Line, v.Name)
			}
		case compare.Value, compare.ExitException:
			if t := s.varying(truth); t != nil {
				v.Own = t.Line(truth.Line)
			}
		// The line before the move decided where it leads.
		case compare.Outcome, compare.Event, compare.Line:
			if t := s.varying(before); t != nil {
				v.Own = t.Line(before.Line)
			}
		}
	}
}

// varying returns which values of a state's file may vary from run to run, nil if the file's source
// is unknown.
func (s *Both) varying(at *dsl.Stop) *python.Varying {
	if at == nil {
		return nil
	}
	i := s.model.fileIndex(at.File)
	if i < 0 {
		return nil
	}
	if s.vary == nil {
		s.vary = map[int]*python.Varying{}
	}
	if s.vary[i] == nil {
		s.vary[i] = python.ReadVarying(s.model.files[i].Source)
	}
	return s.vary[i]
}

// Ledger lists the questions that a session's models were asked, across restarts and changes of
// mode.
type Ledger struct {
	Entries []Entry
	Score   score.Score // counts all compared predictions
	// Fresh counts them without those replayed from a journal, which an earlier session counted.
	Fresh score.Score
	First string // description of the first divergence, "" if there is none
}

// Entry is a question to the model and its result.
type Entry struct {
	// The text with the true result (in neural mode the answer) at its end; nil if it cannot be
	// written.
	Node    *dsl.Node
	Guided  bool
	Drifted bool  // the model was asked with a text that differs from Node's
	Pair    *Pair // nil in neural mode, where Made is set instead
	Made    *backend.Prediction
}

func (l *Ledger) add(e Entry, replayed bool) {
	l.Entries = append(l.Entries, e)
	p := e.Pair
	if p == nil {
		return
	}
	l.Score.Add(p.Action.Move, p.Verdicts, p.Horizon, p.Confidence)
	if replayed {
		return
	}
	l.Fresh.Add(p.Action.Move, p.Verdicts, p.Horizon, p.Confidence)
	if l.First == "" && p.Verdicts.Count() > 0 {
		l.First = p.Divergence()
	}
}
