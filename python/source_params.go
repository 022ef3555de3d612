package python

// params reads parameters up to a closing token, which stays. Those of a lambda
// have no annotations.
func (p *sourceParser) params(closing string, annotated bool) []paramNode {
	var list []paramNode
	kind := PositionalOrKeyword
	for !p.failed && !p.is(closing) {
		switch {
		case p.accept("/"):
			for i := range list {
				list[i].kind = PositionalOnly
			}
		case p.is("*") && (p.isAhead(1, ",") || p.isAhead(1, closing)):
			p.at++
			kind = KeywordOnly
		case p.accept("**"):
			list = append(list, p.param(VarKeyword, annotated))
		case p.accept("*"):
			list = append(list, p.param(VarPositional, annotated))
			kind = KeywordOnly
		default:
			list = append(list, p.param(kind, annotated))
		}
		if !p.accept(",") {
			break
		}
	}
	return list
}

func (p *sourceParser) param(kind ParamKind, annotated bool) paramNode {
	n := paramNode{kind: kind, name: p.name()}
	if annotated && p.accept(":") {
		n.annotation = p.starExpr()
	}
	if p.accept("=") {
		n.value = p.test()
	}
	return n
}

// typeParams reads the type parameters of PEP 695, if there are any.
func (p *sourceParser) typeParams() []*node {
	var list []*node
	if !p.accept("[") {
		return nil
	}
	for !p.failed && !p.is("]") {
		start := p.peek()
		if !p.accept("**") {
			p.accept("*")
		}
		p.name()
		var kids []*node
		if p.accept(":") {
			kids = append(kids, p.test())
		}
		if p.accept("=") {
			kids = append(kids, p.starExpr())
		}
		list = append(list, p.newNode(nodeTypeParam, start, kids...))
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return list
}
