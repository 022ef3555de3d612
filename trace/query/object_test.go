package query

import (
	"errors"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// TestPlainContainers checks that len() and [] of a class of the program are unknown,
// whatever its name, while those of Python's own containers come from the recording.
func TestPlainContainers(t *testing.T) {
	const (
		walk = statetree.Walk
		repr = statetree.Repr
	)
	exact, elements := statetree.Reads{Exact: true, Elements: true}, statetree.Reads{Elements: true}
	for _, c := range []struct {
		what  string
		form  statetree.Form
		plain bool
	}{
		{"a list", statetree.Form{Kind: statetree.Sequence, Name: "list", Open: "[", Close: "]", Style: walk, Reads: exact}, true},
		{"a class list", statetree.Form{Kind: statetree.Sequence, Name: "list", Open: "[", Close: "]", Style: repr}, false},
		{"a class derived from list", statetree.Form{Kind: statetree.Sequence, Name: "Stack", Open: "[", Close: "]", Style: repr}, false},
		{"a class derived from list that reads as it does", statetree.Form{Kind: statetree.Sequence, Name: "Stack", Open: "[", Close: "]", Style: repr, Reads: elements}, true},
		{"a dict", statetree.Form{Kind: statetree.Dict, Name: "dict", Open: "{", Close: "}", Style: walk, Reads: exact}, true},
		{"a class derived from dict", statetree.Form{Kind: statetree.Dict, Name: "deque", Open: "{", Close: "}", Style: repr}, false},
		{"a deque", statetree.Form{Kind: statetree.Sequence, Name: "deque", Open: "deque([", Close: "])", Style: repr, Reads: exact}, true},
		{"a defaultdict", statetree.Form{Kind: statetree.Dict, Name: "defaultdict", Open: "defaultdict(<class 'int'>, {", Close: "})", Style: repr, Reads: exact}, true},
		{"an OrderedDict", statetree.Form{Kind: statetree.Dict, Name: "OrderedDict", Open: "OrderedDict({", Close: "})", Style: repr, Reads: exact}, true},
		{"an OrderedDict before Python 3.12", statetree.Form{Kind: statetree.Pairs, Name: "OrderedDict", Open: "OrderedDict([", Close: "])", Style: repr, Reads: exact}, true},
		{"a Counter", statetree.Form{Kind: statetree.Counter, Name: "Counter", Open: "Counter({", Close: "})", Style: repr, Reads: exact}, true},
		{"a class Counter", statetree.Form{Kind: statetree.Attributes, Name: "Counter", Open: "Counter(", Close: ")", Style: walk}, false},
		{"a dataclass deque", statetree.Form{Kind: statetree.Attributes, Name: "deque", Open: "deque(", Close: ")", Style: repr}, false},
		{"a namedtuple", statetree.Form{Kind: statetree.Sequence, Name: "Point", Open: "Point(", Close: ")", Style: repr, Shown: []string{"x"}, Reads: elements}, true},
	} {
		tree := statetree.New()
		tree.AddFile(statetree.File{Path: "/p.py", Name: "p.py", Source: []byte("1\n")})
		tree.AddCode(statetree.Code{Name: "<module>", Names: []string{"a"}})
		tree.AddForm(c.form)
		tree.Enter(0)
		values := []statetree.Value{tree.Atom([]byte("'k'")), tree.Atom([]byte("1"))}[2-c.form.Kind.Width():]
		if err := tree.PutWhole(0, 0, 1, values); err != nil {
			t.Fatal(err)
		}
		tree.SetValue(0, statetree.ObjectValue(0))
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
		p := Of(tree)
		piece := "a[0]"
		if c.form.Kind.Paired() {
			piece = "a['k']"
		}
		for _, expr := range []string{"len(a)", piece} {
			condition, err := p.Condition(expr)
			if err != nil {
				t.Fatal(err)
			}
			text, _, err := p.Value(t.Context(), condition, p.ScopeAt(0), 0)
			var refused *python.RefusedError
			if known := text == "1" && err == nil; known != c.plain || !known && !errors.As(err, &refused) {
				t.Errorf("%s of %s is %q, %v", expr, c.what, text, err)
			}
		}
		if f, err := p.Follow(piece, p.ScopeAt(0), 0); err != nil || c.plain && f.At(0).Text != "1" {
			t.Errorf("%s of %s is followed, %v", piece, c.what, err)
		}
		f, err := p.Follow("len(a)", p.ScopeAt(0), 0)
		if err != nil {
			t.Fatal(err)
		}
		if r := f.At(0); r.OK != c.plain || (r.Unknown == "") != c.plain {
			t.Errorf("len(a) of %s is followed as %+v", c.what, r)
		}
	}
}

// What a namedtuple names is followed like an attribute.
func TestFollowNamedtuple(t *testing.T) {
	tree := statetree.New()
	tree.AddFile(statetree.File{Path: "/p.py", Name: "p.py", Source: []byte("1\n2\n")})
	tree.AddCode(statetree.Code{Name: "<module>", Names: []string{"a"}})
	point := tree.AddForm(statetree.Form{Kind: statetree.Sequence, Name: "Point", Open: "Point(", Close: ")", Style: statetree.Repr, Shown: []string{"x", "y"}, Reads: statetree.Reads{Elements: true, Attributes: true}})
	list := tree.AddForm(statetree.Form{Kind: statetree.Sequence, Name: "list", Open: "[", Close: "]", Cycle: "[...]", Reads: statetree.Reads{Exact: true, Elements: true}})
	tree.Enter(0)
	one, two := tree.Atom([]byte("1")), tree.Atom([]byte("2"))
	for _, err := range []error{
		tree.PutWhole(0, point, 2, []statetree.Value{one, statetree.ObjectValue(1)}),
		tree.PutWhole(1, list, 1, []statetree.Value{one}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	tree.SetValue(0, statetree.ObjectValue(0))
	tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	if err := tree.PutSplice(1, 0, 1, []statetree.Value{two}); err != nil {
		t.Fatal(err)
	}
	tree.Event(dsl.Line, 2, dsl.NoReturn, nil)
	p := Of(tree)
	for expr, want := range map[string][2]string{"a.x": {"1", "1"}, "a.y": {"[1]", "[2]"}, "a.y[0]": {"1", "2"}} {
		f, err := p.Follow(expr, p.ScopeAt(1), 1)
		if err != nil {
			t.Fatal(err)
		}
		if before, after := f.At(0), f.At(1); before.Text != want[0] || after.Text != want[1] {
			t.Errorf("%s is %+v, then %+v, want %q", expr, before, after, want)
		}
		_, changes := f.Next(0, 1, func() bool { return false })
		if changes != (want[0] != want[1]) {
			t.Errorf("%s changes: %v", expr, changes)
		}
	}
}
