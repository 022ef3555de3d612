package computed_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// programOf returns a program with one file, prog.py.
func programOf(source string) *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: "prog.py", Lines: dsl.SplitLines(source)}}}
}

// localsOf returns locals, given names and values in turn.
func localsOf(pairs ...string) []dsl.Local {
	var out []dsl.Local
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, dsl.Local{Name: pairs[i], Value: pairs[i+1]})
	}
	return out
}

const shop = `calls = []
rate = 2

def price(items, cap=10):
    calls.append(items)
    total = 0
    for i in items:
        total += i * rate
    if total > cap:
        raise ValueError(total)
    return total, len(calls)

print(price([1]))
calls.clear()
`

// callOf returns a call event with the given stack, outermost frame first.
func callOf(frames ...dsl.Frame) *dsl.Stop {
	top := frames[len(frames)-1]
	for i := range frames {
		frames[i].File = "prog.py"
	}
	return &dsl.Stop{
		State: dsl.State{Event: dsl.Call, File: "prog.py", Line: top.Line, Function: top.Function, Depth: len(frames) - 1},
		Stack: frames,
	}
}

// caller returns a Caller for a call with the given stack.
func caller(t testing.TB, source string, frames ...dsl.Frame) *computed.Caller {
	t.Helper()
	c, err := computed.NewCallerAt(programOf(source), python.Version{Major: 3, Minor: 12}, callOf(frames...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCallerComputesCalls(t *testing.T) {
	c := caller(t, shop, dsl.Frame{Function: "price", Line: 4})
	for range 2 { // the second call must not see changes made by the first
		end, err := c.Call(t.Context(), localsOf("items", "[1, 2]", "cap", "10"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := text(&end), "return return at line 11 of price in prog.py, depth 0, [{items [1, 2] false false} {cap 10 false false} "+
			"{total 6 false false} {i 2 false false}], value (6, 1), stack [{price prog.py 11}]"; got != want {
			t.Errorf("the call ends with %s, not %s", got, want)
		}
	}
	end, err := c.Call(t.Context(), localsOf("items", "[8]", "cap", "10"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(&end), "exception  at line 10 of price in prog.py, depth 0, [{items [8] false false} {cap 10 false false} "+
		"{total 16 false false} {i 8 false false}], value ValueError(16), stack [{price prog.py 10}]"; got != want {
		t.Errorf("the call ends with %s, not %s", got, want)
	}
}

func TestCallerRefuses(t *testing.T) {
	version := python.Version{Major: 3, Minor: 12}
	if _, err := computed.NewCaller(programOf(shop), version, "prog.py", "cost", 4); err == nil {
		t.Error("a function that the program lacks is prepared")
	}
	anywhere, err := computed.NewCaller(programOf(shop), version, "prog.py", "price", 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := anywhere.Call(t.Context(), localsOf("items", "[1]", "cap", "9")); err == nil {
		t.Error("the content of a list of the module is known, wherever the module is")
	}
	c := caller(t, shop, dsl.Frame{Function: "price", Line: 4})
	for _, locals := range [][]dsl.Local{
		localsOf("items", "[1]"),
		localsOf("items", "[1]", "cap", "1", "extra", "2"),
		localsOf("items", "[1]", "cap", "1", "total", "2"),
		localsOf("items", "<Bag object>", "cap", "1"),
		append(localsOf("cap", "1"), dsl.Local{Name: "items", Unknown: true, Hidden: true}),
	} {
		end, err := c.Call(t.Context(), locals)
		var refused *python.RefusedError
		if !errors.As(err, &refused) || strings.Contains(err.Error(), python.Unexpected) {
			t.Errorf("with %v: %s, %v; want a refusal", locals, text(&end), err)
		}
	}
}

func BenchmarkCaller(b *testing.B) {
	c := caller(b, shop, dsl.Frame{Function: "price", Line: 4})
	locals := localsOf("items", "[1, 2]", "cap", "10")
	for b.Loop() {
		if _, err := c.Call(b.Context(), locals); err != nil {
			b.Fatal(err)
		}
	}
}
