package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

// besideWidth is the width of the score's bars and figures in the plain front end, in columns.
const besideWidth = 72

// SetWalk sets whether the model continues from its own predicted states ("free") or from the true
// ones ("guided"). "" shows the setting.
type SetWalk struct {
	Walk string `json:"walk,omitempty"`
}

func (c SetWalk) String() string { return words("walk", c.Walk) }

func (c SetWalk) run(_ context.Context, s *Session) error {
	w, err := s.program.both("walk")
	if err != nil {
		return err
	}
	switch c.Walk {
	case "free":
		w.Walk(nav.Free)
	case "guided":
		w.Walk(nav.Guided)
	}
	if w.Discipline() == nav.Guided {
		s.draft.say("guided: after each move the model is put back on the truth")
	} else {
		s.draft.say("free: the model goes on from what it said itself")
	}
	return nil
}

// Resync replaces the model's state by the true one. A free model continues from there.
type Resync struct{}

func (Resync) String() string { return "resync" }

func (Resync) run(_ context.Context, s *Session) error {
	w, err := s.program.both("resync")
	if err != nil {
		return err
	}
	w.Resync(s.position.pos)
	s.draft.sayf("The model stands where %s does.", w.Referee())
	return nil
}

// ShowScore shows the model's accuracy: in side-by-side mode by comparison with the true states,
// else by comparison with what follows from the program's source.
type ShowScore struct{}

func (ShowScore) String() string { return "score" }

func (ShowScore) run(_ context.Context, s *Session) error {
	checked := s.bills.account().Checked
	w, err := s.program.both("score")
	if left := s.program.left; left != nil && len(left.Pairs()) > 0 {
		w, err = left, nil // mode both was left, or the model is asked by peek
	}
	switch {
	case err == nil:
	case checked != (score.Checked{}):
		s.draft.say(checked.Line())
		return nil
	default:
		return err
	}
	lines := w.Score().Lines(besideWidth)
	if n := w.Unjudged(); n > 0 {
		lines = append(lines, fmt.Sprintf("%s could not be judged and %s not counted: the model gave no prediction, or was not shown the file.", plural(n, "move", "moves"), map[bool]string{true: "is", false: "are"}[n == 1]))
	}
	if checked != (score.Checked{}) {
		lines = append(lines, checked.Line())
	}
	s.draft.say(strings.Join(append(lines, w.DivergenceSentence()), "\n"))
	return nil
}

// ToDivergence shows a visit of the history at which prediction and truth differ: the "next", the
// "previous" or the "first" one. "onward" shows the next one; if there is none, it makes moves
// until they differ. If the recording is compared with another run, it goes to their divergences.
type ToDivergence struct {
	Which string `json:"which"`
}

func (c ToDivergence) String() string { return words("divergence", c.Which) }

func (c ToDivergence) run(ctx context.Context, s *Session) error {
	if s.visits.run != nil && s.program.beside() == nil {
		return s.toDivergence(ctx, c.Which)
	}
	w, err := s.program.both("divergence")
	if err != nil {
		return err
	}
	list, shown := s.visits.tree.List(), s.visits.tree.Index(s.visits.tree.Shown())
	from, step, first := shown+1, 1, c.Which == "first"
	switch {
	case c.Which == "previous":
		from, step = shown-1, -1
	case first:
		from = 0
	}
	for i := from; i >= 0 && i < len(list); i += step {
		if at := w.PairAt(list[i].Number); at >= 0 && w.Pairs()[at].Diverges() && (!first || &w.Pairs()[at] == w.FirstDivergence()) {
			s.revisit(list[i].Number)
			return nil
		}
	}
	switch {
	case first && w.FirstDivergence() == nil:
		return errorf(NotFound, "There is no divergence yet")
	case first:
		return errorf(NotFound, "The first divergence is at no stop of the history: %s", w.FirstDivergence().Divergence())
	}
	if c.Which == "onward" {
		return s.untilDivergence(ctx, w)
	}
	if step < 0 {
		return errorf(NotFound, "No earlier stop of the history shows a divergence")
	}
	return errorf(NotFound, "No later stop of the history shows a divergence")
}

// mostOnward limits the moves of "onward", because each of them is a request to the model.
const mostOnward = 200

// untilDivergence repeats the user's last kind of forward move (a step over if there was none)
// until prediction and truth differ, at most mostOnward times. It also stops at the end, at a
// breakpoint, post mortem, on an interrupt, and when a move does not change the position.
func (s *Session) untilDivergence(ctx context.Context, w *nav.Both) error {
	by := s.visits.onward
	if by == nil {
		by = Step{Move: dsl.StepOver}
	}
	if s.position.pos.End {
		return errorf(NotFound, "No later stop of the history shows a divergence, and this is the end")
	}
	for made := 1; ; made++ {
		from, judged := s.position.pos, len(w.Pairs())
		if err := by.run(ctx, s); err != nil {
			return err
		}
		moves := fmt.Sprintf("after %s by %s", plural(made, "move", "moves"), by)
		pairs := w.Pairs()[judged:]
		at := slices.IndexFunc(pairs, func(p nav.Pair) bool { return p.Diverges() })
		switch {
		case s.program.stopping.Load():
			s.draft.sayf("No divergence %s.", moves)
		case at >= 0 && pairs[at].Failure != "":
			s.draft.sayf("The model gave no prediction %s.", moves)
		case at >= 0:
			s.draft.sayf("Divergence %s.", moves)
		case s.position.pos.End:
			s.draft.sayf("No divergence up to the end, %s.", moves)
		case made == mostOnward, s.position.pos == from, s.position.pos.PostMortem, s.breakpoints.hit != nil:
			s.draft.sayf("No divergence %s; %s goes on.", moves, s.draft.key("divergence onward"))
		default:
			continue
		}
		return nil
	}
}
