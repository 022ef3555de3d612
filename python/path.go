package python

import (
	"math/big"
	"slices"
	"strings"
)

// Path is a variable, attribute or element that an expression reads: a name, followed by attributes
// and subscripts.
type Path struct {
	Name  string
	Steps []Step
	// Len: only the length of the value is read. Identity: only the identity of the object is read.
	Len, Identity bool
}

// Step is one step of a path: an attribute, or a constant subscript.
type Step struct {
	Attribute string // "" for a subscript
	Key       string // the subscript's repr
	Index     int    // the subscript, if it is an int
	IsIndex   bool
}

// String formats the path as a Python expression.
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

// pathsOf returns the paths that an expression reads, each once. If a subscript is not a constant,
// the path of the whole container is included.
func pathsOf(e *node) []Path {
	var out []Path
	add := func(p Path) {
		if !slices.ContainsFunc(out, func(q Path) bool {
			return p.Name == q.Name && p.Len == q.Len && p.Identity == q.Identity && slices.Equal(p.Steps, q.Steps)
		}) {
			out = append(out, p)
		}
	}
	var visit func(e *node)
	visit = func(e *node) {
		if p, ok := pathOf(e); ok {
			add(p)
			return
		}
		kids := e.kids
		switch e.kind {
		case nodeCompare:
			identity := true
			for i := range kids[1:] {
				identity = identity && strings.HasPrefix(e.operator(i), "is")
			}
			for _, k := range kids {
				if p, ok := pathOf(k); ok && identity {
					p.Identity = true
					add(p)
					continue
				}
				visit(k)
			}
			return
		case nodeCall:
			if p, ok := lengthOf(e); ok {
				add(p)
				return
			}
			if kids[0].kind == nodeName {
				kids = kids[1:]
			}
		}
		for _, k := range kids {
			visit(k)
		}
	}
	visit(e)
	return out
}

// lengthOf converts an expression len(PATH) to a path with Len set, or returns false.
func lengthOf(e *node) (Path, bool) {
	if e.kind != nodeCall || len(e.kids) != 2 || !e.kids[0].is("len") {
		return Path{}, false
	}
	p, ok := pathOf(e.kids[1])
	p.Len = true
	return p, ok
}

// pathOf converts an expression such as a.b[0] to a path, or returns false.
func pathOf(e *node) (Path, bool) {
	switch e.kind {
	case nodeName:
		return Path{Name: e.text}, true
	case nodeAttribute:
		p, ok := pathOf(e.kids[0])
		p.Steps = append(p.Steps, Step{Attribute: e.text})
		return p, ok
	case nodeSubscript:
		p, ok := pathOf(e.kids[0])
		step, constant := stepOf(e.kids[1])
		p.Steps = append(p.Steps, step)
		return p, ok && constant
	}
	return Path{}, false
}

// stepOf converts a constant subscript to a step, or returns false.
func stepOf(e *node) (Step, bool) {
	negative := e.kind == nodeUnary && e.text == "-"
	if negative {
		e = e.kids[0]
	}
	value := e.value
	if e.kind == nodeTuple {
		items := make([]pyValue, len(e.kids))
		for i, item := range e.kids {
			if item.kind != nodeConstant {
				return Step{}, false
			}
			items[i] = item.value
		}
		value = newTuple(items...)
	} else if e.kind != nodeConstant {
		return Step{}, false
	}
	if v, ok := value.(*big.Int); ok {
		if negative {
			v = new(big.Int).Neg(v)
		}
		return Step{Key: v.String(), Index: int(v.Int64()), IsIndex: v.IsInt64()}, true
	}
	text, ok := entryText(value)
	return Step{Key: text}, ok && !negative
}

// entryText returns the repr of a key, if at most one entry of a dict can have that key: the key is
// a string, an int, or a tuple of these. (For 1, the entry's key may also be True or 1.0.)
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

// Path returns the path if the whole condition is one, such as a.b[0]; otherwise it returns false.
func (c *Condition) Path() (Path, bool) { return c.path, c.isPath }
