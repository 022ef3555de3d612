package embedded

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// oldFrames restricts replies to what happens in Python before 3.12, where a list, set or dict
// comprehension has a frame of its own. The model did not see such programs in training.
func (s *scene) oldFrames() {
	from := s.at.Current()
	if from == nil || s.action.Move.Inverse() || s.asked != nil {
		return
	}
	file, text, here := comprehensionsAt(s.at, from)
	if len(here) == 0 {
		return
	}
	within := isComprehension(from.Function)
	step := s.action.Move == dsl.StepInto
	over := step || s.action.Move == dsl.StepOver
	switch {
	case within && from.Event != dsl.Return:
		i := slices.IndexFunc(here, func(c python.Comprehension) bool { return c.Name == from.Function })
		if i < 0 || !over {
			return
		}
		lines := s.only(file, here[i].Line, here[i].Last)
		s.places[dsl.Line], s.places[dsl.Return] = lines, lines
		s.events[dsl.Call] = s.events[dsl.Call] && here[i].Calls
		s.whole = true
		if from.Event == dsl.Call {
			s.allow(dsl.Line)
		}
	case !within && step && from.Event == dsl.Line:
		i := slices.IndexFunc(here, func(c python.Comprehension) bool { return c.First })
		if i < 0 {
			return
		}
		s.allow(dsl.Call)
		s.functions = words{here[i].Name}
		s.owned[here[i].Name] = s.only(file, here[i].Line, here[i].Line)
		if here[i].Module {
			s.locals, s.free = words{".0"}, false
		}
	case over && !within && from.Event == dsl.Line, over && within:
		// The enclosing frame continues at another line.
		if !again(text, from) {
			s.places[dsl.Line] = s.places[dsl.Line].without(file, from.Line)
		}
		if within && len(here) == 1 {
			s.events[dsl.Call] = s.events[dsl.Call] && from.Depth > 1
			had := callerLocals(s.at, from.Depth-1)
			s.locals = slices.DeleteFunc(slices.Clone(s.locals), func(name string) bool {
				return slices.Contains(here[0].Vars, name) && !had[name]
			})
		}
	}
}

// callerLocals returns the names of the locals in the latest state at this stack depth.
func callerLocals(at *dsl.Node, depth int) map[string]bool {
	had := map[string]bool{}
	for ; at != nil; at = at.Parent() {
		stop := at.Current()
		if stop == nil || stop.Depth != depth {
			continue
		}
		for _, l := range stop.Locals {
			had[l.Name] = true
		}
		break
	}
	return had
}

func isComprehension(function string) bool {
	return function == "<listcomp>" || function == "<setcomp>" || function == "<dictcomp>"
}

// comprehensionsAt returns the comprehensions that begin at the line of the state from, and the
// index and source of its file.
func comprehensionsAt(at *dsl.Node, from *dsl.Stop) (file int, text []byte, here []python.Comprehension) {
	files := at.Program().Files
	file = slices.IndexFunc(files, func(f dsl.SourceFile) bool { return f.Name == from.File })
	if file < 0 {
		return file, nil, nil
	}
	text = []byte(strings.Join(files[file].Lines, "\n") + "\n")
	for _, c := range python.Comprehensions(text) {
		if c.Line == from.Line {
			here = append(here, c)
		}
	}
	return file, text, here
}

// allow restricts replies to states with this one event.
func (s *scene) allow(e dsl.Event) {
	if !s.events[e] {
		return
	}
	s.landings = landings{}
	s.events[e] = true
}

// only returns the lines from to to of a file as places.
func (s *scene) only(file, from, to int) places {
	p := s.frames.within(file)
	p.can[file] = make([]bool, len(s.frames.can[file]))
	for n := from; n <= to && n <= len(p.can[file]); n++ {
		p.can[file][n-1] = true
	}
	return p
}

// without returns the places except one line, or s itself if that would leave no place.
func (s places) without(file, line int) places {
	out := places{files: s.files, outlines: s.outlines, can: slices.Clone(s.can)}
	if line < 1 || line > len(out.can[file]) {
		return s
	}
	out.can[file] = slices.Clone(out.can[file])
	out.can[file][line-1] = false
	if out.none() {
		return s
	}
	return out
}

// again reports whether the code around a comprehension can run its line twice in succession,
// because of a loop on that line.
func again(text []byte, from *dsl.Stop) bool {
	function := from.Function
	if isComprehension(function) {
		if len(from.Stack) < 2 {
			return true
		}
		function = from.Stack[len(from.Stack)-2].Function
	}
	for _, c := range python.ReadFlowOf(text, python.Version{Major: 3, Minor: 11}).Codes {
		if c.Name == function && c.Has(from.Line) && c.Follows(from.Line, from.Line) {
			return true
		}
	}
	return false
}
