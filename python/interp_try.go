package python

import "github.com/npdb/npdb/dsl"

// try runs a try statement. A finally block runs however the rest ends.
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
		a.at(c.line, false) // the statement that left the block has a second event
	}
	switch {
	case after.kind != finished:
		return after
	case exc != nil:
		panic(exc)
	}
	return c
}

// guarded calls part, and returns the exception that leaves it.
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

// handled runs the body of a try and its handlers, without the finally block.
func (a *activation) handled(s *stmt, target int32) completion {
	for i, b := range s.branches {
		switch {
		case target == b.line && target != 0: // the handler's block may begin on this line too
			panic(refused("", "which exception is handled"))
		case covered(b.body, target):
			return a.handler(&s.branches[i], nil, target)
		}
	}
	if covered(s.orelse, target) {
		return a.block(s.orelse, target)
	}
	switch target {
	case 0:
		a.at(s.line, false)
	case s.line:
		if a.thrown == nil || !covered(s.body, target) { // otherwise it was raised in the body, on the same line
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

// handler runs the block of an except clause. If target is not 0, it begins at that line. exc is
// nil if the exception is not known.
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

// within runs the block of a with statement whose context managers are unknown.
func (a *activation) within(body []*stmt, target int32) completion {
	a.guarded(func() completion { return a.block(body, target) })
	panic(refused("", "what leaves a with statement"))
}

// traceback returns the traceback argument of an __exit__ method.
func (in *Interpreter) traceback() *imported {
	if in.version.Minor < 10 {
		return &imported{text: "<traceback object>"}
	}
	return &imported{text: "traceback()"}
}

// with runs a with statement with one context manager.
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

// raiseStatement runs a raise statement.
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

// thrown is the value of the panic that carries an exception of the program through its frames.
type thrown struct {
	exc  *instance
	told *activation // the last activation that reported it
	line int32       // of that event
}

// raise reports the event of an exception that leaves a statement, and panics with it again.
func (a *activation) raise(e any) {
	if err, ok := e.(*EvalError); ok {
		e = &thrown{exc: a.in.exceptionOf(err)}
	}
	if t, ok := e.(*thrown); ok && t.told != a {
		t.told, t.line = a, a.line
		a.in.noteRaised(a, t.exc)
		a.in.event(dsl.Exception, dsl.NoReturn, a.in.valueText(t.exc))
		if len(a.inlined) > 0 {
			a.leaveInlined()
			if a.in.silent == 0 {
				panic(refused("", "how an exception leaves a comprehension"))
			}
		}
	}
	panic(e)
}
