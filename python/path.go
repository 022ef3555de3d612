package python

import (
	"math/big"
	"slices"
	"strings"
)

// Path is a place that an expression reads: a name, and how it goes on from there.
type Path struct {
	Name  string
	Steps []Step
	// Len tells that only the length of what is there is read, Identity that only
	// which object it is.
	Len, Identity bool
}

// Step is one step of a path: an attribute, or a subscript that is a constant.
type Step struct {
	Attribute string // "" for a subscript
	Key       string // the subscript's repr
	Index     int    // of a subscript that is an int
	IsIndex   bool
}

// String is the path as Python has it.
func (p Path) String() string {
	var b strings.Builder
	b.WriteString(p.Name)
	for _, s := range p.Steps {
		if s.Attribute != "" {
			b.WriteString("." + s.Attribute)
		} else {
			b.WriteString("[" + s.Key + "]")
		}
	}
	if p.Len {
		return "len(" + b.String() + ")"
	}
	return b.String()
}

// pathsOf collects the places that an expression reads, each once. Where a
// subscript is computed, all of what it is taken of is read.
func pathsOf(node exprNode) []Path {
	var out []Path
	add := func(p Path) {
		if !slices.ContainsFunc(out, func(q Path) bool {
			return p.Name == q.Name && p.Len == q.Len && p.Identity == q.Identity && slices.Equal(p.Steps, q.Steps)
		}) {
			out = append(out, p)
		}
	}
	var visit func(node exprNode)
	visitAll := func(nodes []exprNode) {
		for _, n := range nodes {
			visit(n)
		}
	}
	visit = func(node exprNode) {
		if p, ok := pathOf(node); ok {
			add(p)
			return
		}
		switch node := node.(type) {
		case *listExpr:
			visitAll(node.items)
		case *tupleExpr:
			visitAll(node.items)
		case *setExpr:
			visitAll(node.items)
		case *unaryExpr:
			visit(node.operand)
		case *binaryExpr:
			visitAll([]exprNode{node.left, node.right})
		case *boolExpr:
			visitAll(node.operands)
		case *compareExpr:
			identity := !slices.ContainsFunc(node.ops, func(op string) bool { return op != "is" && op != "is not" })
			for _, operand := range append([]exprNode{node.first}, node.rest...) {
				if p, ok := pathOf(operand); ok && identity {
					p.Identity = true
					add(p)
					continue
				}
				visit(operand)
			}
		case *condExpr:
			visitAll([]exprNode{node.test, node.then, node.otherwise})
		case *attributeExpr:
			visit(node.value)
		case *subscriptExpr:
			visitAll([]exprNode{node.value, node.index})
		case *callExpr:
			if p, ok := lengthOf(node); ok {
				add(p)
				return
			}
			if _, named := node.function.(*nameExpr); !named {
				visit(node.function)
			}
			for _, arg := range node.args {
				visit(arg.value)
			}
		}
	}
	visit(node)
	return out
}

// lengthOf is the path of len(PATH).
func lengthOf(node *callExpr) (Path, bool) {
	name, ok := node.function.(*nameExpr)
	if !ok || name.name != "len" || len(node.args) != 1 || node.args[0].name != "" || node.args[0].stars > 0 {
		return Path{}, false
	}
	p, ok := pathOf(node.args[0].value)
	p.Len = true
	return p, ok
}

// pathOf is the path that a node is, if it is one.
func pathOf(node exprNode) (Path, bool) {
	switch node := node.(type) {
	case *nameExpr:
		return Path{Name: node.name}, true
	case *attributeExpr:
		p, ok := pathOf(node.value)
		p.Steps = append(p.Steps, Step{Attribute: node.name})
		return p, ok
	case *subscriptExpr:
		p, ok := pathOf(node.value)
		step, constant := stepOf(node.index)
		p.Steps = append(p.Steps, step)
		return p, ok && constant
	}
	return Path{}, false
}

// stepOf is a subscript that is a constant.
func stepOf(node exprNode) (Step, bool) {
	negative := false
	if u, ok := node.(*unaryExpr); ok && u.op == "-" {
		node, negative = u.operand, true
	}
	if t, ok := node.(*tupleExpr); ok && !negative {
		items := make([]pyValue, len(t.items))
		for i, item := range t.items {
			c, ok := item.(*constExpr)
			if !ok {
				return Step{}, false
			}
			items[i] = c.value
		}
		node = &constExpr{newTuple(items...)}
	}
	constant, ok := node.(*constExpr)
	if !ok {
		return Step{}, false
	}
	if v, ok := constant.value.(*big.Int); ok {
		if negative {
			v = new(big.Int).Neg(v)
		}
		return Step{Key: v.String(), Index: int(v.Int64()), IsIndex: v.IsInt64()}, true
	}
	text, ok := entryText(constant.value)
	return Step{Key: text}, ok && !negative
}

// entryText is the repr of a value by which a dict's entry is found without a doubt: a
// text, an int, or a tuple of such. (1 finds True and 1.0 as well.)
func entryText(v pyValue) (string, bool) {
	switch v := v.(type) {
	case *big.Int:
		return v.String(), true
	case pyStr:
		text, err := Datum{v}.Text()
		return text, err == nil
	case *pyTuple:
		parts := make([]string, len(v.items))
		for i, item := range v.items {
			var ok bool
			if parts[i], ok = entryText(item); !ok {
				return "", false
			}
		}
		if len(parts) == 1 {
			return "(" + parts[0] + ",)", true
		}
		return "(" + strings.Join(parts, ", ") + ")", true
	}
	return "", false
}

// Path is the path that the whole condition is, if it is one.
func (c *Condition) Path() (Path, bool) { return c.path, c.isPath }
