package python

import "strings"

// maxStack is the largest display or call that the compiler builds on the stack at once. Larger
// ones are built step by step (STACK_USE_GUIDELINE in Python/compile.c).
const maxStack = 30

func (m *lineMarker) exprs(list []*node) {
	for _, e := range list {
		m.expr(e)
	}
}

func (m *lineMarker) storeAll(list []*node) {
	for _, e := range list {
		m.store(e)
	}
}

// expr marks the lines of an expression's instructions, in their order.
func (m *lineMarker) expr(e *node) {
	if e == nil {
		return
	}
	if e.constant {
		m.mark(e.line)
		return
	}
	switch e.kind {
	case nodeConstant, nodeName:
		m.mark(e.line)
	case nodeStarred, nodeKeyword, nodeClause, nodeParam:
		m.exprs(e.kids)
	case nodeError, nodeTypeParam:
		m.mark(e.line)
		m.exprs(e.kids)
	case nodeAttribute:
		m.exprs(e.kids)
		m.mark(e.last)
	case nodeCall:
		m.expr(e.kids[0])
		m.arguments(e.kids[1:])
		if callee := e.kids[0]; callee.kind == nodeAttribute {
			m.mark(callee.last)
		} else {
			m.mark(e.line)
		}
	case nodeList, nodeSet:
		if len(e.kids) > maxStack || hasStarred(e.kids) {
			m.mark(e.line)
		}
		if len(e.kids) < 3 || !allConstant(e.kids) {
			m.exprs(e.kids)
		}
		m.mark(e.line)
	case nodeDict:
		m.dict(e)
	case nodeUnary, nodeNot, nodeTuple, nodeAnd, nodeOr, nodeSubscript, nodeSlice, nodeAwait, nodeYield:
		m.exprs(e.kids)
		m.mark(e.line)
	case nodeBinOp:
		if m.formats(e) {
			m.exprs(e.kids[1].kids)
		} else {
			m.exprs(e.kids)
		}
		m.mark(e.line)
	case nodeCompare:
		m.expr(e.kids[0])
		for _, k := range e.kids[1:] {
			m.iterable(k)
		}
		m.mark(e.line)
	case nodeIfExp:
		m.condition(e.kids[0])
		m.mark(e.line)
		m.exprs(e.kids[1:])
	case nodeNamed:
		m.expr(e.kids[1])
		m.mark(e.line)
		m.store(e.kids[0])
	case nodeLambda:
		m.lambda(e)
	case nodeListComp, nodeSetComp, nodeDictComp:
		first := e.kids[0].kids
		m.expr(first[0])
		m.mark(e.line)
		m.store(first[1])
		m.exprs(first[2:])
		m.exprs(e.kids[1:])
	case nodeGenerator: // it is a function, which is created first
		m.mark(e.line)
		m.exprs(e.kids)
	case nodeJoined, nodeField:
		m.exprs(e.kids)
		m.mark(e.line)
	}
}

// iterable marks an expression after "for" or "in". There the compiler turns a list or set of
// constants into a constant.
func (m *lineMarker) iterable(e *node) {
	if (e.kind == nodeList || e.kind == nodeSet) && allConstant(e.kids) {
		m.mark(e.line)
		return
	}
	m.expr(e)
}

func (m *lineMarker) conditions(list []*node) {
	for _, e := range list {
		m.condition(e)
	}
}

// condition marks an expression that is used only for a jump. Its "not", "and" and "or" need no
// instruction.
func (m *lineMarker) condition(e *node) {
	switch {
	case e.constant:
		m.mark(e.line)
	case e.kind == nodeNot, e.kind == nodeAnd, e.kind == nodeOr:
		m.conditions(e.kids)
	default:
		m.expr(e)
	}
}

// store marks the lines of an assignment to a target.
func (m *lineMarker) store(e *node) {
	switch e.kind {
	case nodeTuple, nodeList:
		m.mark(e.line)
		m.storeAll(e.kids)
	case nodeStarred:
		m.storeAll(e.kids)
	case nodeAttribute:
		m.exprs(e.kids)
		m.mark(e.last)
	default:
		m.exprs(e.kids)
		m.mark(e.line)
	}
}

func hasStarred(list []*node) bool {
	for _, e := range list {
		if e.kind == nodeStarred {
			return true
		}
	}
	return false
}

// arguments marks the arguments of a call. If there are many, or *args among them, they are packed
// into a tuple, which may be a constant.
func (m *lineMarker) arguments(list []*node) {
	size := 0
	var positional []*node
	for _, e := range list {
		if e.kind == nodeKeyword {
			size += 2
		} else {
			size++
			positional = append(positional, e)
		}
	}
	if size > maxStack && len(positional) > 2 && allConstant(positional) {
		list = list[len(positional):]
	}
	m.exprs(list)
}

// formats reports whether the compiler turns the expression "%s …" % (a, …) into an f-string: the
// format has one field for each element, and only plain %s, %r and %a.
func (m *lineMarker) formats(e *node) bool {
	format, values := e.kids[0], e.kids[1]
	if values.kind != nodeTuple || values.constant || format.kind != nodeConstant || hasStarred(values.kids) {
		return false
	}
	text := format.text
	if !strings.HasSuffix(text, `"`) && !strings.HasSuffix(text, "'") || text[0]|0x20 == 'b' {
		return false
	}
	fields := 0
	for i := strings.IndexByte(text, '%'); i >= 0; i = strings.IndexByte(text, '%') {
		text = strings.TrimLeft(text[i+1:], "-+ #0123456789.")
		switch {
		case text == "":
			return false
		case text[0] == 's' || text[0] == 'r' || text[0] == 'a':
			fields++
		case text[0] != '%':
			return false
		}
		text = text[1:]
	}
	return fields == len(values.kids)
}

// dict marks a dict display. Consecutive constant keys are loaded as one constant.
func (m *lineMarker) dict(e *node) {
	var run []*node
	flush := func() {
		n := len(run)
		together := n > 2 && n <= maxStack
		for i := 0; i < n; i += 2 {
			together = together && run[i].constant
		}
		if n > maxStack {
			m.mark(e.line)
		}
		for i := 0; i < n; i += 2 {
			if !together {
				m.expr(run[i])
			}
			m.expr(run[i+1])
		}
		if n > 0 {
			m.mark(e.line)
		}
		run = run[:0]
	}
	for i := 0; i < len(e.kids); i += 2 {
		if e.kids[i] == nil {
			flush()
			m.mark(e.line)
			m.expr(e.kids[i+1])
			continue
		}
		run = append(run, e.kids[i], e.kids[i+1])
		if len(run) > maxStack+2 {
			flush()
		}
	}
	flush()
	m.mark(e.line)
}

// lambda marks a lambda's defaults and, as another code object, its body.
func (m *lineMarker) lambda(e *node) {
	last := len(e.kids) - 1
	m.exprs(e.kids[:last])
	m.mark(e.line)
	m.within(codeState{}, func() { m.expr(e.kids[last]) })
}
