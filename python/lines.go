package python

import (
	"slices"
	"strings"
)

// lineMarker marks the lines with line events: those on which CPython's compiler puts instructions.
// It follows Python/compile.c and Python/codegen.c of CPython 3.10 to 3.13; where these differ,
// 3.12. (3.14 also has events on each line of a long list of constants.)
type lineMarker struct {
	text  string
	lines []bool // by line number
	found []Signature

	code codeState
}

// codeState is the state of the code object whose lines are being marked.
type codeState struct {
	body     int32 // line where its body begins
	start    int32 // the first marked line at or after body
	function bool  // it is the code object of a function
	broke    bool  // the innermost loop contains a break

	prefix  string   // prefix of qualified names in it
	class   string   // in a class body: the qualified name of the class
	globals []string // names that it declares global
}

func (m *lineMarker) mark(line int32) {
	if line < 1 || int(line) >= len(m.lines) {
		return // a placeholder for invalid code has no line
	}
	m.lines[line] = true
	if m.code.start == 0 && line >= m.code.body {
		m.code.start = line
	}
}

// within calls visit to mark the lines of another code object, and returns that code object's
// state.
func (m *lineMarker) within(code codeState, visit func()) codeState {
	outer := m.code
	m.code = code
	visit()
	code, m.code = m.code, outer
	return code
}

// module marks the lines of a file, and returns the first line with an event.
func (m *lineMarker) module(body []*stmt) int32 {
	code := m.within(codeState{body: 1}, func() { m.block(body) })
	slices.SortStableFunc(m.found, func(a, b Signature) int { return a.Line - b.Line })
	return code.start
}

// block marks the lines of statements. It stops at unreachable ones, which the compiler drops, and
// reports whether control reaches the end of the block.
func (m *lineMarker) block(list []*stmt) bool {
	for _, s := range list {
		if !m.stmt(s) {
			return false
		}
	}
	return true
}

// stmt marks the lines of a statement. It reports whether control can continue after it.
func (m *lineMarker) stmt(s *stmt) bool {
	switch s.kind {
	case stmtBroken:
		m.mark(s.line)
		m.block(s.body)
	case stmtExpr:
		m.expr(s.exprs[0])
	case stmtAssign:
		m.expr(s.exprs[0])
		m.storeAll(s.targets)
	case stmtAugAssign:
		m.expr(s.targets[0])
		m.expr(s.exprs[0])
		m.mark(s.line)
		m.store(s.targets[0])
	case stmtAnnAssign:
		m.annotated(s)
	case stmtSimple, stmtImport:
		m.mark(s.line)
	case stmtDelete:
		m.storeAll(s.targets)
	case stmtAssert:
		m.condition(s.exprs[0])
		m.mark(s.line)
		m.exprs(s.exprs[1:])
		known, truth := m.truth(s.exprs[0])
		return !known || truth
	case stmtReturn, stmtRaise:
		m.exprs(s.exprs)
		m.mark(s.line)
		return false
	case stmtBreak:
		m.mark(s.line)
		m.code.broke = true
		return false
	case stmtContinue:
		m.mark(s.line)
		return false
	case stmtTypeAlias:
		m.mark(s.line)
		m.exprs(s.exprs)
	case stmtIf:
		return m.ifs(s)
	case stmtWhile, stmtFor:
		return m.loop(s)
	case stmtTry:
		return m.try(s)
	case stmtWith:
		for i, e := range s.exprs {
			m.expr(e)
			m.mark(s.line)
			if s.targets[i] != nil {
				m.store(s.targets[i])
			}
		}
		m.block(s.body)
	case stmtMatch:
		return m.match(s)
	case stmtDef:
		m.function(s)
	case stmtClass:
		m.class(s)
	}
	return true
}

// annotated marks the lines of an annotated assignment. Only modules and classes evaluate
// annotations of names.
func (m *lineMarker) annotated(s *stmt) {
	target := s.targets[0]
	if len(s.exprs) > 1 {
		m.expr(s.exprs[1])
		m.store(target)
	} else if target.kind != nodeName {
		m.exprs(target.kids)
	}
	if m.code.function {
		return
	}
	m.expr(s.exprs[0])
	if target.kind == nodeName && !s.paren {
		m.mark(s.line)
	}
}

func (m *lineMarker) ifs(s *stmt) bool {
	passes := false
	for _, b := range s.branches {
		m.condition(b.exprs[0])
		known, truth := m.truth(b.exprs[0])
		if known && !truth {
			continue
		}
		passes = m.block(b.body) || passes
		if known {
			return passes
		}
	}
	return m.block(s.orelse) || passes
}

// truth returns the truth value of a condition, if the compiler knows it.
func (m *lineMarker) truth(e *node) (known, truth bool) {
	switch e.kind {
	case nodeNot:
		known, truth = m.truth(e.kids[0])
		return known, !truth
	case nodeAnd, nodeOr:
		decides := e.kind == nodeOr
		all := true
		for _, k := range e.kids {
			known, truth := m.truth(k)
			if known && truth == decides {
				return true, decides
			}
			all = all && known
		}
		return all, !decides
	case nodeConstant:
		switch e.text {
		case "0", "False", "None", "0.0", `""`, `''`:
			return true, false
		}
		return true, true
	}
	return e.constant && e.is("__debug__"), true
}

// loop marks a while or for loop. It returns false if the loop never ends: the condition is
// constant and true, and there is no break.
func (m *lineMarker) loop(s *stmt) bool {
	known, truth := false, false
	outer := m.code.broke
	m.code.broke = false
	if s.kind == stmtWhile {
		m.condition(s.exprs[0])
		known, truth = m.truth(s.exprs[0])
	} else {
		m.iterable(s.exprs[0])
		m.mark(s.line)
		m.store(s.targets[0])
	}
	if !known || truth {
		m.block(s.body)
	}
	passes := m.code.broke
	m.code.broke = outer
	if known && truth {
		return passes
	}
	return m.block(s.orelse) || passes
}

func (m *lineMarker) try(s *stmt) bool {
	m.mark(s.line)
	passes := m.block(s.body) && m.block(s.orelse)
	for _, b := range s.branches {
		m.mark(b.line)
		m.exprs(b.exprs)
		passes = m.block(b.body) || passes
	}
	return m.block(s.final) && passes
}

func (m *lineMarker) match(s *stmt) bool {
	m.expr(s.exprs[0])
	passes, whatever := false, false
	for _, b := range s.branches {
		if len(b.exprs) > 0 && b.exprs[0].kind != nodeError {
			m.pattern(b.exprs[0])
			m.conditions(b.exprs[1:])
			whatever = len(b.exprs) == 1 && b.exprs[0].kind == nodeName
		} else {
			m.mark(b.line)
		}
		passes = m.block(b.body) || passes
	}
	return passes || !whatever
}

func (m *lineMarker) pattern(e *node) {
	m.mark(e.line)
	if e.constant {
		return
	}
	for _, k := range e.kids {
		m.pattern(k)
	}
}

// function marks the definition of a function, then the lines of its body.
func (m *lineMarker) function(s *stmt) {
	d := s.def
	m.exprs(d.decorators)
	m.exprs(d.typeParams)
	for _, p := range d.params {
		m.expr(p.fallback())
	}
	for _, p := range d.params {
		m.expr(p.kids[0])
	}
	m.expr(d.returns)
	m.mark(s.line)
	sig := m.signature(s)
	first := int32(sig.Line)
	code := codeState{function: true, body: first, prefix: sig.QualName + ".<locals>.", globals: globalsOf(s.body)}
	if len(s.body) > 0 {
		code.body = firstLine(s.body[0])
	}
	place := len(m.found)
	m.found = append(m.found, sig)
	code = m.within(code, func() {
		m.mark(first)
		body := s.body
		if len(body) > 0 && m.isDocstring(body[0]) {
			body = body[1:]
		}
		m.block(body)
	})
	if code.start == 0 {
		code.start = first // the body is only a docstring
	}
	m.found[place].BodyLine = int(code.start)
}

func (m *lineMarker) class(s *stmt) {
	d := s.def
	m.exprs(d.decorators)
	m.exprs(d.typeParams)
	m.mark(s.line)
	qualname := m.qualname(d.name)
	m.within(codeState{prefix: qualname + ".", class: qualname, globals: globalsOf(s.body)}, func() { m.block(s.body) })
	m.exprs(d.bases)
}

// qualname returns the qualified name of a def or class in the current code object.
func (m *lineMarker) qualname(name string) string {
	if slices.Contains(m.code.globals, name) {
		return name
	}
	return m.code.prefix + name
}

// firstLine returns the first line of a statement, including its decorators.
func firstLine(s *stmt) int32 {
	if s.def != nil && len(s.def.decorators) > 0 {
		return min(s.line, s.def.decorators[0].line)
	}
	return s.line
}

// isDocstring reports whether a statement consists of a string only.
func (m *lineMarker) isDocstring(s *stmt) bool {
	if s.kind != stmtExpr || s.exprs[0].kind != nodeConstant {
		return false
	}
	text := s.exprs[0].text
	return strings.IndexByte(`"'rRuU`, text[0]) >= 0 && strings.ContainsAny(text[len(text)-1:], `"'`)
}

// globalsOf returns the names that a scope itself declares global, not the scopes in it.
func globalsOf(list []*stmt) []string {
	var names []string
	for _, s := range list {
		if s.kind == stmtGlobal {
			names = append(names, s.names...)
		}
		if s.kind == stmtDef || s.kind == stmtClass {
			continue
		}
		for _, b := range s.branches {
			names = append(names, globalsOf(b.body)...)
		}
		for _, body := range [][]*stmt{s.body, s.orelse, s.final} {
			names = append(names, globalsOf(body)...)
		}
	}
	return names
}
