package session

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// TestChangesAreWorded checks that a change is shown in no more characters than there is
// room for.
func TestChangesAreWorded(t *testing.T) {
	is := func(text string) query.Reading { return query.Reading{Text: text, OK: true} }
	long := func(letter string, n int) string { return strings.Repeat(letter, n) }
	for _, c := range []struct {
		old, now query.Reading
		want     string
	}{
		{is("1"), is("2"), "x: 1 -> 2"},
		{query.Reading{}, is("2"), "x: no value -> 2"},
		{is("1"), query.Reading{}, "x: 1 -> no value"},
		{is("1"), query.Reading{Unknown: "it was not recorded"}, "x: 1 -> not known (it was not recorded)"},
		{query.Reading{}, is(long("a", 200)), "x: no value -> " + long("a", 200)},
		{query.Reading{}, is(long("a", 201)), "x: no value -> " + long("a", 200) + "… +1 chars"},
		{is(long("a", 60)), is(long("b", 60)), "x: " + long("a", 60) + " -> " + long("b", 60)},
		{is("1"), is(long("b", 61)), "x: 1 -> " + long("b", 60) + "… +1 chars"},
	} {
		if got := changeText("x", Change{Old: c.old, New: c.now}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestPlacesAreWorded checks that a place is a line of a file, and of a function if it is
// in one.
func TestPlacesAreWorded(t *testing.T) {
	for want, f := range map[string]dsl.Frame{
		"p.py:3":          {File: "p.py", Line: 3, Function: "<module>"},
		"p.py:1 in f":     {File: "p.py", Line: 1, Function: "f"},
		"an unknown line": {File: "p.py", Function: "f"},
	} {
		if got := placeLine(statetree.StackFrame{Frame: f}); got != want {
			t.Errorf("%+v is %q, want %q", f, got, want)
		}
	}
}

// TestShortList checks that a list shows its first five entries.
func TestShortList(t *testing.T) {
	items := []string{"a", "b", "c", "d", "e", "f", "g"}
	for n, want := range []string{"", "a", "a, b", "a, b, c", "a, b, c, d", "a, b, c, d, e", "a, b, c, d, e and 1 more", "a, b, c, d, e and 2 more"} {
		if got := shortList(items[:n]); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// TestFindFunction checks that a function is found by its whole name first, then by its
// last part.
func TestFindFunction(t *testing.T) {
	o := python.Outline{Functions: []python.Function{
		{Name: "run", QualName: "A.run", Line: 1}, {Name: "run", QualName: "run", Line: 5}, {Name: "run", QualName: "A.B.run", Line: 9}, {Name: "walk", QualName: "A.walk", Line: 12},
	}}
	for name, line := range map[string]int{"run": 5, "A.run": 1, "B.run": 9, "walk": 12, "A.walk": 12, "un": 0, "B.walk": 0} {
		if f, ok := findFunction(o, name); f.Line != line || ok != (line > 0) {
			t.Errorf("%s: %+v, %v", name, f, ok)
		}
	}
}

// TestErrorsHaveKinds checks that each error of a command has its kind and a reason.
func TestErrorsHaveKinds(t *testing.T) {
	for _, c := range []struct {
		err     error
		kind    ErrorKind
		message string
	}{
		{Errorf(Refused, "no %d", 1), Refused, "no 1"},
		{fmt.Errorf("around: %w", Errorf(NotFound, "none")), NotFound, "none"},
		{&trace.EvalError{Type: "KeyError", Message: "'x'"}, PythonRaised, "KeyError: 'x'"},
		{&breakpoint.NumberError{}, NotFound, (&breakpoint.NumberError{}).Error()},
		{&trace.StartError{Message: "no file"}, StartFailure, "no file"},
		{&trace.StartError{Traceback: "Traceback", Message: "no file"}, StartFailure, "Traceback\nno file"},
		{errors.New("broken"), EngineFailed, "broken"},
	} {
		if e := AsError(c.err); e.Kind != c.kind || e.Message != c.message {
			t.Errorf("%v is %+v, want %s %q", c.err, e, c.kind, c.message)
		}
	}
}

// TestSyntaxErrors checks that an invalid expression gets the interpreter's message.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		syntax bool
		want   string
	}{
		{&python.EvalError{Type: "SyntaxError", Message: "bad"}, true, "SyntaxError: bad"},
		{&python.EvalError{Type: "NameError", Message: "x"}, false, "NameError: x"},
		{&python.SyntaxError{Message: "bad"}, true, "SyntaxError: bad"},
		{errors.New("other"), false, "other"},
	} {
		if isSyntaxError(c.err) != c.syntax || syntaxText(c.err) != c.want {
			t.Errorf("%v: %v, %q", c.err, isSyntaxError(c.err), syntaxText(c.err))
		}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{&Error{Kind: PythonRaised, Message: "NameError: x"}, "no value here"},
		{&Error{Kind: PythonRaised, Message: "UnboundLocalError: x"}, "no value here"},
		{&Error{Kind: Refused, Message: "why"}, "not known here"},
		{&Error{Kind: PythonRaised, Message: "KeyError: 1\nmore"}, "raises KeyError: 1"},
		{errors.New("broken"), "broken"},
	} {
		if got := whyNone(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// TestWhatMoves checks which commands make moves that are requested from a predictor.
func TestWhatMoves(t *testing.T) {
	moves := map[string]bool{
		"Step": true, "Continue": true, "Until": true, "Advance": true, "Infer": true,
	}
	for name, kind := range kinds {
		c := reflect.Zero(kind).Interface()
		m, ok := c.(mover)
		if got := ok && m.moves(); got != moves[name] {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (Continue{Unrecorded: true}).moves() {
		t.Error("of what is not recorded a predictor is asked")
	}
}

// TestProgramNames checks that the name of a program for others does not reveal its
// folder.
func TestProgramNames(t *testing.T) {
	for want, o := range map[string]trace.Options{
		"-m pkg.tool": {Module: "pkg.tool"},
		"prog.py":     {Script: "/home/me/prog.py"},
		"-c":          {Code: "x = 1"},
	} {
		s := newSession(Config{Options: o})
		if got := s.bills.programName(); got != want {
			t.Errorf("%+v is %q", o, got)
		}
	}
	s := newSession(Config{Options: trace.Options{Module: "pkg.my tool"}})
	for arg, want := range map[string][2]string{"a.md": {"a", ".md"}, "a.jsonl": {"a", ".jsonl"}, "a.txt": {"a.txt", ""}, "a.jsonl.md": {"a.jsonl", ".md"}, "a.md.jsonl": {"a.md", ".jsonl"}, ".md": {".md", ""}, "/x/a": {"/x/a", ""}} {
		if stem, ending := s.bills.exportName(arg); stem != want[0] || ending != want[1] {
			t.Errorf("%s: %q %q", arg, stem, ending)
		}
	}
	if stem, _ := s.bills.exportName(""); !strings.HasPrefix(stem, "npdb--mpkg.mytool-2") {
		t.Errorf("%q", stem)
	}
}

// TestSparklineOfValues checks that a sparkline is drawn for numbers only, and omits
// unbound names.
func TestSparklineOfValues(t *testing.T) {
	is := func(texts ...string) (all []Change) {
		for _, text := range texts {
			all = append(all, Change{New: query.Reading{Text: text, OK: text != ""}})
		}
		return all
	}
	draws, other := newSession(Config{Draws: true}), newSession(Config{})
	for _, c := range []struct {
		values []Change
		want   string
	}{
		{is("1", "2", "3"), "▁▅█"},
		{is("1", "", "2", "3"), "▁▅█"},
		{is("1", "2"), ""},
		{is("1", "'a'", "2", "3"), ""},
		{is("1", "nan", "2", "3"), ""},
		{is("1", "2", "inf"), "▁▁▁"},
		{is("1", "2", "1e999"), "▁▁▁"},
	} {
		if got := draws.values.sparkline(c.values); got != c.want {
			t.Errorf("%+v: %q, want %q", c.values, got, c.want)
		}
		if got := other.values.sparkline(c.values); got != "" {
			t.Errorf("%q is drawn where nothing can be", got)
		}
	}
}

// TestLandingsAsJournalled checks that a journal stores a landing by its event and place,
// or as the end.
func TestLandingsAsJournalled(t *testing.T) {
	tree := statetree.New()
	tree.AddFile(statetree.File{Name: "p.py", Source: []byte("x = 1\n")})
	tree.AddCode(statetree.Code{Name: "<module>", FirstLine: 1, LastLine: 1})
	tree.Enter(0)
	tree.Event(dsl.Line, 1, 0, nil)
	for _, c := range []struct {
		at   trace.Position
		want journal.Landing
	}{
		{trace.Position{}, journal.Landing{Line: 1, File: "p.py"}},
		{trace.Position{End: true}, journal.Landing{End: true}},
		{trace.Position{Event: -1}, journal.Landing{End: true}},
		{trace.Position{Event: 1}, journal.Landing{End: true}},
	} {
		if got := landingAt(c.at, tree); got != c.want {
			t.Errorf("%+v is %+v, want %+v", c.at, got, c.want)
		}
	}
}
