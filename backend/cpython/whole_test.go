//go:build unix

package cpython_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// TestRecord checks the events of a complete run, and where actions lead in it.
func TestRecord(t *testing.T) {
	p := predictor(t, cpython.Config{})
	w, err := p.Record(t.Context(), program("def f(x):\n    y = x + 1\n    return y\na = f(1)\nb = a / 0\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var lines []int
	for i := range w.Len() {
		s, err := w.Stop(i)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, s.Line)
	}
	// The events: def, a =, call, y =, return, its return, b =, the exception, the module's unwinding.
	if want := []int{1, 4, 1, 2, 3, 3, 5, 5, 5}; !slices.Equal(lines, want) {
		t.Fatalf("%v, want %v", lines, want)
	}
	if got := w.Lines(0, 4); !slices.Equal(got, []int{1, 4, 2}) {
		t.Errorf("lines of line events: %v", got)
	}
	given, err := w.Given(4)
	if err != nil || len(given) != 2 || given[0].Function != "<module>" || given[0].Line != 4 || given[1].Line != 3 || w.Depth(4) != 1 {
		t.Errorf("%v %v", given, err)
	}
	for _, test := range []struct {
		from    int
		action  string
		want    string
		horizon int
	}{
		{2, "step_return", "return f     return y {x: 1, y: 2} = 2", 3},
		{1, "step_over", "line <module> b = a / 0 {a: 2}", 5},
		{5, "inv_step_return", "call f def f(x): {x: 1}", 3},
		{0, "inv_step_into", "start", 0},
		{0, "continue", "exception <module> b = a / 0 {a: 2} = ZeroDivisionError('division by zero')", 7}, // a debugger stops at the exception first
	} {
		a, err := dsl.ParseAction(test.action)
		if err != nil {
			t.Fatal(err)
		}
		to, reply, horizon, err := w.Move(statetree.Spot{Event: test.from}, a)
		if err != nil || replied(reply) != test.want || horizon != test.horizon {
			t.Errorf("%s from %d: %s, %d events, %v; want %s, %d", test.action, test.from, replied(reply), horizon, err, test.want, test.horizon)
		}
		if test.action != "continue" {
			continue
		}
		if to, reply, _, err = w.Move(to, a); err != nil || !to.End || reply.Exit.Code != 1 {
			t.Errorf("and then: %+v %v", reply, err)
		}
	}
}

func TestRecordCall(t *testing.T) {
	p := predictor(t, cpython.Config{})
	w, err := p.Record(t.Context(), program("def f(x, *rest):\n    return x + len(rest)\n"), "f(1, 2, 3)")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	first, err := w.Stop(0)
	if err != nil || first.Event != dsl.Call || len(first.Locals) != 2 || first.Locals[1].Value != "(2, 3)" {
		t.Errorf("%+v %v", first, err)
	}
	last, err := w.Stop(w.Len() - 1)
	if err != nil || last.Value == nil || *last.Value != "3" {
		t.Errorf("%+v %v", last, err)
	}
}

// TestRecordRefuses checks the errors for programs that cannot be recorded to their end.
func TestRecordRefuses(t *testing.T) {
	p := predictor(t, cpython.Config{Timeout: 2 * time.Minute, Limits: trace.Limits{Events: 10_000}})
	for source, want := range map[string]string{
		"x = (\n":                 "does not start",
		"x = input()\n":           "standard input",
		"while True:\n    pass\n": "did not get there within 10000 events",
	} {
		w, err := p.Record(t.Context(), program(source), "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
		if err == nil {
			w.Close()
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := p.Record(t.Context(), program("x = 1\n"), "")
	var closed *backend.Error
	if !errors.As(err, &closed) || closed.Kind != backend.Unreachable {
		t.Errorf("%v of a predictor that is closed", err)
	}
}
