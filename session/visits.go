package session

import (
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Visit is a position that was shown to the user, and the command that led there.
type Visit struct {
	trace.Position
	Command  string
	Function string    // "" at the end
	Kind     dsl.Event // 0 at the end
	File     string    // name of the file in the form shown to the user
	Line     int
	Origin   dsl.Origin
}

// lastMove is the last command that moved, and the position at which it was given.
type lastMove struct {
	command Command // nil if no command has moved yet
	from    trace.Position
}

// visits is the history: the positions that were shown to the user, in order.
type visits struct {
	cfg        *Config
	program    *program
	position   *position
	journaling *journaling

	list     []Visit
	shown    int // index in list of the visit that is shown now
	lastMove lastMove
	onward   Command // the kind of the last forward move, nil for none
}

// History returns the visits, oldest first.
func (vs *visits) History() []Visit { return vs.list }

// visit returns a visit for the current position.
func (vs *visits) visit() Visit {
	v := Visit{Position: vs.position.pos, Command: vs.journaling.given, Origin: vs.program.nav.Mark(vs.position.pos).Origin}
	if t := vs.program.states(); !vs.position.pos.End && vs.position.pos.Event >= 0 && vs.position.pos.Event < t.Len() {
		at := t.At(vs.position.pos.Event)
		v.Kind, v.Line, v.Function, v.File = at.Event, at.Line, t.Code(at.Code).Name, t.Files()[at.File].Name
	}
	return v
}

// remember adds the current position to the history.
func (vs *visits) remember() {
	vs.list = append(vs.list, vs.visit())
	vs.shown = len(vs.list) - 1
	vs.program.nav.Shown(vs.shown, vs.position.pos, false)
}

// shownBefore returns the event of the stop shown before this one, and the locals that an
// activation had there. known is false if the activation did not exist there.
func (vs *visits) shownBefore(act uint32) (event int, locals map[string]string, known bool) {
	if vs.shown < 1 {
		return -1, nil, false
	}
	before := vs.list[vs.shown-1].Position
	t := vs.program.states()
	if before.End || before.Event < 0 || before.Event >= t.Len() {
		return -1, nil, false
	}
	if !slices.ContainsFunc(t.Stack(before.Event), func(f statetree.StackFrame) bool { return f.Activation == act }) {
		return -1, nil, false
	}
	locals = map[string]string{}
	for _, l := range t.LocalsOf(act, before.Event) {
		locals[l.Name] = l.Value
	}
	return before.Event, locals, true
}

// whereabouts returns the position in the recording, or in neural mode in the history.
func (vs *visits) whereabouts() Place {
	if vs.program.rec == nil {
		return Place{Event: vs.shown, Events: len(vs.list), Live: -1, End: vs.position.pos.End}
	}
	p := Place{Event: vs.position.pos.Event, Events: vs.program.rec.Tree().Len(), Live: -1, End: vs.position.pos.End}
	if edge := vs.program.rec.LiveEdge(); !edge.End && vs.program.rec.Exit() == nil {
		p.Live = edge.Event
	}
	return p
}
