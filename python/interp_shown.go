package python

// objectReader parses lists of attributes, such as Account(owner='ann', balance=3). States use this
// form for objects whose class defines no __repr__.
type objectReader struct{ in *Interpreter }

// readObjects returns the value with this repr, if the repr contains such objects. ok is false for
// other reprs.
func (in *Interpreter) readObjects(text string) (v pyValue, ok bool) {
	e, err := parseExpression(text)
	if err != nil {
		return nil, false
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case notLiteral, *EvalError:
			v, ok = nil, false
		default:
			panic(e)
		}
	}()
	return objectReader{in}.value(e), true
}

func (r objectReader) value(e *node) pyValue {
	ev := r.in.ev
	switch e.kind {
	case nodeCall:
		if c := r.in.shownClass(e.kids[0]); c != nil {
			return r.object(c, e.kids[1:])
		}
	case nodeList:
		return ev.list(r.values(e.kids))
	case nodeTuple:
		return ev.tuple(r.values(e.kids))
	case nodeDict:
		d := newDict()
		for i := 0; i < len(e.kids); i += 2 {
			if e.kids[i] == nil {
				panic(notLiteral("is known only as text"))
			}
			d.put(ev, ev.literal(e.kids[i]), r.value(e.kids[i+1]))
		}
		return d
	}
	return ev.literal(e)
}

func (r objectReader) values(kids []*node) []pyValue {
	out := make([]pyValue, len(kids))
	for i, e := range kids {
		out[i] = r.value(e)
	}
	return out
}

// object creates an object with these attributes. They are unknown for Name(...), which a repr
// shows for an object inside itself or nested too deeply.
func (r objectReader) object(c *class, attributes []*node) *instance {
	x := &instance{class: c, attrs: &scope{vars: map[string]pyValue{}}, born: wasRead}
	for _, k := range attributes {
		if k.kind == nodeKeyword && k.text != "" {
			x.attrs.set(k.text, r.value(k.kids[0]))
			continue
		}
		if _, dots := k.value.(pyEllipsis); !dots || len(attributes) > 1 {
			panic(notLiteral("is known only as text"))
		}
		x.attrs.partial = true
	}
	return x
}

// wasRead is the value of instance.born for an object that was read from a repr. It may be the same
// object as any other of its class.
const wasRead = -1

// shownClass returns the class of the program whose objects have reprs like name(…). It returns nil
// if there is none or more than one, or if the class defines a __repr__.
func (in *Interpreter) shownClass(name *node) *class {
	if name.kind != nodeName || in.program.classes[name.text] != 1 {
		return nil
	}
	c := in.classNamed(name.text)
	if c == nil || c.builtin || c.isException() || c.overrides("__repr__") {
		return nil
	}
	return c
}

// classNamed returns the class that a module of the program binds to name, or nil if there is none
// or more than one.
func (in *Interpreter) classNamed(name string) (found *class) {
	for _, m := range in.modules {
		c, ok := m.names.vars[name].(*class)
		if !ok || c == found {
			continue
		}
		if found != nil {
			return nil
		}
		found = c
	}
	return found
}

// countClasses counts the class statements of each name, at any depth.
func countClasses(body []*stmt, counts map[string]int) {
	for _, s := range body {
		if s.kind == stmtClass {
			counts[s.def.name]++
		}
		for _, block := range s.blocks() {
			countClasses(block, counts)
		}
	}
}
