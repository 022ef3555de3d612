package python

import (
	"slices"
	"strings"
)

// expr is the call that a part of an expression comes from, "" for none. It takes
// note of names that the expression binds.
func (r *varyingReader) expr(e *node) string {
	if e == nil {
		return ""
	}
	from := ""
	switch e.kind {
	case nodeName:
		return r.here.from(r.text[e.pos:e.end])
	case nodeAttribute:
		if name, ok := r.ofSelf(e); ok {
			from = r.attributes[name]
		}
	case nodeCall:
		from = r.called(e)
	case nodeNamed:
		from = r.expr(e.kids[1])
		r.store(e.kids[0], from)
		return from
	}
	for _, k := range e.kids {
		from = either(from, r.expr(k))
	}
	return from
}

// called is what a call by its function alone gives.
func (r *varyingReader) called(e *node) string {
	name, ok := r.dotted(e.kids[0])
	if !ok {
		return ""
	}
	head, rest, _ := strings.Cut(name, ".")
	if r.here.self != "" && head == r.here.self {
		return r.calls[r.here.class+"."+rest]
	}
	if from := r.calls[name]; from != "" {
		return from
	}
	if whole, ok := r.bound[head]; ok {
		if name = whole; rest != "" {
			name += "." + rest
		}
	} else if rest != "" {
		return "" // of an object
	}
	if varies(name, len(e.kids)-1) {
		return name + "()"
	}
	return ""
}

// dotted is the name of a function: "time.time".
func (r *varyingReader) dotted(e *node) (string, bool) {
	switch e.kind {
	case nodeName:
		return r.text[e.pos:e.end], true
	case nodeAttribute:
		if of, ok := r.dotted(e.kids[0]); ok {
			return of + "." + r.attribute(e), true
		}
	}
	return "", false
}

// attribute is the name behind the last dot.
func (r *varyingReader) attribute(e *node) string {
	return strings.TrimSpace(strings.TrimLeft(r.text[e.kids[0].end:e.end], " \t\r\n\\).")) // the base may stand in parentheses
}

// ofSelf is the name of an attribute of the method's own object.
func (r *varyingReader) ofSelf(e *node) (string, bool) {
	base := e.kids[0]
	if r.here.self == "" || base.kind != nodeName || r.text[base.pos:base.end] != r.here.self {
		return "", false
	}
	return r.here.class + "." + r.attribute(e), true
}

// store gives what varies to a target: to a name, to the names of a tuple, and to
// the object whose element or attribute it is.
func (r *varyingReader) store(e *node, from string) {
	if e == nil {
		return
	}
	switch e.kind {
	case nodeName:
		name, s := r.text[e.pos:e.end], r.here
		if slices.Contains(s.global, name) {
			s = r.out.scopes[0]
		}
		s.own[name] = true
		r.set(s.names, name, from)
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range e.kids {
			r.store(k, from)
		}
	case nodeAttribute:
		if from == "" {
			return // the object is no name that is bound here
		}
		if name, ok := r.ofSelf(e); ok {
			r.set(r.attributes, name, from)
			r.set(r.calls, r.here.class, from) // its objects show it
		}
		r.store(e.kids[0], from)
	case nodeSubscript:
		if from != "" {
			r.store(e.kids[0], from)
		}
	}
}

// call takes note of what a call that stands alone changes: the object whose method
// is given what varies, and the arguments of a function such as random.shuffle.
func (r *varyingReader) call(e *node) {
	if e.kind != nodeCall {
		return
	}
	if from := r.called(e); from != "" {
		for _, k := range e.kids[1:] {
			r.store(k, from)
		}
	}
	from := ""
	for _, k := range e.kids[1:] {
		from = either(from, r.expr(k))
	}
	if e.kids[0].kind == nodeAttribute {
		if name, ok := r.dotted(e.kids[0]); ok {
			if head, _, _ := strings.Cut(name, "."); r.bound[head] != "" {
				return // a module's function, not a method
			}
		}
		if from != "" {
			r.store(e.kids[0].kids[0], from)
		}
	}
}
