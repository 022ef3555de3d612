package python

import (
	"slices"
	"strings"
)

// codeAt returns the code of a function by its name and a line of it: one that needs no names of
// functions around it.
func (in *Interpreter) codeAt(m *module, name string, line int32) *code {
	var found *stmt
	var inside string // the names of the classes around it, each with a dot
	var find func(body []*stmt, classes string)
	find = func(body []*stmt, classes string) {
		for _, s := range body {
			if s.def != nil && len(s.def.typeParams) > 0 {
				continue // their scope lies around it
			}
			if s.covers(line) && s.kind == stmtDef && s.def.name == name {
				found, inside = s, classes
			}
			if s.kind == stmtDef && s.def.name != name || s.kind == stmtClass && m.file.needsClass(s) && !in.defined(s) {
				continue // what is inside a function may need its names
			}
			within := classes
			switch s.kind {
			case stmtClass:
				within += s.def.name + "."
			case stmtDef:
				within += s.def.name + ".<locals>."
			}
			for _, block := range s.blocks() {
				find(block, within)
			}
		}
	}
	find(m.file.code.body, "")
	if found == nil {
		return nil
	}
	if c := in.codes[found]; c != nil {
		return c
	}
	c := in.definitionCode(found, m.names.frame)
	c.qual = inside + c.name
	return c
}

// defined reports whether the methods of a class belong to a class that is known.
func (in *Interpreter) defined(class *stmt) bool {
	return !slices.ContainsFunc(class.body, func(s *stmt) bool {
		return s.kind == stmtDef && (in.codes[s] == nil || in.codes[s].owner == nil)
	})
}

// needsClass reports whether a method of a class uses super or __class__, which need the class.
func (f *sourceFile) needsClass(s *stmt) bool {
	return slices.ContainsFunc(f.lines[s.line-1:s.last], func(line string) bool {
		return strings.Contains(line, "super") || strings.Contains(line, "__class__")
	})
}
