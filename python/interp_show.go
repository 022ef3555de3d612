package python

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Show tells the state that came next, in place of the one that Next returned or could not
// compute. The interpreter goes on from there with the names and texts of that state. What it
// cannot know then, such as how far a loop has come, it refuses later.
func (in *Interpreter) Show(stop *dsl.Stop) { in.shown = stop }

// adopted is the panic that takes the frames back to a state that Show told.
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
	if a.in.silent > 0 {
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
	depth := slices.Index(in.stack, a)
	at := len(stop.Stack) - 1
	if depth > at {
		return false
	}
	for i, f := range in.stack[:depth+1] {
		if f.code.name != stop.Stack[i].Function {
			return false
		}
	}
	a.inlined = nil
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
	switch {
	case stop.Event == dsl.Line:
		a.target = a.line
	case stop.Event == dsl.Exception && stop.Value != nil:
		a.target, a.thrown = a.line, in.readException(*stop.Value)
	case stop.Kind == dsl.Returned && stop.Value != nil:
		a.gone = &completion{kind: returned, value: in.read(*stop.Value)}
	default:
		return false
	}
	return true
}

// follow runs the frame above an activation that Show told, whose call the activation's statement
// made; then what the statement goes on to is unknown.
func (a *activation) follow(stop *dsl.Stop) {
	in := a.in
	depth := slices.Index(in.stack, a) + 1
	f := stop.Stack[depth]
	top := depth == len(stop.Stack)-1
	line := f.Line
	if top {
		line = stop.Line
	}
	c := in.codeAt(f.Function, int32(line))
	if c == nil || c.generator {
		panic(refused("", "a frame of unknown code"))
	}
	inner := &activation{in: in, code: c, line: int32(line), begun: true}
	inner.names = &scope{vars: map[string]pyValue{}, outer: in.module, frame: inner, partial: !top}
	switch {
	case !top:
		inner.pending = stop
	case stop.Event == dsl.Call && stop.Line == int(c.first):
		in.rebind(inner, stop.Locals)
	case stop.Event == dsl.Line:
		in.rebind(inner, stop.Locals)
		inner.target, inner.lined = inner.line, true
	default:
		panic(refused("", "a frame that is under way"))
	}
	defer func() {
		e := recover()
		if _, ok := e.(*thrown); ok {
			e = refused("", "who catches the exception of a call")
		}
		panic(e)
	}()
	in.runFrame(inner)
	panic(refused("", "what a statement makes of a call"))
}

// codeAt returns the code of a function by its name and a line of it: one that needs no names of
// functions around it.
func (in *Interpreter) codeAt(name string, line int32) *code {
	var found *stmt
	var find func(body []*stmt)
	find = func(body []*stmt) {
		for _, s := range body {
			if s.covers(line) && s.kind == stmtDef && s.def.name == name {
				found = s
			}
			if s.kind == stmtDef && s.def.name != name || s.kind == stmtClass && in.needsClass(s) {
				continue // what is inside a function may need its names
			}
			for _, block := range s.blocks() {
				find(block)
			}
		}
	}
	find(in.stack[0].code.body)
	if found == nil {
		return nil
	}
	return in.definitionCode(found, in.stack[0])
}

// needsClass reports whether a method of a class uses super or __class__, which need the class.
func (in *Interpreter) needsClass(s *stmt) bool {
	return slices.ContainsFunc(in.lines[s.line-1:s.last], func(line string) bool {
		return strings.Contains(line, "super") || strings.Contains(line, "__class__")
	})
}

// rebind gives an activation the names of a shown state. A value whose text is the same stays.
func (in *Interpreter) rebind(a *activation, locals []dsl.Local) {
	if a.code.kind == plainCode {
		panic(refused("", "the names of an expression's frame"))
	}
	shown := map[string]bool{}
	fresh := map[pyValue]pyValue{} // by the value before
	var read []pyValue
	in.shows++
	in.changes++
	in.escaped = in.changes // what was not computed may have changed any object of unknown content
	for _, l := range locals {
		shown[l.Name] = true
		if !a.code.bound[l.Name] && a.code.kind == functionCode {
			continue // of a function around it
		}
		old, had := a.names.vars[l.Name]
		if had {
			if text, known := in.tryText(old); known && text == l.Value {
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
		if had && isMutable(old) {
			in.lost[old] = true // others may hold it, and it may have changed
		}
		read = append(read, v)
		a.names.set(l.Name, v)
	}
	for _, name := range slices.Clone(a.names.order) {
		v := a.names.vars[name]
		if x, ok := v.(*imported); ok && !shown[name] && x.text == "" {
			x.hidden = true
			continue
		}
		if !shown[name] && (a.code.kind == functionCode || !hiddenValue(name, v)) && (a.code.bound[name] || a.code.kind != functionCode) {
			delete(a.names.vars, name)
			a.names.order = slices.DeleteFunc(a.names.order, func(n string) bool { return n == name })
		}
	}
	for _, f := range in.stack {
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
	}
	in.doubt(a, read)
	in.loseOthers(a)
}

// loseOthers marks the containers of other frames as unknown, if the activation holds an object of
// unknown content: what was not computed may have changed them through it.
func (in *Interpreter) loseOthers(a *activation) {
	seen := map[pyValue]bool{}
	unknown := false
	own := func(v pyValue) bool {
		o, ok := v.(opaque)
		unknown = unknown || ok && !strings.HasPrefix(o.text, "<")
		if isMutable(v) && seen[v] {
			return false
		}
		if isMutable(v) {
			seen[v] = true
		}
		return true
	}
	for _, v := range a.names.vars {
		eachWithin(v, own)
	}
	for _, v := range in.module.vars {
		if o, ok := v.(opaque); ok {
			unknown = unknown || !strings.HasPrefix(o.text, "<")
		}
	}
	if !unknown {
		return
	}
	for _, f := range in.stack {
		for _, v := range f.names.vars {
			eachWithin(v, func(v pyValue) bool {
				if !isMutable(v) {
					return true
				}
				if seen[v] {
					return false
				}
				seen[v], in.lost[v] = true, true
				return true
			})
		}
	}
}

// eachWithin visits a value and those within it, as far as visit says.
func eachWithin(v pyValue, visit func(pyValue) bool) {
	if !visit(v) {
		return
	}
	var items []pyValue
	switch v := v.(type) {
	case *pyList:
		items = v.items
	case *pyTuple:
		items = v.items
	case *pyDict:
		items = v.values
	case *instance:
		for _, item := range v.attrs.vars {
			items = append(items, item)
		}
	}
	for _, item := range items {
		eachWithin(item, visit)
	}
}

// unknownNext refuses the next item of an iterator that what was not computed may have advanced.
func unknownNext() (pyValue, bool) { panic(refused("", "how far an iterator has come")) }

// sort brings the names of a module or class into the order of a shown state.
func (s *scope) sort(locals []dsl.Local) {
	at := map[string]int{}
	for i, l := range locals {
		at[l.Name] = i + 1
	}
	slices.SortStableFunc(s.order, func(a, b string) int {
		if at[a] == 0 || at[b] == 0 {
			return 0
		}
		return at[a] - at[b]
	})
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

// read returns the value of a shown text, opaque if it is no literal.
func (in *Interpreter) read(text string) pyValue {
	if v, reason := in.ev.read(text); reason == "" {
		return v
	}
	return opaque{text: text, epoch: in.changes}
}

// readException returns the exception of a shown repr.
func (in *Interpreter) readException(text string) *instance {
	name, rest := text, ""
	for i := range text {
		if text[i] == '(' {
			name, rest = text[:i], text[i:]
			break
		}
	}
	c := exceptionClasses()[name]
	if found, ok := in.module.vars[name].(*class); ok {
		c = found
	}
	if c == nil || !c.isException() {
		panic(refused(name, "is an unknown exception"))
	}
	x := &instance{class: c, attrs: &scope{vars: map[string]pyValue{}, partial: !c.builtin}}
	if len(rest) > 2 && rest[len(rest)-2] != ',' {
		rest = rest[:len(rest)-1] + ",)"
	}
	args, ok := in.read(rest).(*pyTuple)
	if !ok {
		panic(refused(name, "has unknown arguments"))
	}
	x.args = args.items
	return x
}

// knows refuses a container whose content is not known any more, and the text of an object that may
// hold something that has changed since it was read.
func (in *Interpreter) knows(v pyValue) {
	if o, ok := v.(opaque); ok && in.escaped > o.epoch && !strings.HasPrefix(o.text, "<function") && !strings.HasPrefix(o.text, "<class") && !strings.HasPrefix(o.text, "<built-in") {
		panic(refused("", "what an object has become"))
	}
	if len(in.lost) > 0 && isMutable(v) && in.lost[v] {
		panic(refused("", "what an object has become"))
	}
}

func isMutable(v pyValue) bool {
	switch v := v.(type) {
	case *pyList, *pyDict, *instance:
		return true
	case *pySet:
		return !v.frozen
	}
	return false
}

// doubt marks containers that were read from texts and may be one object with another that has the
// same text: texts do not show it.
func (in *Interpreter) doubt(a *activation, read []pyValue) {
	if len(read) == 0 {
		return
	}
	byText := map[string]map[pyValue]bool{}
	visit := func(v pyValue) bool {
		if !isMutable(v) {
			return true
		}
		text, ok := in.tryText(v)
		if !ok || byText[text][v] {
			return false
		}
		if byText[text] == nil {
			byText[text] = map[pyValue]bool{}
		}
		byText[text][v] = true
		return true
	}
	for _, f := range append([]*activation{a}, in.stack...) {
		for _, v := range f.names.vars {
			eachWithin(v, visit)
		}
	}
	for _, group := range byText {
		if len(group) < 2 {
			continue
		}
		for v := range group {
			in.unsure[v] = true
		}
	}
}
