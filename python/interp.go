package python

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// Interpreter follows a program by its text alone. It steps through the events that CPython's
// trace function would report, and computes the state at each. It runs nothing: no import, no
// input or output. What the text does not decide is a *RefusedError or a *LimitError; Show then
// tells the state that came next, and the interpreter goes on from there.
//
// It follows Python 3.9 to 3.14, is used by one goroutine at a time, and must be closed.
type Interpreter struct {
	program  *Program
	version  Version
	file     *sourceFile // that runs as __main__
	ev       *evaluation
	module   *scope        // of __main__
	modules  []*module     // of the program, that have been imported
	codes    map[any]*code // by *stmt or *node
	stack    []*activation // outermost first
	entered  uint32        // activations so far
	events   int
	lost     map[pyValue]bool // containers whose content is not known any more
	silent   int              // above 0 while no events are reported, as in a __repr__
	telling  bool             // the text of a value is made for a state
	showing  int              // above 0 while a __repr__ runs
	untold   int              // events since the last one that was told
	changes  int              // values that were changed in place
	escaped  int              // changes, up to the last one of a value that an object of unknown content may hold
	shows    int              // states that Show told
	objects  map[*instance]bool
	unsure   map[pyValue]bool                        // containers that another name may share
	handled  []*instance                             // exceptions whose handlers run, innermost last
	entry    *dsl.Stop                               // the call that the program begins with, nil for its module
	watched  *activation                             // the activation whose end a Routine waits for, nil for none
	watch    func(dsl.Moment, func() *dsl.Stop) bool // see Run; nil for an Interpreter
	loose    bool                                    // the state that is made marks what is not decided, and its locals may come in any order
	returned *dsl.Stop                               // the return event of watched
	raised   map[*instance]*dsl.Stop                 // the last event of each exception in watched
	here     place                                   // of the last state
	below    place                                   // of the caller, if the last state is a return
	way      Way                                     // to the state that Show told
	settled  bool                                    // the last state is that of an activation here

	approaching bool // the modules are run, without events, up to the state that Begin set
	straying    bool // modules may have been imported that are not in modules

	next  func() (moment, bool)
	stop  func()
	yield func(moment) bool
	shown *dsl.Stop // what Show told
	last  moment
	now   dsl.Moment // of last
	gens  []*generator
}

// Unexpected begins the reason of a refusal that is a fault of the interpreter.
const Unexpected = "a text that npdb does not expect: "

// moment holds one result of Next: a state, the exit, or an error.
type moment struct {
	stop *dsl.Stop
	exit *dsl.Exit
	err  error
}

const (
	mostEvents     = 200000 // of one program
	mostUntold     = 50000  // of a __repr__ or an example of a docstring
	mostCalls      = 200    // frames on one another: past it CPython's own limit may matter
	mostValueText  = 20000  // bytes of a value's text; longer ones may be cut where they are recorded
	mostFrameNames = 500
	mostDigits     = 14000 // bits of an int whose text is sure to be made (sys.set_int_max_str_digits)
)

// NewInterpreter prepares a program. file is the name of the file that runs as __main__. The error is a
// *EvalError if the text of that file is no Python, and a *RefusedError if it is not followed at all.
func NewInterpreter(p *Program, file string) (*Interpreter, error) {
	in, err := p.interpreter(context.Background(), file)
	if err != nil {
		return nil, err
	}
	in.next, in.stop = iter.Pull(in.moments())
	return in, nil
}

// hasUnfollowed reports whether a block has a match statement or except*, at any depth.
func hasUnfollowed(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		return s.kind == stmtMatch || slices.ContainsFunc(s.branches, func(b branch) bool { return b.group }) || slices.ContainsFunc(s.blocks(), hasUnfollowed)
	})
}

// hasConstantIf reports whether a block has an if statement whose condition is a constant. Before 3.10
// the lines of what the compiler leaves out may have events all the same.
func hasConstantIf(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		constant := func(b branch) bool { return b.exprs[0].constant || b.exprs[0].kind == nodeConstant }
		return s.kind == stmtIf && slices.ContainsFunc(s.branches, constant) || slices.ContainsFunc(s.blocks(), hasConstantIf)
	})
}

// Close ends the interpreter.
func (in *Interpreter) Close() {
	in.stop()
	for _, g := range in.gens {
		g.stop()
	}
}

// Next returns the next state, or the exit at the program's end. After an error Show must come
// first.
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

// Moment returns the last state as the table of moves sees it.
func (in *Interpreter) Moment() dsl.Moment { return in.now }

// moments runs the program and yields its moments.
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

// closed ends the goroutines of a closed interpreter, as a panic.
type closed struct{}

// runModule runs the module to its end.
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

// tell yields a state, and continues from what Show told if that differs.
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

// event reports an event of the top activation.
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
		Event: event, Kind: kind, Resumed: event == dsl.Call && a.lined, Suspends: a.gen != nil, Depth: len(stack) - 1,
		Activation: int(a.number), Outermost: int(stack[0].number), At: a.location(),
	}
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

// location returns the file and the line of an activation.
func (a *activation) location() dsl.Location {
	return dsl.Location{File: a.code.file.index, Line: int(a.line)}
}

// shown returns the frame of an activation as states show it.
func (a *activation) shown() dsl.Frame {
	return dsl.Frame{Function: a.code.name, File: a.code.file.name, Line: int(a.line)}
}

// source returns the line that an activation is at.
func (a *activation) source() string {
	lines := a.code.file.lines
	if a.line < 1 || int(a.line) > len(lines) {
		panic(refused("", "a line that the text lacks"))
	}
	return lines[a.line-1]
}

// enter puts an activation on the stack.
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

// traced returns the activations that states show, outermost first.
func (in *Interpreter) traced() []*activation {
	for i, a := range in.stack {
		if a.code.untraced {
			return append(slices.Clone(in.stack[:i]), slices.DeleteFunc(slices.Clone(in.stack[i:]), func(a *activation) bool { return a.code.untraced })...)
		}
	}
	return in.stack
}

// top returns the activation that runs.
func (in *Interpreter) top() *activation { return in.stack[len(in.stack)-1] }
