package session

import (
	"context"
	"fmt"
	"strings"
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
