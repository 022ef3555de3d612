package python

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Interpreter follows a program by its text alone. It steps through the events that CPython's
// trace function would report, and computes the state at each. It runs nothing: no import, no
// input or output. What the text does not decide is a *RefusedError or a *LimitError; Show then
// tells the state that came next, and the interpreter goes on from there.
//
// It follows Python 3.9 to 3.14, is used by one goroutine at a time, and must be closed.
type Interpreter struct {
	version   Version
	file      string
	lines     []string
	ev        *evaluation
	module    *scope
	codes     map[any]*code // by *stmt or *node
	stack     []*activation // outermost first
	entered   uint32        // activations so far
	events    int
	lazy      bool             // annotations are texts: from __future__ import annotations
	lost      map[pyValue]bool // containers whose content is not known any more
	ambiguous bool             // texts that read as literals may be of other objects
	yields    bool             // the program has generators
	writes    bool             // the program's classes may make texts of their objects
	silent    int              // above 0 while no events are reported, as in a __repr__
	telling   bool             // the text of a value is made for a state
	showing   int              // above 0 while a __repr__ runs
	untold    int              // events since the last one that was told
	changes   int              // values that were changed in place
	escaped   int              // changes, up to the last one of a value that an object of unknown content may hold
	shows     int              // states that Show told
	objects   map[*instance]bool
	unsure    map[pyValue]bool                        // containers that another name may share
	handled   []*instance                             // exceptions whose handlers run, innermost last
	entry     *dsl.Stop                               // the call that the program begins with, nil for its module
	watched   *activation                             // the activation whose end a Routine waits for, nil for none
	watch     func(dsl.Moment, func() *dsl.Stop) bool // see Run; nil for an Interpreter
	loose     bool                                    // the state that is made marks what is not decided, and its locals may come in any order
	returned  *dsl.Stop                               // the return event of watched
	raised    map[*instance]*dsl.Stop                 // the last event of each exception in watched
	here      place                                   // of the last state
	below     place                                   // of the caller, if the last state is a return
	way       Way                                     // to the state that Show told
	settled   bool                                    // the last state is that of an activation here
	declared  map[string]bool                         // names of global and nonlocal statements
	stored    map[string]bool                         // see storedAttributes
	classes   map[string]int                          // class statements, by name

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

// NewInterpreter prepares a program. file is the name that states show for it. The error is a
// *EvalError if the text is no Python, and a *RefusedError if the program is not followed at all.
func NewInterpreter(source []byte, file string, v Version) (*Interpreter, error) {
	in, module, err := prepare(source, file, v)
	if err != nil {
		return nil, err
	}
	in.next, in.stop = iter.Pull(in.program(module))
	return in, nil
}

// prepare parses a program. It returns the interpreter for it and the code of its module.
func prepare(source []byte, file string, v Version) (*Interpreter, *code, error) {
	text := decodeSource(source)
	p := newParser(text)
	p.strict, p.program = true, true
	body := p.statements(false)
	if err := p.err(); err != nil {
		return nil, nil, err
	}
	if name := cmp.Or(p.unfollowedName(), unfollowedImport(body)); name != "" {
		return nil, nil, refused(name, "changes what runs without a line that says so")
	}
	switch {
	case v == (Version{}):
		v = Version{3, 12}
	case v.Major != 3 || v.Minor < 9 || v.Minor > 14:
		return nil, nil, refused("", "the events of Python "+v.String())
	}
	switch {
	case len(body) == 0:
		return nil, nil, refused("", "a program without a statement")
	case v.Minor < 10 && hasConstantIf(body):
		return nil, nil, refused("", "conditions that the compiler leaves out")
	case hasUnfollowed(body):
		return nil, nil, refused("", "match statements and except*")
	}
	in := &Interpreter{
		version: v, file: file, lines: dsl.SplitLines(text), ev: newEvaluation(context.Background()),
		codes: map[any]*code{}, objects: map[*instance]bool{}, unsure: map[pyValue]bool{}, lost: map[pyValue]bool{},
	}
	in.ambiguous, in.yields = hasLiteralLike(body), strings.Contains(text, "yield")
	in.writes = strings.Contains(text, "__str__") || strings.Contains(text, "__repr__") || strings.Contains(text, "__format__")
	in.ev.interp, in.ev.changes, in.ev.values = in, true, map[string]pyValue{}
	return in, &code{kind: moduleCode, name: "<module>", body: body, first: 1}, nil
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

// program runs the program and yields its moments.
func (in *Interpreter) program(module *code) iter.Seq[moment] {
	return func(yield func(moment) bool) {
		in.yield = yield
		defer func() {
			if e := recover(); e != nil {
				if _, ok := e.(closed); !ok {
					panic(e)
				}
			}
		}()
		in.yield(in.runModule(module))
	}
}

// closed ends the goroutines of a closed interpreter, as a panic.
type closed struct{}

// runModule runs the module to its end.
func (in *Interpreter) runModule(module *code) (m moment) {
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
	a := in.newModule(module)
	in.enter(a)
	if in.entry != nil {
		return in.runEntry(a)
	}
	a.run()
	in.leave()
	return moment{exit: &dsl.Exit{}}
}

// newModule makes the activation of the module.
func (in *Interpreter) newModule(module *code) *activation {
	in.module = &scope{vars: map[string]pyValue{}}
	in.module.vars["__name__"] = pyStr("__main__")
	a := &activation{in: in, code: module, names: in.module, line: 1}
	in.module.frame = a
	return a
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
		Activation: int(a.number), Outermost: int(stack[0].number), At: dsl.Location{Line: int(a.line)},
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
		Event: event, Kind: kind, File: in.file, Line: int(a.line), Source: in.source(a.line), Function: a.code.name,
		Depth: len(stack) - 1, Locals: in.locals(a), Value: value,
	}}
	for _, f := range stack {
		stop.Stack = append(stop.Stack, dsl.Frame{Function: f.code.name, File: in.file, Line: int(f.line)})
		stop.Activations = append(stop.Activations, f.number)
	}
	in.tell(moment{stop: stop})
}

func (in *Interpreter) source(line int32) string {
	if line < 1 || int(line) > len(in.lines) {
		panic(refused("", "a line that the text lacks"))
	}
	return in.lines[line-1]
}

// enter puts an activation on the stack.
func (in *Interpreter) enter(a *activation) {
	if len(in.stack) >= mostCalls {
		panic(&LimitError{Reason: fmt.Sprintf("more than %d calls inside one another", mostCalls)})
	}
	if a.number == 0 && a.code.kind != moduleCode {
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
