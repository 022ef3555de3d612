package python

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Begin makes the interpreter begin at a given state of the program, instead of the program's
// start. The state must include the whole stack. Call Begin before the first Next; that Next
// returns the state after first.
//
// The interpreter knows the state's locals, and what the module has bound before. It does not know
// the callers' locals, how far loops have advanced, or which names refer to the same object. If the
// outermost frame is not a module, the module has run to its end.
func (in *Interpreter) Begin(first *dsl.Stop) {
	in.entry, in.now = first, in.program.FirstMoment(first)
}

// FirstMoment returns the position of a state at which an interpreter begins, for use with a
// dsl.Goal.
func (p *Program) FirstMoment(first *dsl.Stop) dsl.Moment {
	depth := len(first.Stack) - 1
	return dsl.Moment{
		Event: first.Event, Kind: first.Kind, Depth: depth, Activation: int(entryNumberOf(first, depth)),
		Outermost: int(entryNumberOf(first, 0)), At: p.location(first), Straight: first.Event == dsl.Line && !p.begins(first),
	}
}

// begins reports whether a state without a known event before it may be at the beginning of a block.
func (p *Program) begins(stop *dsl.Stop) bool {
	at := p.location(stop)
	return at.File < 0 || at.File >= len(p.files) || p.files[at.File].blocks().Begins(at.Line)
}

// entryNumber is the number of the outermost activation on the first state's stack, if that is a
// function. The activations above it are numbered upwards from there. Activations that are entered
// later get smaller numbers.
const entryNumber = 1 << 30

func entryNumberOf(first *dsl.Stop, depth int) uint32 {
	if depth == 0 && len(first.Stack) > 0 && first.Stack[0].Function == "<module>" {
		return 0 // like a module that runs from its beginning
	}
	return entryNumber + uint32(depth)
}

// runEntry continues the program from the state set by Begin.
func (in *Interpreter) runEntry(module *activation) moment {
	stop := in.entry
	if len(stop.Stack) == 0 || stop.Stack[len(stop.Stack)-1].Function != stop.Function {
		panic(refused("", "a state without its stack"))
	}
	in.events++
	in.stack = in.stack[:0]
	in.approach(module, stop)
	if stop.Stack[0].Function != "<module>" {
		in.runFrame(in.frameOf(stop, 0))
		panic(refused("", "what the entry calls next"))
	}
	in.enter(module)
	module.line = int32(stop.Stack[0].Line)
	if len(stop.Stack) > 1 {
		module.begun, module.pending, module.place = true, stop, module.line
	} else {
		in.place(module, stop)
	}
	module.run()
	in.leave()
	return moment{exit: &dsl.Exit{}}
}

// frameOf returns an activation for one frame on the stack of a given state.
func (in *Interpreter) frameOf(stop *dsl.Stop, depth int) *activation {
	f := stop.Stack[depth]
	module := in.moduleOf(f)
	a := &activation{in: in, line: int32(f.Line), begun: true, number: entryNumberOf(stop, depth)}
	top := depth == len(stop.Stack)-1
	if top {
		a.line = int32(stop.Line)
	}
	if f.Function == "<module>" {
		number, line := a.number, a.line
		a = module.names.frame
		a.number, a.line, a.begun = number, line, true
	} else {
		a.code = in.codeAt(module, f.Function, a.line)
		switch {
		case a.code == nil && !top: // it is not needed before the frame above it returns
			a.code = &code{file: module.file, kind: functionCode, name: f.Function, qual: f.Function}
		case a.code == nil || a.code.generator:
			panic(refused("", "a frame of unknown code"))
		}
		a.names = &scope{vars: map[string]pyValue{}, outer: module.names, frame: a, partial: !top}
	}
	if top {
		in.place(a, stop)
	} else {
		a.pending, a.place = stop, a.line
	}
	return a
}

// place puts an activation at the state set by Begin.
func (in *Interpreter) place(a *activation, stop *dsl.Stop) {
	locals := slices.DeleteFunc(slices.Clone(stop.Locals), func(l dsl.Local) bool { return l.Hidden && !l.Unknown })
	if stop.Event == dsl.Call && a.code.kind == functionCode {
		locals = a.code.arguments(locals)
	}
	for _, l := range locals {
		switch {
		case a.code.loops[l.Name] && !a.code.bound[l.Name]:
			panic(refused(l.Name, "is a name of a comprehension that is under way"))
		case a.code.kind == functionCode && !slices.Contains(a.code.order, l.Name):
			panic(refused(l.Name, "is no name of "+a.code.name))
		}
	}
	in.ev.given = true
	in.rebind(a, locals)
	in.ev.given = false
	in.arrive(a, stop.Event == dsl.Return)
	a.begun, a.line = true, int32(stop.Line)
	a.placed(stop.Event)
	switch {
	case stop.Event == dsl.Call && (a.code.kind == functionCode && a.line == a.code.first || a.code.kind == moduleCode && a.called()):
	case stop.Event == dsl.Line:
		a.target, a.lined, a.told, a.adrift = a.line, true, a.line, true
		a.leaving = in.version.Minor < 10 && leavesTwice(a.code.body, a.line)
	case stop.Event == dsl.Exception && stop.Value != nil:
		a.target, a.lined, a.told, a.adrift = a.line, true, a.line, true
		a.thrown = in.readException(*stop.Value)
	case stop.Event == dsl.Return && stop.Kind == dsl.Returned && stop.Value != nil:
		a.gone = &completion{kind: returned, value: in.read(*stop.Value)}
	default:
		panic(refused("", "a frame that is under way"))
	}
}

// arguments returns the locals of a call event, without those that are unbound at a call. It
// refuses locals that a call cannot have.
func (c *code) arguments(locals []dsl.Local) []dsl.Local {
	given := map[string]bool{}
	locals = slices.DeleteFunc(locals, func(l dsl.Local) bool {
		given[l.Name] = true
		inner := !slices.ContainsFunc(c.params, func(p Param) bool { return p.Name == l.Name }) && c.bound[l.Name]
		if inner && !l.Unknown {
			panic(refused(l.Name, "has no value when "+c.name+" is called"))
		}
		return inner
	})
	for _, p := range c.params {
		if !given[p.Name] {
			panic(refused(p.Name, "has no value, and is a parameter of "+c.name))
		}
	}
	return locals
}

// goesRound reports whether the for loop s may already have iterated, if an activation begins at
// its header.
func (a *activation) goesRound(s *stmt) bool {
	names := map[string]bool{}
	namesOf(s.targets[0], names)
	for name := range names {
		_, has := a.names.vars[name]
		own := (a.code.bound[name] || a.code.kind == moduleCode) && !a.in.rebinds(a, name)
		if own && !has && !unbinds(s.body, name) {
			return false // the first iteration would have bound the name
		}
	}
	return true
}

// unbinds reports whether a block may delete a name.
func unbinds(body []*stmt, name string) bool {
	for _, s := range body {
		for _, t := range s.targets {
			if s.kind == stmtDelete && t.binds(name) {
				return true
			}
		}
		for _, b := range s.branches {
			if b.as == name {
				return true
			}
		}
		for _, block := range s.blocks() {
			if unbinds(block, name) {
				return true
			}
		}
	}
	return false
}

// comesBack reports whether an activation that begins at a line of a statement may already have
// executed part of the statement. CPython returns to some lines within a statement.
func (a *activation) comesBack(s *stmt, line int32) bool {
	v := a.in.version
	if a.from != line && !a.adrift {
		return false
	}
	if v.Minor == 12 && s.callsInJunction(line) || a.adrift && v.Minor >= 10 && v.Minor != 12 && s.choosesJump(line) {
		return true
	}
	if !v.Inlines() || !s.comprehends(line, v) {
		return false
	}
	return !a.adrift || v.Minor >= 14 || !a.firstRound(s)
}

// firstRound reports whether certainly no comprehension of a statement is running: none of its
// names is bound.
func (a *activation) firstRound(s *stmt) bool {
	names := map[string]bool{}
	var walk func(e *node)
	walk = func(e *node) {
		if e == nil {
			return
		}
		if e.kind == nodeListComp || e.kind == nodeSetComp || e.kind == nodeDictComp {
			clauses, _ := e.clauses()
			for _, c := range clauses {
				namesOf(c.kids[1], names)
			}
		}
		for _, k := range e.kids {
			walk(k)
		}
	}
	for _, e := range s.exprs {
		walk(e)
	}
	for _, t := range s.targets {
		walk(t)
	}
	for _, b := range s.branches {
		for _, e := range b.exprs {
			walk(e)
		}
	}
	for name := range names {
		if _, ok := a.names.vars[name]; ok {
			return false
		}
	}
	return len(names) > 0
}

// choosesJump reports whether a statement has, on a line, a conditional expression "a if c else b"
// whose part a ends with a jump (see node.jumps).
func (s *stmt) choosesJump(line int32) bool {
	var has func(e *node) bool
	has = func(e *node) bool {
		return e != nil && (e.kind == nodeIfExp && e.kids[1].jumps() || slices.ContainsFunc(e.kids, has))
	}
	return s.covers(line) && (slices.ContainsFunc(s.exprs, has) ||
		slices.ContainsFunc(s.branches, func(b branch) bool { return slices.ContainsFunc(b.exprs, has) }))
}
