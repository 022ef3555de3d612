package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/nav"
)

// besideWidth is how wide the score's plot is on the plain front end, in columns.
const besideWidth = 72

// both returns the source of both modes; the error says that this is another one.
func (s *Session) both(what string) (*nav.Both, error) {
	if w := s.beside(); w != nil {
		return w, nil
	}
	return nil, errorf(Refused, "%s: this session has one source of states; --mode both has two", what)
}

// SetWalk says how the model walks beside CPython: "free" or "guided"; "" tells only.
type SetWalk struct {
	Walk string `json:"walk,omitempty"`
}

func (c SetWalk) String() string { return words("walk", c.Walk) }

func (c SetWalk) run(_ context.Context, s *Session) error {
	w, err := s.both("walk")
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
		s.say("guided: after each move the model is put back on the truth")
	} else {
		s.say("free: the model goes on from what it said itself")
	}
	return nil
}

// Resync puts the model on the truth once.
type Resync struct{}

func (Resync) String() string { return "resync" }

func (Resync) run(_ context.Context, s *Session) error {
	w, err := s.both("resync")
	if err != nil {
		return err
	}
	w.Resync(s.pos)
	s.sayf("The model stands where %s does.", w.Referee())
	return nil
}

// ShowScore tells how often the model was right.
type ShowScore struct{}

func (ShowScore) String() string { return "score" }

func (ShowScore) run(_ context.Context, s *Session) error {
	w, err := s.both("score")
	if err != nil {
		return err
	}
	lines := w.Score().Lines(besideWidth)
	if n := w.Unjudged(); n > 0 {
		lines = append(lines, fmt.Sprintf("%s could not be judged and %s not counted: the model gave no prediction, or was not shown the file.", plural(n, "move", "moves"), map[bool]string{true: "is", false: "are"}[n == 1]))
	}
	s.say(strings.Join(append(lines, w.PartedSentence()), "\n"))
	return nil
}

// ToDivergence shows a stop of the history at which prediction and truth differ: the
// "next", the "previous" or the "first"; "onward" the next, and where there is none it
// makes moves until they part.
type ToDivergence struct {
	Which string `json:"which"`
}

func (c ToDivergence) String() string { return words("divergence", c.Which) }

func (c ToDivergence) run(ctx context.Context, s *Session) error {
	w, err := s.both("divergence")
	if err != nil {
		return err
	}
	from, step, first := s.shown+1, 1, c.Which == "first"
	switch {
	case c.Which == "previous":
		from, step = s.shown-1, -1
	case first:
		from = 0
	}
	for i := from; i >= 0 && i < len(s.history); i += step {
		if at := w.PairAt(i); at >= 0 && w.Pairs()[at].Parts() && (!first || &w.Pairs()[at] == w.FirstParted()) {
			s.revisit(i)
			return nil
		}
	}
	switch {
	case first && w.FirstParted() == nil:
		return errorf(NotFound, "They have not parted")
	case first:
		return errorf(NotFound, "The first divergence is at no stop of the history: %s", w.FirstParted().Divergence())
	}
	if c.Which == "onward" {
		return s.untilTheyPart(ctx, w)
	}
	if step < 0 {
		return errorf(NotFound, "No earlier stop of the history shows a divergence")
	}
	return errorf(NotFound, "No later stop of the history shows a divergence")
}

// mostOnward is how many moves are made towards a divergence: each of them is a question
// to the model.
const mostOnward = 200

// untilTheyPart makes the last kind of forward move, else step over, until prediction and
// truth part.
func (s *Session) untilTheyPart(ctx context.Context, w *nav.Both) error {
	by := s.onward
	if by == nil {
		by = Step{Move: dsl.StepOver}
	}
	if s.pos.End {
		return errorf(NotFound, "No later stop of the history shows a divergence, and this is the end")
	}
	for made := 1; ; made++ {
		from, judged := s.pos, len(w.Pairs())
		if err := by.run(ctx, s); err != nil {
			return err
		}
		moves := fmt.Sprintf("after %s by %s", plural(made, "move", "moves"), by)
		pairs := w.Pairs()[judged:]
		at := slices.IndexFunc(pairs, func(p nav.Pair) bool { return p.Parts() })
		switch {
		case s.stopping.Load():
			s.sayf("They have not parted %s.", moves)
		case at >= 0 && pairs[at].Failure != "":
			s.sayf("The model gave no prediction %s.", moves)
		case at >= 0:
			s.sayf("They parted %s.", moves)
		case s.pos.End:
			s.sayf("They did not part up to the end, %s.", moves)
		case made == mostOnward, s.pos == from, s.pos.PostMortem, s.hit != nil:
			s.sayf("They have not parted %s; %s goes on.", moves, s.key("divergence onward"))
		default:
			continue
		}
		return nil
	}
}

// SetMode changes where states come from; "" tells it only. From neural mode to both
// the program is run.
type SetMode struct {
	Mode Mode `json:"mode,omitempty"`
}

func (c SetMode) String() string { return words("mode", c.Mode) }

func (c SetMode) run(ctx context.Context, s *Session) error {
	now, arg := s.Mode(), c.Mode
	if err := s.CanSetMode(arg); err != nil {
		return err
	}
	switch want := arg; {
	case want == "" || want == now:
	case now == Both && want == Real:
		s.left = s.beside()
		s.walkOver(s.left.Reference())
	case now == Real && want == Both:
		return s.joinModel()
	case now == Predicted && want == Both:
		return s.joinProgram(ctx)
	}
	s.say(string(s.Mode()))
	return nil
}

// Consent returns what is to be asked before the model is told of the program, nil where there is
// nothing to ask.
func (s *Session) Consent() nav.Consent {
	if n := s.cfg.Neural; n != nil && n.Consent != nil && !n.Consent.Given() && n.Consent.Question() != "" {
		return n.Consent
	}
	return nil
}

// Withheld returns why the model is not told of the program, and will not be whatever the user
// does; "" where it is, or may be.
func (s *Session) Withheld() string {
	n := s.cfg.Neural
	if n == nil || n.Consent == nil || n.Consent.Given() || s.Consent() != nil {
		return ""
	}
	return n.Consent.Refusal()
}

// CanSetMode returns nil where states can come from somewhere else from here on.
func (s *Session) CanSetMode(want Mode) error {
	now := s.Mode()
	switch {
	case want == "" || want == now:
		return nil
	case want != Real && s.cfg.Neural == nil:
		return errorf(Refused, "mode %s: there is no model to ask: give the address of its server with --base-url, or base_url in the configuration", want)
	case s.cfg.Against != nil:
		return errorf(Refused, "mode %s: two models walk beside each other in this session, and nothing is run", want)
	case want == Both && s.Withheld() != "":
		return errorf(Refused, "mode %s: %s", want, s.Withheld())
	case now == Both && want == Real, want == Both:
		return nil
	}
	return errorf(Refused, "mode %s: from %s one goes by --mode %s at the start", want, now, want)
}
