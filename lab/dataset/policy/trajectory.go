package policy

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace/statetree"
)

// Span is a range of bytes of a text: the first one, and the first one after the range.
type Span [2]int

// Trajectory is a walk as a text. Predict has one span for each of Actions, in order.
type Trajectory struct {
	Text string
	// Predict lists the replies that a model must write, each from the end of its action
	// to the token that closes it, including that token.
	Predict []Span
	// Changed lists the parts of the replies that cannot be copied from the text before:
	// values, new names with theirs, the returned or raised value, the position, and the
	// end. The rest follows from the text before, or is fixed syntax.
	Changed []Span
	// Actions lists the requested actions. An edit is not one of them.
	Actions []string
	// Horizons lists how many recorded events each of Actions passes over, including the
	// one it lands on; -1 if unknown.
	Horizons []int
}

// Dialect is a format of trajectories.
type Dialect string

// The dialects: nd/1, and the trace format of the Code World Model.
const (
	ND1 Dialect = "nd/1"
	CWM Dialect = "cwm"
)

// Write writes the walk of a plan. It returns nil if there is no room for a reply, or if
// the dialect cannot express the walk. edited, if not nil, is the recording with an edit
// that Settings.Edit has drawn; the walk continues in it after the edit. The error reports
// a faulty recording.
func Write(rng *rand.Rand, s *Settings, r, edited *recorder.Recording, edit *recorder.Edit, plan Plan, d Dialect) (*Trajectory, error) {
	if r.Tree.Len() == 0 {
		return nil, nil // the end of the program comes first
	}
	if edited == nil {
		edit = nil
	}
	switch d {
	case ND1:
		return writeND1(rng, s, r, edited, edit, plan)
	case CWM:
		return writeCWM(rng, s, r, edit, plan)
	}
	return nil, fmt.Errorf("there is no dialect %q: there are %s and %s", d, ND1, CWM)
}

// errFull means that the next step does not fit into the text.
var errFull = errors.New("the text is full")

// page is a text under construction.
type page struct {
	Trajectory
	at   *dsl.Node
	most int // bytes
}

func writeND1(rng *rand.Rand, s *Settings, r, edited *recorder.Recording, edit *recorder.Edit, plan Plan) (*Trajectory, error) {
	w := &walk{scene: sceneOf(r), rng: rng, s: s, single: plan.Single}
	if edit != nil {
		plan = s.before(rng, r, edit, plan)
	}
	p := &page{most: s.Bytes}
	err := p.begin(w, plan)
	if err == nil && p.at.Len() > s.Bytes-s.Room {
		return nil, nil
	}
	if err == nil && edit != nil {
		err = p.edit(w, sceneOf(edited), edit)
	}
	if err == nil {
		err = p.walk(w, plan)
	}
	if err != nil && !errors.Is(err, errFull) {
		return nil, err
	}
	if step, ok := p.at.Step(); ok && step.Edit { // it would have no room for a reply after it
		p.at = p.at.Parent()
	}
	if len(p.Actions) == 0 {
		return nil, nil
	}
	p.Text = p.at.Text()
	return &p.Trajectory, nil
}

// begin writes the context and the given states of a plan.
func (p *page) begin(w *walk, plan Plan) error {
	given := plan.Start
	if len(given) == 0 {
		given = []int{0}
	}
	t := dsl.Trajectory{Program: w.program, Compacted: len(plan.Start) > 0}
	for _, i := range given {
		stop, err := w.stop(i)
		if err != nil {
			return err
		}
		t.Steps = append(t.Steps, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	}
	w.at = statetree.Spot{Event: given[len(given)-1]}
	var err error
	p.at, err = dsl.ND1.Encode(t)
	return err
}

// walk writes the moves of a plan.
func (p *page) walk(w *walk, plan Plan) error {
	for m := range w.moves(plan) {
		if err := p.move(w.scene, m); err != nil {
			return err
		}
	}
	return nil
}

// move writes an action and its reply.
func (p *page) move(s *scene, m move) error {
	reply, err := s.reply(m.to, m.stays)
	if err != nil {
		return err
	}
	parts, err := p.append(dsl.Step{Action: m.action, Reply: reply})
	if err != nil {
		return err
	}
	before := p.at.Parent().Len()
	p.Predict = append(p.Predict, Span{before + parts.Reply.From, before + parts.Reply.To})
	for _, s := range parts.Worked {
		p.Changed = append(p.Changed, Span{before + s.From, before + s.To})
	}
	p.Actions = append(p.Actions, m.action.String())
	p.Horizons = append(p.Horizons, m.passed)
	return nil
}

// append writes a step, if it fits into the text.
func (p *page) append(step dsl.Step) (dsl.Parts, error) {
	next, parts, err := p.at.AppendParts(step)
	switch {
	case err != nil:
		return parts, err
	case next.Len() > p.most:
		return parts, errFull
	}
	p.at = next
	return parts, nil
}
