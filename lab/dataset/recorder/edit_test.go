//go:build unix

package recorder_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace/statetree"
)

// TestEdit checks that an edit is visible in its event and in all values computed from it, and that
// earlier events are unchanged.
func TestEdit(t *testing.T) {
	const function = "def f(n, t):\n    def more():\n        return n + 1\n    n = more()\n    return [n, t]\nx = f(1, 'a')\ny = x\n"
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			w := start(t, recorder.Config{Python: python.Path})
			for _, c := range []struct {
				name, source, entry  string
				event                dsl.Event
				function             string
				line                 int
				edited, literal, end string // end is the last value of y, or the result of the function
			}{
				{"a local", function, "", dsl.Line, "f", 4, "t", "('b', 2)", "[2, ('b', 2)]"},
				{"an argument at the call", function, "", dsl.Call, "f", 1, "t", "None", "[2, None]"},
				{"a cell", function, "", dsl.Line, "f", 4, "n", "40", "[41, 'a']"},
				{"a cell from within", function, "", dsl.Line, "more", 3, "n", "50", "[51, 'a']"},
				{"a global", function, "", dsl.Line, "<module>", 7, "x", "{'k': [1]}", "{'k': [1]}"},
				{"under an entry", "def f(n):\n    m = n\n    return m\n", "f(3)", dsl.Line, "f", 3, "m", "-1.5", "-1.5"},
				{"a class's", "class C:\n    a = 1\n    b = a\ny = C.b\nz = y\n", "", dsl.Line, "C", 3, "a", "9", "9"},
				{"a generator's", "def g(n):\n    yield n\n    yield n\nx = list(g(1))\ny = x\nz = 0\n", "", dsl.Line, "g", 3, "n", "7", "[1, 7]"},
				{"at an exception", "def f(n):\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        return n\ny = f(1)\nz = 0\n", "", dsl.Exception, "f", 3, "n", "8", "8"},
				{"an unknown name", function, "", dsl.Line, "f", 4, "q", "1", ""},
				{"an unbound name", "def f():\n    n = 1\n    return n\ny = f()\nz = 0\n", "", dsl.Line, "f", 2, "n", "5", ""},
				{"a function's name", function, "", dsl.Line, "<module>", 7, "f", "5", ""},
				{"no literal", function, "", dsl.Line, "f", 4, "t", "open('x')", ""},
				{"a comprehension's", "y = [i for i in range(2)]\nz = 0\n", "", dsl.Line, "<module>", 2, "i", "5", ""},
			} {
				p := recorder.Program{Source: c.source, Entry: c.entry}
				before, err := w.Record(t.Context(), recorder.Job{Program: &p})
				if err != nil {
					t.Fatal(c.name, ": ", err)
				}
				at := eventAt(before.Tree, c.event, c.function, c.line)
				edit := recorder.Edit{At: at, Name: c.edited, Literal: c.literal}
				r, err := w.Record(t.Context(), recorder.Job{Program: &p, Edit: &edit})
				if c.end == "" {
					if failed := (*recorder.Failure)(nil); !errors.As(err, &failed) || failed.Reason != "edit that cannot be made" {
						t.Errorf("%s: it is edited: %v", c.name, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
					continue
				}
				for i := range at {
					if a, b := said(before.Tree.State(i)), said(r.Tree.State(i)); a != b {
						t.Errorf("%s: event %d was %s, now %s", c.name, i, a, b)
					}
				}
				if got := valueOf(r.Tree, at, c.edited); got != c.literal {
					t.Errorf("%s: the edited event has %s", c.name, got)
				}
				last := r.Tree.Len() - 1
				got := valueOf(r.Tree, last, "y")
				if c.entry != "" {
					got = *r.Tree.State(last).Value
				}
				if got != c.end {
					t.Errorf("%s: it comes to %s, want %s", c.name, got, c.end)
				}
			}
		})
	}
}

// TestEditBeyondTheEnd checks that an edit at an event that does not exist is a Failure with its own
// reason, so that the program is not blamed.
func TestEditBeyondTheEnd(t *testing.T) {
	w := start(t, recorder.Config{Python: pythons.Any(t)})
	p := recorder.Program{Source: "x = 1\ny = 2\n"}
	for _, edit := range []recorder.Edit{{At: 99, Name: "x", Literal: "1"}, {At: -1, Name: "x", Literal: "1"}} {
		_, err := w.Record(t.Context(), recorder.Job{Program: &p, Edit: &edit})
		if failed := (*recorder.Failure)(nil); !errors.As(err, &failed) || failed.Reason != "edit that cannot be made" {
			t.Errorf("%+v: %v", edit, err)
		}
	}
}

// eventAt returns the first event of this kind in a function on a line.
func eventAt(tree *statetree.Tree, e dsl.Event, function string, line int) int {
	for i := range tree.Len() {
		if s := tree.State(i); s.Event == e && s.Function == function && s.Line == line {
			return i
		}
	}
	panic(fmt.Sprintf("no %v in %s on line %d", e, function, line))
}

func valueOf(tree *statetree.Tree, i int, name string) string {
	locals := tree.State(i).Locals
	at := slices.IndexFunc(locals, func(l dsl.Local) bool { return l.Name == name })
	if at < 0 {
		return "unbound"
	}
	return locals[at].Value
}
