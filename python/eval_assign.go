package python

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// assignment is a statement that changes the value of one name.
type assignment struct {
	name  string
	path  []*node // the subscripts after the name: x[0]['a']
	op    string  // "=", "+=", … or "del"
	value *node   // nil for del
}

// Assign evaluates a statement that changes one name: "x = 3", "x += 1", "x[0] = 'a'", "del x[0]".
// It returns the name and the repr of its new value. The repr is "" after "del x", which removes
// the name. Errors are those of Eval; any other kind of statement is a *RefusedError.
func Assign(ctx context.Context, statement string, names Names) (name, text string, err error) {
	err = within(ctx, names, func(ev *evaluation) {
		checkLength(statement)
		a := readAssignment(statement)
		name = a.name
		if value := ev.assign(a); value != nil {
			text = ev.repr(value)
		}
		if len(text) > textLimit {
			panic(tooLarge("a text of more than %d MiB", textLimit>>20))
		}
	})
	if err != nil {
		return "", "", err
	}
	return name, text, nil
}

// readAssignment parses text, which must be one assignment or del statement.
func readAssignment(text string) *assignment {
	p, err := newStrictParser(text)
	if err != nil {
		panic(err)
	}
	list := p.statements(false)
	switch err := p.err(); {
	case err != nil:
		panic(err)
	case len(list) == 0:
		panic(syntaxError("invalid syntax"))
	}
	s := list[0]
	a := &assignment{op: "="}
	switch {
	case s.kind == stmtDelete:
		a.op = "del"
	case s.kind == stmtAnnAssign:
		panic(refused("", "write one assignment without annotation: x = 3"))
	case s.kind != stmtAssign && s.kind != stmtAugAssign:
		panic(refused("", "only an assignment changes a state: x = 3, x[0] = 3, x += 1, del x"))
	case len(list) > 1 || len(s.targets) > 1:
		panic(refused("", "write one assignment at a time"))
	case s.kind == stmtAugAssign:
		a.op = s.names[0]
	}
	if a.op != "del" {
		a.value = s.exprs[0]
	}
	a.target(s.targets[0])
	return a
}

// target parses the left side of an assignment.
func (a *assignment) target(e *node) {
	for e.kind == nodeSubscript {
		a.path = append(a.path, e.kids[1])
		e = e.kids[0]
	}
	slices.Reverse(a.path)
	a.name = e.text
	switch e.kind {
	case nodeName:
	case nodeAttribute:
		panic(refused("."+e.text, "attributes of objects are part of their text; give the name a whole new value"))
	case nodeTuple, nodeList, nodeStarred:
		panic(refused("", "write one assignment for each name"))
	default:
		panic(syntaxError("cannot assign to expression"))
	}
}

// assign returns the new value of the name, or nil if the name is deleted.
func (ev *evaluation) assign(a *assignment) pyValue {
	(&rules{recorded: ev.recorded}).name(a.name)
	if a.op == "del" && len(a.path) == 0 {
		if _, ok := ev.recorded[a.name]; !ok {
			panic(raised("NameError", "name '%s' has no value here", a.name))
		}
		return nil
	}
	// Check value, target and subscripts as one expression, so that all names that they read are
	// collected.
	parts := &node{kind: nodeTuple}
	if a.value != nil {
		parts.kids = append(parts.kids, a.value)
	}
	parts.kids = append(parts.kids, a.path...)
	if len(a.path) > 0 || a.op != "=" {
		parts.kids = append(parts.kids, &node{kind: nodeName, text: a.name})
	}
	values := ev.expression(parts).(*pyTuple).items
	change := func(old pyValue) pyValue { return nil }
	if a.value != nil {
		right := values[0]
		values = values[1:]
		change = func(old pyValue) pyValue {
			if a.op == "=" {
				return right
			}
			return ev.augmented(strings.TrimSuffix(a.op, "="), old, right)
		}
	}
	if len(a.path) == 0 {
		if len(values) == 0 {
			return change(nil)
		}
		return change(values[0])
	}
	return ev.replaced(values[len(a.path)], values[:len(a.path)], a.op != "=", change)
}

// augmented returns the value of a after a OP= b. For +=, a list accepts any iterable.
func (ev *evaluation) augmented(op string, a, b pyValue) pyValue {
	if x, ok := a.(*pyList); ok && op == "+" {
		return ev.list(slices.Concat(x.items, ev.collect(b)))
	}
	return ev.binaryInPlace(op, a, b)
}

// binaryInPlace returns the value of a OP b, but with the error message of a OP= b.
func (ev *evaluation) binaryInPlace(op string, a, b pyValue) pyValue {
	defer func() {
		e := recover()
		if err, ok := e.(*EvalError); ok {
			if rest, ok := strings.CutPrefix(err.Message, "unsupported operand type(s) for "); ok {
				_, types, _ := strings.Cut(rest, ": ")
				err.Message = "unsupported operand type(s) for " + op + "=: " + types
			}
			err.loose = err.loose || strings.HasPrefix(err.Message, "can't multiply sequence")
		}
		if e != nil {
			panic(e)
		}
	}()
	return ev.binary(op, a, b)
}

// replaced returns a copy of v in which the item at the end of a path of subscripts is replaced.
// change returns the new item, or nil to delete it. If reads is true, change gets the old item.
func (ev *evaluation) replaced(v pyValue, path []pyValue, reads bool, change func(old pyValue) pyValue) pyValue {
	var item pyValue
	if len(path) > 1 {
		item = ev.replaced(ev.subscript(v, path[0]), path[1:], reads, change)
	} else {
		var old pyValue
		if reads {
			old = ev.subscript(v, path[0])
		}
		item = change(old)
	}
	switch v := v.(type) {
	case *pyList:
		if _, ok := path[0].(*pySlice); ok {
			panic(outside("[:]", "slices are not assigned"))
		}
		n := newInt(len(v.items))
		i, ok := toInt(path[0])
		if !ok {
			panic(raised("TypeError", "list indices must be integers or slices, not %s", typeName(path[0])))
		}
		if i.Sign() < 0 {
			i = n.Add(n, i)
		}
		if !i.IsInt64() || i.Sign() < 0 || i.Int64() >= int64(len(v.items)) {
			panic(raised("IndexError", "list assignment index out of range"))
		}
		at := int(i.Int64())
		if item == nil {
			return ev.list(slices.Delete(slices.Clone(v.items), at, at+1))
		}
		items := slices.Clone(v.items)
		items[at] = item
		return ev.list(items)
	case *pyDict:
		if item == nil {
			d := newDict()
			gone := ev.dictKey(path[0])
			for i, key := range v.keys {
				if ev.dictKey(key) != gone {
					d.put(ev, key, v.values[i])
				}
			}
			return d
		}
		d := &pyDict{slices.Clone(v.keys), slices.Clone(v.values), maps.Clone(v.index)}
		ev.spend(len(d.keys) * entrySize)
		d.put(ev, path[0], item)
		return d
	}
	what := "assignment"
	if item == nil {
		what = "deletion"
	}
	panic(raised("TypeError", "'%s' object does not support item %s", typeName(v), what))
}
