package python

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Show sets the state that came next, instead of the one that Next returned or could not compute.
// The interpreter continues with the names and reprs of that state. A state does not contain
// everything, for example how far a loop has advanced; if the interpreter needs such a fact later,
// it refuses. way describes which code may have run before the state.
func (in *Interpreter) Show(stop *dsl.Stop, way Way) {
	switch {
	case way == Edited:
	case !in.settled || in.last.stop != nil: // the last state was not computed, or Show replaces a computed one
		way = Anywhere
	case in.below.a != nil && in.below.a.code.untraced: // code without events ran in between
		way = Anywhere
	}
	in.straying = in.straying || way == Anywhere || way == SameFrames && (in.program.importing || in.passesImport())
	in.shown, in.way, in.settled = stop, way, false
	in.now = in.momentOf(stop)
}

// passesImport reports whether the statement at the last state contains an import.
func (in *Interpreter) passesImport() bool {
	if in.here.a == nil {
		return true
	}
	body := in.here.a.code.body
	i := slices.IndexFunc(body, func(s *stmt) bool { return s.covers(in.here.line) })
	return i < 0 || importsWithin(body[i:i+1])
}

// momentOf returns the position of a state passed to Show, for dsl.Goal. The state is in an
// activation on the stack, or in one that is not entered yet.
func (in *Interpreter) momentOf(stop *dsl.Stop) dsl.Moment {
	depth, known := len(stop.Stack)-1, 0
	stack := in.traced()
	for known <= depth && known < len(stack) && stack[known].is(stop.Stack[known]) {
		known++
	}
	m := dsl.Moment{Event: stop.Event, Kind: stop.Kind, Depth: depth, Outermost: in.now.Outermost, At: in.program.location(stop)}
	if known > depth {
		a := stack[depth]
		m.Activation, m.Suspends = int(a.number), a.gen != nil
		m.Straight = stop.Event == dsl.Line && a.straight(stop.Line)
		return m
	}
	m.Activation = int(in.entered) + depth - known + 1
	return m
}

// is reports whether a frame of a given state may be the frame of an activation.
func (a *activation) is(f dsl.Frame) bool {
	return a.code.name == f.Function && (f.File == "" || a.code.file.name == f.File || len(a.in.program.files) == 1)
}

// adopted is the value of the panic that returns to the frame of a state passed to Show.
type adopted struct{ stop *dsl.Stop }

// hesitate handles a panic during a computation. If the next state cannot be computed, it reports
// that, waits for Show, and returns the panic that follows. It returns any other panic unchanged.
func (a *activation) hesitate(e any) (out any) {
	var err error
	switch e := e.(type) {
	case *RefusedError:
		err = e
	case *LimitError:
		err = e
	case endedError:
		err = e.error
	default:
		return e
	}
	if a.in.silent > 0 || a.in.watch != nil {
		return e
	}
	defer func() { out = recover() }()
	a.in.tell(moment{err: err})
	return closed{}
}

// resync handles the panic with which an activation's body ended. again reports that the body must
// run again, from the state passed to Show.
func (a *activation) resync(e any) (again bool) {
	for {
		switch x := e.(type) {
		case *adopted:
			if a.adopt(x.stop) {
				return true
			}
			panic(e)
		case *thrown:
			next := a.unwound()
			if next == nil {
				panic(e)
			}
			e = a.hesitate(next)
		default:
			panic(e)
		}
	}
}

// unwound reports the event of an exception that leaves the activation. It returns the panic that
// this caused, or nil.
func (a *activation) unwound() (e any) {
	defer func() {
		if e = recover(); e != nil {
			a.in.unwind(a)
		}
	}()
	a.in.event(dsl.Return, dsl.Unwound, nil)
	return nil
}

// adopt applies a state passed to Show, if it belongs to the activation or to a frame above it. It
// reports whether it did.
func (a *activation) adopt(stop *dsl.Stop) bool {
	in := a.in
	stack := in.traced()
	depth := slices.Index(stack, a)
	at := len(stop.Stack) - 1
	if depth < 0 || depth > at {
		return false
	}
	for i, f := range stack[:depth+1] {
		if !f.is(stop.Stack[i]) {
			return false
		}
	}
	if a.returning && depth == at && stop.Event == dsl.Return && stop.Kind == dsl.Returned && int32(stop.Line) == a.line && a.shows(stop.Locals) {
		a.gone = &completion{kind: returned, value: forgotten}
		in.arrive(a, true)
		in.settled = true
		return true
	}
	a.returning, a.adrift = false, false
	a.leaveInlined()
	if depth < at {
		a.pending = stop
		return true
	}
	if stop.Event == dsl.Call || stop.Event == dsl.Return && stop.Kind == dsl.Yielded {
		return false
	}
	in.rebind(a, stop.Locals)
	a.thrown = nil
	a.from, a.told, a.line, a.lined, a.begun = a.told, int32(stop.Line), int32(stop.Line), true, true
	a.placed(stop.Event)
	in.arrive(a, stop.Event == dsl.Return)
	switch {
	case stop.Event == dsl.Line:
		a.target = a.line
		a.leaving = in.version.Minor < 10 && leavesTwice(a.code.body, a.line)
	case stop.Event == dsl.Exception && stop.Value != nil:
		a.target, a.thrown = a.line, in.readException(*stop.Value)
	case stop.Kind == dsl.Returned && stop.Value != nil:
		a.gone = &completion{kind: returned, value: in.read(*stop.Value)}
	default:
		return false
	}
	return true
}

// shows reports whether the locals of a given state equal those of the activation.
func (a *activation) shows(locals []dsl.Local) bool {
	hidden := func(l dsl.Local) bool { return l.Hidden }
	own := slices.DeleteFunc(a.in.locals(a), hidden)
	return slices.EqualFunc(own, slices.DeleteFunc(slices.Clone(locals), hidden), func(x, y dsl.Local) bool {
		return x.Name == y.Name && x.Value == y.Value
	})
}

// follow runs the frame above the activation, as the state passed to Show has it. Afterwards it
// refuses: it is not known how the activation's statement continues after that call.
func (a *activation) follow(stop *dsl.Stop) {
	in := a.in
	depth := slices.Index(in.traced(), a) + 1
	if stop == in.entry {
		a.overrun(in.frameOf(stop, depth))
		return
	}
	f := stop.Stack[depth]
	top := depth == len(stop.Stack)-1
	line := f.Line
	if top {
		line = stop.Line
	}
	if f.Function == "<module>" && top {
		a.overrun(in.shownImport(stop, f))
		return
	}
	module := in.shownModule(f)
	c := in.codeAt(module, f.Function, int32(line))
	if c == nil || c.generator {
		panic(refused("", "a frame of unknown code"))
	}
	inner := &activation{in: in, code: c, line: int32(line), begun: true}
	inner.names = &scope{vars: map[string]pyValue{}, outer: module.names, frame: inner, partial: !top}
	switch {
	case !top:
		inner.pending = stop
	case stop.Event == dsl.Call && stop.Line == int(c.first):
		in.rebind(inner, stop.Locals)
		in.arrive(inner, false)
	case stop.Event == dsl.Line:
		in.rebind(inner, stop.Locals)
		in.arrive(inner, false)
		inner.target, inner.lined, inner.place = inner.line, true, inner.line
	default:
		panic(refused("", "a frame that is under way"))
	}
	a.overrun(inner)
}

// overrun runs the frame of a call made by the activation, if Show or Begin put the program inside
// that call. It returns only if the activation can continue afterwards.
func (a *activation) overrun(inner *activation) {
	defer func() {
		e := recover()
		if _, ok := e.(*thrown); ok {
			e = refused("", "who catches the exception of a call")
		}
		if e != nil {
			panic(e)
		}
	}()
	if m := a.in.moduleIn(inner); m != nil && a.imports() {
		a.in.complete(m)
		a.in.joinPackage(m)
		a.target, a.lined, a.told = a.line, true, a.line // the import statement runs again, and finds the module
		return
	}
	a.in.runFrame(inner)
	panic(refused("", "what a statement makes of a call"))
}

// imports reports whether an activation is at a line with only an import statement.
func (a *activation) imports() bool {
	count, imports := 0, false
	var walk func(body []*stmt)
	walk = func(body []*stmt) {
		for _, s := range body {
			switch {
			case !s.covers(a.line):
				continue
			case s.kind == stmtImport:
				count++
				imports = true
			case s.def != nil || s.sharesLine(a.line) || isHeader(s, a.line): // isHeader is true for simple statements
				count++
			}
			for _, block := range s.blocks() {
				walk(block)
			}
		}
	}
	walk(a.code.body)
	return count == 1 && imports
}

// rebind sets an activation's names to those of a given state. A name keeps its object if the repr
// has not changed.
func (in *Interpreter) rebind(a *activation, locals []dsl.Local) {
	if a.code.kind == plainCode {
		panic(refused("", "the names of an expression's frame"))
	}
	shown := map[string]bool{}
	fresh := map[pyValue]pyValue{} // new value, by old value
	var read, replaced []pyValue
	in.shows++
	in.changes++
	in.escaped = in.changes // the code before the given state may have changed any opaque value
	for _, l := range locals {
		shown[l.Name] = true
		if !a.code.bound[l.Name] && a.code.kind == functionCode {
			continue // a name of an enclosing function
		}
		if l.Unknown {
			a.names.set(l.Name, ungiven)
			continue
		}
		old, had := a.names.vars[l.Name]
		if had {
			if text, known := in.tryText(old); known && text == l.Value {
				if isMutable(old) && in.mayBind(a, l.Name) {
					read = append(read, old) // the name may refer to another object with this repr
				}
				continue
			}
		}
		v := in.read(l.Value)
		if again, ok := fresh[old]; ok && had && isMutable(old) {
			if text, _ := in.tryText(again); text == l.Value {
				v = again
			}
		} else if had && isMutable(old) {
			fresh[old] = v
		}
		if had {
			replaced = append(replaced, old)
		}
		read = append(read, v)
		a.names.set(l.Name, v)
	}
	in.loseWithin(replaced, a)
	for _, name := range slices.Clone(a.names.order) {
		v := a.names.vars[name]
		if x, ok := v.(*imported); ok && !shown[name] && x.text == "" {
			x.hidden = true
			continue
		}
		if v == ungiven {
			continue
		}
		if !shown[name] && (a.code.kind == functionCode || !hiddenValue(name, v)) && (a.code.bound[name] || a.code.kind != functionCode) {
			delete(a.names.vars, name)
			a.names.order = slices.DeleteFunc(a.names.order, func(n string) bool { return n == name })
		}
	}
	for _, f := range in.frames() {
		for name, v := range f.names.vars {
			if it, ok := v.(*pyIter); ok && f.code.kind != plainCode {
				f.names.vars[name] = &pyIter{kind: it.kind, of: it.of, gen: it.gen, next: unknownNext}
			}
		}
	}
	if a.code.kind != functionCode {
		a.names.sort(locals)
		a.names.partial = true
		if a.code.kind == moduleCode {
			a.names.hidden = boundIn(a.code.body)
		}
	} else {
		a.names.partial = false
	}
	in.unsettle(a)
	in.doubt(a, read)
	in.loseOthers(a)
}

// sort sorts the names of a module or class like the given locals. Names that are not among them
// keep their places.
func (s *scope) sort(locals []dsl.Local) {
	at := map[string]int{}
	for i, l := range locals {
		at[l.Name] = i + 1
	}
	var shown []string
	for _, name := range s.order {
		if at[name] > 0 {
			shown = append(shown, name)
		}
	}
	slices.SortFunc(shown, func(a, b string) int { return at[a] - at[b] })
	for i, name := range s.order {
		if at[name] > 0 {
			s.order[i], shown = shown[0], shown[1:]
		}
	}
}

// tryText returns the repr of a value. ok is false if the repr is not known.
func (in *Interpreter) tryText(v pyValue) (text string, ok bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *RefusedError, *LimitError, *EvalError:
			text, ok = "", false
		default:
			panic(e)
		}
	}()
	return in.text(v), true
}

// read returns the value with this repr. It is opaque if text is not a literal, or if it may belong
// to an object that looks like one.
func (in *Interpreter) read(text string) pyValue {
	if in.program.ambiguous {
		return opaque{text: text, epoch: in.changes}
	}
	if v, reason := in.ev.read(text); reason == "" {
		return v
	}
	if v, ok := in.readObjects(text); ok {
		return v
	}
	return opaque{text: text, epoch: in.changes}
}
