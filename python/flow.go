package python

import (
	"slices"
	"strings"
)

// Flow describes which lines of a source file can follow one another. Where it is not sure, it
// includes a line.
type Flow struct {
	Codes []*Code // the module first, then the others in source order

	inlines bool // list, set and dict comprehensions run in the enclosing frame
}

// Code is a code object: the module, a function, a class body, a lambda or a comprehension. Its
// lines are those of its statements and their headers. Lines of a nested def or class belong to
// that code object.
type Code struct {
	Name      string // co_name
	Line      int    // co_firstlineno
	Class     string // if it is a method: the qualified name of its class
	Params    []string
	Generator bool // it can suspend: a generator or a coroutine
	Plain     bool // it contains no statements: a lambda or comprehension

	async bool
	last  int // number of its last line
	first []*turn
	all   []*turn
}

// turn is a simple statement or the header of a compound one, with the turns that can run next.
type turn struct {
	from, to int32
	next     []*turn // if no exception is raised
	raised   []*turn // if one is raised: handlers, finally blocks, a with that may suppress it
	yields   bool
	again    bool // it can follow itself, like a comprehension
	leaves   bool // the code can return after it, without an exception
	final    bool // it belongs to a finally block
}

// ReadFlow reads a source file. Like Read it never fails, and takes linear time.
func ReadFlow(source []byte) *Flow { return ReadFlowOf(source, Version{}) }

// ReadFlowOf is like ReadFlow, for a version of Python.
func ReadFlowOf(source []byte, v Version) *Flow {
	f := &Flow{inlines: v.Inlines()}
	body := newParser(decodeSource(source)).statements(false)
	f.code(&Code{Name: "<module>", Line: 1}, body, "")
	slices.SortStableFunc(f.Codes[1:], func(a, b *Code) int { return a.Line - b.Line })
	return f
}

// At returns the codes that can be entered at a line: those that begin there, then the generators
// that can resume there.
func (f *Flow) At(line int) []*Code {
	var found []*Code
	for _, c := range f.Codes[1:] {
		if c.Line == line {
			found = append(found, c)
		}
	}
	for _, c := range f.Codes[1:] {
		if c.Generator && c.Line != line && slices.ContainsFunc(c.at(line), func(j *turn) bool { return j.yields }) {
			found = append(found, c)
		}
	}
	return found
}

// Has reports whether a line belongs to the code.
func (c *Code) Has(line int) bool {
	if c.Plain {
		return c.Line <= line && line <= c.last
	}
	return len(c.at(line)) > 0
}

// Start reports whether the code can begin at a line.
func (c *Code) Start(line int) bool {
	if c.Plain {
		return c.Has(line)
	}
	return anyHas(c.first, line)
}

// Follows reports whether line can directly follow the line after in this code, if no exception is
// raised.
func (c *Code) Follows(line, after int) bool {
	return c.leads(line, after, func(j *turn) []*turn { return j.next })
}

// Catches reports whether line can come next in this code after an exception at the line raised: it
// is in a handler, or the exception ends an iteration or an await.
func (c *Code) Catches(line, raised int) bool {
	return c.leads(line, raised, func(j *turn) []*turn { return slices.Concat(j.raised, j.next) })
}

// Leaves reports whether the code can return or suspend at a line.
func (c *Code) Leaves(line int) bool {
	return c.Plain || slices.ContainsFunc(c.at(line), func(j *turn) bool { return j.leaves || j.yields })
}

// Yields reports whether a statement at a line can suspend the code.
func (c *Code) Yields(line int) bool {
	return c.Generator && (c.Plain || slices.ContainsFunc(c.at(line), func(j *turn) bool { return j.yields }))
}

// Finally reports whether a line is in a finally block. An exception continues after such a block.
func (c *Code) Finally(line int) bool {
	return slices.ContainsFunc(c.at(line), func(j *turn) bool { return j.final })
}

func (c *Code) leads(line, after int, to func(*turn) []*turn) bool {
	if c.Plain {
		return c.Has(line)
	}
	for _, j := range c.at(after) {
		if (line != after || j.again || j.yields) && j.has(line) || anyHas(to(j), line) { // lines of one statement can come in any order
			return true
		}
	}
	return false
}

// at returns the innermost statements that contain a line.
func (c *Code) at(line int) []*turn {
	var found []*turn
	for _, j := range c.all {
		if j.has(line) {
			found = append(found, j)
		}
	}
	return found
}

func (j *turn) has(line int) bool { return int(j.from) <= line && line <= int(j.to) }

func anyHas(list []*turn, line int) bool {
	return slices.ContainsFunc(list, func(j *turn) bool { return j.has(line) })
}

// ways holds where control goes when it leaves a block other than to the next statement.
type ways struct {
	broken, continued []*turn // by break and continue
	raised            []*turn // by an exception
	final             []*turn // by return: the innermost enclosing finally block
}

// code adds a code object to the flow, with the code objects nested in it. body is its body, class
// the qualified name of the class if it is a class body.
func (f *Flow) code(c *Code, body []*stmt, class string) {
	f.Codes = append(f.Codes, c)
	r := &flowReader{flow: f, code: c, class: class}
	if len(body) > 0 {
		c.last = int(body[len(body)-1].last)
	}
	c.first = r.block(body, nil, ways{})
	if len(c.first) == 0 { // all its statements are without events
		c.first = []*turn{r.turn(int32(c.Line), int32(c.Line))}
		c.first[0].leaves = true
	}
}

type flowReader struct {
	flow  *Flow
	code  *Code
	class string // the name of the class, if this is a class body
}

func (r *flowReader) turn(from, to int32, exprs ...*node) *turn {
	j := &turn{from: from, to: max(from, to)}
	for _, e := range exprs {
		if e != nil {
			j.to = max(j.to, e.last)
		}
	}
	r.code.all = append(r.code.all, j)
	for _, e := range exprs {
		r.expr(e, j)
	}
	return j
}

// expr finds the yields, awaits and nested code objects in an expression.
func (r *flowReader) expr(e *node, at *turn) {
	if e == nil {
		return
	}
	name := ""
	switch e.kind {
	case nodeYield, nodeAwait:
		at.yields = true
	case nodeLambda:
		name = "<lambda>"
	case nodeListComp:
		name = "<listcomp>"
	case nodeSetComp:
		name = "<setcomp>"
	case nodeDictComp:
		name = "<dictcomp>"
	case nodeGenerator:
		name = "<genexpr>"
	}
	if name == "" {
		for _, k := range e.kids {
			r.expr(k, at)
		}
		return
	}
	at.again = at.again || e.kind == nodeGenerator || name != "<lambda>" && r.flow.inlines
	c := &Code{Name: name, Line: int(e.line), last: int(e.last), Plain: true, Generator: e.kind == nodeGenerator}
	for _, k := range e.kids {
		if k != nil && k.kind == nodeParam {
			c.Params = append(c.Params, k.text)
		}
	}
	r.flow.Codes = append(r.flow.Codes, c)
	for _, k := range e.kids { // nested code, such as a lambda in a comprehension
		r.expr(k, &turn{})
	}
}

// block links the statements of a block. It returns the turns at which the block begins, or after
// if the block is empty.
func (r *flowReader) block(list []*stmt, after []*turn, w ways) []*turn {
	leaves := len(after) == 0
	for i := len(list) - 1; i >= 0; i-- {
		after = r.stmt(list[i], after, w, leaves && i == len(list)-1)
	}
	return after
}

// stmt links a statement, which is followed by the turns in after. leaves reports whether the code
// can return after it.
func (r *flowReader) stmt(s *stmt, after []*turn, w ways, leaves bool) []*turn {
	head := func(from, to int32, exprs ...*node) *turn {
		j := r.turn(from, to, exprs...)
		j.raised = w.raised
		return j
	}
	last := s.last
	if len(s.body) > 0 || len(s.branches) > 0 {
		last = s.line
	}
	switch s.kind {
	case stmtGlobal, stmtNonlocal:
		return after
	case stmtBroken:
		j := head(s.line, last, s.exprs...)
		j.next = append(r.block(s.body, after, w), after...)
		j.leaves = leaves
		return []*turn{j}
	case stmtIf, stmtMatch:
		return r.branches(s, after, w, leaves, head)
	case stmtWhile, stmtFor:
		j := head(s.line, last, append(slices.Clone(s.exprs), s.targets...)...)
		otherwise := r.block(s.orelse, after, w)
		inner := w
		inner.broken, inner.continued = after, []*turn{j}
		body := r.block(s.body, []*turn{j}, inner)
		// When an endless loop comes back to its header, the header has no event.
		j.next = append(slices.Clone(body), otherwise...)
		if s.kind == stmtWhile {
			for _, k := range r.code.all {
				if slices.Contains(k.next, j) && k != j {
					k.next = append(slices.Clone(k.next), body...)
				}
			}
		}
		j.leaves, j.yields = leaves, r.code.async // async for can suspend here
		return []*turn{j}
	case stmtTry:
		return r.try(s, after, w, head)
	case stmtWith:
		j := head(s.line, last, append(slices.Clone(s.exprs), s.targets...)...)
		inner := w
		inner.raised = append([]*turn{j}, w.raised...)
		inner.final = []*turn{j} // a return runs the with's exit first
		j.next = append(r.block(s.body, []*turn{j}, inner), after...)
		j.next = append(j.next, w.final...)
		j.leaves, j.yields = true, r.code.async
		return []*turn{j}
	case stmtDef, stmtClass:
		return []*turn{r.definition(s, after, w, leaves)}
	}
	j := head(s.line, last, append(slices.Clone(s.exprs), s.targets...)...)
	switch s.kind {
	case stmtReturn:
		j.next, j.leaves = w.final, true
	case stmtRaise:
		j.next = nil
	case stmtBreak:
		j.next, j.leaves = append(slices.Clone(w.broken), w.final...), len(w.broken) == 0
	case stmtContinue:
		j.next = append(slices.Clone(w.continued), w.final...)
	default:
		j.next, j.leaves = after, leaves
	}
	if s.kind == stmtAnnAssign && len(s.exprs) == 1 { // since 3.14 a bare annotation is not evaluated
		return append([]*turn{j}, after...)
	}
	return []*turn{j}
}

// branches links the branches of an if or a match.
func (r *flowReader) branches(s *stmt, after []*turn, w ways, leaves bool, head func(from, to int32, exprs ...*node) *turn) []*turn {
	next := r.block(s.orelse, after, w)
	ends := leaves && len(s.orelse) == 0
	for i := len(s.branches) - 1; i >= 0; i-- {
		b := s.branches[i]
		j := head(b.line, b.line, b.exprs...)
		j.next = append(r.block(b.body, after, w), next...)
		j.leaves = ends
		next, ends = []*turn{j}, false
	}
	if s.kind == stmtMatch {
		j := head(s.line, s.line, s.exprs...)
		j.next = next
		if len(s.branches) > 0 { // any case can follow the header directly
			for _, b := range s.branches {
				for _, k := range r.code.all {
					if k.from == b.line {
						j.next = append(slices.Clone(j.next), k)
					}
				}
			}
		}
		return []*turn{j}
	}
	return next
}

// try links a try statement with its handlers and its finally block.
func (r *flowReader) try(s *stmt, after []*turn, w ways, head func(from, to int32, exprs ...*node) *turn) []*turn {
	final, inner := after, w
	if len(s.final) > 0 {
		// A finally block can be followed by the code after the try, or by what it interrupted: a
		// return, a break, a continue or an exception.
		outward := slices.Concat(after, w.final, w.broken, w.continued, w.raised)
		final = r.block(s.final, outward, w)
		for _, j := range r.code.all {
			if int(j.from) >= int(s.final[0].line) && int(j.to) <= int(s.final[len(s.final)-1].last) {
				j.leaves, j.final = true, true
			}
		}
		inner.final, inner.raised = final, append(slices.Clone(final), w.raised...)
	}
	var handlers []*turn
	for i := len(s.branches) - 1; i >= 0; i-- {
		b := s.branches[i]
		j := head(b.line, b.line, b.exprs...)
		j.raised = inner.raised
		j.next = slices.Concat(r.block(b.body, final, inner), handlers, inner.raised)
		handlers = append([]*turn{j}, handlers...)
	}
	otherwise := r.block(s.orelse, final, inner)
	body := inner
	body.raised = slices.Concat(handlers, inner.raised)
	j := head(s.line, s.line)
	j.next = r.block(s.body, otherwise, body)
	return []*turn{j}
}

// definition adds a def or class statement to the flow graph, without its body, which is a separate
// code object.
func (r *flowReader) definition(s *stmt, after []*turn, w ways, leaves bool) *turn {
	d := s.def
	exprs := slices.Concat(d.decorators, d.typeParams, d.bases, []*node{d.returns})
	for _, p := range d.params {
		exprs = append(exprs, p.kids...)
	}
	j := r.turn(firstLine(s), s.line, exprs...)
	j.next, j.raised, j.leaves = after, w.raised, leaves
	c := &Code{Name: d.name, Line: int(firstLine(s))}
	if s.kind == stmtClass {
		class := d.name
		if r.class != "" {
			class = r.class + "." + class
		}
		r.flow.code(c, s.body, class)
		top := &turn{from: int32(c.Line), to: s.line, next: c.first} // sets __module__ and __qualname__
		for _, k := range c.all {
			if k.leaves { // since 3.13 also sets __static_attributes__
				k.next = append(slices.Clone(k.next), top)
			}
		}
		top.leaves = true
		c.all, c.first = append(c.all, top), []*turn{top}
		return j
	}
	c.Class, c.Generator, c.async = r.class, d.generator || d.async, d.async
	for _, p := range d.params {
		c.Params = append(c.Params, strings.TrimLeft(p.text, "*"))
	}
	body := s.body
	if len(body) > 0 && (&lineMarker{}).isDocstring(body[0]) {
		body = body[1:]
	}
	r.flow.code(c, body, "")
	return j
}
