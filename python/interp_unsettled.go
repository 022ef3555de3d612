package python

import (
	"slices"
	"strings"
)

// This file handles code that ran without being computed, between the last state and one passed to
// Show. It marks as unknown what that code may have changed besides the names in the given state:
// names of other frames, and objects.

// Way describes which code may have run before a state that is passed to Show.
type Way uint8

const (
	// OneEvent means that the state is at the event directly after the last one.
	OneEvent Way = iota
	// SameFrames means that the frames below the state's frame did not run.
	SameFrames
	// Anywhere means that any code may have run.
	Anywhere
	// Edited means that no code has run, but the user has changed values.
	Edited
)

// place is the position of an activation.
type place struct {
	a    *activation
	line int32
}

// ran returns the positions at which instructions ran between the last event and the next one: the
// position in the last event's frame and, if that frame returned, in its caller.
func (in *Interpreter) ran() []place {
	var out []place
	if in.here.a != nil {
		out = append(out, in.here)
	}
	if in.below.a != nil {
		out = append(out, in.below)
	}
	return out
}

// arrive stores the position of the last state.
func (in *Interpreter) arrive(a *activation, returned bool) {
	in.here, in.below = place{a, a.line}, place{}
	for i, f := range in.stack {
		if f == a && i > 0 && returned {
			in.below = place{in.stack[i-1], in.stack[i-1].line}
		}
	}
}

// unsettle marks as unknown what may have changed on the way to a state of activation a. Call it
// after the names of that state are bound, because their reprs are known.
func (in *Interpreter) unsettle(a *activation) {
	in.settled = true
	if in.way == Edited {
		return
	}
	changed := &effects{in: in, kept: map[pyValue]bool{}}
	for _, v := range a.names.vars {
		changed.keep(v)
	}
	if in.way == OneEvent {
		for _, p := range in.ran() {
			changed.place, changed.shown = p, p.a == a
			changed.block(p.a.code.body)
			if p.a.code.expr != nil {
				changed.expr(p.a.code.expr)
			}
		}
		return
	}
	for _, f := range in.frames() {
		if f == a {
			continue
		}
		for _, name := range append([]string(nil), f.names.order...) {
			v := f.names.vars[name]
			changed.lose(v)
			if in.way == Anywhere || in.rebinds(f, name) {
				changed.forget(f.names, name)
			}
		}
		if in.way == Anywhere {
			f.loops = nil
		}
	}
}

// frames returns the activations on the stack and those of the modules.
func (in *Interpreter) frames() []*activation {
	out := slices.Clone(in.stack)
	for _, f := range in.moduleFrames() {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// rebinds reports whether code outside a frame may bind a name of that frame.
func (in *Interpreter) rebinds(f *activation, name string) bool {
	if len(in.program.files) > 1 && f.code.kind == moduleCode && in.program.stored[name] {
		return true // by an assignment to module.name
	}
	return in.program.declared[name]
}

// declaredIn collects the names in all global and nonlocal statements, at any depth.
func declaredIn(body []*stmt, names map[string]bool) {
	for _, s := range body {
		if s.kind == stmtGlobal || s.kind == stmtNonlocal {
			for _, name := range s.names {
				names[name] = true
			}
		}
		for _, block := range s.blocks() {
			declaredIn(block, names)
		}
	}
}

// effects visits code that ran without being computed, and marks as unknown what it may have
// changed.
type effects struct {
	in    *Interpreter
	place place
	shown bool             // the place is in the state's frame
	kept  map[pyValue]bool // objects whose reprs the state shows
}

// keep registers the objects that are completely visible in the repr of v.
func (e *effects) keep(v pyValue) {
	if text, ok := e.in.tryText(v); !ok || strings.Contains(text, "...") {
		return
	}
	eachWithin(v, func(v pyValue) bool {
		if x, ok := v.(*instance); ok && x.class.overrides("__repr__") {
			return false
		}
		if !isMutable(v) {
			return true
		}
		first := !e.kept[v]
		e.kept[v] = true
		return first
	})
}

// forget marks the value of a name as unknown. It is called only for names that some code of the
// program binds.
func (e *effects) forget(s *scope, name string) {
	if _, ok := s.vars[name]; ok {
		s.vars[name] = forgotten
	}
}

// forgotten is a value that is no longer known. ungiven is the value of a name that is Unknown in a
// state passed to Begin or Show: the name may also be unbound.
var forgotten, ungiven = opaque{epoch: -1}, opaque{epoch: -2}

// lose marks the objects in a value as unknown.
func (e *effects) lose(v pyValue) {
	eachWithin(v, func(v pyValue) bool {
		switch v := v.(type) {
		case *class:
			if v.names != nil && !e.kept[v] {
				e.kept[v] = true
				e.each(v.names.vars)
			}
		case *instance:
			e.lose(v.class)
		case *function:
			e.each(v.defaults)
		case *bound:
			e.lose(v.self)
		}
		if !isMutable(v) {
			return true
		}
		if e.kept[v] {
			return false
		}
		e.kept[v], e.in.lost[v] = true, true
		return true
	})
}

func (e *effects) each(values map[string]pyValue) {
	for _, v := range values {
		e.lose(v)
	}
}

// block visits the statements at the line of the place.
func (e *effects) block(body []*stmt) {
	line := e.place.line
	for _, s := range body {
		if !s.covers(line) {
			continue
		}
		blocks := s.blocks()
		if len(blocks) == 0 || s.def != nil {
			e.stmt(s)
			continue
		}
		if len(blocks[0]) == 0 || line <= blocks[0][0].line {
			e.header(s)
		}
		for _, b := range s.branches {
			if b.line <= line && (len(b.body) == 0 || line <= b.body[0].line) {
				e.exprs(b.exprs)
				e.binds(b.as)
			}
		}
		for _, block := range blocks {
			e.block(block)
		}
	}
}

// header visits the expressions and targets of a header.
func (e *effects) header(s *stmt) {
	e.exprs(s.exprs)
	for _, x := range s.exprs { // an iterator advances, a context manager is entered
		e.names(x)
	}
	for _, t := range s.targets {
		e.target(t)
	}
}

func (e *effects) stmt(s *stmt) {
	e.exprs(s.exprs)
	for _, t := range s.targets {
		e.target(t)
		if s.kind == stmtAugAssign {
			e.names(t) // += changes a list in place
		}
	}
	for _, name := range s.names {
		e.binds(name)
	}
	if s.def != nil {
		e.binds(s.def.name)
	}
}

// binds handles that the code binds a name: outside the state's frame, the name's value becomes
// unknown.
func (e *effects) binds(name string) {
	if name == "" {
		return
	}
	scope, ok := e.owner(name)
	switch {
	case !ok:
	case !e.shown || scope != e.place.a.names:
		e.forget(scope, name)
	case e.place.a.code.kind != functionCode: // the state does not list functions and classes
		switch scope.vars[name].(type) {
		case *function, *class:
			scope.vars[name] = &imported{hidden: true}
		}
	}
}

// owner returns the scope in which name is stored. ok is false if it is not known.
func (e *effects) owner(name string) (s *scope, ok bool) {
	defer func() {
		if _, refused := recover().(*RefusedError); refused {
			s, ok = nil, false
		}
	}()
	return e.in.owner(name, e.place.a.names), true
}

func (e *effects) target(t *node) {
	if t == nil {
		return
	}
	switch t.kind {
	case nodeName:
		e.binds(t.text)
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range t.kids {
			e.target(k)
		}
	case nodeAttribute:
		for _, m := range e.mayBe(t.kids[0]) {
			e.setsOutside(m.names, t.text)
		}
		e.exprs(t.kids)
		e.names(t)
	default:
		e.exprs(t.kids)
		e.names(t)
	}
}

func (e *effects) exprs(list []*node) {
	for _, x := range list {
		e.expr(x)
	}
}

// expr finds out what an expression may change: objects that it passes to functions outside the
// program. Functions of the program have events, so they are not between two events.
func (e *effects) expr(x *node) {
	if x == nil {
		return
	}
	switch x.kind {
	case nodeNamed:
		e.binds(x.kids[0].text)
	case nodeCall:
		if !e.tame(x.kids[0]) {
			e.names(x)
			e.loseModules(x.kids[1:])
		}
	case nodeYield, nodeAwait:
		e.names(x)
	}
	e.exprs(x.kids)
}

// tame reports whether a call changes nothing before the next event.
func (e *effects) tame(callee *node) bool {
	var f pyValue
	if m := e.moduleOf(callee); m != nil {
		f = m.names.vars[callee.text]
	} else if callee.kind == nodeName {
		f = e.value(callee.text)
	}
	switch f := f.(type) {
	case *function:
		return f.kind == ""
	case *class:
		return !f.builtin
	case *pyBuiltin:
		return callee.text != "next" && callee.text != "setattr"
	case *pyType:
		return true
	}
	return false
}

// value returns the value of a name, or nil if it is not known.
func (e *effects) value(name string) (v pyValue) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *RefusedError, *thrown, *EvalError:
			v = nil
		default:
			panic(x)
		}
	}()
	return e.in.load(name, e.place.a.names)
}

// names marks as unknown the objects that can be reached by the names in an expression.
func (e *effects) names(x *node) {
	if x == nil {
		return
	}
	if m := e.moduleOf(x); m != nil {
		if v, ok := m.names.vars[x.text]; ok {
			e.lose(v)
		}
		return
	}
	if x.kind == nodeName {
		v := e.value(x.text)
		if c, ok := v.(*class); ok && !c.builtin {
			e.in.lost[c] = true
		}
		e.lose(v)
	}
	for _, k := range x.kids {
		e.names(k)
	}
}
