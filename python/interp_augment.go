package python

import "slices"

// augment runs the statement x OP= value.
func (a *activation) augment(s *stmt) {
	in, sc := a.in, a.names
	t, op := s.targets[0], s.names[0]
	op = op[:len(op)-1]
	change := func(old pyValue) pyValue {
		right := in.ev.eval(s.exprs[0], sc)
		a.touchLine(s.line)
		return in.inPlace(op, old, right)
	}
	switch t.kind {
	case nodeName:
		a.touchLine(t.line)
		value := change(in.load(t.text, sc))
		if op == "+" {
			a.concatenates(t.text, value)
		}
		in.store(t.text, value, sc)
	case nodeSubscript:
		base := in.ev.eval(t.kids[0], sc)
		index := in.ev.eval(t.kids[1], sc)
		a.touchLine(t.line)
		in.setItem(base, index, change(in.ev.subscript(base, index)))
	case nodeAttribute:
		if !onLine(t, t.line) {
			panic(refused("", "the events of a target over several lines"))
		}
		base := in.ev.eval(t.kids[0], sc)
		in.setAttribute(base, t.text, change(in.ev.attribute(base, t.text)))
	default:
		panic(refused("", "an assignment of this kind"))
	}
}

// concatenates refuses x += text at module or class level if the order of the names matters. Before
// 3.11, CPython deletes the name before it stores the sum if nothing else refers to the string,
// which moves the name to the end (CPython 3.10, Python/ceval.c, unicode_concatenate).
func (a *activation) concatenates(name string, sum pyValue) {
	_, isText := sum.(pyStr)
	order := a.names.order
	if isText && a.in.version.Minor < 11 && (a.code.kind == moduleCode || a.code.kind == classCode) &&
		slices.Contains(order, name) && order[len(order)-1] != name {
		panic(refused("", "the order of the names"))
	}
}

// inPlace returns the value of a OP= b. Lists, sets and dicts are changed in place.
func (in *Interpreter) inPlace(op string, a, b pyValue) pyValue {
	switch x := a.(type) {
	case *pyList:
		in.changing(x)
		switch op {
		case "+":
			in.ev.callWith(in.ev.attribute(x, "extend"), b)
			return x
		case "*":
			if made, ok := in.ev.binary(op, a, b).(*pyList); ok {
				x.items = made.items
				return x
			}
		}
	case *pySet:
		if !x.frozen {
			in.changing(x)
			if made, ok := in.ev.binaryInPlace(op, a, b).(*pySet); ok {
				x.items, x.index, x.torn, x.shown = made.items, made.index, x.torn || x.shown || op != "|" || x.merges(b), false
				return x
			}
		}
	case *pyDict:
		if op == "|" {
			in.changing(x)
			in.ev.callWith(in.ev.attribute(x, "update"), b)
			return x
		}
	case *instance:
		panic(refused("", "the program's own operators"))
	}
	return in.ev.binaryInPlace(op, a, b)
}
