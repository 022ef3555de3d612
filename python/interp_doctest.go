package python

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// docTest holds the examples of one docstring of the program.
type docTest struct {
	name     string
	examples []docExample
}

// testmod runs the examples in the docstrings of the program like doctest.testmod: sorted by name,
// each docstring with a copy of the module's names. The examples have no events, because their code
// is not in the program's file. The program's functions that they call have events.
func (in *Interpreter) testmod(a *arguments) pyValue {
	if len(a.positional) > 0 || in.module.vars["__name__"] != pyStr("__main__") {
		panic(refused("doctest.testmod", "of another module"))
	}
	for _, name := range a.names {
		if name != "verbose" && name != "report" && name != "optionflags" {
			panic(refused("doctest.testmod", "with these arguments"))
		}
	}
	for _, test := range in.docTests() {
		names := &scope{vars: maps.Clone(in.module.vars), order: slices.Clone(in.module.order)}
		names.partial, names.hidden = in.module.partial, in.module.hidden
		for _, e := range test.examples {
			skip, known := e.skips()
			if !known {
				panic(refused("doctest.testmod", "with these options"))
			}
			if !skip {
				in.runExample(e.source, names)
			}
		}
	}
	return &imported{}
}

// docTests returns the module's tests, in doctest's order.
func (in *Interpreter) docTests() []docTest {
	if _, ok := in.module.vars["__test__"]; ok {
		panic(refused("doctest.testmod", "with __test__"))
	}
	c := &docCollector{in: in, seen: map[any]bool{}}
	c.unknown(in.module.frame.code.body)
	c.add("__main__", in.module.frame.code.body)
	c.members("__main__", in.module)
	slices.SortFunc(c.tests, func(a, b docTest) int { return cmp.Compare(a.name, b.name) })
	return c.tests
}

// docCollector collects tests. It visits each object once.
type docCollector struct {
	in    *Interpreter
	seen  map[any]bool
	tests []docTest
}

// unknown refuses a definition that has examples if its name may have another value.
func (c *docCollector) unknown(body []*stmt) {
	for _, s := range body {
		if s.def == nil {
			for _, block := range s.blocks() {
				c.unknown(block)
			}
			continue
		}
		var code *code
		switch v := c.in.module.vars[s.def.name].(type) {
		case *function:
			code = v.code
		case *class:
			if v.names != nil {
				code = v.names.frame.code
			}
		}
		if code != c.in.codes[s] || code == nil {
			if strings.Contains(strings.Join(c.in.file.lines[s.line-1:s.last], "\n"), ">>>") {
				panic(refused("doctest.testmod", "with a definition that is not known"))
			}
		}
	}
}

// members adds the tests of the functions and classes among the names in a scope.
func (c *docCollector) members(prefix string, names *scope) {
	if names.partial && names != c.in.module {
		panic(refused("doctest.testmod", "with a class that is not known"))
	}
	if _, ok := names.vars["__doc__"]; ok {
		panic(refused("doctest.testmod", "with a __doc__ that is set"))
	}
	for _, name := range names.order {
		switch v := names.vars[name].(type) {
		case *function:
			if v.kind == "" && v.names.globals() != c.in.module {
				continue // defined in another module
			}
			key := any(v)
			if v.kind != "" && v.kind != "property" {
				key = v.code // a static or class method counts as the function that it wraps
			}
			if !c.seen[key] && v.code.kind == functionCode && !v.code.untraced {
				c.seen[key] = true
				c.add(prefix+"."+name, v.code.body)
			}
		case *class:
			if v.names == nil || c.seen[v] || v.names.globals() != c.in.module {
				continue
			}
			c.seen[v] = true
			c.add(prefix+"."+name, v.names.frame.code.body)
			c.members(prefix+"."+name, v.names)
		}
	}
}

// add adds the examples in the docstring of a body.
func (c *docCollector) add(name string, body []*stmt) {
	if len(body) == 0 || !(&lineMarker{}).isDocstring(body[0]) {
		return
	}
	doc, ok := c.in.ev.eval(body[0].exprs[0], c.in.module).(pyStr)
	if !ok {
		return
	}
	examples, ok := docExamples(string(c.in.ev.expandTabs(doc, 8)))
	if !ok {
		panic(refused("doctest.testmod", "with an example that it rejects"))
	}
	if len(examples) > 0 {
		c.tests = append(c.tests, docTest{name, examples})
	}
}

// runExample runs one example, which ends at the first exception.
func (in *Interpreter) runExample(source string, names *scope) {
	p := newParser(source)
	p.strict, p.program = true, true
	body := p.statements(false)
	if p.err() != nil || len(body) == 0 || len(body) > 1 && body[len(body)-1].line != body[0].line || hasUnfollowed(body) {
		panic(refused("doctest.testmod", "with an example of this kind"))
	}
	caller := in.top()
	a := &activation{in: in, names: names, line: 1}
	a.code = &code{file: caller.code.file, kind: moduleCode, name: "<module>", body: body, first: 1, untraced: true}
	names.frame = a
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *thrown:
			in.unwind(caller)
			if e.exc.class.overrides("__str__", "__repr__") {
				panic(refused("doctest.testmod", "with the text of an exception"))
			}
			if e.exc.class.is("KeyboardInterrupt") {
				panic(e)
			}
		default:
			panic(e)
		}
	}()
	in.runFrame(a)
}

// display prints the value of an expression statement in an example. That may call a __repr__.
func (in *Interpreter) display(v pyValue) {
	if x, ok := v.(*instance); ok && x.class.overrides("__repr__") {
		in.reprOf(x)
		return
	}
	in.writesNothing(v, "doctest.testmod")
}
