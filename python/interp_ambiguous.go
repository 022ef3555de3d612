package python

import (
	"regexp"
	"strings"
)

// hasLiteralLike reports whether objects of the classes in a file may have a repr that looks like a
// literal. The interpreter cannot tell what such a repr stands for.
func (p *Program) hasLiteralLike(f *sourceFile) bool {
	l := &literalLike{program: p, file: f, foreign: map[string]bool{}}
	l.block(f.code.body)
	return l.found
}

type literalLike struct {
	program *Program
	file    *sourceFile
	foreign map[string]bool // names that the file imports from outside the program
	found   bool
}

// plainBases lists base classes whose objects do not have a repr like a literal.
var plainBases = map[string]bool{"object": true, "ABC": true, "Generic": true, "Protocol": true, "Enum": true, "NamedTuple": true, "Exception": true}

func (l *literalLike) block(body []*stmt) {
	for _, s := range body {
		for _, i := range s.imports {
			if l.program.imports(l.file, i) {
				continue
			}
			root, _, _ := strings.Cut(i.Module, ".")
			l.found = l.found || i.Level > 0 || !standardModules[root]
			for _, name := range s.names {
				l.foreign[name] = true
			}
		}
		switch s.kind {
		case stmtClass:
			l.class(s)
		case stmtDef:
			if s.def.name == "__repr__" {
				l.returns(s.body)
			}
		}
		for _, block := range s.blocks() {
			l.block(block)
		}
	}
}

func (l *literalLike) class(s *stmt) {
	for _, base := range s.def.bases {
		if base.kind == nodeSubscript {
			base = base.kids[0]
		}
		name, ok := base.dotted()
		module, _, _ := strings.Cut(name, ".")
		name = name[strings.LastIndexByte(name, '.')+1:]
		own := l.program.classes[name] > 0 && !l.foreign[module]
		if !ok || !plainBases[name] && !own && exceptionClasses()[name] == nil {
			l.found = true // also for a keyword argument: a metaclass may do anything
		}
	}
}

// called matches the beginning of a repr that is not a literal: "<", or a call of a class.
var called = regexp.MustCompile(`^(<|[A-Za-z_]\w*\()`)

// returns examines the strings that a __repr__ returns.
func (l *literalLike) returns(body []*stmt) {
	for _, s := range body {
		if s.kind == stmtReturn {
			begin := pyStr("")
			if len(s.exprs) == 1 {
				e := s.exprs[0]
				if e.kind == nodeJoined && len(e.kids) > 0 {
					e = e.kids[0]
				}
				begin, _ = e.value.(pyStr)
			}
			l.found = l.found || !called.MatchString(string(begin)) || strings.HasPrefix(string(begin), "set(") || strings.HasPrefix(string(begin), "frozenset(")
		}
		for _, block := range s.blocks() {
			l.returns(block)
		}
	}
}
