package session

import (
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// mostTold limits the number of frames that tellApart compares, the newest first. Looking up the
// locals of a deep recursion takes time, and CPython's own limit is not much higher.
const mostTold = 1000

// tellApart sets Tells of those frames whose function is on the stack more than once, to the first
// local whose value differs between them. localsOf returns the locals of frame i.
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
		var told []string
		for k, i := range those {
			if l, ok := localOf(locals[k], name); ok {
				frames[i].Tells = &l
				told = append(told, l.Value)
			}
		}
		from := partFrom(told)
		for _, i := range those {
			if frames[i].Tells != nil {
				frames[i].TellsFrom = from
			}
		}
	}
}

// partFrom returns the byte at which texts begin to differ, or, if it is near, the start of the
// element, argument or word that contains that byte.
func partFrom(values []string) int {
	const near = 24 // bytes
	n := len(values[0])
	for _, v := range values[1:] {
		n = min(n, len(v))
		for i := range n {
			if v[i] != values[0][i] {
				n = i
				break
			}
		}
	}
	same := values[0][:n]
	if at := strings.LastIndexAny(same, " ([{") + 1; n-at <= near {
		// A key and its value, "name='b'" or "'b': 2", count as one element.
		if key := strings.LastIndexAny(same[:max(at-1, 0)], "([{,") + 1; strings.HasSuffix(same[:at], ": ") && n-key <= near {
			at = key + len(same[key:]) - len(strings.TrimLeft(same[key:], " "))
		}
		return at
	}
	for n > 0 && n < len(values[0]) && !utf8.RuneStart(values[0][n]) {
		n--
	}
	return n
}

// tellingName returns the first local of the newest frame that has another value in one of the
// other frames. ok is false if there is none.
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
