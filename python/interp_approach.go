package python

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// This file finds out what the modules have bound, for an interpreter that begins at a given state
// instead of the program's start.

// MainFile returns the file of a state's outermost frame. Its module is the outermost one.
func MainFile(first *dsl.Stop) string {
	if len(first.Stack) == 0 {
		return first.File
	}
	return cmp.Or(first.Stack[0].File, first.File)
}

// approach runs the modules, without events, up to the state set by Begin. It runs a whole module
// if no frame of the module is on the stack, else only the statements before the frame's line.
// Names and objects that the statement at that line may already have changed are unknown
// afterwards.
func (in *Interpreter) approach(main *activation, stop *dsl.Stop) {
	in.approaching = true
	defer func() { in.approaching = false }()
	fresh := stop.Event == dsl.Call && len(stop.Stack) == 1 && in.file == in.program.files[0]
	parts := map[*activation][]*stmt{}
	for depth, f := range stop.Stack {
		switch {
		case f.Function == "<module>":
			module := main
			if depth > 0 {
				module = in.underWay(f)
			}
			parts[module] = in.runBefore(module, stop, depth)
		case depth == 0:
			in.nameMain()
			in.runBefore(main, stop, depth)
		default:
			in.moduleOf(f)
		}
	}
	if fresh {
		return
	}
	top := len(stop.Stack) - 1
	in.straying = in.straying || in.program.importing
	for module, part := range parts {
		begins := stop.Event == dsl.Line && len(part) == 1 && part[0].kind == stmtImport && stop.Stack[top].Function == "<module>" &&
			module == in.moduleOf(stop.Stack[top]).names.frame
		in.straying = in.straying || !begins && importsWithin(part)
	}
	for _, module := range in.moduleFrames() {
		in.unsettleModule(module, parts[module])
	}
}

// nameMain sets __name__ in the outermost module to the name under which the module is imported.
func (in *Interpreter) nameMain() {
	name := in.program.moduleName(in.file)
	in.modules[0].name = name
	in.module.vars["__name__"] = pyStr(name)
}

// underWay returns the activation of a module that is still being imported at the given state.
func (in *Interpreter) underWay(f dsl.Frame) *activation {
	file := in.program.file(f.File)
	if file == nil || file.err != nil || in.loaded(file) != nil {
		panic(refused("", "a module that is imported"))
	}
	name := in.nameOf(file)
	if outer, _, inside := cutLast(name); inside {
		in.silent++
		in.importModule(outer)
		in.silent--
	}
	if in.loaded(file) != nil {
		panic(refused("", "a module that is imported"))
	}
	return in.newModule(name, file).names.frame
}

// runBefore runs the statements of a module that ended before the given state, and returns the
// statements that have begun but not ended. If no frame of the module is on the stack, the module
// runs to its end.
func (in *Interpreter) runBefore(module *activation, stop *dsl.Stop, depth int) (part []*stmt) {
	body := module.code.body
	before, upto := len(body), len(body)
	if f := stop.Stack[depth]; f.Function == "<module>" {
		line := f.Line
		if depth == len(stop.Stack)-1 {
			if line = stop.Line; stop.Event == dsl.Call {
				return nil
			}
		}
		before, upto = reached(body, int32(line), stop, depth)
	}
	for _, s := range body[:before] {
		in.quietly(module, s)
	}
	module.lined, module.told = false, 0
	return body[before:upto]
}

// reached returns which statements of a module have begun but not ended, if its frame is at a line:
// statements before the index before have ended, and those from the index upto on have not begun.
// If line is 0 (unknown), they are all statements after the first definitions, since any of them
// may have called the frame above the module.
func reached(body []*stmt, line int32, stop *dsl.Stop, depth int) (before, upto int) {
	if line > 0 {
		at := func(s *stmt) bool { return s.covers(line) }
		if before = slices.IndexFunc(body, at); before < 0 {
			panic(refused("", "a line that is not the module's"))
		}
		upto = before
		for upto < len(body) && at(body[upto]) {
			upto++
		}
		return before, upto
	}
	module, called := stop.Stack[depth], stop.Stack[depth+1]
	imports := called.Function == "<module>"
	if called.File == module.File {
		before = 1 + slices.IndexFunc(body, func(s *stmt) bool {
			return s.def != nil && (s.def.name == called.Function || called.Line > 0 && s.covers(int32(called.Line)))
		})
	}
	for before < len(body) && body[before].callsNothing() && (!imports || body[before].kind != stmtImport) {
		before++
	}
	return min(before, len(body)-1), len(body)
}

// callsNothing reports whether a module's statement certainly calls no function of the program: it
// only defines, imports or binds something simple.
func (s *stmt) callsNothing() bool {
	constant := func(e *node) bool {
		return e == nil || e.constant || e.kind == nodeConstant || e.kind == nodeName || isDisplay(e) && len(e.kids) == 0
	}
	switch s.kind {
	case stmtImport, stmtGlobal:
		return true
	case stmtExpr:
		return constant(s.exprs[0])
	case stmtAssign, stmtAnnAssign:
		return !slices.ContainsFunc(s.exprs, func(e *node) bool { return !constant(e) }) &&
			!slices.ContainsFunc(s.targets, func(t *node) bool { return t.kind != nodeName })
	case stmtDef:
		return len(s.def.decorators) == 0 && !slices.ContainsFunc(s.def.params, func(p *node) bool {
			return !constant(p.fallback()) || !constant(p.kids[0])
		}) && constant(s.def.returns)
	case stmtClass:
		return len(s.def.decorators) == 0 && !slices.ContainsFunc(s.def.bases, func(b *node) bool { return b.kind != nodeName }) &&
			!slices.ContainsFunc(s.body, func(inner *stmt) bool { return !inner.callsNothing() })
	}
	return false
}

// quietly runs a statement of the module without events. If the source does not determine what it
// does, the names and objects that it may have changed become unknown. The same holds if it raises
// an exception while no frame of the module is on the stack: then something else has called the
// function.
func (in *Interpreter) quietly(module *activation, s *stmt) {
	in.silent++
	depth, handled := len(in.stack), in.handled
	if outermost := depth == 0; outermost {
		in.stack = append(in.stack, module)
	}
	defer func() {
		in.silent--
		in.stack = in.stack[:depth]
		switch e := recover().(type) {
		case nil:
			return
		case *RefusedError, *LimitError, *EvalError, *thrown:
			_, refused := e.(*RefusedError)
			_, limit := e.(*LimitError)
			switch {
			case refused || limit:
			case depth > 0:
				panic(e) // the import raises it too
			case in.entry.Stack[0].Function == "<module>":
				panic(moduleEnds())
			}
			in.handled, module.loops, module.spread, module.skips = handled, nil, false, false
			module.leaveInlined()
			in.straying = in.straying || in.program.importing || in.importsOwn(s)
			for _, one := range in.moduleFrames() {
				part := []*stmt(nil)
				if one == module {
					part = []*stmt{s}
				}
				in.unsettleModule(one, part)
			}
		default:
			panic(e)
		}
	}()
	if c := module.statement(s, 0); c.kind != finished {
		panic(moduleEnds())
	}
}

// wild matches source in which a statement may change more than the names that it mentions.
var wild = regexp.MustCompile(`\b(exec|eval|globals|locals|vars|setattr|delattr|__dict__|__builtins__|__code__|__defaults__|__kwdefaults__|` +
	`__globals__|__import__|importlib|monkeypatch|patch|ctypes|sys\.modules|inspect|gc)\b|__class__ *=`)

// unsettleModule marks as unknown what partly executed statements of the module, and the functions
// that they call, may have changed.
func (in *Interpreter) unsettleModule(module *activation, part []*stmt) {
	names := module.names
	in.changes++
	in.escaped = in.changes
	names.partial = true
	if names.hidden == nil {
		names.hidden = map[string]bool{}
	}
	bound := boundIn(part)
	if in.program.wild() || bound["*"] {
		names.forgetAll()
		return
	}
	changed := &effects{in: in, kept: map[pyValue]bool{}}
	for name := range bound {
		names.hidden[name] = true
	}
	for _, name := range slices.Clone(names.order) {
		v := names.vars[name]
		changed.lose(v)
		in.unsettleClass(v)
		switch {
		case !bound[name] && !in.rebinds(module, name):
		case unbinds(module.code.body, name):
			delete(names.vars, name)
			names.order = slices.DeleteFunc(names.order, func(n string) bool { return n == name })
			names.hidden[name] = true
			names.misplace(name)
		default:
			names.vars[name] = &imported{}
		}
	}
	for name := range definedIn(part) {
		names.misplace(name)
	}
	for name := range in.program.declared {
		names.hidden[name] = true
	}
	for _, g := range in.gens {
		g.lost, g.loose = true, true
	}
}

// forgetAll marks all names of a module as unknown.
func (s *scope) forgetAll() {
	s.vars, s.order = map[string]pyValue{"__name__": s.vars["__name__"]}, nil
	s.partial, s.hidden = true, boundIn(s.frame.code.body)
}

// misplace records that a name's place among the locals is unknown once the name is bound.
func (s *scope) misplace(name string) {
	if _, ok := s.vars[name]; ok {
		return
	}
	if s.misplaced == nil {
		s.misplaced = map[string]bool{}
	}
	s.misplaced[name] = true
}

// definedIn returns the names that statements may bind to values that states do not list.
func definedIn(body []*stmt) map[string]bool {
	g := Globals{names: map[string]bool{}, hidden: map[string]bool{}}
	g.read(body, true)
	maps.Copy(g.hidden, g.names) // from global statements
	return g.hidden
}

// unsettleClass marks as unknown those attributes of a class that some code of the program assigns.
func (in *Interpreter) unsettleClass(v pyValue) {
	c, ok := v.(*class)
	if !ok || c.names == nil {
		return
	}
	for name := range in.program.stored {
		if _, has := c.names.vars[name]; has {
			c.names.vars[name] = forgotten
		}
	}
	c.names.hidden = in.program.stored
}

// storedAttributes collects the names of attributes that statements assign on anything but self, a
// method's first parameter.
func storedAttributes(body []*stmt, names map[string]bool) {
	var target func(t *node, self string)
	target = func(t *node, self string) {
		switch {
		case t == nil:
		case t.kind == nodeAttribute && !t.kids[0].is(self):
			names[t.text] = true
		case t.kind == nodeTuple || t.kind == nodeList || t.kind == nodeStarred:
			for _, k := range t.kids {
				target(k, self)
			}
		}
	}
	var block func(body []*stmt, self string, class bool)
	block = func(body []*stmt, self string, class bool) {
		for _, s := range body {
			for _, t := range s.targets {
				target(t, self)
			}
			inner := self
			if s.kind == stmtDef {
				inner = ""
				if class && len(s.def.params) > 0 && len(s.def.decorators) == 0 {
					inner = s.def.params[0].text
				}
			}
			for _, b := range s.blocks() {
				block(b, inner, s.kind == stmtClass)
			}
		}
	}
	block(body, "", false)
}

func moduleEnds() *RefusedError { return refused("", "the module ends before this state") }
