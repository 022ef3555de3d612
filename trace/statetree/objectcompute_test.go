package statetree

import (
	"strings"
	"testing"
)

// TestComputedFromContainers checks what a __repr__ of the program is computed from: lists,
// tuples and dicts that are recorded whole, so many elements, nested so deep. Of others the
// object is shown by its attributes.
func TestComputedFromContainers(t *testing.T) {
	own := Form{
		Kind: Attributes, Name: "A", Bare: "<__main__.A object>", HasOwn: true,
		Own: Place{Line: 2}, Reads: Reads{Name: true, Str: true, Attributes: true},
	}
	many := func(n int) []any {
		some := make([]any, n)
		for i := range some {
			some[i] = "1"
		}
		return some
	}
	// A list in a list, n times.
	nested := func(n int) []made {
		var lists []made
		for i := range n {
			lists = append(lists, made{form: listForm, cells: cells(i + 2)})
		}
		return append(lists, made{form: listForm, cells: cells("7")})
	}
	const attributes = "A(items=..."
	for name, c := range map[string]struct {
		items []made
		want  string // attributes: not computed
	}{
		"a list":             {[]made{{form: listForm, cells: cells("1", "'x'")}}, "<1>"},
		"a tuple":            {[]made{{form: tupleForm, cells: cells("1", "'x'")}}, "<1>"},
		"not all stored":     {[]made{{form: listForm, cells: cells("1", "'x'"), more: 1}}, attributes},
		"as many as may be":  {[]made{{form: listForm, cells: many(mostGiven)}}, "<1>"},
		"more than may be":   {[]made{{form: listForm, cells: many(mostGiven + 1)}}, attributes},
		"as deep as may be":  {nested(mostComputing), "<" + strings.Repeat("[", mostComputing) + "7" + strings.Repeat("]", mostComputing) + ">"},
		"deeper than may be": {nested(mostComputing + 1), attributes},
	} {
		t.Run(name, func(t *testing.T) {
			tree := New()
			tree.SetLimits(mostChars, 2*mostGiven)
			tree.AddFile(File{Source: []byte("class A:\n    def __repr__(self):\n        return f'<{self.items[0]!r}>'\n")})
			putObjects(t, tree, append([]made{{form: own, cells: cells("items", 1)}}, c.items...))
			got := tree.Text(ObjectValue(0), 0)
			if strings.HasPrefix(got, "A(items=") {
				got = attributes
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if by := tree.ByAttributes(ObjectValue(0), 0); by != (c.want == attributes) {
				t.Errorf("it is shown by its attributes: %v", by)
			}
		})
	}
}
