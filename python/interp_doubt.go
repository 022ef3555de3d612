package python

import (
	"maps"
	"slices"
	"strings"
)

// loseOthers is called after a state passed to Show. If the activation can reach an object of
// unknown content, the code that ran before the state may have changed other containers through it.
// loseOthers then marks the content of the other frames' containers as unknown.
func (in *Interpreter) loseOthers(a *activation) {
	seen := map[pyValue]bool{}
	unknown := false
	own := func(v pyValue) bool {
		o, ok := v.(opaque)
		unknown = unknown || ok && !strings.HasPrefix(o.text, "<")
		x, ok := v.(*instance)
		unknown = unknown || ok && x.born == wasRead
		if isMutable(v) && seen[v] {
			return false
		}
		if isMutable(v) {
			seen[v] = true
		}
		return true
	}
	for _, v := range a.names.vars {
		eachWithin(v, own)
	}
	for _, m := range in.modules {
		for _, v := range m.names.vars {
			if o, ok := v.(opaque); ok {
				unknown = unknown || !strings.HasPrefix(o.text, "<")
			}
		}
	}
	if !unknown {
		return
	}
	for _, f := range in.frames() {
		for _, v := range f.names.vars {
			eachWithin(v, func(v pyValue) bool {
				if !isMutable(v) {
					return true
				}
				if seen[v] {
					return false
				}
				seen[v], in.lost[v] = true, true
				return true
			})
		}
	}
}

// loseWithin marks as unknown the content of the objects in values. Names of the activation
// referred to them before the state passed to Show; other names may still do, and may have been
// used to change them. Objects to which the activation's names still refer are not marked.
func (in *Interpreter) loseWithin(values []pyValue, a *activation) {
	if len(values) == 0 {
		return
	}
	seen := map[pyValue]bool{}
	visit := func(lose bool) func(v pyValue) bool {
		return func(v pyValue) bool {
			if !isMutable(v) {
				return true
			}
			if seen[v] {
				return false
			}
			seen[v] = true
			if lose {
				in.lost[v] = true
			}
			return true
		}
	}
	for _, v := range a.names.vars {
		eachWithin(v, visit(false))
	}
	for _, v := range values {
		eachWithin(v, visit(true))
	}
}

// eachWithin calls visit for a value and for the values in it. It does not descend into a value for
// which visit returns false.
func eachWithin(v pyValue, visit func(pyValue) bool) {
	if !visit(v) {
		return
	}
	var items []pyValue
	switch v := v.(type) {
	case *pyList:
		items = v.items
	case *pyTuple:
		items = v.items
	case *pyDict:
		items = v.values
	case *instance:
		items = slices.Collect(maps.Values(v.attrs.vars))
	}
	for _, item := range items {
		eachWithin(item, visit)
	}
}

// unknownNext is the next function of an iterator whose position is not known after a state passed
// to Show. It refuses.
func unknownNext() (pyValue, bool) { panic(refused("", "how far an iterator has come")) }

// knows refuses a container whose content is no longer known, and an opaque value that may contain
// something that has changed since it was read.
func (in *Interpreter) knows(v pyValue) {
	if o, ok := v.(opaque); ok && in.escaped > o.epoch && !strings.HasPrefix(o.text, "<function") && !strings.HasPrefix(o.text, "<class") && !strings.HasPrefix(o.text, "<built-in") {
		panic(refused("", "what an object has become"))
	}
	if len(in.lost) > 0 && canBeLost(v) && in.lost[v] {
		panic(refused("", "what an object has become"))
	}
}

func canBeLost(v pyValue) bool {
	_, ok := v.(*class)
	return ok || isMutable(v)
}

func isMutable(v pyValue) bool {
	switch v := v.(type) {
	case *pyList, *pyDict, *instance:
		return true
	case *pySet:
		return !v.frozen
	}
	return false
}

// mayBeOther reports whether a value may be the same object as another one. An object that the
// interpreter created itself is not.
func mayBeOther(v pyValue) bool {
	x, ok := v.(*instance)
	return !ok || x.born == wasRead
}

// doubt marks values that may be the same object as another one, because they were read from reprs:
// containers with equal reprs, and objects of the same class, whose reprs may be shortened
// differently.
func (in *Interpreter) doubt(a *activation, read []pyValue) {
	if len(read) == 0 {
		return
	}
	byText := map[string]map[pyValue]bool{}
	visit := func(v pyValue) bool {
		if !isMutable(v) {
			return true
		}
		text, ok := "", true
		if x, isObject := v.(*instance); isObject {
			text = "object of " + x.class.name
		} else {
			text, ok = in.tryText(v)
		}
		if !ok || byText[text][v] {
			return false
		}
		if byText[text] == nil {
			byText[text] = map[pyValue]bool{}
		}
		byText[text][v] = true
		return true
	}
	for _, f := range append(in.frames(), a) {
		for _, v := range f.names.vars {
			eachWithin(v, visit)
		}
	}
	for _, group := range byText {
		if len(group) < 2 || !slices.ContainsFunc(slices.Collect(maps.Keys(group)), mayBeOther) {
			continue
		}
		for v := range group {
			in.unsure[v] = true
		}
	}
}
