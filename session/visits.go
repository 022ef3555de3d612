package session

import (
	"slices"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/visit"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Visit is a position that was shown to the user, and the command that led there.
type Visit = visit.Visit

// compared is the visit with which the shown one was compared last.
type compared struct {
	name        string // as the user named it
	with, shown int    // numbers of the two visits
}

// lastMove is the last command that moved, and where it was given.
type lastMove struct {
	command Command // nil if no command has moved yet
	from    trace.Position
	visit   int // number of the visit
}

// visits is the history: a tree of the positions that were shown to the user.
type visits struct {
	cfg        *Config
	program    *program
	position   *position
	journaling *journaling

	tree     *visit.Tree
	compared compared
	run      *otherRun // nil if no other run is compared with this one
	lastMove lastMove
	onward   Command // the kind of the last forward move, nil for none
}

// History returns the visits in ascending order of their numbers.
func (vs *visits) History() []Visit { return vs.tree.List() }

// visit returns a visit for a position.
func (vs *visits) visit(p trace.Position) Visit {
	v := Visit{Position: p.InRun(vs.program.shown), Command: vs.journaling.given, Origin: vs.program.nav.Mark(p).Origin}
	if t := vs.program.states(); !p.End && p.Event >= 0 && p.Event < t.Len() {
		at := t.At(p.Event)
		v.Kind, v.Line, v.Function, v.File = at.Event, at.Line, t.Code(at.Code).Name, t.Files()[at.File].Name
	}
	return v
}

// remember adds the current position to the history. If a move leads back along its line or to a
// child that is there already, that visit is shown again. In side-by-side mode each visit has a
// prediction of its own, so each move makes a new one.
func (vs *visits) remember() {
	if known := vs.tree.Known(vs.position.pos.InRun(vs.program.shown)); known > 0 && vs.program.beside() == nil {
		vs.tree.Show(known)
		return
	}
	vs.program.nav.Shown(vs.tree.Add(vs.visit(vs.position.pos)), vs.position.pos, false)
}

// branchOf adds the states that were inferred for hops to the history, as a branch that is not shown, and
// sets the visits of hops in neural mode.
func (vs *visits) branchOf(hops []Hop) {
	p, ok := vs.program.source().(*nav.Predicted)
	if !ok {
		return
	}
	for i := range hops {
		h := &hops[i]
		if h.Inferred != nil {
			for _, state := range h.Inferred.states {
				vs.attach(p, state)
			}
		}
		if h.By.Event >= 0 {
			h.Visit = vs.tree.At(p.PositionOf(h.By.Event))
		}
	}
}

// attach adds a state that was inferred to the history, below the visit of the one that it was inferred
// from.
func (vs *visits) attach(p *nav.Predicted, state int) {
	at := p.PositionOf(state)
	if vs.tree.At(at) > 0 {
		return
	}
	before, _ := p.CameBy(state)
	parent := vs.tree.At(p.PositionOf(before))
	if parent == 0 {
		parent = vs.tree.Shown()
	}
	vs.tree.Attach(vs.visit(at), parent)
}

// touched updates the shown visit after the user changed a value at its position.
func (vs *visits) touched() {
	if v := vs.tree.Visit(vs.tree.Shown()); v != nil {
		v.Origin, v.Described = vs.program.nav.Mark(v.Position).Origin, false
	}
}

// shownBefore returns the event of the stop shown before this one, and the locals that an
// activation had there. known is false if the activation did not exist there.
func (vs *visits) shownBefore(act uint32) (event int, locals map[string]string, known bool) {
	v := vs.tree.Visit(vs.tree.Before())
	if v == nil {
		return -1, nil, false
	}
	if vs.position.pos.Inferred == 0 {
		v = vs.recorded(v)
	}
	if v.Run != vs.program.shown && v.Event != vs.position.pos.Event {
		return -1, nil, false // the runs may number activations differently
	}
	locals, known = vs.localsAt(v.Position, act)
	if !known {
		return -1, nil, false
	}
	return v.Event, locals, true
}

// localsAt returns the locals that an activation had at a position, without those whose values are
// unknown. known is false if the activation did not exist there.
func (vs *visits) localsAt(p trace.Position, act uint32) (locals map[string]string, known bool) {
	t := vs.program.sourceOf(p).States()
	if p.End || p.Event < 0 || p.Event >= t.Len() {
		return nil, false
	}
	if !slices.ContainsFunc(t.Stack(p.Event), func(f statetree.StackFrame) bool { return f.Activation == act }) {
		return nil, false
	}
	locals = map[string]string{}
	for _, l := range t.LocalsOf(act, p.Event) {
		if !l.Unknown {
			locals[l.Name] = l.Value
		}
	}
	return locals, true
}

// whereabouts returns the position in the recording, or in neural mode in the history.
func (vs *visits) whereabouts() Place {
	if vs.program.rec == nil {
		return Place{Event: vs.tree.Index(vs.tree.Shown()), Events: len(vs.tree.List()), Live: -1, End: vs.position.pos.End}
	}
	p := Place{Event: vs.position.pos.Event, Events: vs.program.rec.Tree().Len(), Live: -1, End: vs.position.pos.End}
	if number, of := vs.program.Run(); of > 1 {
		p.Run = number
	}
	if edge := vs.program.rec.LiveEdge(); !edge.End && vs.program.rec.Exit() == nil {
		p.Live = edge.Event
	}
	return p
}

// stand makes a visit the one from which the next landing is reached, so that the landing begins a
// branch there.
func (vs *visits) stand(v *Visit) {
	vs.program.walkAt(v.Position)
	vs.position.pos, vs.position.selected = v.InRun(0), 0
	vs.tree.Stand(v.Number)
}
