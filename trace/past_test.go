//go:build unix

package trace_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

func repeatable(o *trace.Options) { o.Repeat = true }

const chancy = `import os, random, time, uuid
state = random.Random()

def work(n):
    total = 0
    for i in range(n):
        total += step(i)
    return total

def step(i):
    when = time.perf_counter()
    return i + random.random() + state.randrange(10) + when

total = work(200)
token = uuid.uuid4().hex
pid = os.getpid()
day = time.strftime("%H:%M:%S")
print(total, token, pid, day)
x = 1  # here
y = 2
`

// TestPastIsMade makes the past of a program that depends on chance.
func TestPastIsMade(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, chancy, repeatable).fast()
		d.advance(nil, d.stopAt("# here"))
		d.wantHere("line 19 <module>", trace.HitBreakpoint)
		edge := d.at.Event
		made, err := d.rec.MakePast(t.Context(), trace.Past{Edge: edge, Window: 100})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = made.Close() }()
		tree := made.Tree()
		at := edge + made.Shift
		if made.LiveEdge().Event != at || made.Whole || made.Shift < 100 {
			t.Fatalf("at %v, shift %d, whole %v", made.LiveEdge(), made.Shift, made.Whole)
		}
		l, err := made.Move(t.Context(), made.LiveEdge(), dsl.Action{Move: dsl.InvStepOver})
		if err != nil || tree.At(l.Event).Line != 18 {
			t.Fatalf("rn lands on %+v, %v", tree.At(l.Event), err)
		}
		first, _ := tree.HoleAfter(0)
		if s := tree.State(first); s.Function != "step" && s.Function != "work" {
			t.Errorf("the window begins in %s", s.Function)
		}
		again, err := made.MakePast(t.Context(), trace.Past{Edge: first, Window: 100000})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = again.Close() }()
		if !again.Whole || again.Tree().Holes() != 0 {
			t.Errorf("the larger window is not all: %d events, %d holes", again.Tree().Len(), again.Tree().Holes())
		}
	})
}

// TestPastIsRefused checks the programs that are not run again.
func TestPastIsRefused(t *testing.T) {
	for _, c := range []struct{ name, source, kind string }{
		{"thread", "import threading\nt = threading.Thread(target=print)\nt.start(); t.join()\n", "thread"},
		{"fork", "import os\nif os.fork() == 0: os._exit(0)\nos.wait()\n", "process"},
		{"process", "import subprocess\nsubprocess.run(['true'])\n", "process"},
		{"socket", "import socket\ns = socket.socket()\ns.close()\n", "socket"},
		{"write", "import os\nf = open('made.txt', 'w'); f.close(); os.remove('made.txt')\n", "write"},
		{"signal", "import signal\nsignal.signal(signal.SIGUSR1, print)\n", "signal"},
		{"address", "class C: pass\nx = [id(C()) for i in range(3)]\n", "address"},
		{"order", "class C: pass\nx = [type(c) for c in {C(), C(), C()}]\n", "address"},
		{"clock", "import datetime\nx = datetime.datetime.now()\n", "clock"},
		{"finalizer", "class C:\n    def __del__(self): pass\nC()\n", "collector"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				source := c.source + "x = 1  # here\n"
				d := debug(t, python, source, repeatable).fast()
				d.advance(nil, d.stopAt("# here"))
				_, err := d.rec.MakePast(t.Context(), trace.Past{Edge: d.at.Event, Window: 100})
				var no *trace.NoPast
				if !errors.As(err, &no) || no.Kind != c.kind || strings.TrimSpace(no.Why) == "" {
					t.Errorf("got %v, want a refusal because of %s", err, c.kind)
				}
			})
		})
	}
}

// wantPast makes the past of the hole before an event and checks that it is whole, and that it is
// what a recording of the same moves has.
func (d *debuggee) wantPast(edge int) *trace.Made {
	d.Helper()
	made, err := d.rec.MakePast(d.Context(), trace.Past{Edge: edge, Window: 1 << 20})
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { _ = made.Close() })
	return made
}

// TestPastOfSeveralHoles fills the second of two holes, after steps that were recorded.
func TestPastOfSeveralHoles(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, hotProgram, repeatable).fast()
		d.advance(nil, d.stopAt("print(name"))
		d.rec.Record(true)
		d.do(dsl.StepOver)
		d.do(dsl.StepOver)
		d.rec.Record(false)
		d.advance(nil, d.stopAt("print(name"))
		edge := d.at.Event
		d.rec.Record(true)
		d.do(dsl.StepOver)
		made := d.wantPast(edge)
		if made.Tree().Holes() != 1 || made.LiveEdge().Event != d.at.Event+made.Shift {
			t.Errorf("%d holes, at %v", made.Tree().Holes(), made.LiveEdge())
		}
		first, _ := made.Tree().HoleAfter(0)
		again, err := made.MakePast(t.Context(), trace.Past{Edge: first, Window: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = again.Close() }()
		if again.Tree().Holes() != 0 {
			t.Errorf("%d holes after both are filled", again.Tree().Holes())
		}
	})
}

// TestPastFromTheEnd makes the past of a program that ran unrecorded to its end, or to an
// uncaught exception.
func TestPastFromTheEnd(t *testing.T) {
	for name, tail := range map[string]string{"end": "", "exit": "sys.exit(3)\n", "exception": "x = 1 / 0\n"} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, hotProgram+tail, repeatable).fast()
				d.advance(nil)
				edge := d.rec.Tree().Len()
				if name == "exception" {
					edge, _ = d.rec.Tree().HoleAfter(0)
				}
				made := d.wantPast(edge)
				if !made.Whole || made.Tree().Holes() != 0 || made.Tree().Len() < 300 {
					t.Errorf("%d events, %d holes", made.Tree().Len(), made.Tree().Holes())
				}
			})
		})
	}
}

// TestPastWithInput types again what the user typed.
func TestPastWithInput(t *testing.T) {
	const source = "a = input()\ndef f():\n    return input()\nb = f()\nx = 1  # here\nc = input()\nprint(c)\n"
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, repeatable, func(o *trace.Options) { o.Stdin = nil }).fast()
		l, err := d.rec.Advance(t.Context(), []trace.Stop{d.stopAt("# here")}, nil)
		for err == nil && l.Reason == trace.NeedsInput {
			_ = d.rec.Input("typed\n", false)
			l, err = d.rec.Resume(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		made := d.wantPast(l.Event)
		l, err = made.Advance(t.Context(), nil, nil)
		if err != nil || l.Reason != trace.NeedsInput {
			t.Fatalf("the run that took the place asks for no input: %+v, %v", l, err)
		}
		_ = made.Input("more\n", false)
		if l, err = made.Resume(t.Context()); err != nil || !l.End {
			t.Errorf("it ends at %+v, %v", l, err)
		}
	})
}

// TestAnotherRunIsNoPast runs programs again that depend on what npdb does not note.
func TestAnotherRunIsNoPast(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		const source = "import os\ndef f():\n    n = len(os.listdir(%q))\n    return [n]\nkept = f()\nx = 1  # here\n"
		dir := t.TempDir()
		d := debug(t, python, strings.Replace(source, "%q", "'"+dir+"'", 1), repeatable).fast()
		d.advance(nil, d.stopAt("# here"))
		writeIn(t, dir, "new.txt", "")
		_, err := d.rec.MakePast(t.Context(), trace.Past{Edge: d.at.Event, Window: 100})
		var no *trace.NoPast
		if !errors.As(err, &no) || no.Kind != "differs" || !strings.Contains(no.Why, "kept is [1] instead of [0]") {
			t.Errorf("got %v", err)
		}
	})
}

// TestNoPastAfterAnEdit checks that no past is made once the user has changed the program.
func TestNoPastAfterAnEdit(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, chancy, repeatable).fast()
		d.advance(nil, d.stopAt("# here"))
		d.wantAnswer(0, trace.VerbExec, "total = 0", "")
		_, err := d.rec.MakePast(t.Context(), trace.Past{Edge: d.at.Event, Window: 100})
		var no *trace.NoPast
		if !errors.As(err, &no) || no.Kind != "user" || !strings.Contains(no.Why, "a statement, an edit or a jump") {
			t.Errorf("got %v", err)
		}
	})
}

// TestBudget runs a move on unrecorded when its budget is spent, and makes the past.
func TestBudget(t *testing.T) {
	source := strings.Replace(hotProgram, "work(100)", "work(60000)", 1)
	budget := func(o *trace.Options) { o.Budget.Events = 3000 }
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, repeatable, budget)
		stop := d.stopAt("print(name")
		stop.Ignore = 1
		d.advance(nil, stop)
		d.wantHere("line 18 report", trace.HitBreakpoint)
		d.wantLocal("total", "3599940000")
		d.wantMet(trace.Met{Hits: 2, Ignored: 1})
		if n := d.rec.Tree().Len(); n > 120000 || d.rec.Tree().Holes() != 1 {
			t.Fatalf("%d events, %d holes", n, d.rec.Tree().Holes())
		}
		made, err := d.rec.MakePast(t.Context(), trace.Past{Edge: d.at.Event, Window: 50})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = made.Close() }()
		if made.Shift < 50 {
			t.Errorf("the window has %d events", made.Shift)
		}
	})
}

// TestBudgetOfWhatCannotRepeat goes on recording if the program starts a thread.
func TestBudgetOfWhatCannotRepeat(t *testing.T) {
	source := "import threading\nt = threading.Thread(target=print)\nt.start(); t.join()\n" + hotProgram
	source = strings.Replace(source, "work(100)", "work(20000)", 1)
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, repeatable, func(o *trace.Options) { o.Budget.Events = 3000 })
		d.advance(nil)
		if !d.at.End || d.rec.Tree().Holes() != 0 || !strings.Contains(d.at.Notice, "because it started a thread") {
			t.Errorf("%+v, %d holes", d.at, d.rec.Tree().Holes())
		}
	})
}
