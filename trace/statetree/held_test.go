package statetree

import (
	"fmt"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestHeldElsewhere checks that a global that a function binds has its new value from the
// next event on, both in the module's state as of that event and in the module's own next
// event.
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

// TestSetElsewhere checks that the values of an activation that has ended do not change,
// and that objects can be bound in the same way as texts.
func TestSetElsewhere(t *testing.T) {
	tree := objectTree()
	tree.AddCode(Code{Name: "f", Fast: true, Names: []string{"a"}})
	_ = tree.PutWhole(0, formList, 1, valuesOf(tree, "1"))
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	f := tree.Enter(1)
	if v, ok := tree.Held(f, 0, "a"); ok {
		t.Errorf("an activation without events holds %v", v)
	}
	if got := tree.Bindings(f, "a", -1, 0); got != nil {
		t.Errorf("and was bound at %v", got)
	}
	tree.Set(0, []byte("2"), false)
	tree.Event(dsl.Call, 1, dsl.NoReturn, nil)
	tree.SetValueIn(0, 0, ObjectValue(0))
	tree.Event(dsl.Return, 1, dsl.Returned, []byte("None"))
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	if v := tree.SetIn(f, 0, []byte("3"), false); tree.Text(v, 3) != "3" {
		t.Errorf("bound in what is over: %s", tree.Text(v, 3))
	}
	tree.SetValueIn(f, 0, ObjectValue(0))
	tree.UnsetIn(f, 0)
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	if got := shown(tree.LocalsOf(f, 4)); !slices.Equal(got, []string{"a=2"}) {
		t.Errorf("what is over holds %v", got)
	}
	for i, want := range map[int][]string{1: nil, 2: {"x=[1]"}, 4: {"x=[1]"}} {
		if got := shown(tree.LocalsOf(0, i)); !slices.Equal(got, want) {
			t.Errorf("at %d the module holds %v, want %v", i, got, want)
		}
	}
	if o, ok := ObjectValue(7).Object(); !ok || o != 7 {
		t.Errorf("an object's value is %d, %v", o, ok)
	}
	if o, ok := valuesOf(tree, "7")[0].Object(); ok {
		t.Errorf("an atom is the object %d", o)
	}
}

// TestWords checks that an exception has the message given for it.
func TestWords(t *testing.T) {
	tree := objectTree()
	i := tree.Event(dsl.Exception, 1, dsl.NoReturn, []byte("E()"))
	j := tree.Event(dsl.Exception, 1, dsl.NoReturn, []byte("E()"))
	tree.Said(j, []byte("m.E: no"))
	if words, ok := tree.Words(i); ok {
		t.Errorf("words that were not given: %q", words)
	}
	if words, ok := tree.Words(j); !ok || words != "m.E: no" {
		t.Errorf("words %q, %v", words, ok)
	}
}

// TestNamesOfModules checks that the names of a module are known without an event of its code and
// after its end, and which module has the globals of an activation.
func TestNamesOfModules(t *testing.T) {
	tree := New()
	tree.AddFile(File{Source: []byte("x\n")})
	tree.AddCode(Code{Name: "<module>", Names: []string{"x", "y"}})
	tree.AddCode(Code{Name: "f", Fast: true})
	module := tree.Enter(0)
	tree.Set(0, []byte("0"), false)
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	early := tree.Enter(1)
	tree.Event(dsl.Call, 1, dsl.NoReturn, nil)
	tree.Event(dsl.Return, 1, dsl.Returned, nil)
	tree.Event(dsl.Return, 1, dsl.Returned, nil)
	unseen := tree.Adopt(0)
	tree.SetIn(unseen, 1, []byte("5"), false)
	tree.SetIn(module, 0, []byte("1"), false)
	tree.Globals(1, module, true)
	f := tree.Enter(1)
	tree.Event(dsl.Call, 1, dsl.NoReturn, nil)
	tree.UnsetIn(unseen, 1)
	tree.Event(dsl.Return, 1, dsl.Returned, nil)
	tree.Globals(1, unseen, true)
	g := tree.Enter(1)
	tree.Event(dsl.Call, 1, dsl.NoReturn, nil)
	tree.Globals(1, 0, false)
	h := tree.Enter(1)
	tree.Event(dsl.Call, 1, dsl.NoReturn, nil)
	for i, want := range [][2]string{{"[x=0]", "[]"}, {"[x=0]", "[]"}, {"[x=0]", "[]"}, {"[x=0]", "[]"}, {"[x=1]", "[y=5]"}, {"[x=1]", "[]"}, {"[x=1]", "[]"}} {
		got := [2]string{fmt.Sprint(shown(tree.LocalsOf(module, i))), fmt.Sprint(shown(tree.LocalsOf(unseen, i)))}
		if got != want {
			t.Errorf("at event %d the modules have %v, want %v", i, got, want)
		}
	}
	if from := []int{tree.KnownFrom(module), tree.KnownFrom(unseen), tree.KnownFrom(f)}; !slices.Equal(from, []int{0, 4, 4}) {
		t.Errorf("names are known from %v, want 0, 4, 4", from)
	}
	if bound := tree.Bindings(unseen, "y", 0, 6); !slices.Equal(bound, []int{4, 5}) {
		t.Errorf("y was bound at %v, want 4 and 5", bound)
	}
	for act, want := range map[uint32]int{module: int(module), early: -1, f: int(module), g: int(unseen), h: -1} {
		if got, ok := tree.GlobalsOf(act); ok != (want >= 0) || ok && int(got) != want {
			t.Errorf("the globals of activation %d are those of %d, %v, want %d", act, got, ok, want)
		}
	}
}
