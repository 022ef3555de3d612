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

// Pair is a move with its prediction.
type Pair struct {
	Action     dsl.Action
	Event      int // where it led, -1 for the end
	Line       int // there; 0 for the end
	File       string
	Horizon    int
	Verdicts   compare.Verdicts
	Failure    string // why there is no prediction
	Confidence *float64
	Raw        *string // what the model wrote, nil for nothing
	move       int     // how many moves came before
	again      bool    // the answer was known: it counts no second time
	kept       bool    // it came with the reply to an earlier question
}

// Diverges reports whether prediction and truth differ.
func (p *Pair) Diverges() bool { return p.Failure != "" || p.Verdicts.Count() > 0 }

// Divergence describes the first difference of prediction and truth, and where it is.
func (p *Pair) Divergence() string {
	v, _ := p.Verdicts.First()
	where := "at the end"
	if p.Line > 0 {
		where = fmt.Sprintf("line %d of %s", p.Line, p.File)
	}
	return fmt.Sprintf("%s, %s, after %s %s", where, v.String(), humanize.Comma(int64(p.move)), english.PluralWord(p.move, "move", ""))
}

// sentence describes a comparison for the user.
func (p *Pair) sentence() string {
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

// Divergence is a move that was mispredicted.
type Divergence struct {
	File    string          // where it led
	Line    int             // 0 at the end
	Verdict compare.Verdict // the first by which the prediction is wrong
	Moves   int             // that were predicted before
}

// Beside is the prediction beside a state of the reference.
type Beside struct {
	State      *dsl.State // nil where there is none, or the end is predicted
	Stack      []dsl.Frame
	Exit       *dsl.Exit
	Origin     dsl.Origin
	Move       dsl.Move // that the model was asked for; 0 where none was
	Confidence *float64
	Sureness   *backend.Sureness
	Checks     backend.Checks
	Failure    string // why there is no prediction
	Guided     bool
	Referee    string // who says what is true: "CPython", or another model's name
	Awaited    bool   // the model is being asked: nothing else is known of it yet
	Compared   bool   // the shown state was predicted, and Verdicts say how well
	Verdicts   compare.Verdicts
	Sentence   string // the same in words
	Inverse    bool   // the shown state was reached backwards
	Moves      int    // predicted so far
	Score      *score.Score
	First      string      // the first divergence in words, "" if there was none
	Divergence *Divergence // the same; nil if there was none
}

// Beside returns the prediction of the state shown.
func (s *Both) Beside() *Beside {
	b := s.Awaited()
	b.Awaited = false
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
			b.Checks = p.made.Checks
			b.Confidence, b.Sureness, b.Move = p.made.Confidence, p.made.Sureness, p.made.Step.Action.Move
		}
	}
	return b
}

// Awaited returns Beside while the model is asked about the shown state.
func (s *Both) Awaited() *Beside {
	b := &Beside{Awaited: true, Guided: s.discipline == Guided, Referee: s.referee(), Score: &score.Score{}, Moves: s.asked()}
	b.Score.Merge(s.score)
	if p := s.FirstDivergence(); p != nil {
		v, _ := p.Verdicts.First()
		b.First, b.Divergence = s.DivergenceSentence(), &Divergence{File: p.File, Line: p.Line, Verdict: v, Moves: p.move}
	}
	return b
}

// Glance shows another visit of the history until back is called.
func (s *Both) Glance(i int, p trace.Position) (back func()) {
	shown, stand := s.shown, s.stand
	s.Shown(i, p, true)
	return func() { s.shown, s.stand = shown, stand }
}

// Referee names the source of truth: "CPython", or another model.
func (s *Both) Referee() string { return s.referee() }

// Score returns the model's score in this run.
func (s *Both) Score() *score.Score { return s.score }

// Pairs returns the moves that were compared in this run, in their order.
func (s *Both) Pairs() []Pair { return s.pairs }

// PairAt returns the index of the pair that a visit of the history shows, -1 for none.
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

// Unjudged returns the number of moves that the score does not count.
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

// Raw returns the model's reply for the state shown.
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

// Redraw makes the model sample another answer until done is called, if it gave one here.
func (s *Both) Redraw() (done func()) {
	if at := s.stand.pair; at < 0 || s.pairs[at].Raw == nil {
		return func() {}
	}
	return s.redraw(len(s.pairs))
}

// attribute marks the wrong values of a prediction that nobody can predict, because they come from
// the clock or from random numbers and differ at each run. before is the state before the move.
// Between two models nothing is marked.
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
		case compare.Outcome, compare.Event, compare.Line: // what decided where it goes
			if t := s.varying(before); t != nil {
				v.Own = t.Line(before.Line)
			}
		}
	}
}

// varying returns what may vary from run to run in the file of a state, nil if its text is not
// known.
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

// Ledger lists the questions of a session, across restarts and changes of mode.
type Ledger struct {
	Entries []Entry
	Score   score.Score // of what was compared
	// Fresh leaves out what a journal replayed, since that was counted before.
	Fresh score.Score
	First string // the first divergence in words; "" for none
}

// Entry is a question to the model.
type Entry struct {
	Node    *dsl.Node // the text with the answer at its end; nil where none can hold it
	Guided  bool
	Drifted bool  // the model was asked on another text than that of Node
	Pair    *Pair // nil where no reference was beside it; then there is what was
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
