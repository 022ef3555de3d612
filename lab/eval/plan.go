package eval

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// question is a question about a state, with the true answer.
type question struct {
	at      *dsl.Node
	action  dsl.Action
	truth   dsl.Reply
	horizon int // number of recorded events that the action passes; -1 if unknown
	place   int // number of the event, or of the step in a walk, from which it is asked
}

// plan lists the questions about a program or a walk. start is the node at which a free rollout begins,
// or nil.
type plan struct {
	set       string // name of the walk's set, or ""
	questions []question
	start     *dsl.Node
	onward    []dsl.Reply // true replies to repeated step_into from start
}

// planWalk returns a plan with a question for each step of a walk.
func (r *runner) planWalk(w Walk) (plan, error) {
	last := w.Last
	if r.Format != dsl.ND1 {
		var err error
		if last, err = r.Format.Encode(w.Last.Trajectory()); err != nil {
			return plan{}, err
		}
	}
	p := plan{set: w.Set}
	for i, n := range steps(last) {
		step, _ := n.Step()
		if step.Reply.Outcome != dsl.Unknown && slices.Contains(r.Moves, step.Action.Move) {
			p.questions = append(p.questions, question{n.Parent(), step.Action, step.Reply, w.horizons[i], i})
		}
	}
	return p, nil
}

// planProgram returns a plan with questions for every forward move from the first places of a program,
// in a text of single steps from its start. It also asks for every inverse move from the last places, in
// a text that begins at the last place and goes backwards by single steps. The code that npdb adds to
// call a problem's function is shown, but not asked about.
func (r *runner) planProgram(ctx context.Context, program *Program) (plan, error) {
	text := program.driven()
	w, err := r.record(ctx, text, "")
	if err != nil {
		return plan{}, err
	}
	defer w.Close()
	s := &survey{r: r, w: w, name: program.Name, first: 0, last: w.Len() - 1}
	if program.Function != "" {
		for s.first < s.last && w.Depth(s.first) == 0 {
			s.first++
		}
		for s.last > s.first && w.Depth(s.last) == 0 {
			s.last--
		}
	}
	if err := s.forward(text); err != nil {
		return plan{}, err
	}
	return s.plan, s.backward(text)
}

// survey collects the questions about the events from first to last of a recorded program.
type survey struct {
	r           *runner
	w           *cpython.Whole
	name        string
	first, last int
	plan        plan
}

func (s *survey) forward(text *dsl.Program) error {
	at, err := s.r.Format.Begin(text)
	if err != nil {
		return err
	}
	stop, err := s.w.Stop(0)
	if err != nil {
		return err
	}
	if at, err = at.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}}); err != nil {
		return err
	}
	spot := statetree.Spot{}
	for n := 0; !spot.End && n < max(s.r.States, s.r.Rollout); {
		event := spot.Event
		inside := event >= s.first && event <= s.last
		if inside && n < s.r.States {
			if err := s.ask(at, spot, false); err != nil {
				return err
			}
		}
		if inside && s.plan.start == nil {
			s.plan.start = at
		}
		into := dsl.Action{Move: dsl.StepInto}
		to, reply, _, err := s.w.Move(spot, into)
		if err != nil {
			return err
		}
		if inside {
			n++
			s.plan.onward = append(s.plan.onward, reply)
		} else if event > s.last {
			return nil
		}
		if at, err = at.Append(dsl.Step{Action: into, Reply: reply}); err != nil {
			return err
		}
		spot = to
	}
	s.plan.onward = s.plan.onward[:min(len(s.plan.onward), s.r.Rollout)]
	return nil
}

func (s *survey) backward(text *dsl.Program) error {
	at, err := s.r.beginning(s.w, text, s.last)
	if err != nil {
		return err
	}
	spot := statetree.Spot{Event: s.last}
	for range s.r.States {
		if err := s.ask(at, spot, true); err != nil {
			return err
		}
		back := dsl.Action{Move: dsl.InvStepInto}
		to, reply, _, err := s.w.Move(spot, back)
		if err != nil {
			return err
		}
		if reply.Outcome != dsl.Landed || to.Event < s.first {
			return nil
		}
		if at, err = at.Append(dsl.Step{Action: back, Reply: reply}); err != nil {
			return err
		}
		spot = to
	}
	return nil
}

// beginning returns a text that begins at an event. Of the states before, it contains only the callers.
func (r *runner) beginning(w *cpython.Whole, text *dsl.Program, event int) (*dsl.Node, error) {
	given, err := w.Given(event)
	if err != nil {
		return nil, err
	}
	t := dsl.Trajectory{Program: text, Compacted: true}
	for _, stop := range given {
		t.Steps = append(t.Steps, dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	}
	return r.Format.Encode(t)
}

// ask adds a question for each move in one direction from a place. If a fatal exception ends the program, its event is
// shown twice. The second time, at the post-mortem stop, the place gets a number after all events.
func (s *survey) ask(at *dsl.Node, spot statetree.Spot, inverse bool) error {
	place := spot.Event
	if spot.Died {
		place = s.w.Len()
	}
	for m := range dsl.Moves() {
		if m.Inverse() != inverse || !slices.Contains(s.r.Moves, m) {
			continue
		}
		a := dsl.Action{Move: m}
		if m.TakesLines() {
			a.Lines = s.lines(at.Program(), spot.Event, m)
		}
		_, reply, horizon, err := s.w.Move(spot, a)
		if err != nil {
			return err
		}
		s.plan.questions = append(s.plan.questions, question{at, a, reply, horizon, place})
	}
	return nil
}

// farthest is the number of events among which lines for breakpoints are searched.
const farthest = 2000

// lines returns the line of a breakpoint: one that will be reached in the direction of the move, or line
// 1 if there is none. A hash of program, place and move selects it, so the choice is always the same.
func (s *survey) lines(p *dsl.Program, event int, m dsl.Move) []dsl.Location {
	found := s.w.Lines(event+1, event+farthest)
	if m.Inverse() {
		found = s.w.Lines(event-farthest, event)
	}
	if len(found) == 0 {
		return []dsl.Location{{Line: 1}}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(s.name + "\x00" + strconv.Itoa(event) + m.String()))
	return []dsl.Location{{Line: found[h.Sum64()%uint64(len(found))]}}
}
