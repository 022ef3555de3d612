package session

import (
	"context"
	"slices"
	"strings"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// watching holds the displayed expressions: those of one frame (displays), as in pdb, or those of
// all frames (watches) for front ends with Config.Watches.
type watching struct {
	program  *program
	draft    *draft
	position *position
	values   *values
	visits   *visits

	displays map[uint32][]*display // by activation
	watches  []*watch              // displayed in all frames
	altered  int                   // counts statements that may have changed values at the position
}

// ViewWatch is a watched expression in the selected frame. Note says where the value comes from, or
// why there is none. Was is the value before its last change in this frame. Changed reports a
// change since the stop shown before.
type ViewWatch struct {
	Expression  string
	Value, Note string
	Was         *string
	Changed     bool
}

// watch is an expression that is displayed in all frames, for front ends with Config.Watches.
type watch struct {
	expr string
	in   map[uint32]*watchReading // by activation
}

// watchReading is the result of the last evaluation of an expression in an activation.
type watchReading struct {
	stop  watchStop
	value string
	ok    bool   // the expression has a value; if not, value is an older one
	note  string // as ViewWatch.Note
	had   bool   // the expression has or had a value
	was   *string
	since visited // the visit at which the value changed
}

// visited identifies a visit of the history.
type visited struct {
	trace.Position
	shown int
}

// watchStop identifies a stop. At each, an expression is evaluated only once, because that may have
// side effects.
type watchStop struct {
	visited
	live    bool
	altered int
}

// watch displays an expression in all frames. "" lists the displayed ones.
func (ws *watching) watch(ctx context.Context, expr string) error {
	if expr == "" && len(ws.watches) == 0 {
		ws.draft.say("No expression is being displayed")
		return nil
	}
	if expr == "" {
		ws.readWatches(ctx)
		ws.draft.say("Currently displaying:")
	} else {
		if err := ws.values.checkDisplay(ctx, expr); err != nil {
			return err
		}
		if ws.watched(expr) < 0 {
			ws.watches = append(ws.watches, &watch{expr, map[uint32]*watchReading{}})
		}
		ws.readWatches(ctx)
	}
	var at *statetree.StackFrame
	if frame, err := ws.position.frame(); err == nil {
		at = &frame
	}
	for _, w := range ws.viewWatches(at) {
		switch {
		case expr == "":
			ws.draft.sayf("%s: %s", w.Expression, w.text())
		case w.Expression == expr:
			ws.draft.sayf("display %s: %s", expr, w.text())
		}
	}
	return nil
}

// unwatch stops displaying an expression, or all of them if expr is "".
func (ws *watching) unwatch(expr string) error {
	i := ws.watched(expr)
	switch {
	case expr == "":
		ws.watches = nil
	case i < 0:
		return errorf(NotFound, "not displaying %s", expr)
	default:
		ws.watches = slices.Delete(ws.watches, i, i+1)
	}
	return nil
}

// watched returns the index of a displayed expression, -1 if it is not displayed.
func (ws *watching) watched(expr string) int {
	return slices.IndexFunc(ws.watches, func(w *watch) bool { return w.expr == expr })
}

// text returns the value with its note, or why there is none.
func (w ViewWatch) text() string {
	if w.Value == "" {
		return w.Note
	}
	return strings.TrimSpace(w.Value + " " + w.Note)
}

// readWatches evaluates the displayed expressions in the selected frame, unless that was done at
// this stop already.
func (ws *watching) readWatches(ctx context.Context) {
	frame, err := ws.position.frame()
	if err != nil || len(ws.watches) == 0 {
		return
	}
	// An interrupt that has come already was meant for the command before, not for this.
	if !ws.program.stopping.Load() {
		var done func()
		ctx, done = ws.program.interruptible(ctx)
		defer done()
	}
	here := visited{ws.position.pos, ws.visits.tree.Turn()}
	stop := watchStop{here, ws.position.live(), ws.altered}
	for _, w := range ws.watches {
		before := w.in[frame.Activation]
		if before != nil && before.stop == stop {
			continue
		}
		now := watchReading{}
		if before != nil {
			now = *before
		}
		now.stop = stop
		v, err := ws.values.watchValue(ctx, frame, w.expr)
		if now.ok, now.note = err == nil, strings.TrimSpace(v.mark); err != nil {
			now.note = whyNone(err)
		} else {
			if now.had && now.value != v.text {
				was := now.value
				now.was, now.since = &was, here
			}
			now.value, now.had = v.text, true
		}
		w.in[frame.Activation] = &now
		if ws.program.Mode() == Both && now.ok && now.was != nil && now.since == here {
			// In side-by-side mode, the screen shows the two values where it would show the
			// expressions.
			ws.draft.sayf("display %s: %s  [old: %s]", w.expr, now.value, *now.was)
		}
	}
}

// watchValue evaluates an expression in a frame. A name, an attribute or an element is read from
// the recording, even at the live edge, so that none of the program's code is run for it.
func (vs *values) watchValue(ctx context.Context, frame statetree.StackFrame, expr string) (value, error) {
	if p := vs.program.past(); p != nil && !vs.position.selectedAlien() {
		if c, err := p.Condition(expr); err == nil {
			if _, plain := c.Path(); plain {
				if text, _, err := p.Value(ctx, c, nav.Scope(p, frame), vs.position.pos.Event); err == nil {
					return value{text: text}, nil
				}
			}
		}
	}
	return vs.eval(ctx, trace.VerbPrint, expr)
}

// whyNone explains why an expression has no value in a frame.
func whyNone(err error) string {
	e := AsError(err)
	switch {
	case strings.HasPrefix(e.Message, "NameError"), strings.HasPrefix(e.Message, "UnboundLocalError"):
		return "no value here"
	case e.Kind == Refused:
		return "not known here"
	case e.Kind == PythonRaised:
		message, _, _ := strings.Cut(e.Message, "\n")
		return "raises " + message
	}
	return e.Message
}

// viewWatches returns the displayed expressions with the results of their last evaluation in a
// frame, which is nil at the end.
func (ws *watching) viewWatches(frame *statetree.StackFrame) []ViewWatch {
	var out []ViewWatch
	for _, w := range ws.watches {
		v := ViewWatch{Expression: w.expr, Note: "no value here"}
		if frame != nil {
			if r := w.in[frame.Activation]; r != nil {
				v.Note, v.Was = r.note, r.was
				if r.ok {
					v.Value = r.value
				}
				v.Changed = r.ok && r.was != nil && r.since == visited{ws.position.pos, ws.visits.tree.Turn()}
			}
		}
		out = append(out, v)
	}
	return out
}
