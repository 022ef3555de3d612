package statetree

import (
	"fmt"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestHeldElsewhere: a global that a function binds is another from the next event
// on, in the module's state as of that event and in its own next event.
func TestHeldElsewhere(t *testing.T) {
	tree := New()
	tree.AddFile(File{Source: []byte("x\n")})
	tree.AddCode(Code{Name: "<module>", Names: []string{"x", "y"}})
	tree.AddCode(Code{Name: "f", Fast: true})
	module := tree.Enter(0)
	tree.Set(0, []byte("0"), false)
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	tree.Enter(1)
	var want []string
	for k := range 100 {
		tree.SetIn(module, 0, fmt.Append(nil, k/2), false)
		if k%3 == 0 {
			tree.SetIn(module, 1, fmt.Append(nil, k), false)
		} else {
			tree.UnsetIn(module, 1)
		}
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	tree.Event(dsl.Return, 1, dsl.Returned, nil)
	last := tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	for i := 1; i <= 100; i++ {
		want = []string{fmt.Sprint("x=", (i-1)/2)}
		if (i-1)%3 == 0 {
			want = append(want, fmt.Sprint("y=", i-1))
		}
		if got := shown(tree.LocalsOf(module, i)); !slices.Equal(got, want) {
			t.Fatalf("at %d the module has %v, want %v", i, got, want)
		}
		v, ok := tree.Held(module, i, "y")
		if ok != ((i-1)%3 == 0) || ok && tree.Text(v, i) != fmt.Sprint(i-1) {
			t.Fatalf("at %d y is %q, %v", i, tree.Text(v, i), ok)
		}
	}
	if got := shown(tree.State(last).Locals); !slices.Equal(got, []string{"x=49", "y=99"}) {
		t.Errorf("the module's next state has %v", got)
	}
	var bound []int
	for i := 3; i <= 100; i += 2 {
		bound = append(bound, i)
	}
	if got := tree.Bindings(module, "x", 0, last); !slices.Equal(got, bound) {
		t.Errorf("x was bound at %v, want %v", got, bound)
	}
	if got := tree.Bindings(module, "x", -1, 3); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("x was bound first at %v, want 0 and 3", got)
	}
}

func shown(locals []dsl.Local) []string {
	var out []string
	for _, l := range locals {
		out = append(out, l.Name+"="+l.Value)
	}
	return out
}
