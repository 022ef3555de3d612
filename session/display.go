package session

import (
	"context"

	"github.com/npdb/npdb/trace"
)

// display is a displayed expression with the value that was shown last.
type display struct {
	expr string
	text string
}

// displayValue evaluates an expression for display. As in pdb, an error is shown like a value.
func (vs *values) displayValue(ctx context.Context, expr string) string {
	v, err := vs.eval(ctx, trace.VerbPrint, expr)
	if err != nil {
		return "** raised " + AsError(err).Message + " **"
	}
	return v.text
}

// showDisplays shows those displayed expressions of the selected frame whose values have changed
// since they were last shown.
func (ws *watching) showDisplays(ctx context.Context) {
	frame, err := ws.position.frame()
	if err != nil {
		return
	}
	for _, d := range ws.displays[frame.Activation] {
		now := ws.values.displayValue(ctx, d.expr)
		if now != d.text {
			ws.draft.sayf("display %s: %s  [old: %s]", d.expr, now, d.text)
			d.text = now
		}
	}
}

// Display shows the value of an expression at each stop in the selected frame at which it has
// changed, as in pdb. In front ends with Config.Watches it is always shown, in every frame. ""
// lists the displayed expressions.
type Display struct {
	Expression string `json:"expression,omitempty"`
}

func (c Display) String() string { return words("display", c.Expression) }

func (c Display) run(ctx context.Context, s *Session) error {
	arg := c.Expression
	if s.cfg.Watches {
		return s.watching.watch(ctx, arg)
	}
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	if arg == "" {
		switch {
		case len(s.watching.displays) == 0:
			s.draft.say("No expression is being displayed")
			return nil
		case len(s.watching.displays[frame.Activation]) == 0:
			s.draft.say("No expression is being displayed in this frame")
			return nil
		}
		s.draft.say("Currently displaying:")
		for _, d := range s.watching.displays[frame.Activation] {
			s.draft.sayf("%s: %s", d.expr, d.text)
		}
		return nil
	}
	if err := s.values.checkDisplay(ctx, arg); err != nil {
		return err
	}
	text := s.values.displayValue(ctx, arg)
	for _, d := range s.watching.displays[frame.Activation] {
		if d.expr == arg {
			d.text = text
			s.draft.sayf("display %s: %s", arg, text)
			return nil
		}
	}
	s.watching.displays[frame.Activation] = append(s.watching.displays[frame.Activation], &display{arg, text})
	s.draft.sayf("display %s: %s", arg, text)
	return nil
}

func (vs *values) checkDisplay(ctx context.Context, expr string) error {
	if err := vs.checkExpression(ctx, expr); err != nil {
		return errorf(BadArgument, "Unable to display %s: %s", expr, err)
	}
	return nil
}

// Undisplay stops displaying an expression, or all of them if it is "".
type Undisplay struct {
	Expression string `json:"expression,omitempty"`
}

func (c Undisplay) String() string { return words("undisplay", c.Expression) }

func (c Undisplay) run(_ context.Context, s *Session) error {
	arg := c.Expression
	if s.cfg.Watches {
		return s.watching.unwatch(arg)
	}
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	if arg == "" {
		delete(s.watching.displays, frame.Activation)
		return nil
	}
	list := s.watching.displays[frame.Activation]
	for i, d := range list {
		if d.expr == arg {
			s.watching.displays[frame.Activation] = append(list[:i:i], list[i+1:]...)
			return nil
		}
	}
	return errorf(NotFound, "not displaying %s", arg)
}
