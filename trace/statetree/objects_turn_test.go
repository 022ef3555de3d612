package statetree

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestObjectsOutOfTurn checks that an object may be recorded before one with a lower
// number, which is unknown until then.
func TestObjectsOutOfTurn(t *testing.T) {
	tree := objectTree()
	one := tree.Atom([]byte("1"))
	put := func(o Object, values ...Value) {
		t.Helper()
		if err := tree.PutWhole(o, formList, len(values), values); err != nil {
			t.Fatal(err)
		}
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	tree.SetValue(0, ObjectValue(0))
	put(0, ObjectValue(1), ObjectValue(3))
	put(3, one)
	if err := tree.PutItem(2, 0, one); err == nil || !strings.Contains(err.Error(), "not recorded") {
		t.Error("an object that was passed over has elements: ", err)
	}
	put(1, one, one)
	for i, want := range []string{"[<object not recorded>, <object not recorded>]", "[<object not recorded>, [1]]", "[[1, 1], [1]]"} {
		if got := tree.LocalsOf(0, i)[0].Value; got != want {
			t.Errorf("at %d it is %s, want %s", i, got, want)
		}
	}
}
