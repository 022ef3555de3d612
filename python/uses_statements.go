package python

// block reads the uses in statements.
func (r *usesReader) block(body []*stmt) {
	for i, s := range body {
		if i == 0 && s.kind == stmtExpr && s.exprs[0].kind == nodeConstant {
			continue // a docstring
		}
		r.statement(s)
		for _, b := range s.branches {
			for _, e := range b.exprs {
				r.expr(e)
			}
			r.block(b.body)
		}
		if s.kind == stmtClass || s.kind == stmtDef {
			r.inner(s)
			continue
		}
		r.block(s.body)
		r.block(s.orelse)
		r.block(s.final)
	}
}

// inner reads a nested function or class. Its parameters hide names of the function.
func (r *usesReader) inner(s *stmt) {
	if s.def == nil {
		return
	}
	r.hiding(s.def.params, func() {
		returned := r.returned
		r.returned = &Evidence{}
		r.block(s.body)
		r.returned = returned
	})
}

// hiding calls read while parameters hide names of the function.
func (r *usesReader) hiding(params []*node, read func()) {
	hidden := map[string]*Evidence{}
	for _, p := range params {
		hidden[p.text] = r.names[p.text]
		r.names[p.text] = &Evidence{}
	}
	read()
	for name, e := range hidden {
		r.names[name] = e
		if e == nil {
			delete(r.names, name)
		}
	}
}

func (r *usesReader) statement(s *stmt) {
	switch s.kind {
	case stmtFor:
		if len(s.exprs) > 0 && len(s.targets) > 0 {
			r.bind(s.targets[0], r.iterated(s.exprs[0]))
		}
	case stmtWhile:
		for _, e := range s.exprs {
			r.expr(e)
		}
	case stmtAssign:
		value := r.expr(s.exprs[0])
		for _, t := range s.targets {
			r.bind(t, value)
		}
	case stmtAnnAssign:
		if len(s.exprs) == 2 {
			r.bind(s.targets[0], r.expr(s.exprs[1]))
		}
	case stmtAugAssign:
		if len(s.targets) > 0 && len(s.names) > 0 {
			r.operate(s.names[0], r.expr(s.targets[0]), r.expr(s.exprs[0]))
		}
	case stmtReturn:
		for _, e := range s.exprs {
			r.link(r.returned, r.expr(e))
		}
	case stmtDelete:
		for _, t := range s.targets {
			if e := r.expr(t); e != nil && t.kind == nodeSubscript {
				r.expr(t.kids[0]).vote(2, ListKind, DictKind)
			}
		}
	case stmtDef, stmtClass:
	default:
		for _, e := range s.exprs {
			r.expr(e)
		}
		for _, t := range s.targets {
			r.expr(t)
		}
	}
}

// bind adds value to the evidence about the names in a target.
func (r *usesReader) bind(t *node, value *Evidence) {
	if t == nil {
		return
	}
	switch t.kind {
	case nodeName:
		if known := r.names[t.text]; known != nil {
			r.link(known, value)
		} else {
			r.names[t.text] = value
		}
	case nodeTuple, nodeList:
		value.vote(1, TupleKind, ListKind, StrKind)
		for i, k := range t.kids {
			if i < len(value.parts) {
				r.bind(k, value.parts[i])
			} else {
				r.bind(k, value.Elements())
			}
		}
	case nodeStarred:
		if len(t.kids) > 0 {
			r.bind(t.kids[0], value)
		}
	case nodeSubscript:
		base := r.expr(t.kids[0])
		r.expr(t.kids[1])
		base.vote(4, ListKind, DictKind)
		if t.kids[1].kind != nodeSlice {
			r.link(base.Elements(), value)
		}
	default:
		r.expr(t)
	}
}

// iterated returns the evidence about the items of an iterable.
func (r *usesReader) iterated(e *node) *Evidence {
	if e.kind == nodeCall && len(e.kids) > 1 {
		args := e.kids[1:]
		switch name, _ := e.kids[0].dotted(); name {
		case "enumerate":
			return r.pair(kindEvidence(IntKind), r.iterated(args[0]))
		case "zip":
			pair := kindEvidence(TupleKind)
			pair.parts = make([]*Evidence, len(args))
			for i, a := range args {
				pair.parts[i] = r.iterated(a)
			}
			return pair
		case "reversed", "sorted", "list", "set", "tuple", "iter":
			defer r.expr(e)
			return r.iterated(args[0])
		}
	}
	if e.kind == nodeCall && e.kids[0].kind == nodeAttribute {
		switch of := e.kids[0]; of.text {
		case "items":
			base := r.expr(of.kids[0])
			base.vote(5, DictKind)
			return r.pair(base.Keys(), base.Elements())
		case "keys":
			base := r.expr(of.kids[0])
			base.vote(5, DictKind)
			return base.Keys()
		case "values":
			base := r.expr(of.kids[0])
			base.vote(5, DictKind)
			return base.Elements()
		}
	}
	over := r.expr(e)
	over.vote(1.5, StrKind, ListKind, DictKind, TupleKind, SetKind)
	if k, _ := over.Best(); k == DictKind {
		return over.Keys()
	}
	return over.Elements()
}

// pair returns the evidence about a tuple of two values.
func (r *usesReader) pair(a, b *Evidence) *Evidence {
	e := kindEvidence(TupleKind)
	e.parts = []*Evidence{a, b}
	return e
}

// kindEvidence returns the evidence about a value whose type is certain.
func kindEvidence(k Kind) *Evidence {
	e := &Evidence{}
	e.vote(4, k)
	return e
}
