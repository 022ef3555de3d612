package python

import "github.com/npdb/npdb/dsl"

// try runs a try statement. A finally block runs after whatever ends the rest.
func (a *activation) try(s *stmt, target int32) completion {
	if covered(s.final, target) {
		a.block(s.final, target)
		panic(refused("", "what a finally block goes on with"))
	}
	if len(s.final) == 0 {
		return a.handled(s, target)
	}
	c, exc := a.guarded(func() completion { return a.handled(s, target) })
	after := a.block(s.final, 0)
	if c.kind != finished && after.kind == finished && a.in.version.Minor < 10 {
		if len(s.final[len(s.final)-1].blocks()) > 0 {
			panic(refused("", "the events of what leaves a finally block"))
		}
		a.at(c.line, false) // what left the block goes on there
	}
	switch {
	case after.kind != finished:
		return after
	case exc != nil:
		panic(exc)
	}
	return c
}

// guarded runs a part of a statement. It returns the exception that leaves it.
func (a *activation) guarded(part func() completion) (c completion, exc *thrown) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *thrown:
			a.in.unwind(a)
			exc = e
		case *EvalError:
			a.in.unwind(a)
			exc = &thrown{exc: a.in.exceptionOf(e)}
		default:
			panic(e)
		}
	}()
	return part(), nil
}

// handled runs the body of a try with its handlers.
func (a *activation) handled(s *stmt, target int32) completion {
	for i, b := range s.branches {
		switch {
		case covered(b.body, target):
			return a.handler(&s.branches[i], nil, target)
		case target == b.line && target != 0:
			panic(refused("", "which exception is handled"))
		}
	}
	if covered(s.orelse, target) {
		return a.block(s.orelse, target)
	}
	switch target {
	case 0:
		a.at(s.line, false)
	case s.line:
		if a.thrown == nil || !covered(s.body, target) { // else it was raised in the body, on the same line
			target = 0
		}
	}
	c, exc := a.guarded(func() completion { return a.block(s.body, target) })
	if exc == nil {
		if c.kind == finished {
			return a.block(s.orelse, 0)
		}
		return c
	}
	for i, b := range s.branches {
		a.at(b.line, false)
		if len(b.exprs) == 0 || a.in.matches(exc.exc, a.in.ev.eval(b.exprs[0], a.names)) {
			return a.handler(&s.branches[i], exc.exc, 0)
		}
	}
	panic(exc)
}

// handler runs the block of an except clause, from a line that Show told if target is not 0. exc is
// nil if the exception is unknown.
func (a *activation) handler(b *branch, exc *instance, target int32) completion {
	in := a.in
	in.handled = append(in.handled, exc)
	depth := len(in.handled)
	defer func() { in.handled = in.handled[:depth-1] }()
	if b.as != "" {
		if target == 0 {
			in.store(b.as, exc, a.names)
		}
		defer func() {
			if in.has(b.as, a.names) {
				in.deleteName(b.as, a.names)
			}
		}()
	}
	if b.as != "" && in.version.Minor < 10 {
		c, exc := a.guarded(func() completion { return a.block(b.body, target) })
		if exc != nil {
			panic(refused("", "the events of an exception that leaves a handler"))
		}
		return c
	}
	return a.block(b.body, target)
}

// within runs the block of a with statement whose contexts are unknown.
func (a *activation) within(body []*stmt, target int32) completion {
	a.guarded(func() completion { return a.block(body, target) })
	panic(refused("", "what leaves a with statement"))
}

// traceback returns what an __exit__ method gets as the traceback of an exception.
func (in *Interpreter) traceback() *imported {
	if in.version.Minor < 10 {
		return &imported{text: "<traceback object>"}
	}
	return &imported{text: "traceback()"}
}

// with runs a with statement of one context.
func (a *activation) with(s *stmt, target int32) completion {
	in := a.in
	if target != 0 && !isHeader(s, target) {
		return a.within(s.body, target)
	}
	if target != 0 && in.version.Minor < 10 {
		panic(refused("", "the events of what leaves a with statement"))
	}
	if target != 0 && (covered(s.body, a.from) || a.adrift) {
		panic(refused("", "what leaves a with statement"))
	}
	if target == 0 {
		a.at(s.line, false)
	}
	if !onLine(s.exprs[0], s.line) {
		panic(refused("", "the events of a header over several lines"))
	}
	manager, ok := in.ev.eval(s.exprs[0], a.names).(*instance)
	if !ok {
		panic(refused("", "what a context manager does"))
	}
	enter, found := manager.class.lookup("__enter__")
	exit, foundExit := manager.class.lookup("__exit__")
	if !found || !foundExit {
		panic(refused("", "what a context manager does"))
	}
	value := in.ev.callWith(enter, manager)
	if s.targets[0] != nil {
		in.assign(s.targets[0], value, a.names)
	}
	c, exc := a.guarded(func() completion { return a.block(s.body, 0) })
	if a.in.version.Minor < 10 {
		if exc != nil || c.kind != finished {
			panic(refused("", "the events of what leaves a with statement"))
		}
		in.ev.callWith(exit, manager, pyNone{}, pyNone{}, pyNone{})
		return c
	}
	if exc != nil {
		a.at(s.line, false)
		line := exc.line
		if in.truth(in.ev.callWith(exit, manager, exc.exc.class, exc.exc, in.traceback())) {
			return completion{}
		}
		a.line = line
		panic(exc)
	}
	a.at(s.line, false)
	in.ev.callWith(exit, manager, pyNone{}, pyNone{}, pyNone{})
	return c
}

// raiseStatement runs raise.
func (a *activation) raiseStatement(s *stmt) {
	in := a.in
	if len(s.exprs) == 0 {
		if len(in.handled) == 0 || in.handled[len(in.handled)-1] == nil {
			panic(refused("", "which exception is raised again"))
		}
		panic(&thrown{exc: in.handled[len(in.handled)-1], told: a, line: a.line})
	}
	v := in.ev.eval(s.exprs[0], a.names)
	if c, ok := v.(*class); ok && c.isException() {
		v = in.ev.callWith(c)
	}
	exc, ok := v.(*instance)
	if !ok || !exc.class.isException() {
		panic(refused("", "what is raised"))
	}
	if len(s.exprs) > 1 {
		if cause := in.ev.eval(s.exprs[1], a.names); cause != (pyNone{}) {
			if from, ok := cause.(*instance); !ok || !from.class.isException() {
				panic(refused("", "an exception from what is none"))
			}
		}
	}
	panic(&thrown{exc: exc})
}

// thrown carries an exception through the frames, as a panic.
type thrown struct {
	exc  *instance
	told *activation // the one that has told it, or raised it again
	line int32       // of the event
}

// raise tells an exception that leaves a statement, and lets it go on.
func (a *activation) raise(e any) {
	if err, ok := e.(*EvalError); ok {
		e = &thrown{exc: a.in.exceptionOf(err)}
	}
	if t, ok := e.(*thrown); ok && t.told != a {
		t.told, t.line = a, a.line
		a.in.noteRaised(a, t.exc)
		text := a.in.text(t.exc)
		a.in.event(dsl.Exception, dsl.NoReturn, &text)
		if len(a.inlined) > 0 {
			a.leaveInlined()
			panic(refused("", "how an exception leaves a comprehension"))
		}
	}
	panic(e)
}
