package statetree

import (
	"reflect"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

// TestStatesAreWhatWasTold compares everything that can be queried about an event with the
// flat list.
func TestStatesAreWhatWasTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newProgram(t)
		for range 20 + p.upTo(300, "steps") {
			p.step()
		}
		p.finish()
		checkActivations(t, p)
		for i, f := range p.events {
			checkState(t, p, i, f)
			checkStack(t, p, i, f)
			changed, gone := changes(p.events, i)
			if got := p.tree.Changed(i); !slices.Equal(got, append(changed, gone...)) {
				t.Fatalf("changed at %d: %q, want %q and gone %q", i, got, changed, gone)
			}
		}
		raised := -1 // the next event at which an exception is raised
		for i := len(p.events) - 1; i >= -1; i-- {
			if got, ok := p.tree.NextRaise(i); ok != (raised >= 0) || ok && got != raised {
				t.Fatalf("the next raise after %d: %d, %v, want %d", i, got, ok, raised)
			}
			if i >= 0 && p.events[i].event == dsl.Exception && !comes(p.events, i) {
				raised = i
			}
		}
		checkLines(t, p)
		checkHoles(t, p)
		checkLineEvents(t, p)
	})
}

// checkLines compares the events on some lines, and those that raise, with the list, from
// each event forwards and backwards.
func checkLines(t *rapid.T, p *program) {
	at := []dsl.Location{{Line: 1}, {File: 1, Line: 3}, {Line: 1 << 24}}
	raised := -1
	for i := range len(p.events) + 1 {
		if got, ok := p.tree.PrevRaise(i); ok != (raised >= 0) || ok && got != raised {
			t.Fatalf("the last raise before %d: %d, %v, want %d", i, got, ok, raised)
		}
		want := next(p.events, i-1, onLines(at))
		if got, ok := p.tree.NextLine(i-1, at); ok != (want >= 0) || ok && got != want {
			t.Fatalf("the next line after %d: %d, %v, want %d", i-1, got, ok, want)
		}
		want = previous(p.events, i, onLines(at))
		if got, ok := p.tree.PrevLine(i, at); ok != (want >= 0) || ok && got != want {
			t.Fatalf("the last line before %d: %d, %v, want %d", i, got, ok, want)
		}
		if i < len(p.events) && p.events[i].event == dsl.Exception && !comes(p.events, i) {
			raised = i
		}
	}
}

// checkLineEvents compares the line events of each activation with the list.
func checkLineEvents(t *rapid.T, p *program) {
	at := []dsl.Location{{Line: 1}, {Line: 2}, {File: 1, Line: 3}, {Line: 1 << 24}}
	is := onLines(at)
	for act := range uint32(p.tree.Activations()) {
		var want []int
		for i := range p.events {
			if p.events[i].act == act && is(p.events[i]) {
				want = append(want, i)
			}
		}
		var got []int
		for _, e := range p.tree.LineEvents(act, at) {
			got = append(got, e.Event)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the line events of %d are %v, want %v", act, got, want)
		}
	}
}

func checkHoles(t *rapid.T, p *program) {
	if n := p.tree.Holes(); n != len(p.holes) {
		t.Fatalf("%d holes, want %d", n, len(p.holes))
	}
	for i := range len(p.events) + 1 {
		after := slices.IndexFunc(p.holes, func(edge int) bool { return edge > i })
		if got, ok := p.tree.HoleAfter(i); ok != (after >= 0) || ok && got != p.holes[after] {
			t.Fatalf("the hole after %d: %d, %v, of %v", i, got, ok, p.holes)
		}
		if after < 0 {
			after = len(p.holes)
		}
		if got, ok := p.tree.HoleUpTo(i); ok != (after > 0) || ok && got != p.holes[after-1] {
			t.Fatalf("the hole up to %d: %d, %v, of %v", i, got, ok, p.holes)
		}
	}
}

// comes reports whether an exception event follows the unwinding of a callee.
func comes(events []flat, i int) bool {
	return i > 0 && events[i-1].kind == dsl.Unwound && events[i-1].depth() == events[i].depth()+1
}

func checkState(t *rapid.T, p *program, i int, f flat) {
	file := []string{"main.py", "lib.py"}[testCodes[f.code].File]
	want := &dsl.State{
		Event: f.event, Kind: f.kind, File: file, Line: f.line,
		Function: testCodes[f.code].Name, Depth: f.depth(), Locals: f.locals, Value: f.value,
	}
	if f.line >= 1 && f.line <= 6 {
		want.Source = dsl.SplitLines(blockSource)[f.line-1]
	}
	got := p.tree.State(i)
	if len(got.Locals) == 0 && len(want.Locals) == 0 {
		got.Locals, want.Locals = nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("state %d: %+v, want %+v", i, got, want)
	}
	record := Record{
		Event: f.event, Kind: f.kind, Line: f.line, Activation: f.act, Code: f.code,
		File: testCodes[f.code].File, Depth: f.depth(), Edited: f.edited, AfterGap: f.afterGap,
		HasValue: f.value != nil,
	}
	if got := p.tree.At(i); got != record {
		t.Fatalf("record %d: %+v, want %+v", i, got, record)
	}
}

func checkStack(t *rapid.T, p *program, i int, f flat) {
	got := p.tree.Stack(i)
	if len(got) != len(f.stack) {
		t.Fatalf("stack %d: %+v, want activations %v", i, got, f.stack)
	}
	for k, act := range f.stack {
		code := testCodes[p.acts[act].code]
		want := StackFrame{Activation: act, Event: f.latest[k]}
		want.Function, want.Line = code.Name, f.lines[k]
		want.File = []string{"main.py", "lib.py"}[code.File]
		if got[k] != want {
			t.Fatalf("stack %d: frame %d is %+v, want %+v", i, k, got[k], want)
		}
	}
	for act := range p.acts {
		var want []dsl.Local
		if act < len(f.held) {
			want = f.held[act]
		}
		for _, l := range want {
			if v, ok := p.tree.Held(uint32(act), i, l.Name); !ok || p.tree.Text(v, i) != l.Value {
				t.Fatalf("%s of activation %d at %d: %.20q, %v, want %.20q", l.Name, act, i, p.tree.Text(v, i), ok, l.Value)
			}
		}
		if got := p.tree.LocalsOf(uint32(act), i); !slices.Equal(got, want) {
			t.Fatalf("locals of activation %d at %d: %.300v, want %.300v", act, i, got, want)
		}
		var lines, latest []int
		for j := i; j >= 0; j-- {
			if e := p.events[j]; e.act != uint32(act) {
				continue
			} else if line := e.lines[len(e.lines)-1]; !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
			if latest == nil {
				latest = lines
			}
		}
		if got := p.tree.LinesOf(uint32(act), i, len(p.events)); !slices.Equal(got, lines) {
			t.Fatalf("lines of activation %d at %d: %v, want %v", act, i, got, lines)
		}
		if got := p.tree.LinesOf(uint32(act), i, 1); !slices.Equal(got, latest) {
			t.Fatalf("the latest line of activation %d at %d: %v, want %v", act, i, got, latest)
		}
	}
}

// changes returns the names that changed at event i, and those that lost their value.
func changes(events []flat, i int) (changed, gone []string) {
	var then []dsl.Local
	for j := i - 1; j >= 0; j-- {
		if events[j].act == events[i].act {
			then = events[j].locals
			break
		}
	}
	has := func(in []dsl.Local, l dsl.Local, value bool) bool {
		return slices.ContainsFunc(in, func(o dsl.Local) bool {
			return o.Name == l.Name && (!value || o.Value == l.Value)
		})
	}
	for _, l := range events[i].locals {
		if !has(then, l, true) {
			changed = append(changed, l.Name)
		}
	}
	for _, l := range then {
		if !has(events[i].locals, l, false) {
			gone = append(gone, l.Name)
		}
	}
	return changed, gone
}

func checkActivations(t *rapid.T, p *program) {
	if got := p.tree.Len(); got != len(p.events) {
		t.Fatalf("%d events, want %d", got, len(p.events))
	}
	if got := p.tree.Activations(); got != len(p.acts) {
		t.Fatalf("%d activations, want %d", got, len(p.acts))
	}
	for act := range p.acts {
		first, last, call, fatal := -1, -1, -1, -1
		for i, f := range p.events {
			if f.act != uint32(act) {
				continue
			}
			if first < 0 {
				first = i
			}
			last = i
			if f.firstCall {
				call = i
			}
			if f.event == dsl.Exception {
				fatal = i
			}
		}
		a := uint32(act)
		if got, end := p.tree.Lifetime(a); got != first || end != last {
			t.Fatalf("first and last event of %d: %d, %d, want %d, %d", act, got, end, first, last)
		}
		if got := p.tree.CodeOf(a); got != p.acts[act].code {
			t.Fatalf("code of %d: %d, want %d", act, got, p.acts[act].code)
		}
		if v, ok := p.tree.Held(a, len(p.events)-1, "no such name"); ok {
			t.Fatalf("a name that there is not holds %v", v)
		}
		if got := p.tree.Bindings(a, "no such name", -1, len(p.events)-1); got != nil {
			t.Fatalf("a name that there is not was bound at %v", got)
		}
		if got := p.tree.CallEvent(a); got != call {
			t.Fatalf("call event of %d: %d, want %d", act, got, call)
		}
		if got := p.tree.FatalException(a); got != fatal {
			t.Fatalf("last exception of %d: %d, want %d", act, got, fatal)
		}
	}
}

// TestNothingRaisedByPassing checks that an exception that only passes through a frame is not
// raised there, from a recording's first event on.
func TestNothingRaisedByPassing(t *testing.T) {
	tree := New()
	tree.AddFile(File{Name: "p.py", Source: []byte("def f():\n    1 / 0\nf()\n")})
	module, f := tree.AddCode(Code{Name: "<module>"}), tree.AddCode(Code{Name: "f"})
	tree.Enter(module)
	tree.Enter(f)
	tree.Event(dsl.Return, 2, dsl.Unwound, nil)
	tree.Event(dsl.Exception, 3, dsl.NoReturn, []byte("ZeroDivisionError()"))
	tree.Event(dsl.Line, 3, dsl.NoReturn, nil)
	tree.Event(dsl.Exception, 3, dsl.NoReturn, []byte("KeyError()"))
	tree.Finish()
	if at, ok := tree.NextRaise(-1); at != 3 || !ok {
		t.Errorf("the first exception is raised at %d, %v, want 3", at, ok)
	}
	if at, ok := tree.PrevRaise(3); ok {
		t.Errorf("before it one is raised at %d", at)
	}
}
