package python

import (
	"math/big"
	"slices"
)

// position returns the iterator of a for loop that an activation begins inside, where the text decides how
// far it has come: over a range, a text or a display of constants in which the item is found once, or with
// the index of enumerate. It is nil elsewhere.
func (a *activation) position(s *stmt) *pyIter {
	if !onLine(s.exprs[0], s.line) || slices.ContainsFunc(a.in.lines, wild.MatchString) {
		return nil
	}
	inner := &functionReader{own: map[string]bool{}}
	inner.binds(s.body)
	// keeps returns the value that a name has had in the whole round, nil if it may have had another one.
	keeps := func(e *node) pyValue {
		if e.kind != nodeName || inner.own[e.text] || unbinds(s.body, e.text) || a.in.rebinds(a, e.text) ||
			!a.code.bound[e.text] && a.code.kind != moduleCode {
			return nil
		}
		v := a.names.vars[e.text]
		if v == nil || isOpaque(v) {
			return nil
		}
		return v
	}
	e, target := s.exprs[0], s.targets[0]
	call := e.kind == nodeCall && e.kids[0].kind == nodeName && !a.in.hides(e.kids[0].text, a.names)
	switch {
	case call && e.kids[0].text == "enumerate" && len(e.kids) == 2 && target.kind == nodeTuple && len(target.kids) == 2:
		at, ok := keeps(target.kids[0]).(*big.Int)
		over := keeps(e.kids[1])
		if _, isList := over.(*pyList); ok && at.IsInt64() && at.Sign() >= 0 && (isList || isText(over)) {
			return a.after(s, int(at.Int64()))
		}
	case call && e.kids[0].text == "range":
		item, isInt := keeps(target).(*big.Int)
		for _, k := range e.kids[1:] {
			if _, ok := keeps(k).(*big.Int); !ok && k.kind != nodeConstant && !k.constant {
				return nil
			}
		}
		if isInt {
			return a.find(s, item)
		}
	case e.constant || e.kind == nodeConstant || e.kind == nodeList && allConstant(e.kids) || isText(keeps(e)):
		if item := keeps(target); item != nil {
			return a.find(s, item)
		}
	}
	return nil
}

// find returns the iterator of a loop behind the only place of an item, nil if there is not one place.
func (a *activation) find(s *stmt, item pyValue) *pyIter {
	it, at, count := a.in.iterate(a.in.ev.eval(s.exprs[0], a.names)), 0, 0
	for i := 0; ; i++ {
		a.in.ev.step()
		v, ok := it.next()
		if !ok {
			break
		}
		if (sameness{a.in.ev}).values(v, item) {
			at, count = i, count+1
		}
	}
	if count != 1 {
		return nil
	}
	return a.after(s, at)
}

// after returns the iterator of a loop behind the item at a place, nil if there is none.
func (a *activation) after(s *stmt, at int) *pyIter {
	it := a.in.iterate(a.in.ev.eval(s.exprs[0], a.names))
	for range at + 1 {
		a.in.ev.step()
		if _, ok := it.next(); !ok {
			return nil
		}
	}
	return it
}
