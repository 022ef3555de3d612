package session

import (
	"context"

	"github.com/npdb/npdb/trace"
)

// display is an expression that is shown when its value changed.
type display struct {
	expr string
	text string
}

// displayValue evaluates for display: an error is a value too, as in pdb.
func (s *Session) displayValue(ctx context.Context, expr string) string {
	v, err := s.eval(ctx, trace.VerbPrint, expr)
	if err != nil {
		return "** raised " + AsError(err).Message + " **"
	}
	return v.text
}

// showDisplays describes which displayed expressions of the selected frame changed
// since they were last shown.
func (s *Session) showDisplays(ctx context.Context) {
	frame, err := s.frame()
	if err != nil {
		return
	}
	for _, d := range s.displays[frame.Activation] {
		now := s.displayValue(ctx, d.expr)
		if now != d.text {
			s.sayf("display %s: %s  [old: %s]", d.expr, now, d.text)
			d.text = now
		}
	}
}

// Display shows an expression's value whenever it changed at a stop in the selected
// frame, as pdb does; on a front end that shows views, always and in every frame. "" lists
// what is displayed.
type Display struct {
	Expression string `json:"expression,omitempty"`
}

func (c Display) String() string { return words("display", c.Expression) }

func (c Display) run(ctx context.Context, s *Session) error {
	arg := c.Expression
	if s.cfg.Watches {
		return s.watch(ctx, arg)
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if arg == "" {
		switch {
		case len(s.displays) == 0:
			s.say("No expression is being displayed")
			return nil
		case len(s.displays[frame.Activation]) == 0:
			s.say("No expression is being displayed in this frame")
			return nil
		}
		s.say("Currently displaying:")
		for _, d := range s.displays[frame.Activation] {
			s.sayf("%s: %s", d.expr, d.text)
		}
		return nil
	}
	if err := s.checkDisplay(ctx, arg); err != nil {
		return err
	}
	text := s.displayValue(ctx, arg)
	for _, d := range s.displays[frame.Activation] {
		if d.expr == arg {
			d.text = text
			s.sayf("display %s: %s", arg, text)
			return nil
		}
	}
	s.displays[frame.Activation] = append(s.displays[frame.Activation], &display{arg, text})
	s.sayf("display %s: %s", arg, text)
	return nil
}

func (s *Session) checkDisplay(ctx context.Context, expr string) error {
	if err := s.checkExpression(ctx, expr); err != nil {
		return errorf(BadArgument, "Unable to display %s: %s", expr, err)
	}
	return nil
}

// Undisplay displays an expression no more where Display did; "" none.
type Undisplay struct {
	Expression string `json:"expression,omitempty"`
}

func (c Undisplay) String() string { return words("undisplay", c.Expression) }

func (c Undisplay) run(_ context.Context, s *Session) error {
	arg := c.Expression
	if s.cfg.Watches {
		return s.unwatch(arg)
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	if arg == "" {
		delete(s.displays, frame.Activation)
		return nil
	}
	list := s.displays[frame.Activation]
	for i, d := range list {
		if d.expr == arg {
			s.displays[frame.Activation] = append(list[:i:i], list[i+1:]...)
			return nil
		}
	}
	return errorf(NotFound, "not displaying %s", arg)
}
