package python

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Interpreter executes a program from its source, without Python. It steps through the events that
// CPython's trace function would report, and computes the state at each. It has no side effects: it
// imports nothing, and does no input or output. If the source does not determine the next state,
// Next returns a *RefusedError or a *LimitError. The caller then gets that state elsewhere, passes
// it to Show, and the interpreter continues from there.
//
// It supports the versions from supported.Oldest to supported.Preview. Only one goroutine at a time may
// use it. Call Close at the end.
type Interpreter struct {
	program  *Program
	version  Version
	file     *sourceFile // the file that runs as __main__
	ev       *evaluation
	module   *scope        // the names of __main__
	modules  []*module     // the program's modules that have been imported
	codes    map[any]*code // by *stmt or *node
	stack    []*activation // outermost first
	entered  uint32        // number of activations so far
	events   int
	lost     map[pyValue]bool // containers whose content is no longer known
	silent   int              // above 0: report no events, as in a __repr__
	telling  bool             // the repr of a value is being computed for a state
	showing  int              // above 0: a __repr__ is running
	untold   int              // lines since the last reported event
	changes  int              // number of changes of objects in place
	escaped  int              // value of changes at the last change of an object that an opaque value may refer to
	shows    int              // number of states from Show
	objects  map[*instance]bool
	unsure   map[pyValue]bool                        // objects that may be the same as another one
	handled  []*instance                             // exceptions that are being handled, innermost last
	entry    *dsl.Stop                               // the state set by Begin; nil: begin with the module
	watched  *activation                             // the activation that a Routine runs to its end, or nil
	watch    func(dsl.Moment, func() *dsl.Stop) bool // see Run; nil otherwise
	loose    bool                                    // a state may leave values open, and list its locals in any order
	returned *dsl.Stop                               // the return event of watched
	raised   map[*instance]*dsl.Stop                 // the last event in watched of each exception
	here     place                                   // position at the last state
	below    place                                   // position in the caller, if the last state is a return
	way      Way                                     // how the program got to the state passed to Show
	settled  bool                                    // the last state was computed, and its activation is on the stack

	approaching bool // the modules run without events, up to the state set by Begin
	straying    bool // modules may have been imported that are not in modules

	next  func() (moment, bool)
	stop  func()
	yield func(moment) bool
	shown *dsl.Stop // the state passed to Show
	last  moment
	now   dsl.Moment // of the last state
	gens  []*generator
}

// Unexpected is the beginning of a refusal's reason if the refusal is due to a bug in the
// interpreter.
const Unexpected = "a text that npdb does not expect: "

// moment is one result of Next: a state, the exit, or an error.
type moment struct {
	stop *dsl.Stop
	exit *dsl.Exit
	err  error
}

const (
	mostEvents     = 200000 // of one program
	mostUntold     = 50000  // lines without an event: of a __repr__ or an example in a docstring
	mostCalls      = 200    // call depth; with more calls CPython's own recursion limit may matter
	mostValueText  = 20000  // bytes of a repr; recordings may shorten longer ones
	mostFrameNames = 500
	mostDigits     = 14000 // bits of an int that CPython certainly prints (sys.set_int_max_str_digits)
)

// NewInterpreter prepares a program. file is the name of the file that runs as __main__. The error
// is an *EvalError if that file is not valid Python, and a *RefusedError if the interpreter does
// not support the program at all.
func NewInterpreter(p *Program, file string) (*Interpreter, error) {
	in, err := p.interpreter(context.Background(), file)
	if err != nil {
		return nil, err
	}
	in.next, in.stop = iter.Pull(in.moments())
	return in, nil
}

// hasUnfollowed reports whether a block has a match statement or except*, at any depth. The
// interpreter does not support them.
func hasUnfollowed(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		return s.kind == stmtMatch || slices.ContainsFunc(s.branches, func(b branch) bool { return b.group }) || slices.ContainsFunc(s.blocks(), hasUnfollowed)
	})
}

// hasConstantIf reports whether a block has an if statement with a constant condition, at any
// depth. Before 3.10 the interpreter does not support these: the compiler leaves out such code, but
// its lines may still have events.
func hasConstantIf(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		constant := func(b branch) bool { return b.exprs[0].constant || b.exprs[0].kind == nodeConstant }
		return s.kind == stmtIf && slices.ContainsFunc(s.branches, constant) || slices.ContainsFunc(s.blocks(), hasConstantIf)
	})
}

// Close releases the interpreter's goroutines.
func (in *Interpreter) Close() {
	in.stop()
	for _, g := range in.gens {
		g.stop()
	}
}

// Next returns the next state, or the exit at the program's end. After an error the caller must
// call Show before Next.
func (in *Interpreter) Next(ctx context.Context) (*dsl.Stop, *dsl.Exit, error) {
	if in.last.exit != nil {
		return nil, in.last.exit, nil
	}
	if in.last.err != nil && in.shown == nil {
		return nil, nil, in.last.err
	}
	in.ev.ctx, in.ev.room, in.ev.steps = ctx, memoryLimit, 0
	m, ok := in.next()
	if !ok {
		m = moment{err: refused("", "the program's text was left behind")}
	}
	in.last = m
	return m.stop, m.exit, m.err
}

// Moment returns the last state's position, as dsl.Goal needs it to decide where a move lands.
func (in *Interpreter) Moment() dsl.Moment { return in.now }

// moments runs the program and yields the results of Next.
func (in *Interpreter) moments() iter.Seq[moment] {
	return func(yield func(moment) bool) {
		in.yield = yield
		defer func() {
			if e := recover(); e != nil {
				if _, ok := e.(closed); !ok {
					panic(e)
				}
			}
		}()
		in.yield(in.runModule())
	}
}

// closed is the value of the panic that ends the goroutines of a closed interpreter.
type closed struct{}

// runModule runs the main module to its end.
func (in *Interpreter) runModule() (m moment) {
	defer func() {
		e := recover()
		if t, ok := e.(*thrown); ok {
			text := in.text(t.exc)
			m = moment{exit: &dsl.Exit{Code: 1, Exception: &text}}
			if t.exc.class.is("SystemExit") {
				m = moment{err: refused("", "the exit status is not computed")}
			}
		} else if err := in.reasonOf(e, nil); err != nil {
			m = moment{err: err}
		}
	}()
	a := in.begin()
	in.enter(a)
	if in.entry != nil {
		return in.runEntry(a)
	}
	a.run()
	in.leave()
	return moment{exit: &dsl.Exit{}}
}

// tell yields a result of Next. If the caller then called Show, tell panics with the state to
// continue from.
func (in *Interpreter) tell(m moment) {
	if in.events++; in.events > mostEvents {
		m = moment{err: &LimitError{Reason: fmt.Sprintf("it has more than %d events", mostEvents)}}
	}
	in.shown, in.untold = nil, 0
	if !in.yield(m) {
		panic(closed{})
	}
	if in.shown != nil {
		shown := in.shown
		in.shown = nil
		panic(&adopted{shown})
	}
}

// event reports an event of the top activation, if events are reported.
func (in *Interpreter) event(event dsl.Event, kind dsl.ReturnKind, value *string) {
	a := in.top()
	if in.silent > 0 || a.code.untraced {
		if in.silent > 0 {
			in.abandoned()
		}
		if in.untold++; in.untold > mostUntold {
			panic(&LimitError{Reason: fmt.Sprintf("more than %d lines between two events", mostUntold)})
		}
		if a == in.watched && event == dsl.Return && kind == dsl.Returned {
			in.returned = in.stopNow(a, event, kind, value)
		}
		return
	}
	in.abandoned()
	stack := in.traced()
	in.arrive(a, event == dsl.Return)
	in.settled = true
	in.now = dsl.Moment{
		Straight: event == dsl.Line && a.straight(int(a.line)),
		Event:    event, Kind: kind, Resumed: event == dsl.Call && a.lined, Suspends: a.gen != nil, Depth: len(stack) - 1,
		Activation: int(a.number), Outermost: int(stack[0].number), At: a.location(),
	}
	a.placed(event)
	if in.watch != nil {
		if in.events++; in.events > mostEvents {
			panic(&LimitError{Reason: fmt.Sprintf("it has more than %d events", mostEvents)})
		}
		if in.untold = 0; !in.watch(in.now, func() *dsl.Stop { return in.stopNow(a, event, kind, value) }) {
			panic(enough{})
		}
		return
	}
	stop := &dsl.Stop{State: dsl.State{
		Event: event, Kind: kind, File: a.code.file.name, Line: int(a.line), Source: a.source(), Function: a.code.name,
		Depth: len(stack) - 1, Locals: in.locals(a), Value: value,
	}}
	for _, f := range stack {
		stop.Stack = append(stop.Stack, f.shown())
		stop.Activations = append(stop.Activations, f.number)
	}
	in.tell(moment{stop: stop})
}

// straight reports whether a line event would continue the block of the event before it in the
// activation.
func (a *activation) straight(line int) bool {
	return a.place > 0 && a.code.file.blocks().Straight(int(a.place), line)
}

// placed notes that an event of the activation is at a.line, for straight. A generator that
// suspends and resumes continues its block.
func (a *activation) placed(event dsl.Event) {
	switch event {
	case dsl.Line:
		a.place = a.line
	case dsl.Exception:
		a.place = 0
	}
}

// location returns the file and line that an activation is at.
func (a *activation) location() dsl.Location {
	return dsl.Location{File: a.code.file.index, Line: int(a.line)}
}

// shown returns an activation's frame as states list it.
func (a *activation) shown() dsl.Frame {
	return dsl.Frame{Function: a.code.name, File: a.code.file.name, Line: int(a.line)}
}

// source returns the source line that an activation is at.
func (a *activation) source() string {
	lines := a.code.file.lines
	if a.line < 1 || int(a.line) > len(lines) {
		panic(refused("", "a line that the text lacks"))
	}
	return lines[a.line-1]
}

// enter pushes an activation on the stack.
func (in *Interpreter) enter(a *activation) {
	if len(in.stack) >= mostCalls {
		panic(&LimitError{Reason: fmt.Sprintf("more than %d calls inside one another", mostCalls)})
	}
	if a.number == 0 && a.names != in.module {
		in.entered++
		a.number = in.entered
	}
	in.stack = append(in.stack, a)
}

func (in *Interpreter) leave() { in.stack = in.stack[:len(in.stack)-1] }

// traced returns the activations that states list, outermost first. It leaves out those of examples
// in docstrings.
func (in *Interpreter) traced() []*activation {
	for i, a := range in.stack {
		if a.code.untraced {
			return append(slices.Clone(in.stack[:i]), slices.DeleteFunc(slices.Clone(in.stack[i:]), func(a *activation) bool { return a.code.untraced })...)
		}
	}
	return in.stack
}

// top returns the running activation.
func (in *Interpreter) top() *activation { return in.stack[len(in.stack)-1] }
