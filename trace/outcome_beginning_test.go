//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// middleProgram prints whatever part of it runs.
const middleProgram = `import sys
LIMIT = 3
print("module", __name__)
class Point:
    def __init__(self, x):
        self.x = x
    def __repr__(self):
        return "Point(%d)" % self.x
    def far(self):
        print("far")
        return self.x > LIMIT
def loops(n, *rest, key=None):
    print("begins")
    total = 0
    squares = [i * i for i in range(n)]
    while n > 0:
        print("round", n)
        total += n
        n -= 1
    for i in range(2):
        total += i
    late = total
    return late, key
def outer(a):
    b = a + 1
    def inner(c):
        print("inner")
        return a + b + c
    return inner(1)
def numbers(n):
    yield n
    yield n + 1
if __name__ == "__main__":
    print("main")
    x = LIMIT * 2
    print(loops(x))
else:
    print("imported")
`

// beginning returns an option to begin in the middle of a program; locals are names and values
// in turn.
func beginning(at midst, locals ...string) func(*trace.Options) {
	f := trace.BeginningFrame{File: at.file, Line: at.line, Function: at.function}
	for i := 0; i < len(locals); i += 2 {
		f.Locals = append(f.Locals, trace.BeginningLocal{Name: locals[i], Value: locals[i+1]})
	}
	return func(o *trace.Options) {
		o.Begin = &trace.Beginning{Called: at.call, Blocks: at.blocks, Frames: []trace.BeginningFrame{{Line: 1}, f}}
	}
}

// midst describes the beginning of a recording.
type midst struct {
	file     string
	line     int
	function string
	call     bool
	blocks   bool
}

// shownLocals returns the visible locals at the current position.
func (d *debuggee) shownLocals() string {
	var shown []string
	for _, l := range d.state().Locals {
		if !l.Hidden {
			shown = append(shown, l.Name+"="+l.Value)
		}
	}
	return strings.Join(shown, " ")
}

// TestOutcomeBeginning checks that a recording begins with the given line and locals, that
// nothing before the line runs, and that the program goes on as it does from there.
func TestOutcomeBeginning(t *testing.T) {
	const loaded = "module prog\nimported\n"
	for _, c := range []struct {
		name        string
		at          midst
		locals      []string
		here, shown string
		ends        string // the value that the function returns
		printed     string
	}{
		{
			name: "a loop's head", at: midst{line: 16}, locals: []string{"n", "2", "total", "40", "rest", "()", "key", "'k'"},
			here: "line 16 loops", shown: "n=2 key='k' rest=() total=40", ends: "(44, 'k')", printed: loaded + "round 2\nround 1\n",
		},
		{
			name: "in a loop", at: midst{line: 18, function: "loops"}, locals: []string{"n", "1", "total", "5", "rest", "()", "key", "[]"},
			here: "line 18 loops", shown: "n=1 key=[] rest=() total=5", ends: "(7, [])", printed: loaded,
		},
		{
			name: "the last line", at: midst{line: 23}, locals: []string{"late", "{1: Point(2)}", "key", "sys.maxsize > 0"},
			here: "line 23 loops", shown: "key=True late={1: Point(2)}", ends: "({1: Point(2)}, True)", printed: loaded,
		},
		{
			name: "the first line", at: midst{line: 13}, locals: []string{"n", "0", "key", "None"},
			here: "line 13 loops", shown: "n=0 key=None", ends: "(1, None)", printed: loaded + "begins\n",
		},
		{
			name: "a method", at: midst{line: 11}, locals: []string{"self", "Point(4)"},
			here: "line 11 far", shown: "self=Point(4)", ends: "True", printed: loaded,
		},
		{
			name: "an inner function", at: midst{line: 28}, locals: []string{"c", "1", "a", "10", "b", "100"},
			here: "line 28 inner", shown: "c=1 a=10 b=100", ends: "111", printed: loaded,
		},
		{
			name: "before a function is made", at: midst{line: 26}, locals: []string{"a", "10", "b", "100"},
			here: "line 26 outer", shown: "a=10 b=100", ends: "111", printed: loaded + "inner\n",
		},
		{
			name: "a call", at: midst{line: 12, function: "loops", call: true}, locals: []string{"n", "0", "rest", "(7,)", "key", "1"},
			here: "call 12 loops", shown: "n=0 key=1 rest=(7,)", ends: "(1, 1)", printed: loaded + "begins\n",
		},
		{
			name: "the call of a method", at: midst{line: 9, function: "far", call: true}, locals: []string{"self", "Point(1)"},
			here: "call 9 far", shown: "self=Point(1)", ends: "False", printed: loaded + "far\n",
		},
		{
			name: "the module", at: midst{line: 36}, locals: []string{"x", "0", "LIMIT", "7"},
			here: "line 36 <module>", shown: "x=0 LIMIT=7", ends: "None", printed: "begins\n(1, None)\n",
		},
		{
			name: "a line of the module", at: midst{line: 3, function: "<module>"}, locals: []string{"LIMIT", "1"},
			here: "line 3 <module>", shown: "LIMIT=1", ends: "None",
			printed: "module __main__\nmain\nbegins\nround 2\nround 1\n(4, None)\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, middleProgram, beginning(c.at, c.locals...))
				d.wantHere(c.here, trace.Landed)
				if got := d.shownLocals(); got != c.shown {
					t.Errorf("the locals are %s, want %s", got, c.shown)
				}
				if d.at.Event != 0 || len(d.rec.Tree().Stack(0)) != 1 {
					t.Errorf("begins at event %d with the stack %v", d.at.Event, d.rec.Tree().Stack(0))
				}
				if l := d.do(dsl.InvStepOver); l.Boundary != trace.AtStart {
					t.Errorf("before the beginning: %+v", l)
				}
				d.do(dsl.StepReturn)
				if got := d.state(); got.Value == nil || *got.Value != c.ends {
					t.Errorf("at %s the value is %v, want %s", d.here(), got.Value, c.ends)
				}
				d.finish()
				d.wantPrinted(c.printed)
			})
		})
	}
}

// TestOutcomeBeginningRefused checks that a beginning that CPython or npdb cannot make is an
// error that says why, before any line after it runs.
func TestOutcomeBeginningRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		at     midst
		locals []string
		kind   trace.StartKind
		words  []string
		said   string
	}{
		{"a for loop", midst{line: 21}, []string{"n", "1"}, trace.BeginRefused, []string{"line 21", "CPython does not jump there"}, "for loop"},
		{"how far a for loop is", midst{line: 20}, []string{"n", "1", "total", "0", "i", "0"}, trace.BeginRefused, []string{"this for loop binds i"}, ""},
		{"a blank line", midst{line: 99}, nil, trace.BeginRefused, []string{"no statement begins at line 99"}, ""},
		{"an else", midst{line: 37}, nil, trace.BeginRefused, []string{"inside the one at line 33"}, ""},
		{"another function", midst{line: 16, function: "outer"}, nil, trace.BeginRefused, []string{"in outer"}, ""},
		{"a generator", midst{line: 31}, []string{"n", "1"}, trace.BeginRefused, []string{"numbers is a generator"}, ""},
		{"a class", midst{line: 5}, nil, trace.BeginRefused, []string{"body of class Point"}, ""},
		{"no expression", midst{line: 11}, []string{"self", "<Point object>"}, trace.LocalsRefused, []string{"self", "SyntaxError"}, "SyntaxError"},
		{"an unknown name", midst{line: 11}, []string{"self", "Line(2)"}, trace.LocalsRefused, []string{"NameError"}, "NameError"},
		{"no local", midst{line: 11}, []string{"me", "1"}, trace.LocalsRefused, []string{"far has no local variable me"}, ""},
		{"a missing argument", midst{line: 12, function: "loops", call: true}, []string{"n", "1"}, trace.LocalsRefused, []string{"argument key of loops"}, ""},
		{"a missing variable of another function", midst{line: 28}, []string{"c", "1"}, trace.LocalsRefused, []string{"enclosing function"}, ""},
		{"no such call", midst{line: 13, function: "loops", call: true}, nil, trace.BeginRefused, []string{"no function loops is defined at line 13"}, ""},
		{"another file", midst{file: "/nowhere.py", line: 1}, nil, trace.BeginRefused, []string{"does not import /nowhere.py"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				o := trace.Options{Python: python.Path, Script: scriptOf(t, middleProgram), Stdin: strings.NewReader("")}
				beginning(c.at, c.locals...)(&o)
				wantStartError(t, o, c.kind, c.words, c.said)
			})
		})
	}
}

// TestOutcomeBeginningElsewhere checks beginnings in programs of other kinds, and in code of
// every form that a jump or the deletion of names may disturb.
func TestOutcomeBeginningElsewhere(t *testing.T) {
	const helper = `from __future__ import annotations
def twice(value: Unknown):
    """Doubles."""
    first = value
    return first + value
class A:
    def __init__(self): self.__x = 1
    @classmethod
    def make(cls, __n):
        made = cls()
        made.__x = __n
        return made.__x, super().__repr__ is None
`
	const cells = `step = 5
def count(n):
    seen = 0
    add = lambda k: seen + k
    x = [i for i in range(n)]
    y = [[j for j in range(i)] for i in x]
    def later():
        return seen, z
    z = add(1) + step
    del x
    try:
        w = later()
    except ZeroDivisionError as e:
        w = e
    if w: print("one line")
    return w, y
count(2)
while step < 6:
    q = [v for v in range(step)]
    step += 1
print(q)
`
	type attempt struct {
		name        string
		o           trace.Options
		at          midst
		locals      []string
		here, shown string
		ends        string
	}
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		other := writeIn(t, dir, "helper.py", helper)
		main := writeIn(t, dir, "main.py", "import helper\n\ndef f(x):\n    return helper.twice(x)\nx = f(2)\nprint(x, __name__)\n")
		cell := writeIn(t, dir, "cells.py", cells)
		for _, c := range []attempt{
			{"a file that the program imports", trace.Options{Script: main}, midst{file: other, line: 5}, []string{"value", "1", "first", "2"}, "line 5 twice", "value=1 first=2", "3"},
			{"a private name", trace.Options{Script: main}, midst{file: other, line: 12}, []string{"cls", "A", "_A__n", "1", "made", "A()", "__class__", "<class 'helper.A'>"}, "line 12 make", "cls=<class 'helper.A'> _A__n=1 made=A(_A__x=1) __class__=<class 'helper.A'>", ""},
			{"the program's file by its path", trace.Options{Script: main}, midst{file: main, line: 4}, []string{"x", "'a'"}, "line 4 f", "x='a'", "'aa'"},
			{"a module of -m", trace.Options{Module: "main", Dir: dir}, midst{line: 4}, []string{"x", "[]"}, "line 4 f", "x=[]", "[]"},
			{"the code of a module of -m", trace.Options{Module: "main", Dir: dir}, midst{line: 5}, nil, "line 5 <module>", "", "None"},
			{"code", trace.Options{Code: "def f(a):\n    b = a\n    return b\n"}, midst{line: 3}, []string{"b", "1"}, "line 3 f", "b=1", "1"},
			{"the module's code", trace.Options{Code: "a = 1 / 0\nb = a\n"}, midst{line: 2}, []string{"a", "1"}, "line 2 <module>", "a=1", "None"},
			{"variables of inner functions", trace.Options{Script: cell}, midst{line: 9}, []string{"n", "1", "x", "[]", "y", "[]", "seen", "2", "add", "len", "later", "lambda: 8"}, "line 9 count", "n=1 add=<built-in function len> x=[] y=[] later=<function <lambda>> seen=2", ""},
			{"names without a value", trace.Options{Script: cell}, midst{line: 10}, []string{"x", "[]", "z", "7", "seen", "2", "later", "lambda: 8", "y", "0"}, "line 10 count", "x=[] y=0 later=<function <lambda>> seen=2 z=7", "(8, 0)"},
			{"one line", trace.Options{Script: cell}, midst{line: 15}, []string{"w", "1", "y", "2"}, "line 15 count", "y=2 w=1", "(1, 2)"},
			{"a loop of a module", trace.Options{Script: cell}, midst{line: 18}, []string{"step", "5"}, "line 18 <module>", "step=5", "None"},
		} {
			t.Run(c.name, func(t *testing.T) {
				o := c.o
				beginning(c.at, c.locals...)(&o)
				o.Stdin = strings.NewReader("")
				d := debugAs(t, python, o)
				d.wantHere(c.here, trace.Landed)
				if got := d.shownLocals(); got != c.shown {
					t.Errorf("the locals are %s, want %s", got, c.shown)
				}
				d.do(dsl.StepReturn)
				if got := d.state(); c.ends != "" && (got.Value == nil || *got.Value != c.ends) {
					t.Errorf("at %s the value is %v, want %s", d.here(), *got.Value, c.ends)
				}
			})
		}
	})
}
