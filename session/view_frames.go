package session

import "github.com/npdb/npdb/dsl"

// mostTold is how many frames are told apart, from the newest on: what a recursion
// has in them takes time to look up, and CPython's own limit is not much higher.
const mostTold = 1000

// tellApart gives the frames of each function that is on the stack more than once
// the first of its names whose value is not the same in all of them. LocalsOf is
// the locals of a frame by its place.
func tellApart(frames []ViewFrame, localsOf func(i int) []dsl.Local) {
	type function struct{ path, name string }
	again := map[function][]int{}
	for i := len(frames) - 1; i >= max(len(frames)-mostTold, 0); i-- {
		f := function{path: frames[i].Path, name: frames[i].Function}
		again[f] = append(again[f], i)
	}
	for _, those := range again {
		if len(those) < 2 {
			continue
		}
		locals := make([][]dsl.Local, len(those))
		for k, i := range those {
			locals[k] = localsOf(i)
		}
		name, ok := tellingName(locals)
		if !ok {
			continue
		}
		for k, i := range those {
			if l, ok := localOf(locals[k], name); ok {
				frames[i].Tells = &l
			}
		}
	}
}

// tellingName is the first name of the newest frame that has another value in one
// of the others; ok is false if there is none.
func tellingName(locals [][]dsl.Local) (name string, ok bool) {
	for _, l := range locals[0] {
		if l.Hidden {
			continue
		}
		for _, others := range locals[1:] {
			if other, found := localOf(others, l.Name); found && other.Value != l.Value {
				return l.Name, true
			}
		}
	}
	return "", false
}

func localOf(locals []dsl.Local, name string) (dsl.Local, bool) {
	for _, l := range locals {
		if l.Name == name {
			return l, true
		}
	}
	return dsl.Local{}, false
}
