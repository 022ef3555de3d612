package python

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Show tells the state that came next, in place of the one that Next returned or could not
// compute. The interpreter goes on from there with the names and texts of that state. What it
// cannot know then, such as how far a loop has come, it refuses later. way says how much of the
// program may have run on the way to the state.
func (in *Interpreter) Show(stop *dsl.Stop, way Way) {
	switch {
	case way == Edited:
	case !in.settled || in.last.stop != nil: // the state before was not followed, or left for another one
		way = Anywhere
	case in.below.a != nil && in.below.a.code.untraced: // the code between is not known
		way = Anywhere
	}
	in.straying = in.straying || way == Anywhere || way == SameFrames && (in.program.importing || in.passesImport())
	in.shown, in.way, in.settled = stop, way, false
	in.now = in.momentOf(stop)
}

// passesImport reports whether the statement of the last state is or has an import.
func (in *Interpreter) passesImport() bool {
	if in.here.a == nil {
		return true
	}
	body := in.here.a.code.body
	i := slices.IndexFunc(body, func(s *stmt) bool { return s.covers(in.here.line) })
	return i < 0 || importsWithin(body[i:i+1])
}

// momentOf returns a shown state as the table of moves sees it: in an activation on the stack, or
// in one that is still to be entered.
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
		return m
	}
	m.Activation = int(in.entered) + depth - known + 1
	return m
}

// is reports whether a frame of a shown state may be that of an activation.
func (a *activation) is(f dsl.Frame) bool {
	return a.code.name == f.Function && (f.File == "" || a.code.file.name == f.File || len(a.in.program.files) == 1)
}

// adopted takes the frames back to a state that Show told, as a panic.
type adopted struct{ stop *dsl.Stop }

// hesitate reports that what comes next is not computed, waits for Show, and returns the panic
// that follows from it. Other panics it returns as they are.
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

// resync takes what left the body of an activation. again reports that the body runs again, from
// where Show put it.
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

// unwound tells that an exception leaves the activation. It returns the panic that came of it.
func (a *activation) unwound() (e any) {
	defer func() {
		if e = recover(); e != nil {
			a.in.unwind(a)
		}
	}()
	a.in.event(dsl.Return, dsl.Unwound, nil)
	return nil
}

// adopt takes a state that Show told, if it belongs to the activation or to a frame above it.
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

// shows reports whether the locals of a shown state are those of the activation.
func (a *activation) shows(locals []dsl.Local) bool {
	hidden := func(l dsl.Local) bool { return l.Hidden }
	own := slices.DeleteFunc(a.in.locals(a), hidden)
	return slices.EqualFunc(own, slices.DeleteFunc(slices.Clone(locals), hidden), func(x, y dsl.Local) bool {
		return x.Name == y.Name && x.Value == y.Value
	})
}

// follow runs the frame above an activation that Show told, whose call the activation's statement
// made; then what the statement goes on to is unknown.
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
		inner.target, inner.lined = inner.line, true
	default:
		panic(refused("", "a frame that is under way"))
	}
	a.overrun(inner)
}

// overrun runs the frame above an activation that was not computed up to its call. It returns only where the
// activation can go on.
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
		a.target, a.lined, a.told = a.line, true, a.line // the import goes on, and finds the module
		return
	}
	a.in.runFrame(inner)
	panic(refused("", "what a statement makes of a call"))
}

// imports reports whether an activation is at a line with nothing but an import.
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

// rebind gives an activation the names of a shown state. A value whose text is the same stays.
func (in *Interpreter) rebind(a *activation, locals []dsl.Local) {
	if a.code.kind == plainCode {
		panic(refused("", "the names of an expression's frame"))
	}
	shown := map[string]bool{}
	fresh := map[pyValue]pyValue{} // by the value before
	var read, replaced []pyValue
	in.shows++
	in.changes++
	in.escaped = in.changes // what was not computed may have changed any object of unknown content
	for _, l := range locals {
		shown[l.Name] = true
		if !a.code.bound[l.Name] && a.code.kind == functionCode {
			continue // of a function around it
		}
		if l.Unknown {
			a.names.set(l.Name, ungiven)
			continue
		}
		old, had := a.names.vars[l.Name]
		if had {
			if text, known := in.tryText(old); known && text == l.Value {
				if isMutable(old) && in.mayBind(a, l.Name) {
					read = append(read, old) // the name may hold another object with this text
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

// sort brings the names of a module or class into the order of a shown state. Names that it does not
// show keep their places.
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

// tryText returns a value's text if it is known.
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

// read returns the value of a shown text, opaque if it is no literal or need not be one.
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
