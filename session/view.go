package session

import (
	"context"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/statetree"
)

// viewer makes views, which are snapshots of the session for a screen.
type viewer struct {
	cfg         *Config
	program     *program
	position    *position
	files       *files
	values      *values
	bills       *bills
	breakpoints *breakpoints
	visits      *visits
	watching    *watching
	logging     *logging
}

// View is a snapshot of a session between two commands, for a screen. It never changes, so any
// goroutine may read it while the next command runs.
type View struct {
	Model      *backend.Model // the predicting model, nil in real mode
	Account    *nav.Account   // the cost of its answers so far, nil in real mode
	Bill       []string       // the cost of all models as text
	State      *dsl.State     // nil at the end of the program
	Origin     dsl.Origin
	Move       dsl.Move          // the move that a model was asked for, 0 for none
	Confidence *float64          // the model's confidence, 0 to 1, nil if unknown
	Sureness   *backend.Sureness // the confidence by part
	Checks     backend.Checks    // comparison with the source by part, nil if none
	MadeUp     []string          // arguments of the first state that a model filled in
	PostMortem bool
	Raised     string    // at an exception, the last line of its traceback
	Exit       *dsl.Exit // how the program ended, nil before the end
	Mode       Mode
	Beside     *nav.Beside // the prediction, in side-by-side mode only
	Difference *Difference // the comparison with another state of the history, nil for none
	// Candidates are the states that the backward move to this one may lead to, nil if no model was
	// asked backwards. Candidate is the index of the shown one.
	Candidates *backend.Candidates
	Candidate  int
	Against    string // a second model that stands in for CPython; "" for CPython
	Unrecorded bool   // recording is off

	Frames   []ViewFrame // outermost first; none at the end
	Here     int         // index of the position's own frame; frames after it were left by an exception
	Selected int         // index into Frames, -1 at the end
	Locals   []ViewLocal // locals of the selected frame
	// Ran lists the lines that the selected frame has run, the latest first. If it has run for
	// long, only its last events count.
	Ran []int
	// Entered reports that the selected frame did not exist at the stop shown before, so that all
	// its names are new.
	Entered bool
	// Globals holds the globals that the selected frame's function uses. In neural mode their
	// values are those at line GlobalsAt of the module; GlobalsAt is 0 if they are current.
	Globals   []ViewLocal
	GlobalsAt int
	Watches   []ViewWatch // watched expressions, if Config.Watches is set

	Place       Place
	Files       []statetree.File
	Breakpoints []breakpoint.Breakpoint
	History     []Visit
	Shown       int // index into History
	Waiting     Waiting
	Prompt      string
}

// ViewFrame is a frame of the call stack. Tells is a local that distinguishes it from other frames
// of the same function, nil if there is none. The values of that local in these frames are equal up
// to byte TellsFrom.
type ViewFrame struct {
	dsl.Frame
	Class      string // the class in whose source the method is defined, "" for none
	Path       string // path of the file; Frame.File is its short name
	File       int    // index into View.Files, -1 if unknown
	Activation uint32
	Tells      *dsl.Local
	TellsFrom  int
}

// ViewLocal is a name of the selected frame. Was is its value at the stop shown before, nil if the
// value has not changed. New reports that the name had no value there.
type ViewLocal struct {
	dsl.Local
	Was *string
	New bool
	// ByAttributes reports that Value shows an object by its attributes although its class defines
	// __repr__, because the result of __repr__ is unknown.
	ByAttributes bool
	// Attributes is the value's text if all objects are shown by their attributes, even those whose
	// class defines __repr__. It is "" if that equals Value. If it is set, Was is such a text too.
	Attributes string
}

// Place is the position in the recording of a run. In neural mode, Event and Events count the visits of the
// history, and Live is -1.
type Place struct {
	Event, Events int
	Live          int // event of the live edge, -1 if the program has ended
	End           bool
	Run           int // number of the run, 0 if there is only one
}

// mostRan limits how many events of a frame are searched for the lines that it has run.
const mostRan = 2000

// View returns a snapshot. The session's goroutine calls it, between two commands.
func (vw *viewer) View() (v *View) {
	defer func() {
		if vw.program.damage() != nil && recover() != nil {
			v = &View{Mode: vw.program.Mode(), Selected: -1, Here: -1} // the answer says why
		}
	}()
	t := vw.program.states()
	var stack []statetree.StackFrame
	if !vw.position.pos.End && vw.position.pos.Event >= 0 && vw.position.pos.Event < t.Len() {
		stack = vw.position.allFrames(context.Background()) // call this first, because it may add files
	}
	mark := vw.program.nav.Mark(vw.position.pos)
	vw.visits.describe()
	v = &View{
		Origin: mark.Origin, Move: mark.Move, Confidence: mark.Confidence, Sureness: mark.Sureness, Checks: mark.Checks, MadeUp: mark.MadeUp, PostMortem: vw.position.pos.PostMortem,
		Selected: -1, Here: -1, Place: vw.visits.whereabouts(), Files: slices.Clone(t.Files()),
		History: slices.Clone(vw.visits.tree.List()), Shown: vw.visits.tree.Index(vw.visits.tree.Shown()),
	}
	v.Difference = vw.visits.difference()
	v.Candidates, v.Candidate = vw.program.candidates(vw.position.pos)
	v.Mode, v.Unrecorded = vw.program.Mode(), vw.program.unrecorded
	if b := vw.program.beside(); b != nil {
		v.Beside, v.Against = b.Beside(), vw.bills.againstName()
	}
	if v.Mode != Real {
		m := vw.cfg.Neural.Model()
		account := vw.bills.account()
		v.Model, v.Account, v.Bill = &m, &account, vw.bills.Bill()
	}
	for _, b := range vw.breakpoints.table.List {
		shown := *b
		shown.Pending = b.OnLine() && vw.program.pending(context.Background(), b.File)
		v.Breakpoints = append(v.Breakpoints, shown)
	}
	if vw.position.pos.End || vw.position.pos.Event < 0 || vw.position.pos.Event >= t.Len() {
		v.Exit = mark.Exit
		v.Watches = vw.watching.viewWatches(nil)
		return v
	}
	v.State = t.State(vw.position.pos.Event)
	if v.State.Event == dsl.Exception && v.State.Value != nil {
		v.Raised = vw.position.raisedText(vw.position.pos.Event, *v.State.Value)
	}
	v.Here = len(vw.position.frames()) - 1
	for _, f := range stack {
		frame := ViewFrame{Frame: f.Frame, File: vw.position.fileOf(f), Activation: f.Activation}
		if frame.File >= 0 {
			frame.Path = v.Files[frame.File].Path
			frame.Class = vw.values.scopeOf(f, v.Files[frame.File]).Class
		}
		v.Frames = append(v.Frames, frame)
	}
	// Frames below the stack have no recorded values any more.
	tellApart(v.Frames[:v.Here+1], func(i int) []dsl.Local {
		if stack[i].Event < 0 {
			return nil
		}
		return t.LocalsOf(stack[i].Activation, vw.position.pos.Event)
	})
	v.Selected = v.Here - vw.position.selected
	v.Locals, v.Entered = vw.viewLocals(stack[v.Selected])
	if f := stack[v.Selected]; f.Event >= 0 && !vw.position.selectedAlien() {
		v.Ran = t.LinesOf(f.Activation, vw.position.pos.Event, mostRan)
	}
	if file := v.Frames[v.Selected].File; file >= 0 {
		v.Globals, v.GlobalsAt = vw.viewGlobals(stack[v.Selected], vw.values.scopeOf(stack[v.Selected], v.Files[file]).Globals)
	}
	v.Watches = vw.watching.viewWatches(&stack[v.Selected])
	return v
}

// viewLocals returns the locals of a frame. entered reports that the frame did not exist at the
// stop shown before.
func (vw *viewer) viewLocals(f statetree.StackFrame) (locals []ViewLocal, entered bool) {
	if vw.position.selectedAlien() {
		return vw.position.viewBelow(), false
	}
	return vw.viewNames(f.Activation)
}

// viewNames returns the names of an activation, with their values here and at the stop shown
// before. entered reports that the activation did not exist there.
func (vw *viewer) viewNames(act uint32) (names []ViewLocal, entered bool) {
	now := vw.program.states().LocalsOf(act, vw.position.pos.Event)
	at, before, known := vw.visits.shownBefore(act)
	out := make([]ViewLocal, len(now))
	for i, l := range now {
		out[i].Local = l
		if !known || l.Unknown {
			continue
		}
		switch was, ok := before[l.Name]; {
		case !ok:
			out[i].New = true
		case was != l.Value:
			out[i].Was = &was
		}
	}
	if p := vw.program.past(); p != nil && p.Tree().TellsUnasked() {
		for i := range out {
			vw.viewAttributes(p.Tree(), act, at, &out[i])
		}
	}
	return out, !known
}

// viewAttributes sets ByAttributes, Attributes and Was of a local, from its values at the position
// and at event before.
func (vw *viewer) viewAttributes(t *statetree.Tree, act uint32, before int, l *ViewLocal) {
	v, ok := t.Held(act, vw.position.pos.Event, l.Name)
	if !ok {
		return
	}
	l.ByAttributes = t.ByAttributes(v, vw.position.pos.Event)
	text, own := t.Attributes(v, vw.position.pos.Event)
	if !own || text == l.Value {
		return
	}
	l.Attributes, l.Was = text, nil
	if was, ok := t.Held(act, before, l.Name); ok && !l.New {
		if text, _ := t.Attributes(was, before); text != l.Attributes {
			l.Was = &text
		}
	}
}

// viewGlobals returns those of the names that are globals of a frame's module. Their values are
// those at a line of the module; line is 0 if they are current.
func (vw *viewer) viewGlobals(f statetree.StackFrame, names []string) (globals []ViewLocal, line int) {
	if len(names) == 0 || vw.position.selectedAlien() {
		return nil, 0
	}
	var module uint32
	var ok bool
	if p := vw.program.past(); p != nil {
		at := nav.Scope(p, f)
		module, ok = at.Module, at.HasModule
	} else {
		var frame statetree.StackFrame
		frame, ok = vw.position.moduleOf(f)
		module, line = frame.Activation, frame.Line
	}
	if !ok {
		return nil, 0
	}
	all, _ := vw.viewNames(module)
	for _, name := range names {
		if i := slices.IndexFunc(all, func(l ViewLocal) bool { return l.Name == name }); i >= 0 {
			globals = append(globals, all[i])
		}
	}
	return globals, line
}

// scopeOf analyses which names a frame's function uses. Each file is analysed once.
func (vs *values) scopeOf(f statetree.StackFrame, file statetree.File) python.Scope {
	if f.Function == "<module>" {
		return python.Scope{}
	}
	scopes := vs.scopes[file.Path]
	if scopes == nil {
		scopes = python.ReadScopes(file.Source)
		vs.scopes[file.Path] = scopes
	}
	scope, _ := scopes.At(f.Function, f.Line)
	return scope
}

// viewBelow returns the locals of a selected frame that an exception has left. They are not
// recorded; the program is asked for them.
func (ps *position) viewBelow() []ViewLocal {
	locals, err := ps.program.rec.LocalsBelow(context.Background(), -ps.selected)
	if err != nil {
		return nil
	}
	out := make([]ViewLocal, len(locals))
	for i, l := range locals {
		out[i].Local = l
	}
	return out
}
