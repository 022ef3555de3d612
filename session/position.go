package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// position is the session's current position and its selected frame.
type position struct {
	cfg     *Config
	program *program
	draft   *draft

	pos trace.Position
	// selected is 0 for the innermost frame, n for the n-th older one, and negative for frames that
	// an exception has left, which are below the stack.
	selected  int
	look      bool       // the program waits at pos in pdb.post_mortem()
	belowHere *belowHere // the frames below the stack, nil if not known yet
}

// Position returns the current position.
func (ps *position) Position() trace.Position { return ps.pos }

// Event returns the number of the shown event, -1 for none and for a state that is not recorded.
func (ps *position) Event() int {
	if ps.pos.End || ps.pos.Inferred > 0 {
		return -1
	}
	return ps.pos.Event
}

// live reports whether the position is the live edge, where the program waits.
func (ps *position) live() bool {
	r := ps.program.recorded()
	return r != nil && r.Live(ps.pos)
}

// here returns the current event. At the end of a recording it is the last event; at a predicted
// end it is the end's own state.
func (ps *position) here() int {
	if ps.pos.End && ps.program.past() != nil {
		return ps.program.states().Len() - 1
	}
	return ps.pos.Event
}

// lookedAt returns the selected frame. At the end of the program it returns the module's frame.
func (ps *position) lookedAt() (statetree.StackFrame, error) {
	if ps.pos.End && ps.program.states().Len() > 0 {
		if stack := ps.program.states().Stack(ps.here()); len(stack) > 0 {
			return stack[0], nil
		}
	}
	return ps.frame()
}

// recordedFrame returns the selected frame as lookedAt does, or an error if nothing of it is recorded.
func (ps *position) recordedFrame() (statetree.StackFrame, error) {
	frame, err := ps.lookedAt()
	if err == nil && ps.selectedAlien() {
		err = errorf(Refused, "%s is library code, of which nothing is recorded (%s selects its caller)", frame.Function, ps.draft.key("up"))
	}
	return frame, err
}

// depth returns the depth of the call stack, 0 at the end.
func (ps *position) depth() int {
	if ps.pos.End {
		return 0
	}
	return ps.program.states().At(ps.pos.Event).Depth
}

// returned reports whether the innermost frame is selected and is about to return, or to be left by
// an exception.
func (ps *position) returned() bool {
	if ps.pos.End || ps.pos.PostMortem || ps.selected != 0 || ps.pos.Event < 0 {
		return false
	}
	r := ps.program.states().At(ps.pos.Event)
	return r.Event == dsl.Return && r.Kind != dsl.Yielded
}

// names returns the names that an expression can read in frame i of a stack.
func (ps *position) names(stack []statetree.StackFrame, i int, expr string) python.Names {
	return nav.Names(ps.program.states(), ps.program.past(), stack, i, ps.pos.Event, expr)
}

// global returns the value of a global of a frame's module. ok is false if the module has no such
// global, or is not known.
func (ps *position) global(frame statetree.StackFrame, name string) (found value, ok bool) {
	module, on := ps.moduleOf(frame)
	act := module.Activation
	if p := ps.program.past(); p != nil {
		scope := nav.Scope(p, frame)
		if !scope.HasModule {
			return value{}, false
		}
		act, on = scope.Module, on && scope.Module == act
	} else if !on {
		return value{}, false
	}
	text, ok := lookup(ps.program.states().LocalsOf(act, ps.pos.Event), name)
	mark := fmt.Sprintf(" (from %s of <module>", ps.program.nav.Text())
	if on {
		mark += fmt.Sprintf(", line %d", module.Line)
	}
	return value{text: text, mark: mark + ")"}, ok
}

// moduleOf returns the frame of the module in which a frame's function is defined, if it is on the
// stack. A predicted module has the values of its latest state: if a function changes a global, the
// change shows only after the module continues.
func (ps *position) moduleOf(frame statetree.StackFrame) (statetree.StackFrame, bool) {
	if frame.Function == "<module>" {
		return statetree.StackFrame{}, false
	}
	file := ps.fileOf(frame)
	for _, f := range ps.frames() {
		if f.Function == "<module>" && f.Event >= 0 && ps.fileOf(f) == file {
			return f, true
		}
	}
	return statetree.StackFrame{}, false
}

// byAttributes reports whether a name's value is shown by its attributes although its class defines
// __repr__.
func (ps *position) byAttributes(act uint32, name string) bool {
	p := ps.program.past()
	if p == nil || !p.Tree().TellsUnasked() {
		return false
	}
	v, ok := p.Tree().Held(act, ps.pos.Event, name)
	return ok && p.Tree().ByAttributes(v, ps.pos.Event)
}

// Names returns the completions of a Python name or attribute: at the live edge from the program,
// elsewhere from the recorded names.
func (ps *position) Names(ctx context.Context, prefix string) []string {
	if ps.live() {
		answer, err := ps.program.rec.Ask(ctx, ps.selected, trace.VerbComplete, prefix)
		if err == nil {
			return strings.Fields(answer.Text)
		}
	}
	frame, err := ps.frame()
	if err != nil || strings.Contains(prefix, ".") {
		return nil
	}
	var names []string
	stack := ps.allFrames(ctx)
	for _, l := range ps.names(stack, slices.Index(stack, frame), "").List {
		if strings.HasPrefix(l.Name, prefix) {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Sees reports whether a name has a value in the selected frame: in the function, in its module or,
// at the live edge, in builtins. It also reports the globals that predicted states do not show.
func (ps *position) Sees(ctx context.Context, name string) bool {
	if slices.Contains(ps.Names(ctx, name), name) {
		return true
	}
	frame, err := ps.frame()
	if err != nil || ps.program.past() != nil {
		return false
	}
	globals := python.ReadGlobals(ps.program.states().Files()[ps.fileOf(frame)].Source)
	_, predicted := ps.moduleOf(frame)
	return globals.Lists(name, predicted || frame.Function == "<module>")
}

// behindHole reports whether the position is the first event after an unrecorded part.
func (ps *position) behindHole() bool {
	if ps.program.rec == nil || ps.pos.End {
		return false
	}
	return ps.program.holeAt(ps.pos.Event)
}

// needLive returns an error unless the position is the live edge. what is the request in the error.
func (ps *position) needLive(what string) error {
	switch {
	case ps.live():
		return nil
	case ps.pos.End:
		return errorf(ProgramOver, "%s: the program is over%s", what, ps.runsAgain())
	}
	return ps.refuse(what, "")
}

// refuse returns the error for a request that needs the running program, with the command that goes
// to the live edge. why is the reason; "" stands for the usual one, that code cannot run here.
func (ps *position) refuse(what, why string) error {
	if ps.pos.Inferred > 0 {
		return errorf(Refused, "%s: this state is inferred, only its texts are known; %s returns to the running program", what, ps.draft.key("goto 100%"))
	}
	if ps.program.recorded() == nil {
		if why == "" {
			why = "nothing of the program is run in neural mode (--mode real runs it)"
		}
		return errorf(Refused, "%s: %s", what, why)
	}
	if why == "" {
		why = "a recording cannot be changed, only the live program can run code"
	}
	edge := ps.program.rec.LiveEdge()
	if edge.End || ps.program.rec.Exit() != nil {
		return errorf(Refused, "%s: %s; the program is over, so only what was recorded is left%s", what, why, ps.runsAgain())
	}
	return errorf(Refused, "%s: %s; this is event %d, the program waits at event %d (%s goes there)",
		what, why, ps.pos.Event, edge.Event, ps.draft.key("goto 100%"))
}

// runsAgain returns the advice to run the program again, "" if npdb cannot do that.
func (ps *position) runsAgain() string {
	if ps.cfg.foreign() {
		return ""
	}
	return " (" + ps.draft.key("restart") + " runs it again)"
}

// CanInteract returns nil at the live edge, elsewhere the error that interact would return.
func (ps *position) CanInteract() error { return ps.needLive("interact") }

// recordedVariable returns $_exception or $_retval of the current state. Other convenience
// variables exist at the live edge only.
func (ps *position) recordedVariable(name string) (value, error) {
	st := ps.program.states().State(ps.pos.Event)
	if wanted := map[dsl.Event]string{dsl.Exception: "$_exception", dsl.Return: "$_retval"}[st.Event]; name == wanted && st.Value != nil {
		return value{text: *st.Value}, nil
	}
	return value{}, ps.refuse(name, "convenience variables are Python's objects")
}
