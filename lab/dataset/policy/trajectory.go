package policy

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace/statetree"
)

// Span is a range of bytes in a text: the index of its first byte, and that of the first byte after it.
type Span [2]int

// Trajectory is the text of a walk. Predict contains one span for each of Actions, in order.
type Trajectory struct {
	Text string
	// Predict lists the replies that a model must write. Each begins after its action and ends with the
	// token that closes it.
	Predict []Span
	// Changed lists the parts of the replies that cannot be copied from the text before:
	// changed values, new names with their values, the returned or raised value, the
	// position, and the end of the program. All other bytes follow from the text before, or
	// are fixed syntax.
	Changed []Span
	// Actions lists the requested actions. Edits are not among them.
	Actions []string
	// Horizons lists, for each of Actions, the number of recorded events that the action
	// passes over, including the event where it lands; -1 if unknown.
	Horizons []int
}

// Dialect is a format of trajectories.
type Dialect string

// The dialects: npdb's own wire format, and the trace format of the Code World Model.
const (
	ND1 Dialect = "nd/1"
	CWM Dialect = "cwm"
)

// Write writes the walk of a plan through the recording r. It returns nil if no reply fits into the
// text, or if the dialect cannot express the walk. edit may be a result of Settings.Edit; edited is the
// recording made with it. The walk then continues in edited after the edit. An error means that a
// recording is faulty.
func Write(rng *rand.Rand, s *Settings, r, edited *recorder.Recording, edit *recorder.Edit, plan Plan, d Dialect) (*Trajectory, error) {
	if r.Tree.Len() == 0 {
		return nil, nil // the program ended before its first state
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

// errFull reports that the next step would exceed the maximum size of the text.
var errFull = errors.New("the text is full")

// page is an nd/1 text that is being written.
type page struct {
	Trajectory
	at   *dsl.Node
	most int // maximum size of the text in bytes
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
	// No reply fits after the edit, so remove the edit.
	if step, ok := p.at.Step(); ok && step.Edit {
		p.at = p.at.Parent()
	}
	if len(p.Actions) == 0 {
		return nil, nil
	}
	p.Text = p.at.Text()
	return &p.Trajectory, nil
}

// begin writes the program's text and the states with which the plan begins.
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

// walk takes the moves of a plan and writes each with its reply.
func (p *page) walk(w *walk, plan Plan) error {
	for m := range w.moves(plan) {
		if err := p.move(w.scene, m); err != nil {
			return err
		}
	}
	return nil
}

// move writes an action and the reply to it.
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

// append adds a step to the text. It returns errFull if the step does not fit.
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
