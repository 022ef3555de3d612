package python

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// compound runs a compound statement. target is the line to begin at, 0 for the beginning.
func (a *activation) compound(s *stmt, target int32) completion {
	switch s.kind {
	case stmtIf:
		return a.branches(s, target)
	case stmtWhile:
		return a.while(s, target)
	case stmtFor:
		return a.loop(s, target)
	case stmtTry:
		return a.try(s, target)
	case stmtWith:
		if len(s.exprs) == 1 {
			return a.with(s, target)
		}
	}
	if inner := a.blockAt(s, target); inner != nil {
		if s.kind == stmtWith {
			return a.within(inner, target)
		}
		return a.block(inner, target)
	}
	panic(refused("", "a statement of this kind"))
}

// blockAt returns the block of s that contains a line, or nil.
func (a *activation) blockAt(s *stmt, line int32) []*stmt {
	if line == 0 {
		return nil
	}
	for _, block := range s.blocks() {
		if covered(block, line) {
			return block
		}
	}
	return nil
}

// covered reports whether a statement of a block contains a line. It returns false for line 0.
func covered(body []*stmt, line int32) bool {
	return line != 0 && slices.ContainsFunc(body, func(s *stmt) bool { return s.covers(line) })
}

// sharesLine reports whether CPython may come back to a line of a compound statement: the line has
// both the header and a statement of the block that spans several lines; or a header over several
// lines continues on this line, and a statement of the block begins there.
func (s *stmt) sharesLine(line int32) bool {
	if s.continuesOn(line) && slices.ContainsFunc(s.blocks(), func(block []*stmt) bool {
		return slices.ContainsFunc(block, func(inner *stmt) bool { return inner.line == line })
	}) {
		return true
	}
	return slices.ContainsFunc(s.blocks(), func(block []*stmt) bool {
		return slices.ContainsFunc(block, func(inner *stmt) bool { return inner.line == line && !plainLines(inner) }) && isHeader(s, line)
	})
}

// continuesOn reports whether a header has an expression that began on an earlier line and extends
// to this line.
func (s *stmt) continuesOn(line int32) bool {
	within := func(e *node) bool { return e != nil && e.line < line && line <= e.last }
	return slices.ContainsFunc(s.exprs, within) || slices.ContainsFunc(s.branches, func(b branch) bool {
		return slices.ContainsFunc(b.exprs, within)
	})
}

// header evaluates the condition in a header at a line.
func (a *activation) header(e *node, line int32) bool {
	if a.spread = !onLine(e, line); a.spread && a.in.version.Minor < 10 {
		a.spread = false
		panic(refused("", "the events of a header over several lines"))
	}
	defer func() { a.spread = false }()
	return a.jumpIf(e, jump{loc: &line, sc: a.names})
}

func (a *activation) branches(s *stmt, target int32) completion {
	if inner := a.blockAt(s, target); inner != nil && !isHeader(s, target) {
		return a.block(inner, target)
	}
	if target != 0 && !covered(s.orelse, target) && !slices.ContainsFunc(s.branches, func(b branch) bool { return b.line == target && onLine(b.exprs[0], target) }) {
		panic(refused("", "how far a header has come"))
	}
	if a.in.version.Minor < 10 && (slices.ContainsFunc(s.branches, jumpsAway) || len(s.orelse) > 0 && s.orelse[0].jumps()) {
		panic(refused("", "the events of a condition whose jump leads on"))
	}
	for _, b := range s.branches {
		switch target {
		case 0:
			if onLine(b.exprs[0], b.line) {
				a.at(b.line, false)
			}
		case b.line:
			target = 0
		default:
			continue
		}
		if a.header(b.exprs[0], b.line) {
			return a.block(b.body, 0)
		}
	}
	return a.block(s.orelse, 0)
}

// jumpsAway reports whether a condition's jump may lead to another jump. CPython before 3.10 then
// jumps to the final target directly, so that the statement in between has no event.
func jumpsAway(b branch) bool {
	e := b.exprs[0]
	plain := e.kind != nodeAnd && e.kind != nodeOr && e.kind != nodeNot && (e.kind != nodeCompare || len(e.kids) == 2)
	return !plain && b.body[0].jumps()
}

// jumps reports whether a statement is continue or break.
func (s *stmt) jumps() bool { return s.kind == stmtContinue || s.kind == stmtBreak }

// isHeader reports whether a line is the line of a header of s.
func isHeader(s *stmt, line int32) bool {
	for _, b := range s.branches {
		if b.line == line {
			return true
		}
	}
	return len(s.branches) == 0 && s.line == line
}

// while runs a while loop. From 3.10 to 3.13 the compiler repeats the condition after the body. If
// both are on one line, only the jump back to the body has an event.
func (a *activation) while(s *stmt, target int32) completion {
	inside := covered(s.body, target) && !isHeader(s, target)
	switch {
	case target == 0 || inside:
	case covered(s.orelse, target):
		return a.block(s.orelse, target)
	case !onLine(s.exprs[0], s.line), a.adrift && covered(s.body, target):
		panic(refused("", "how far a header has come"))
	}
	if s.exprs[0].kind == nodeConstant && a.in.version.Minor < 10 { // a constant condition has no instructions
		return a.constantWhile(s, target)
	}
	for back := false; ; back = true {
		if !inside {
			endless := s.exprs[0].kind == nodeConstant
			repeated := back && !endless && a.line == s.line && a.in.version.repeatsConditions()
			if target == 0 && !repeated && onLine(s.exprs[0], s.line) {
				a.at(s.line, back)
			}
			target = 0
			if !a.header(s.exprs[0], s.line) {
				return a.block(s.orelse, 0)
			}
			if repeated {
				a.at(s.line, true)
			}
		}
		inside = false
		c := a.block(s.body, target)
		target = 0
		switch c.kind {
		case broken:
			return completion{}
		case returned:
			return c
		}
	}
}

// constantWhile runs a while loop with a constant condition, before 3.10.
func (a *activation) constantWhile(s *stmt, target int32) completion {
	if target != 0 && isHeader(s, target) && !covered(s.body, target) {
		panic(refused("", "how far a header has come"))
	}
	if !truth(a.in.ev.eval(s.exprs[0], a.names)) {
		panic(refused("", "the events of a loop that the compiler leaves out"))
	}
	for {
		c := a.block(s.body, target)
		target = 0
		switch c.kind {
		case broken:
			return completion{}
		case returned:
			return c
		}
		a.lined = false // the jump back has an event, even on the same line
	}
}

// exhausted is called when a loop has reached the end of its iterator. Before 3.10 the
// StopIteration of a generator is an event of the loop's frame (CPython 3.9, Python/ceval.c,
// FOR_ITER).
func (in *Interpreter) exhausted(it *pyIter) {
	switch {
	case in.version.Minor >= 10 || it == nil || in.top().gen != nil:
	case it.gen != nil:
		text := "StopIteration()"
		in.event(dsl.Exception, dsl.NoReturn, &text)
	case it.ofGenerator():
		panic(refused("", "the exception that ends a loop"))
	}
}

// loop runs a for loop.
func (a *activation) loop(s *stmt, target int32) completion {
	if a.loops == nil {
		a.loops = map[*stmt]*pyIter{}
	}
	if target != 0 && !onLine(s.exprs[0], s.line) && !covered(s.body, target) && !covered(s.orelse, target) {
		panic(refused("", "how far a header has come"))
	}
	it := a.loops[s]
	inside := !isHeader(s, target) && covered(s.body, target)
	switch {
	case target != 0 && !isHeader(s, target) && !inside:
		return a.block(s.orelse, target)
	case target == 0 && !onLine(s.exprs[0], s.line):
		panic(refused("", "the events of a header over several lines"))
	case target == 0:
		a.at(s.line, false)
		it = nil
	case !inside && a.adrift && a.goesRound(s):
		panic(refused("", "how far the loop has come"))
	case !inside && (a.from == 0 || !covered(s.body, a.from)):
		it = nil // Show put it at the header, coming from outside the loop
	}
	if it == nil && !inside && (target == 0 || a.from == 0 || !covered(s.body, a.from)) {
		if !onLine(s.exprs[0], s.line) {
			panic(refused("", "the events of a header over several lines"))
		}
		it = a.in.iterate(a.in.ev.eval(s.exprs[0], a.names))
		a.loops[s] = it
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *thrown, *EvalError:
			delete(a.loops, s)
			panic(e)
		default:
			panic(e)
		}
	}()
	for {
		if !inside {
			if it == nil {
				panic(refused("", "how far the loop has come"))
			}
			item, ok := it.next()
			if !ok {
				if it.gen != nil && it.gen.value != nil && it.gen.value != (pyNone{}) {
					panic(refused("", "a loop over a generator that returns a value"))
				}
				a.in.exhausted(it)
				delete(a.loops, s)
				a.skips = a.in.version.Minor >= 14 && len(s.orelse) == 0 && breaksLast(s.body)
				return a.block(s.orelse, 0)
			}
			a.in.assign(s.targets[0], item, a.names)
			target = 0
		}
		inside = false
		c := a.block(s.body, target)
		target = 0
		switch c.kind {
		case broken:
			a.leaveLoop(s, it)
			delete(a.loops, s)
			return completion{}
		case returned:
			a.leaveLoop(s, it)
			delete(a.loops, s)
			return c
		}
		a.at(s.line, true)
	}
}

// breaksLast reports whether the last statement of a loop's body may break the loop. Since 3.14 the
// compiler then copies a short return or raise that follows the loop to the place of the break. The
// original after the loop no longer begins a line, so it has no line event (see roundsOf.leave).
func breaksLast(body []*stmt) bool {
	last := body[len(body)-1]
	return last.kind == stmtBreak || last.def == nil && last.kind != stmtFor && last.kind != stmtWhile && slices.ContainsFunc(last.blocks(), hasBreak)
}

// hasBreak reports whether a block contains a break of the loop around it.
func hasBreak(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		switch {
		case s.kind == stmtBreak:
			return true
		case s.def != nil:
			return false
		case s.kind == stmtFor || s.kind == stmtWhile:
			return hasBreak(s.orelse)
		}
		return slices.ContainsFunc(s.blocks(), hasBreak)
	})
}

// leavesTwice reports whether a line is in a block that CPython before 3.10 may leave with a second
// event on the line of the statement that ended it: the block of a with, of a try with finally, or
// of an except with a name.
func leavesTwice(body []*stmt, line int32) bool {
	for _, s := range body {
		if !s.covers(line) || s.def != nil {
			continue
		}
		named := slices.ContainsFunc(s.branches, func(b branch) bool { return b.as != "" && covered(b.body, line) })
		if s.kind == stmtWith || s.kind == stmtTry && (len(s.final) > 0 && !covered(s.final, line) || named) {
			return true
		}
		if slices.ContainsFunc(s.blocks(), func(inner []*stmt) bool { return leavesTwice(inner, line) }) {
			return true
		}
	}
	return false
}

// leaveLoop refuses to leave a loop early if a generator of the program may not have ended: CPython
// then closes the generator, with more events. it is nil if Show put the frame into the loop.
func (a *activation) leaveLoop(s *stmt, it *pyIter) {
	if it == nil && (a.in.program.yields || hasGenerator(s.exprs[0])) {
		panic(refused("", "how a generator is closed"))
	}
	a.in.leaveOff(it)
}

func hasGenerator(e *node) bool {
	return e != nil && (e.kind == nodeGenerator || slices.ContainsFunc(e.kids, hasGenerator))
}
