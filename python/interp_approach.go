package python

import (
	"maps"
	"regexp"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// What the module has bound before a state that the program reached without the interpreter.

// approach runs the module, without events, up to a given state: all of it if no frame of it is on the
// stack, else the statements before the one that it is at. What that statement may have changed on the
// way to the state is unknown from then on.
func (in *Interpreter) approach(module *activation, stop *dsl.Stop) {
	body := module.code.body
	before, upto := len(body), len(body)
	if base := stop.Stack[0]; base.Function == "<module>" {
		line := base.Line
		if len(stop.Stack) == 1 {
			line = stop.Line
		}
		before, upto = reached(body, int32(line), stop)
	} else {
		in.nameModule()
	}
	for _, s := range body[:before] {
		in.quietly(module, s)
	}
	switch {
	case before < len(body):
		in.unsettleModule(module, body[before:upto])
	case stop.Event != dsl.Call || len(stop.Stack) > 1:
		in.unsettleModule(module, nil)
	}
	module.lined, module.told = false, 0
}

// reached returns which statements of the module are under way if its frame is at a line: before of them
// have been run, and those from upto on have not. If the line is 0, they are all those from the first one
// on that may call the function above the module.
func reached(body []*stmt, line int32, stop *dsl.Stop) (before, upto int) {
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
	called := stop.Stack[1]
	before = 1 + slices.IndexFunc(body, func(s *stmt) bool {
		return s.def != nil && (s.def.name == called.Function || called.Line > 0 && s.covers(int32(called.Line)))
	})
	for before < len(body) && body[before].callsNothing() {
		before++
	}
	return min(before, len(body)-1), len(body)
}

// callsNothing reports whether a statement of a module only defines something, so that no function of
// the program runs in it.
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

// quietly runs a statement of the module without events. Where the text does not decide it, what it may
// have changed is unknown. So it is where the statement raises, if the module is not on the stack: then
// the function is called by something else.
func (in *Interpreter) quietly(module *activation, s *stmt) {
	in.silent++
	in.stack = append(in.stack[:0], module)
	defer func() {
		in.silent--
		in.stack = in.stack[:0]
		switch e := recover().(type) {
		case nil:
			return
		case *RefusedError, *LimitError, *EvalError, *thrown:
			_, refused := e.(*RefusedError)
			_, limit := e.(*LimitError)
			if !refused && !limit && in.entry.Stack[0].Function == "<module>" {
				panic(moduleEnds())
			}
			in.handled, module.loops, module.spread, module.skips = nil, nil, false, false
			module.leaveInlined()
			in.unsettleModule(module, []*stmt{s})
		default:
			panic(e)
		}
	}()
	if c := module.statement(s, 0); c.kind != finished {
		panic(moduleEnds())
	}
}

// wild matches programs in which a statement may change more than what it names.
var wild = regexp.MustCompile(`\b(exec|eval|globals|locals|vars|setattr|delattr|__dict__|__builtins__|__code__|__defaults__|__kwdefaults__|` +
	`__globals__|__import__|importlib|ctypes|sys\.modules|inspect|gc)\b|import \*|__class__ *=`)

// unsettleModule forgets what statements of the module that ran in part, and the functions that they
// called, may have changed.
func (in *Interpreter) unsettleModule(module *activation, part []*stmt) {
	names := module.names
	in.changes++
	in.escaped = in.changes
	names.partial = true
	if names.hidden == nil {
		names.hidden = map[string]bool{}
	}
	if slices.ContainsFunc(in.lines, wild.MatchString) {
		names.vars, names.order = map[string]pyValue{"__name__": names.vars["__name__"]}, nil
		names.hidden = boundIn(module.code.body)
		return
	}
	if in.stored == nil {
		in.stored = storedAttributes(module.code.body)
	}
	changed := &effects{in: in, kept: map[pyValue]bool{}}
	bound := boundIn(part)
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
	for name := range in.declared {
		names.hidden[name] = true
	}
	for _, g := range in.gens {
		g.lost, g.loose = true, true
	}
}

// misplace marks a name whose place among the locals is not known once the name gets a value.
func (s *scope) misplace(name string) {
	if _, ok := s.vars[name]; ok {
		return
	}
	if s.misplaced == nil {
		s.misplaced = map[string]bool{}
	}
	s.misplaced[name] = true
}

// definedIn returns the names to which statements may bind what states do not show.
func definedIn(body []*stmt) map[string]bool {
	g := Globals{names: map[string]bool{}, hidden: map[string]bool{}}
	g.read(body, true)
	maps.Copy(g.hidden, g.names) // of global statements
	return g.hidden
}

// unsettleClass forgets the attributes of a class that some code of the program sets.
func (in *Interpreter) unsettleClass(v pyValue) {
	c, ok := v.(*class)
	if !ok || c.names == nil {
		return
	}
	for name := range in.stored {
		if _, has := c.names.vars[name]; has {
			c.names.vars[name] = forgotten
		}
	}
	c.names.hidden = in.stored
}

// storedAttributes returns the names of the attributes that a program sets on anything but the first
// parameter of a method.
func storedAttributes(body []*stmt) map[string]bool {
	names := map[string]bool{}
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
	return names
}

func moduleEnds() *RefusedError { return refused("", "the module ends before this state") }
