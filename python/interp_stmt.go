package python

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// activation is one run of a code object.
type activation struct {
	in      *Interpreter
	code    *code
	names   *scope
	line    int32 // f_lineno at its last event
	number  uint32
	inlined []*scope // of running comprehensions
	left    bool     // a comprehension was left before its end
	begun   bool     // its call event has been reported
	lined   bool     // it has had a line event since
	told    int32    // the line of its last event, unless Show replaced that
	place   int32    // the line of its last line event, 0 if an exception was raised since
	unknown bool     // its statement has used a value of unknown type
	spread  bool     // its statement spans several lines: the line of each instruction matters
	gen     *generator
	over    *pyIter // what a comprehension's frame iterates over
	drains  *pyIter // the generator expression that drain takes items from

	returning bool              // only the repr of its return value could not be computed
	skips     bool              // the next return or raise may have no line event
	loops     map[*stmt]*pyIter // of the for loops around the current statement

	// Set by Show and Begin.
	target  int32     // the line to continue at, 0 for none
	leaving bool      // target may be the line event for leaving a block
	from    int32     // the line before, 0 if unknown
	adrift  bool      // the program may have come to target from any line, because the given state begins there
	thrown  *instance // raised at target
	gone    *completion
	pending *dsl.Stop // the state of a frame above it
}

// completion describes how a block ended.
type completion struct {
	kind  completionKind
	value pyValue // if returned
	line  int32   // of the statement that ended it
}

type completionKind uint8

const (
	finished completionKind = iota
	broken
	continued
	returned
)

// run runs the code object from its call event, or from the state passed to Show, to its return
// event. It returns the return value.
func (a *activation) run() pyValue {
	for {
		c, again := a.attempt()
		if again {
			continue
		}
		if a.gone != nil { // its return event has been reported
			return a.gone.value
		}
		value := pyValue(pyNone{})
		if c.kind == returned {
			value = c.value
		}
		if again = a.leave(value); !again {
			return value
		}
	}
}

// leave reports the return event. again reports that Show moved the activation elsewhere.
func (a *activation) leave(value pyValue) (again bool) {
	defer func() {
		if e := recover(); e != nil {
			a.in.unwind(a)
			again = a.resync(a.hesitate(e))
			again = again || a.gone != nil
		}
	}()
	if a.code.cell {
		a.returning = true
		panic(refused("", "the address of a cell"))
	}
	a.in.event(dsl.Return, dsl.Returned, a.in.valueText(value))
	return false
}

// attempt runs the body. again reports that Show moved the activation to another line.
func (a *activation) attempt() (c completion, again bool) {
	defer func() {
		if e := recover(); e != nil {
			a.in.unwind(a)
			again = a.resync(a.hesitate(e))
		}
	}()
	if a.gone != nil {
		return *a.gone, false
	}
	if stop := a.pending; stop != nil {
		a.pending = nil
		a.follow(stop)
	}
	target := a.target
	a.target = 0
	if a.leaving {
		a.leaving = false
		panic(refused("", "whether a block is left"))
	}
	if target == 0 && !a.begun && (a.code.kind != moduleCode || a.called()) {
		a.begun = true
		a.line = a.firstLine()
		a.in.event(dsl.Call, dsl.NoReturn, nil)
	}
	a.begun = true
	switch a.code.kind {
	case plainCode:
		return a.plain(target), false
	case classCode:
		if target == 0 {
			a.at(a.code.first, false)
		}
	}
	body := a.code.body
	if a.code.docstring {
		body = body[1:]
	}
	if target == 0 && a.code.kind == functionCode && !slices.ContainsFunc(body, a.hasCode) {
		line := a.code.first
		if a.in.version.Minor < 10 {
			line = a.code.body[len(a.code.body)-1].last
		}
		a.at(line, false)
		return completion{}, false
	}
	if target != 0 && target == a.code.first && a.code.kind == classCode {
		target = 0
	}
	if len(body) == 0 && a.code.kind == moduleCode {
		a.at(a.code.first, false)
	}
	c = a.block(body, target)
	if a.annotates() {
		a.at(a.code.first, false)
	}
	return c, false
}

// called reports whether running a module begins with a call event. Since 3.11 the call event of an
// imported module has line 0, which is not in the file.
func (a *activation) called() bool {
	return a.in.version.Minor < 11 && a.names != a.in.module && !a.code.untraced && a.code.file != nil && len(a.code.file.lines) > 0
}

// firstLine returns the line of the call event.
func (a *activation) firstLine() int32 {
	if a.code.kind != moduleCode || len(a.code.body) == 0 || a.in.version.Minor > 9 {
		return a.code.first
	}
	first := a.code.body[0]
	if !plainLines(first) || first.kind == stmtSimple || annotatesNames(a.code.body) {
		panic(refused("", "the first event of a module"))
	}
	return firstLine(first)
}

// at reports a line event, if the line has changed. back marks a jump backwards, which is an event
// even on the same line.
func (a *activation) at(line int32, back bool) {
	if line == a.line && a.lined && !back {
		return
	}
	a.line, a.lined = line, true
	a.in.event(dsl.Line, dsl.NoReturn, nil)
	a.told = line
}

// block runs the statements of a block. target is the line to begin at, whose event has already
// been reported, or 0 to begin at the first statement.
func (a *activation) block(body []*stmt, target int32) completion {
	for _, s := range body {
		if target != 0 && !s.covers(target) {
			continue
		}
		c := a.statement(s, target)
		if target != 0 {
			target = 0
		}
		if c.kind != finished {
			return c
		}
	}
	if target != 0 {
		panic(refused("", "the line of a state is not in its block"))
	}
	return completion{}
}

// covers reports whether a statement contains a line.
func (s *stmt) covers(line int32) bool { return firstLine(s) <= line && line <= s.last }

// statement runs one statement. If an exception leaves it, the exception's event is reported.
func (a *activation) statement(s *stmt, target int32) (c completion) {
	defer func() {
		if e := recover(); e != nil {
			a.in.unwind(a)
			a.raise(e)
		}
	}()
	a.unknown = false
	if target != 0 && a.comesBack(s, target) {
		panic(refused("", "how far an expression has come"))
	}
	if target != 0 && s.def != nil && target != firstLine(s) && target != s.line {
		panic(refused("", "a line of another frame"))
	}
	skips := a.skips
	if a.skips = false; skips && (s.kind == stmtReturn || s.kind == stmtRaise) {
		panic(refused("", "whether the line behind a loop is an event"))
	}
	switch s.kind {
	case stmtIf, stmtWhile, stmtFor, stmtTry, stmtWith, stmtMatch:
		if target != 0 && a.thrown != nil && (a.blockAt(s, target) == nil || isHeader(s, target)) {
			panic(refused("", "what a header makes of an exception"))
		}
		if target != 0 && s.sharesLine(target) {
			panic(refused("", "how far a header has come"))
		}
		return a.compound(s, target)
	case stmtGlobal, stmtNonlocal:
		return completion{}
	case stmtBroken:
		panic(refused("", "what is no Python"))
	}
	if a.in.version.Minor < 10 && s.kind == stmtExpr && s.exprs[0].kind == nodeConstant && s != a.code.body[0] {
		return completion{} // it has no instructions
	}
	if a.deferred(s) || s.declares() && a.code.kind == functionCode {
		return completion{}
	}
	if target == 0 && !a.lined && a.in.version.Minor >= 11 && len(s.exprs) > 0 && s.exprs[0].beginsWithFormat() {
		panic(refused("%", "with a tuple: its events"))
	}
	spread := !plainLines(s)
	if spread && a.in.events == 0 {
		panic(refused("", "the first event of a program that begins with a statement over several lines"))
	}
	switch {
	case target == 0 && a.in.version.Minor < 10 && (s.kind == stmtSimple || spread && s.def != nil):
		panic(refused("", "the events of pass, or of a def over several lines")) // pass has no instruction
	case target == 0 && (!spread || s.def != nil && len(s.def.decorators) > 0):
		a.at(firstLine(s), false)
	case target == 0:
	case a.thrown != nil:
		exc := a.thrown
		a.thrown = nil
		panic(&thrown{exc: exc, told: a})
	case spread:
		panic(refused("", "how far a statement over several lines has come"))
	}
	a.spread = spread
	defer func() { a.spread = false }()
	return a.simple(s)
}

// simple runs a simple statement, which has no blocks.
func (a *activation) simple(s *stmt) completion {
	in, sc := a.in, a.names
	switch s.kind {
	case stmtExpr:
		if v := in.ev.eval(s.exprs[0], sc); a.code.untraced && a.code.kind == moduleCode {
			in.display(v)
		}
	case stmtAssign:
		for _, t := range s.targets {
			if (t.kind == nodeTuple || t.kind == nodeList) && !onLine(t, t.line) {
				panic(refused("", "the events of targets over several lines"))
			}
		}
		value := in.ev.eval(s.exprs[0], sc)
		if e := s.exprs[0]; e.kind == nodeBinOp && e.text == "+" && len(s.targets) == 1 && s.targets[0].kind == nodeName {
			a.concatenates(s.targets[0].text, value)
		}
		for _, t := range s.targets {
			a.touchTarget(t)
			in.assign(t, value, sc)
		}
	case stmtAugAssign:
		a.augment(s)
	case stmtAnnAssign:
		if len(s.exprs) > 1 {
			value := in.ev.eval(s.exprs[1], sc)
			a.touchTarget(s.targets[0])
			in.assign(s.targets[0], value, sc)
		}
		if a.code.kind != functionCode && !a.code.file.lazy && in.version.Minor < 14 {
			in.annotation(s.exprs[0], sc)
		}
	case stmtSimple:
	case stmtImport:
		in.imports(s, sc)
	case stmtDelete:
		if a.spread {
			panic(refused("", "the events of a deletion over several lines"))
		}
		for _, t := range s.targets {
			in.delete(t, sc)
		}
	case stmtAssert:
		a.assert(s)
	case stmtReturn:
		c := completion{kind: returned, value: pyNone{}, line: s.line}
		if len(s.exprs) > 0 {
			c.value = in.ev.eval(s.exprs[0], sc)
			if !s.exprs[0].constant {
				a.touchLine(s.line)
			}
		}
		return c
	case stmtRaise:
		a.raiseStatement(s)
	case stmtBreak:
		return completion{kind: broken, line: s.line}
	case stmtContinue:
		return completion{kind: continued, line: s.line}
	case stmtDef:
		in.define(a, s)
	case stmtClass:
		in.defineClass(a, s)
	default:
		panic(refused("", "a statement of this kind"))
	}
	return completion{}
}

// assert runs an assert statement.
func (a *activation) assert(s *stmt) {
	line := s.line
	if a.jumpIf(s.exprs[0], jump{loc: &line, sc: a.names}) {
		return
	}
	if a.in.version.Minor >= 12 {
		line = s.line
	}
	a.touchLine(line)
	args := []pyValue{}
	if len(s.exprs) > 1 {
		args = append(args, a.in.ev.eval(s.exprs[1], a.names))
		a.touchLine(line)
	}
	if a.in.version.Minor >= 13 {
		a.touchLine(s.exprs[0].line)
	}
	panic(&thrown{exc: newException("AssertionError", args...)})
}

// declares reports whether a statement only annotates a name. In a function it has no instructions.
func (s *stmt) declares() bool {
	return s.kind == stmtAnnAssign && len(s.exprs) == 1 && s.targets[0].kind == nodeName
}

// hasCode reports whether CPython generates instructions for a statement of a function. If a whole
// body has no instructions, its line event is on the line of the def (before 3.10: of the last
// statement).
func (a *activation) hasCode(s *stmt) bool {
	switch s.kind {
	case stmtGlobal, stmtNonlocal:
		return false
	case stmtSimple:
		return a.in.version.Minor >= 10 // pass
	}
	return !s.declares()
}
