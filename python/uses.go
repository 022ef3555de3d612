package python

import (
	"slices"
	"strings"
)

// Uses holds what a program's source suggests about the arguments of a function.
type Uses struct {
	Signature Signature
	Params    []*Evidence // one for each parameter in Signature
	// Literals are the distinct constants in the function's body, without docstrings.
	Literals []Plain
	// Calls are the sources of calls of the function, or of any method with its name, in the
	// program and in the examples in its docstrings.
	Calls []string
}

// Evidence holds what code suggests about a value: its type, and the constants with which it is
// compared.
type Evidence struct {
	// Votes holds a score for each kind: above 0 if the uses of the value suit that kind, below 0
	// if they do not.
	Votes [DictKind + 1]float64
	Equal []Plain // constants with which the value is compared, and its default
	Read  bool    // the value is used somewhere

	depth          int // number of containers around it
	elements, keys *Evidence
	parts          []*Evidence // for a tuple: the evidence about each item, if they differ
	links          []*Evidence // values that probably have the same type
}

// Best returns the kind with the most votes. ok is false if no kind has more than 0.
func (e *Evidence) Best() (k Kind, ok bool) {
	for i := range e.Votes {
		if e.Votes[i] > e.Votes[k] {
			k = Kind(i)
		}
	}
	return k, e.Votes[k] > 0
}

// Elements returns the evidence about the elements of a container, or about the values of a dict.
// It is created if it does not exist yet.
func (e *Evidence) Elements() *Evidence {
	if e.depth >= maxEvidence {
		return &Evidence{depth: e.depth}
	}
	if e.elements == nil {
		e.elements = &Evidence{depth: e.depth + 1}
	}
	return e.elements
}

// Keys returns the evidence about the keys of a dict. It is created if it does not exist yet.
func (e *Evidence) Keys() *Evidence {
	if e.depth >= maxEvidence {
		return &Evidence{depth: e.depth}
	}
	if e.keys == nil {
		e.keys = &Evidence{depth: e.depth + 1}
	}
	return e.keys
}

// ReadUses reads how the function whose def or first decorator is on a line uses its parameters. If
// wanted has a value, the function is known to have returned it. ok is false if no function begins
// there.
func ReadUses(source []byte, line int, wanted Plain) (u *Uses, ok bool) {
	text := decodeSource(source)
	body := newParser(text).statements(false)
	s := defAt(body, int32(line))
	if s == nil {
		return nil, false
	}
	u = &Uses{}
	for _, sig := range Read(source).Functions() {
		if sig.Line == int(firstLine(s)) {
			u.Signature = sig
		}
	}
	if u.Signature.Name == "" { // the compiler drops it as unreachable
		return nil, false
	}
	r := &usesReader{text: text, names: map[string]*Evidence{}, returned: &Evidence{}}
	for _, p := range s.def.params {
		u.Params = append(u.Params, r.param(p))
	}
	if wanted.Kind != OtherKind || wanted.Str != "" {
		r.returned.suits(wanted, 2)
	}
	for range 2 { // twice: a loop may use a name before the statement that binds it
		r.block(s.body)
	}
	r.spread()
	for _, e := range u.Params {
		e.settle(maxEvidence)
	}
	u.Literals = r.literals
	c := &callReader{text: text, name: s.def.name}
	c.block(body)
	u.Calls = c.found
	return u, true
}

// ReadCalls returns the sources of the calls of a function in a file other than its own, as in
// Uses.Calls.
func ReadCalls(source []byte, name string) []string {
	text := decodeSource(source)
	c := &callReader{text: text, name: name}
	c.block(newParser(text).statements(false))
	return c.found
}

// callReader collects the calls of a function.
type callReader struct {
	text, name string
	found      []string
}

const mostCallTexts = 100

func (c *callReader) block(body []*stmt) {
	for i, s := range body {
		for _, e := range slices.Concat(s.exprs, s.targets) {
			c.expr(e, i == 0 && s.kind == stmtExpr)
		}
		if s.def != nil {
			for _, e := range slices.Concat(s.def.decorators, s.def.bases, s.def.params) {
				c.expr(e, false)
			}
		}
		for _, b := range s.branches {
			for _, e := range b.exprs {
				c.expr(e, false)
			}
		}
		for _, b := range s.blocks() {
			c.block(b)
		}
	}
}

func (c *callReader) expr(e *node, doc bool) {
	if e == nil || len(c.found) >= mostCallTexts {
		return
	}
	if e.kind == nodeCall {
		if name, _ := e.kids[0].dotted(); name == c.name || strings.HasSuffix(name, "."+c.name) {
			c.add(c.name + c.text[e.kids[0].end:e.end])
		}
	}
	if doc && e.kind == nodeConstant {
		c.docstring(c.text[e.pos:e.end])
	}
	for _, k := range e.kids {
		c.expr(k, false)
	}
}

func (c *callReader) add(text string) {
	if !slices.Contains(c.found, text) {
		c.found = append(c.found, text)
	}
}

// docstring collects the calls in the examples of a docstring.
func (c *callReader) docstring(literal string) {
	p, ok := ReadPlain(literal)
	if !ok || p.Kind != StrKind {
		return
	}
	examples, _ := docExamples(strings.ReplaceAll(p.Str, "\t", "        "))
	for _, e := range examples {
		inner := &callReader{text: e.source, name: c.name}
		inner.block(newParser(e.source).statements(false))
		for _, text := range inner.found {
			c.add(text)
		}
	}
}
