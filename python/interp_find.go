package python

import (
	"slices"
	"strings"
)

// codeAt returns the code object of a function by its name and one of its lines. It returns nil for
// a function that may use names of a function around it.
func (in *Interpreter) codeAt(m *module, name string, line int32) *code {
	var found *stmt
	var inside string // names of the enclosing classes, each followed by a dot
	var find func(body []*stmt, classes string)
	find = func(body []*stmt, classes string) {
		for _, s := range body {
			if s.def != nil && len(s.def.typeParams) > 0 {
				continue // type parameters have a scope around the definition
			}
			if s.covers(line) && s.kind == stmtDef && s.def.name == name {
				found, inside = s, classes
			}
			if s.kind == stmtDef && s.def.name != name || s.kind == stmtClass && m.file.needsClass(s) && !in.defined(s) {
				continue // a nested function may use the outer one's names
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

// defined reports whether all methods of a class belong to a class object that is known.
func (in *Interpreter) defined(class *stmt) bool {
	return !slices.ContainsFunc(class.body, func(s *stmt) bool {
		return s.kind == stmtDef && (in.codes[s] == nil || in.codes[s].owner == nil)
	})
}

// needsClass reports whether a method uses super or __class__. Both need the class object.
func (f *sourceFile) needsClass(s *stmt) bool {
	return slices.ContainsFunc(f.lines[s.line-1:s.last], func(line string) bool {
		return strings.Contains(line, "super") || strings.Contains(line, "__class__")
	})
}
