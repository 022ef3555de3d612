package session_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// The program of the tests, and its run, which fake replays:
//
//	 0 <module> line 1   def f(x):
//	 1 <module> line 5   for i in range(3):
//	 2 <module> line 6       f(i)              i = 0
//	 3 f call   line 1                         x = 0
//	 4 f line   line 2
//	 5 f line   line 3                         y = 1
//	 6 f return line 3                         1
//	 7 <module> line 5
//	 8 <module> line 6                         i = 1
//	 …
//	19 <module> line 5
//	20 <module> line 7   print(i)
//	21 <module> return line 7
const fakeSource = `def f(x):
    y = x + 1
    return y

for i in range(3):
    f(i)
print(i)
`

const fakePath = "/src/prog.py"

// fake is a Recording with a predefined run.
type fake struct {
	t       *testing.T
	tree    *statetree.Tree // the part recorded so far
	whole   *statetree.Tree // the whole run, which decides where moves land
	length  int             // number of events of the whole run
	edge    trace.Position
	emit    []func(*statetree.Tree)
	output  []trace.Output // written so far
	writes  map[int]string // output of the program after an event
	reads   map[int]bool   // events before which it waits for input
	unseen  map[int]bool   // those of them with the echo off
	inputs  []string
	resume  func() (trace.Landing, error)
	asked   []string
	said    map[trace.Verb]trace.Answer // its answers to verbs that it does not implement
	closed  bool
	edited  map[string]string
	before  func() // called at the beginning of a move
	pauseAt int    // an event at which the program calls breakpoint()
}

func newFake(t *testing.T) *fake { return newFakeOf(t, fakePath) }

// newFakeOf returns a fake with a different path of the program's file.
func newFakeOf(t *testing.T, path string) *fake {
	f := &fake{
		t: t, tree: statetree.New(), whole: statetree.New(), pauseAt: -1,
		writes: map[int]string{20: "2\n"}, reads: map[int]bool{}, edited: map[string]string{},
	}
	file := statetree.File{Path: path, Name: "prog.py", Source: []byte(fakeSource)}
	begin := func(tr *statetree.Tree) {
		tr.AddFile(file)
		tr.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 7})
		tr.AddCode(statetree.Code{Name: "f", QualName: "f", FirstLine: 1, LastLine: 3, Names: []string{"x", "y"}, Args: 1, Fast: true})
		tr.Globals(1, tr.Enter(0), true)
	}
	event := func(before func(*statetree.Tree), e dsl.Event, line int, k dsl.ReturnKind, value string) {
		f.emit = append(f.emit, func(tr *statetree.Tree) {
			if before != nil {
				before(tr)
			}
			var v []byte
			if value != "" {
				v = []byte(value)
			}
			tr.Event(e, line, k, v)
		})
	}
	slot := -1
	event(nil, dsl.Line, 1, 0, "")
	for i := range 3 {
		event(nil, dsl.Line, 5, 0, "")
		text := []byte(strconv.Itoa(i))
		event(func(tr *statetree.Tree) {
			if i == 0 {
				slot = tr.AddName(0, "i")
				defer tr.Order([]int{slot})
			}
			tr.Set(slot, text, false)
		}, dsl.Line, 6, 0, "")
		event(func(tr *statetree.Tree) { tr.Enter(1); tr.Set(0, text, false) }, dsl.Call, 1, 0, "")
		event(nil, dsl.Line, 2, 0, "")
		event(func(tr *statetree.Tree) { tr.Set(1, []byte(strconv.Itoa(i+1)), false) }, dsl.Line, 3, 0, "")
		event(nil, dsl.Return, 3, dsl.Returned, strconv.Itoa(i+1))
	}
	event(nil, dsl.Line, 5, 0, "")
	event(nil, dsl.Line, 7, 0, "")
	event(nil, dsl.Return, 7, dsl.Returned, "None")
	f.length = len(f.emit)
	f.whole.Batch(func() {
		begin(f.whole)
		for _, e := range f.emit {
			e(f.whole)
		}
		f.whole.Finish()
	})
	f.tree.Batch(func() { begin(f.tree) })
	return f
}

// record runs the program up to an event, or to its end.
func (f *fake) record(event int, end bool) {
	known := f.tree.Len()
	f.tree.Batch(func() {
		for e := known; e <= event; e++ {
			f.emit[e](f.tree)
		}
	})
	for e := max(f.edge.Event, 0); e < event || end && e <= event; e++ {
		if text := f.writes[e]; text != "" {
			f.output = append(f.output, trace.Output{Event: e, Stream: "stdout", Text: text})
			delete(f.writes, e)
		}
	}
	f.edge = trace.Position{Event: event}
	if end {
		f.tree.Batch(f.tree.Finish)
		f.edge.End = true
	}
}

func (f *fake) start(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
	f.record(0, false)
	return f, trace.Landing{Position: f.edge}, nil
}

func (f *fake) Record(bool) {}

func (f *fake) Tree() *statetree.Tree    { return f.tree }
func (f *fake) LiveEdge() trace.Position { return f.edge }
func (f *fake) Announced() string        { return "" }

func (f *fake) Progress() trace.Progress { return trace.Progress{Events: f.tree.Len()} }

func (f *fake) Move(_ context.Context, from trace.Position, a dsl.Action, stops ...trace.Stop) (trace.Landing, error) {
	if f.before != nil {
		f.before()
	}
	at := from.Event
	if from.End {
		if !a.Move.Inverse() {
			return trace.Landing{Position: from, Reason: trace.Ended, Boundary: trace.AtEnd}, nil
		}
		at = f.length
	}
	out := f.whole.Land(at, a)
	switch out.Boundary {
	case statetree.AtStart:
		return trace.Landing{Position: from, Boundary: trace.AtStart}, nil
	case statetree.AtEnd:
		met, stopped := f.meet(at, f.length, stops)
		if stopped {
			return met, nil
		}
		l := f.end(at)
		l.Met = met.Met
		return l, nil
	}
	met, stopped := f.meet(at, out.Event, stops)
	if stopped {
		return met, nil
	}
	l, err := f.to(at, out.Event)
	l.Met = met.Met
	return l, err
}

func (f *fake) end(at int) trace.Landing {
	f.record(f.length-1, true)
	return trace.Landing{Position: f.edge, Reason: trace.Ended, Horizon: f.length - 1 - at}
}

// to lands on an event, after any input that the program waits for on the way.
func (f *fake) to(at, event int) (trace.Landing, error) {
	for e := f.edge.Event + 1; e <= event && !f.edge.End; e++ {
		if f.reads[e] {
			delete(f.reads, e)
			f.record(e-1, false)
			f.resume = func() (trace.Landing, error) { return f.to(at, event) }
			return trace.Landing{Position: f.edge, Reason: trace.NeedsInput, Unseen: f.unseen[e]}, nil
		}
	}
	if event > f.edge.Event && !f.edge.End {
		f.record(event, false)
	}
	return trace.Landing{Position: trace.Position{Event: event}, Horizon: max(event-at, at-event)}, nil
}

func (f *fake) Advance(_ context.Context, stops []trace.Stop, until *int) (trace.Landing, error) {
	if f.before != nil {
		f.before()
	}
	at := f.edge.Event
	act := f.tree.At(at).Activation
	test := &tester{f: f, stops: stops}
	for e := at + 1; e < f.length; e++ {
		f.record(e, false)
		r := f.tree.At(e)
		switch {
		case until != nil && r.Activation == act && (r.Event == dsl.Return || r.Event == dsl.Line && r.Line >= *until):
			return test.landing(trace.Landed, e-at), nil
		case e == f.pauseAt:
			return test.landing(trace.ProgramBreak, e-at), nil
		case test.hit(r):
			return test.landing(trace.HitBreakpoint, e-at), nil
		}
	}
	l := f.end(at)
	l.Met = test.met
	return l, nil
}

func (f *fake) Pass(ctx context.Context, n int) (l trace.Landing, err error) {
	from := f.edge.Event
	for range n {
		l, err = f.Move(ctx, f.edge, dsl.Action{Move: dsl.StepInto})
		if err != nil || l.Reason != trace.Landed || l.End {
			break
		}
	}
	l.Horizon = l.Event - from
	return l, err
}

func (f *fake) AddFile(path string) (int, error) {
	return 0, &os.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
}

func (f *fake) Resume(context.Context) (trace.Landing, error) { return f.resume() }

func (f *fake) Input(text string, eof bool) error {
	f.inputs = append(f.inputs, text+map[bool]string{true: "EOF"}[eof])
	return nil
}

func (f *fake) Interrupt()      {}
func (f *fake) Kill()           {}
func (f *fake) Resize(c, r int) { f.asked = append(f.asked, fmt.Sprintf("resize %dx%d", c, r)) }

func (f *fake) PythonVersion() string { return "" }

func (f *fake) Save(w io.WriteCloser, npdb string) error {
	f.asked = append(f.asked, "save")
	_, err := io.WriteString(w, "saved by "+npdb)
	return errors.Join(err, w.Close())
}
func (f *fake) Close() error { f.closed = true; return nil }

func (f *fake) Output(from, to int) []trace.Output {
	var out []trace.Output
	for _, o := range f.output {
		if o.Event >= from && (to < 0 || o.Event < to) {
			out = append(out, o)
		}
	}
	return out
}

func (f *fake) Exit() *dsl.Exit {
	if f.edge.End {
		return &dsl.Exit{}
	}
	return nil
}

func (f *fake) Debug(context.Context, int, string) (trace.Landing, error) {
	return trace.Landing{Position: f.edge}, nil
}

func (f *fake) Below(context.Context) ([]trace.BelowFrame, error) { return nil, nil }

func (f *fake) LocalsBelow(context.Context, int) ([]dsl.Local, error) { return nil, nil }

func (f *fake) Ask(_ context.Context, up int, v trace.Verb, text string) (trace.Answer, error) {
	switch v {
	case trace.VerbUserCode:
		return f.said[v], nil
	case trace.VerbModule:
		return trace.Answer{}, &trace.EvalError{Type: "ValueError", Message: "no module " + text}
	}
	f.asked = append(f.asked, strconv.Itoa(up)+" "+string(v)+" "+text)
	if a, ok := f.said[v]; ok {
		return a, nil
	}
	switch v {
	case trace.VerbPrint:
		if inner, ok := strings.CutPrefix(text, "bool(("); ok {
			holds, err := f.holds(strings.TrimSuffix(inner, "))"))
			return trace.Answer{Text: map[bool]string{true: "True", false: "False"}[holds]}, err
		}
		stack := f.tree.Stack(f.edge.Event)
		if text, ok := session.Lookup(f.tree.LocalsOf(stack[len(stack)-1-up].Activation, f.edge.Event), text); ok {
			return trace.Answer{Text: text}, nil
		}
		return trace.Answer{}, &trace.EvalError{Type: "NameError", Message: "name '" + text + "' is not defined"}
	case trace.VerbFunction:
		return trace.Answer{}, &trace.EvalError{Type: "NameError", Message: text}
	case trace.VerbInteract, trace.VerbExec:
		if strings.HasSuffix(text, ":") {
			return trace.Answer{More: true}, nil
		}
		return trace.Answer{Text: "ran " + text + "\n", Changed: true}, nil
	case trace.VerbJump:
		return trace.Answer{}, &trace.EvalError{Type: "ValueError", Message: "can't jump"}
	}
	return trace.Answer{}, errors.New("not asked in these tests")
}

// open starts a session on a fake; more changes its configuration.
func open(t *testing.T, f *fake, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	return openWith(t, f, command.Config{}, more...)
}

// openWith is like open, with an initial configuration of the interpreter.
func openWith(t *testing.T, f *fake, begin command.Config, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	cfg := session.Config{Options: trace.Options{Script: fakePath}, Start: f.start, StateDir: t.TempDir()}
	for _, m := range more {
		m(&cfg)
	}
	s, err := interpreted(context.Background(), cfg, begin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		checkJournals(t, cfg.StateDir)
	})
	return s
}

// run gives lines to a session and returns the plain front end's output.
func run(s *command.Interpreter, lines ...string) string {
	var b strings.Builder
	shown := frontend.NewPlain(&b, false)
	for _, l := range lines {
		s.Line(context.Background(), l, func(a *session.Answer) {
			if err := errors.Join(shown.Show(a), fitsSchema(a)); err != nil {
				panic(err) // a Builder never fails
			}
		})
	}
	return b.String()
}
