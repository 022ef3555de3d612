package query

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// module is a module as of an event, as an operand of a condition. The recording has its text as its
// value. If it is user code, its names are recorded as those of its activation.
type module struct {
	past  *Past
	text  string
	event int
}

// isModule reports whether a value is a module, and returns its text.
func (p *Past) isModule(v statetree.Value, event int) (text string, ok bool) {
	if _, object := v.Object(); object {
		return "", false
	}
	text = p.tree.Text(v, event)
	return text, strings.HasPrefix(text, "<module '")
}

// ModuleOf returns the activation that has the names of a module. ok is false if the value is not a
// module, or if its names are not recorded.
func (p *Past) ModuleOf(v statetree.Value, event int) (act uint32, ok bool) {
	text, ok := p.isModule(v, event)
	if !ok {
		return 0, false
	}
	return p.moduleWith(text)
}

// modules caches the activations of modules by their texts. The cache is valid while the tree has this
// number of events.
type modules struct {
	events int
	known  map[string]activation
}

type activation struct {
	number uint32
	ok     bool
}

// moduleWith returns the activation of the module with a text.
func (p *Past) moduleWith(text string) (act uint32, ok bool) {
	m := &p.modules
	if m.known == nil || m.events != p.tree.Len() {
		m.known, m.events = map[string]activation{}, p.tree.Len()
	}
	found, known := m.known[text]
	if !known {
		found.number, found.ok = p.findModule(text)
		m.known[text] = found
	}
	return found.number, found.ok
}

// findModule finds the activation of a module: the one to which both the first and the last recorded line
// of its file belong. If these have two activations, the file ran as several modules, and ok is false.
func (p *Past) findModule(text string) (act uint32, ok bool) {
	name, path := modulePlace(text)
	for n, file := range p.tree.Files() {
		if file.Path != path || path == "" || (n == 0) != (name == "__main__") {
			continue
		}
		var at []dsl.Location
		for line := range strings.Count(string(file.Source), "\n") + 1 {
			at = append(at, dsl.Location{File: n, Line: line + 1})
		}
		last, ran := p.tree.PrevLine(p.tree.Len(), at)
		first, _ := p.tree.NextLine(-1, at)
		if !ran {
			return 0, false
		}
		act, ok = p.tree.GlobalsOf(p.tree.At(last).Activation)
		other, known := p.tree.GlobalsOf(p.tree.At(first).Activation)
		return act, ok && known && act == other
	}
	return 0, false
}

// modulePlace returns the name and the file that the text of a module contains.
func modulePlace(text string) (name, path string) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(text, "<module '"), "'")
	if path, ok := strings.CutPrefix(rest, " from "); ok {
		path, _ = python.StringOf(strings.TrimSuffix(path, ">"))
		return name, path
	}
	return name, ""
}

// Attribute returns the value of a name of the module.
func (m *module) Attribute(name string) (python.Datum, bool) {
	act, ok := m.past.moduleWith(m.text)
	if !ok {
		return python.Datum{}, false
	}
	v, ok := m.past.tree.Held(act, m.event, name)
	if !ok {
		return python.Datum{}, false
	}
	return m.past.datum(v, m.event), true
}

// Lacks says why the value of a name of the module is not known.
func (m *module) Lacks(name string) string {
	called, _ := modulePlace(m.text)
	if _, ok := m.past.moduleWith(m.text); ok {
		return fmt.Sprintf("%s has no name %s here", called, name)
	}
	return fmt.Sprintf("no line of %s is recorded (only modules of user code are), so the values of its names are not known", called)
}

// part returns the part of a value that a step names: a piece of an object, or a name of a module.
func (p *Past) part(v statetree.Value, step python.Step, event int) (found statetree.Value, ok bool) {
	if o, object := v.Object(); object {
		return p.Piece(o, step, event)
	}
	if act, ok := p.ModuleOf(v, event); ok && step.Attribute != "" {
		return p.tree.Held(act, event, step.Attribute)
	}
	return statetree.Value{}, false
}
