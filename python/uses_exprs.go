package python

import "slices"

// expr reads the uses in an expression, and returns the evidence about its value.
func (r *usesReader) expr(e *node) *Evidence {
	if e == nil {
		return &Evidence{}
	}
	switch e.kind {
	case nodeConstant:
		return r.constant(e)
	case nodeName:
		if known := r.names[e.text]; known != nil {
			known.Read = true
			return known
		}
	case nodeList, nodeTuple, nodeSet:
		return r.display(e)
	case nodeDict:
		return r.dict(e)
	case nodeAttribute:
		r.method(r.expr(e.kids[0]), e.text, nil)
	case nodeSubscript:
		return r.subscript(e)
	case nodeCall:
		return r.call(e)
	case nodeBinOp:
		return r.operate(e.text, r.expr(e.kids[0]), r.expr(e.kids[1]))
	case nodeUnary:
		of := r.expr(e.kids[0])
		of.vote(3, IntKind, FloatKind, BoolKind)
		return of
	case nodeNot:
		r.expr(e.kids[0])
		return kindEvidence(BoolKind)
	case nodeAnd, nodeOr:
		return r.joined(e.kids)
	case nodeIfExp:
		r.expr(e.kids[0])
		return r.joined(e.kids[1:])
	case nodeCompare:
		r.compare(e)
		return kindEvidence(BoolKind)
	case nodeNamed:
		value := r.expr(e.kids[1])
		r.bind(e.kids[0], value)
		return value
	case nodeLambda:
		r.lambda(e, nil)
	case nodeListComp, nodeSetComp, nodeDictComp, nodeGenerator:
		return r.comprehension(e)
	case nodeJoined:
		for _, k := range e.kids {
			r.expr(k)
		}
		return kindEvidence(StrKind)
	default:
		for _, k := range e.kids {
			r.expr(k)
		}
	}
	return &Evidence{}
}

func (r *usesReader) constant(e *node) *Evidence {
	out := &Evidence{}
	p, ok := ReadPlain(r.text[e.pos:e.end])
	if !ok {
		return out
	}
	out.vote(4, p.Kind)
	out.Equal = []Plain{p}
	if len(r.literals) < maxLiterals && !slices.ContainsFunc(r.literals, func(o Plain) bool { return o.Text() == p.Text() }) {
		r.literals = append(r.literals, p)
	}
	return out
}

func (r *usesReader) display(e *node) *Evidence {
	kind := map[nodeKind]Kind{nodeList: ListKind, nodeTuple: TupleKind, nodeSet: SetKind}[e.kind]
	out := kindEvidence(kind)
	for _, k := range e.kids {
		item := r.expr(k)
		if k.kind != nodeStarred {
			r.link(out.Elements(), item)
		}
		out.parts = append(out.parts, item)
	}
	if kind != TupleKind {
		out.parts = nil
	}
	return out
}

func (r *usesReader) dict(e *node) *Evidence {
	out := kindEvidence(DictKind)
	for i := 0; i+1 < len(e.kids); i += 2 {
		if e.kids[i] == nil {
			r.link(out, r.expr(e.kids[i+1]))
			continue
		}
		r.link(out.Keys(), r.expr(e.kids[i]))
		r.link(out.Elements(), r.expr(e.kids[i+1]))
	}
	return out
}

// joined returns the evidence about a value that is one of several values.
func (r *usesReader) joined(kids []*node) *Evidence {
	out := &Evidence{}
	for _, k := range kids {
		r.link(out, r.expr(k))
	}
	return out
}

func (r *usesReader) subscript(e *node) *Evidence {
	base, index := r.expr(e.kids[0]), e.kids[1]
	if index.kind == nodeSlice {
		base.vote(2, StrKind, ListKind, TupleKind)
		for _, k := range index.kids {
			if k != nil {
				r.expr(k).vote(4, IntKind)
			}
		}
		return base
	}
	at := r.expr(index)
	base.vote(1.5, StrKind, ListKind, DictKind, TupleKind)
	switch best, _ := base.Best(); best {
	case DictKind:
		r.link(base.Keys(), at)
	case StrKind, ListKind:
		at.vote(2, IntKind)
	default:
		at.vote(1, IntKind, StrKind)
	}
	if index.kind == nodeConstant && !isDigits(index.text) {
		base.vote(4, DictKind)
	}
	return base.Elements()
}

// operate reads a binary operation, and returns the evidence about its result.
func (r *usesReader) operate(op string, a, b *Evidence) *Evidence {
	switch op[:1] {
	case "+":
		r.link(a, b)
		a.vote(1, IntKind, StrKind, ListKind, FloatKind, TupleKind)
		b.vote(1, IntKind, StrKind, ListKind, FloatKind, TupleKind)
		return a
	case "*":
		for i, x := range []*Evidence{a, b} {
			other := []*Evidence{b, a}[i]
			if best, ok := other.Best(); ok && (best == StrKind || best == ListKind) {
				x.vote(3, IntKind)
				return other
			}
		}
		a.vote(0.5, IntKind, FloatKind, StrKind, ListKind)
		b.vote(1, IntKind, FloatKind)
		return a
	case "%":
		if best, ok := a.Best(); ok && best == StrKind {
			return kindEvidence(StrKind)
		}
		b.vote(2, IntKind)
		return kindEvidence(IntKind)
	case "|", "&", "^":
		r.link(a, b)
		a.vote(0.5, IntKind, SetKind, DictKind, BoolKind)
		return a
	case "-":
		a.vote(2, IntKind, FloatKind, SetKind)
		b.vote(2, IntKind, FloatKind, SetKind)
	default:
		a.vote(3, IntKind, FloatKind)
		b.vote(3, IntKind, FloatKind)
	}
	return kindEvidence(IntKind)
}

// compare reads a comparison. Its sides have the same type; for `in`, the left side is an element
// of the right one.
func (r *usesReader) compare(e *node) {
	left := r.expr(e.kids[0])
	for i, k := range e.kids[1:] {
		right := r.expr(k)
		switch op := e.operator(i); op {
		case "in", "not in":
			right.vote(1.5, StrKind, ListKind, DictKind, TupleKind, SetKind)
			if best, ok := right.Best(); ok && best == StrKind {
				left.vote(2, StrKind)
			} else {
				r.link(left, right.Elements())
			}
		case "is", "is not":
		default:
			r.link(left, right)
			left.Equal = appendEqual(left.Equal, right.Equal)
			right.Equal = appendEqual(right.Equal, left.Equal)
			if op == "<" || op == ">" || op == "<=" || op == ">=" {
				left.vote(1, IntKind, FloatKind, StrKind)
				right.vote(1, IntKind, FloatKind, StrKind)
			}
		}
		left = right
	}
}

const mostEqual = 12

func appendEqual(to, more []Plain) []Plain {
	for _, p := range more {
		if len(to) < mostEqual && !slices.ContainsFunc(to, func(o Plain) bool { return o.Text() == p.Text() }) {
			to = append(to, p)
		}
	}
	return to
}

// lambda reads a lambda. argument is the evidence about its first argument, or nil.
func (r *usesReader) lambda(e *node, argument *Evidence) *Evidence {
	params := e.kids[:len(e.kids)-1]
	var out *Evidence
	r.hiding(params, func() {
		if argument != nil && len(params) > 0 {
			r.names[params[0].text] = argument
		}
		out = r.expr(e.kids[len(e.kids)-1])
	})
	return out
}

func (r *usesReader) comprehension(e *node) *Evidence {
	clauses, element := e.clauses()
	var names []*node
	for _, c := range clauses {
		names = append(names, targetNames(c.kids[1])...)
	}
	out := kindEvidence(map[nodeKind]Kind{nodeListComp: ListKind, nodeSetComp: SetKind, nodeDictComp: DictKind, nodeGenerator: ListKind}[e.kind])
	first := r.iterated(clauses[0].kids[0])
	r.hiding(names, func() {
		for i, c := range clauses {
			if i > 0 {
				first = r.iterated(c.kids[0])
			}
			r.bind(c.kids[1], first)
			for _, condition := range c.kids[2:] {
				r.expr(condition)
			}
		}
		if e.kind == nodeDictComp {
			r.link(out.Keys(), r.expr(element[0]))
		}
		r.link(out.Elements(), r.expr(element[len(element)-1]))
	})
	return out
}

// targetNames returns the names in an assignment target.
func targetNames(t *node) (names []*node) {
	if t == nil {
		return nil
	}
	if t.kind == nodeName {
		return []*node{t}
	}
	for _, k := range t.kids {
		names = append(names, targetNames(k)...)
	}
	return names
}
