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

// View is what a screen shows of a session between two commands. It is a
// snapshot: what it holds does not change any more, and any goroutine may read
// it while the next command runs.
type View struct {
	Model      *backend.Model // what predicts; nil in real mode
	Account    *nav.Account   // what its answers took so far; nil in real mode
	Bill       []string       // the same in words, with that of another model beside it
	State      *dsl.State     // nil at the end
	Origin     dsl.Origin
	Move       dsl.Move          // that a model predicted it by; 0 where none did
	Confidence *float64          // of a prediction, 0 to 1; nil where it is not known
	Sureness   *backend.Sureness // of its parts
	MadeUp     []string          // the arguments that a model made up for the first state
	PostMortem bool
	Raised     string    // at an exception, how a traceback ends with it
	Exit       *dsl.Exit // of the end, and of a program that is over
	Mode       Mode
	Beside     *nav.Beside // the prediction, of both modes
	Against    string      // the model that stands in CPython's place there; "" where CPython does
	Unrecorded bool        // what runs is not recorded: record off

	Frames   []ViewFrame // outermost first; none at the end
	Here     int         // index into Frames of the position's own; those behind it were left by an exception
	Selected int         // index into Frames, -1 at the end
	Locals   []ViewLocal // of the selected frame
	// Ran are the lines that the selected frame has run, the latest first; of a frame
	// that has run for long those of its last events.
	Ran []int
	// Entered tells that the selected frame was not there at the stop shown before:
	// all of its names are new.
	Entered bool
	// Globals are those that the selected frame's function reads or sets by name. Of
	// predicted ones GlobalsAt is the line the module was at when it had them; 0 is
	// here.
	Globals   []ViewLocal
	GlobalsAt int
	Watches   []ViewWatch // what is displayed, on a front end that shows views

	Place       Place
	Files       []statetree.File
	Breakpoints []breakpoint.Breakpoint
	History     []Visit
	Shown       int // index into History
	Waiting     Waiting
	Prompt      string
}

// ViewFrame is an activation on the stack. Tells is a name of it that tells it from
// others of the same function; nil where there are none, and where nothing differs. Up
// to TellsFrom, a place in its value, these values are all the same.
type ViewFrame struct {
	dsl.Frame
	Class      string // the function is a method of, as its text has it
	Path       string // of the file; Frame.File is how it is shown
	File       int    // index into View.Files, -1 if unknown
	Activation uint32
	Tells      *dsl.Local
	TellsFrom  int
}

// ViewLocal is a name of the selected frame. Was is its value at the stop shown
// before, where that was another one; nil where it is the same. New tells that
// it had none there.
type ViewLocal struct {
	dsl.Local
	Was *string
	New bool
	// ByAttributes reports whether the text shows an object by its attributes although its class
	// defines a __repr__, because the result of that is unknown.
	ByAttributes bool
	// Attributes is the text of the value with objects shown by their attributes even if their
	// class defines a __repr__. It is "" if Value is that text; otherwise Was is such a text too.
	Attributes string
}

// Place is where in the recording a session stands. In neural mode, where there
// is none, Event counts what was shown, and Live is -1.
type Place struct {
	Event, Events int
	Live          int // the live edge, -1 when the program is over
	End           bool
}

// mostRan is how many events of a frame a view looks at for the lines that ran.
const mostRan = 2000

// View takes a snapshot. It is called by the goroutine that calls Do, between two
// commands.
func (s *Session) View() *View {
	t := s.states()
	var stack []statetree.StackFrame
	if !s.pos.End && s.pos.Event >= 0 && s.pos.Event < t.Len() {
		stack = s.allFrames(context.Background()) // first: it may add files
	}
	mark := s.nav.Mark(s.pos)
	v := &View{
		Origin: mark.Origin, Move: mark.Move, Confidence: mark.Confidence, Sureness: mark.Sureness, MadeUp: mark.MadeUp, PostMortem: s.pos.PostMortem,
		Selected: -1, Here: -1, Place: s.whereabouts(), Files: slices.Clone(t.Files()),
		History: slices.Clone(s.history), Shown: s.shown,
	}
	v.Mode, v.Unrecorded = s.Mode(), s.unrecorded
	if b := s.beside(); b != nil {
		v.Beside, v.Against = b.Beside(), s.againstName()
	}
	if v.Mode != Real {
		m := s.cfg.Neural.Model()
		account := s.account()
		v.Model, v.Account, v.Bill = &m, &account, s.Bill()
	}
	for _, b := range s.bps.List {
		shown := *b
		shown.Pending = b.OnLine() && s.pending(context.Background(), b.File)
		v.Breakpoints = append(v.Breakpoints, shown)
	}
	if s.pos.End || s.pos.Event < 0 || s.pos.Event >= t.Len() {
		v.Exit = mark.Exit
		v.Watches = s.viewWatches(nil)
		return v
	}
	v.State = t.State(s.pos.Event)
	if v.State.Event == dsl.Exception && v.State.Value != nil {
		v.Raised = s.raisedText(s.pos.Event, *v.State.Value)
	}
	v.Here = len(s.frames()) - 1
	for _, f := range stack {
		frame := ViewFrame{Frame: f.Frame, File: s.fileOf(f), Activation: f.Activation}
		if frame.File >= 0 {
			frame.Path = v.Files[frame.File].Path
			frame.Class = s.scopeOf(f, v.Files[frame.File]).Class
		}
		v.Frames = append(v.Frames, frame)
	}
	tellApart(v.Frames[:v.Here+1], func(i int) []dsl.Local { // those below have no values any more
		if stack[i].Event < 0 {
			return nil
		}
		return t.LocalsOf(stack[i].Activation, s.pos.Event)
	})
	v.Selected = v.Here - s.selected
	v.Locals, v.Entered = s.viewLocals(stack[v.Selected])
	if f := stack[v.Selected]; f.Event >= 0 && !s.selectedAlien() {
		v.Ran = t.LinesOf(f.Activation, s.pos.Event, mostRan)
	}
	if file := v.Frames[v.Selected].File; file >= 0 {
		v.Globals, v.GlobalsAt = s.viewGlobals(stack[v.Selected], s.scopeOf(stack[v.Selected], v.Files[file]).Globals)
	}
	v.Watches = s.viewWatches(&stack[v.Selected])
	return v
}

// whereabouts returns the position in the recording, or in what was shown.
func (s *Session) whereabouts() Place {
	if s.rec == nil {
		return Place{Event: s.shown, Events: len(s.history), Live: -1, End: s.pos.End}
	}
	p := Place{Event: s.pos.Event, Events: s.rec.Tree().Len(), Live: -1, End: s.pos.End}
	if edge := s.rec.LiveEdge(); !edge.End && s.rec.Exit() == nil {
		p.Live = edge.Event
	}
	return p
}

// viewLocals returns the locals of a frame; entered tells that the frame was not there at the
// stop shown before.
func (s *Session) viewLocals(f statetree.StackFrame) (locals []ViewLocal, entered bool) {
	if s.selectedAlien() {
		return s.viewBelow(), false
	}
	return s.viewNames(f.Activation)
}

// viewNames returns the names of an activation, beside what they were at the stop that was
// shown before; entered tells that the activation was not there.
func (s *Session) viewNames(act uint32) (names []ViewLocal, entered bool) {
	now := s.states().LocalsOf(act, s.pos.Event)
	at, before, known := s.shownBefore(act)
	out := make([]ViewLocal, len(now))
	for i, l := range now {
		out[i].Local = l
		if !known {
			continue
		}
		switch was, ok := before[l.Name]; {
		case !ok:
			out[i].New = true
		case was != l.Value:
			out[i].Was = &was
		}
	}
	if p := s.pastOf(); p != nil && p.Tree().TellsUnasked() {
		for i := range out {
			s.viewAttributes(p.Tree(), act, at, &out[i])
		}
	}
	return out, !known
}

// viewAttributes sets ByAttributes, Attributes and Was of a local, now and as of the event
// before.
func (s *Session) viewAttributes(t *statetree.Tree, act uint32, before int, l *ViewLocal) {
	v, ok := t.Held(act, s.pos.Event, l.Name)
	if !ok {
		return
	}
	l.ByAttributes = t.ByAttributes(v, s.pos.Event)
	text, own := t.Attributes(v, s.pos.Event)
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

// byAttributes reports whether the value of a name is shown by its attributes although its
// class defines a __repr__.
func (s *Session) byAttributes(act uint32, name string) bool {
	p := s.pastOf()
	if p == nil || !p.Tree().TellsUnasked() {
		return false
	}
	v, ok := p.Tree().Held(act, s.pos.Event, name)
	return ok && p.Tree().ByAttributes(v, s.pos.Event)
}

// viewGlobals returns those of some names that are globals of a frame's module, and the line
// that it was at when it had them: 0 where that is the position itself.
func (s *Session) viewGlobals(f statetree.StackFrame, names []string) (globals []ViewLocal, line int) {
	if len(names) == 0 || s.selectedAlien() {
		return nil, 0
	}
	var module uint32
	var ok bool
	if p := s.pastOf(); p != nil {
		at := nav.Scope(p, f, s.pos.Event)
		module, ok = at.Module, at.HasModule
	} else {
		var frame statetree.StackFrame
		frame, ok = s.moduleOf(f)
		module, line = frame.Activation, frame.Line
	}
	if !ok {
		return nil, 0
	}
	all, _ := s.viewNames(module)
	for _, name := range names {
		if i := slices.IndexFunc(all, func(l ViewLocal) bool { return l.Name == name }); i >= 0 {
			globals = append(globals, all[i])
		}
	}
	return globals, line
}

// scopeOf returns what a file's text tells of a frame's function; each file is read once.
func (s *Session) scopeOf(f statetree.StackFrame, file statetree.File) python.Scope {
	if f.Function == "<module>" {
		return python.Scope{}
	}
	scopes := s.scopes[file.Path]
	if scopes == nil {
		scopes = python.ReadScopes(file.Source)
		s.scopes[file.Path] = scopes
	}
	scope, _ := scopes.At(f.Function, f.Line)
	return scope
}

// viewBelow returns the locals of the frame below the position that is selected, which
// only the program knows.
func (s *Session) viewBelow() []ViewLocal {
	locals, err := s.rec.LocalsBelow(context.Background(), -s.selected)
	if err != nil {
		return nil
	}
	out := make([]ViewLocal, len(locals))
	for i, l := range locals {
		out[i].Local = l
	}
	return out
}

// shownBefore returns the event and the locals of an activation at the stop shown before this
// one; known is false if the activation did not exist there.
func (s *Session) shownBefore(act uint32) (event int, locals map[string]string, known bool) {
	if s.shown < 1 {
		return -1, nil, false
	}
	before := s.history[s.shown-1].Position
	t := s.states()
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
