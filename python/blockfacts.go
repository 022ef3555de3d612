package python

import (
	"cmp"
	"slices"
)

// BlockFacts holds facts about the values in the functions of a source text: the names that each line
// reads, asserts, annotations and docstrings. A code object is identified by its first line and its name,
// as in CodeBlocks.
type BlockFacts struct {
	codes map[codeKey]*codeFacts
	bound map[string]bool // names that the source binds anywhere
	text  string
}

type codeKey struct {
	line int
	name string
}

type codeFacts struct {
	reads       []nameRead
	asserts     []Assert
	annotations map[string]Annotation
	returns     Annotation
	doc         string
}

type nameRead struct {
	line, pos int32
	name      string
}

// Assert is an assert statement.
type Assert struct {
	Line, Last int // Line is the first line of the statement, Last the last line of the condition
	Condition  string
	Names      []string // the names that the condition reads
}

// ReadBlockFacts finds the facts in a source text. Like Read, it never fails.
func ReadBlockFacts(source []byte) *BlockFacts {
	f := &BlockFacts{codes: map[codeKey]*codeFacts{}, bound: map[string]bool{}, text: decodeSource(source)}
	own := f.enter(codeKey{1, "<module>"})
	body := newParser(f.text).statements(false)
	own.doc = f.docstring(body)
	f.body(own, body)
	for _, c := range f.codes {
		slices.SortStableFunc(c.reads, func(a, b nameRead) int { return cmp.Compare(a.pos, b.pos) })
	}
	return f
}

// Reads returns the names that code on the lines from first to last reads, in the order of the source.
func (f *BlockFacts) Reads(c *CodeBlocks, first, last int) (names []string) {
	for _, r := range f.of(c).reads {
		if int(r.line) >= first && int(r.line) <= last && !slices.Contains(names, r.name) {
			names = append(names, r.name)
		}
	}
	return names
}

// Asserts returns the asserts of a code object, in source order.
func (f *BlockFacts) Asserts(c *CodeBlocks) []Assert { return f.of(c).asserts }

// Annotation returns the annotation of a parameter or a variable, the zero Annotation if there is none.
func (f *BlockFacts) Annotation(c *CodeBlocks, name string) Annotation {
	return f.of(c).annotations[name]
}

// Returns returns the annotation of a function's result. It returns the zero Annotation for a generator or
// coroutine, because there the annotation describes the object that the call makes.
func (f *BlockFacts) Returns(c *CodeBlocks) Annotation { return f.of(c).returns }

// Doc returns the docstring of a function or of the module, "" if there is none.
func (f *BlockFacts) Doc(c *CodeBlocks) string { return f.of(c).doc }

func (f *BlockFacts) of(c *CodeBlocks) *codeFacts {
	if own := f.codes[codeKey{c.Line, c.Name}]; own != nil {
		return own
	}
	return &codeFacts{}
}

func (f *BlockFacts) enter(k codeKey) *codeFacts {
	own := &codeFacts{annotations: map[string]Annotation{}}
	if f.codes[k] == nil { // two definitions on one line
		f.codes[k] = own
	}
	return own
}

func (f *BlockFacts) body(own *codeFacts, list []*stmt) {
	for _, s := range list {
		f.stmt(own, s)
	}
}

func (f *BlockFacts) stmt(own *codeFacts, s *stmt) {
	if s.def != nil {
		f.definition(own, s)
		return
	}
	exprs := s.exprs
	switch s.kind {
	case stmtAnnAssign:
		if t := s.targets[0]; t.kind == nodeName {
			own.annotations[t.text] = Annotation{s.exprs[0], f}
		}
		exprs = exprs[1:]
	case stmtAugAssign:
		f.read(own, s.targets)
	case stmtAssert:
		if e := s.exprs[0]; e.kind != nodeError {
			named := &codeFacts{}
			f.read(named, s.exprs[:1])
			a := Assert{Line: int(s.line), Last: int(e.last), Condition: f.text[e.pos:e.end]}
			for _, r := range named.reads {
				if !slices.Contains(a.Names, r.name) {
					a.Names = append(a.Names, r.name)
				}
			}
			own.asserts = append(own.asserts, a)
		}
	}
	if s.kind != stmtImport {
		for _, t := range s.targets {
			f.target(own, t)
		}
	}
	if !slices.ContainsFunc(s.imports, func(i Import) bool { return i.Module == "typing" }) {
		for _, name := range s.names {
			f.bound[name] = true
		}
	}
	f.read(own, exprs)
	for _, b := range s.branches {
		if s.kind == stmtMatch && len(b.exprs) > 0 { // a pattern is not an expression
			f.read(own, b.exprs[1:])
		} else {
			f.read(own, b.exprs)
		}
		f.body(own, b.body)
	}
	for _, list := range [][]*stmt{s.body, s.orelse, s.final} {
		f.body(own, list)
	}
}

// definition reads a def or class. Its decorators and defaults belong to the code object around it.
func (f *BlockFacts) definition(own *codeFacts, s *stmt) {
	d := s.def
	f.bound[d.name] = true
	f.read(own, d.decorators)
	f.read(own, d.bases)
	inner := f.enter(codeKey{int(firstLine(s)), d.name})
	for _, p := range d.params {
		if p.kind != nodeParam {
			continue
		}
		f.bound[p.text] = true
		f.read(own, p.kids[1:])
		if a := p.kids[0]; a != nil && p.value != VarPositional && p.value != VarKeyword {
			none := p.fallback() != nil && f.text[p.fallback().pos:p.fallback().end] == "None"
			if !none { // a parameter with default None is not checked: None is a value too
				inner.annotations[p.text] = Annotation{a, f}
			}
		}
	}
	if d.returns != nil && !d.async && !d.generator {
		inner.returns = Annotation{d.returns, f}
	}
	inner.doc = f.docstring(s.body)
	f.body(inner, s.body)
}

func (f *BlockFacts) docstring(body []*stmt) string {
	if len(body) == 0 || body[0].kind != stmtExpr || len(body[0].exprs) != 1 || body[0].exprs[0].kind != nodeConstant {
		return ""
	}
	e := body[0].exprs[0]
	doc, _ := StringOf(f.text[e.pos:e.end])
	return doc
}

// target reads an assignment target. A target with an attribute or element reads the value that has it.
func (f *BlockFacts) target(own *codeFacts, e *node) {
	switch {
	case e == nil:
	case e.kind == nodeName:
		f.bound[e.text] = true
	case e.kind == nodeTuple || e.kind == nodeList || e.kind == nodeStarred:
		for _, k := range e.kids {
			f.target(own, k)
		}
	default:
		f.read(own, []*node{e})
	}
}

// read adds the names that expressions read, except names that a lambda or comprehension in them binds.
func (f *BlockFacts) read(own *codeFacts, list []*node) {
	for _, e := range list {
		inner := map[string]bool{}
		bindings(e, inner)
		f.names(own, e, inner)
	}
}

func (f *BlockFacts) names(own *codeFacts, e *node, inner map[string]bool) {
	switch {
	case e == nil:
	case e.kind == nodeName:
		if !inner[e.text] {
			own.reads = append(own.reads, nameRead{e.line, e.pos, e.text})
		}
	case e.kind == nodeNamed:
		f.names(own, e.kids[1], inner)
	default:
		for _, k := range e.kids {
			f.names(own, k, inner)
		}
	}
}

// bindings adds the names that the comprehensions and lambdas in an expression bind.
func bindings(e *node, names map[string]bool) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeParam:
		names[e.text] = true
	case nodeClause:
		if len(e.kids) > 1 {
			boundBy(e.kids[1], names)
		}
	}
	for _, k := range e.kids {
		bindings(k, names)
	}
}

// boundBy adds the names that a target binds.
func boundBy(e *node, names map[string]bool) {
	switch {
	case e == nil:
	case e.kind == nodeName:
		names[e.text] = true
	case e.kind == nodeTuple || e.kind == nodeList || e.kind == nodeStarred:
		for _, k := range e.kids {
			boundBy(k, names)
		}
	}
}
