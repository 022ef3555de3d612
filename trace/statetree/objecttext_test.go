package statetree

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// made describes an object of a test, whose number is its index: elements, entries and
// attributes are atoms (strings) or objects (their numbers).
type made struct {
	form  Form
	cells []any
	more  int    // number of elements that are not stored
	says  string // result of its own __repr__
}

// textOf returns the text of the first object.
func textOf(t *testing.T, chars, items int, objects []made) string {
	t.Helper()
	tree := New()
	tree.SetLimits(chars, items)
	putObjects(t, tree, objects)
	return tree.Text(ObjectValue(0), 0)
}

// putObjects records objects in a tree.
func putObjects(t *testing.T, tree *Tree, objects []made) {
	t.Helper()
	for o, m := range objects {
		form := tree.AddForm(m.form)
		if m.form.Name == "" {
			continue // is not recorded
		}
		var values []Value
		for _, c := range m.cells {
			if text, ok := c.(string); ok {
				values = append(values, tree.Atom([]byte(text)))
			} else {
				values = append(values, ObjectValue(Object(c.(int))))
			}
		}
		if err := tree.PutWhole(Object(o), form, len(values)/m.form.Kind.Width()+m.more, values); err != nil {
			t.Fatal(err)
		}
		if m.says != "" {
			if err := tree.PutText(Object(o), []byte(m.says)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Forms as the tracer makes them (forms_shapes.py).
var (
	listForm      = Form{Kind: Sequence, Name: "list", Open: "[", Close: "]", Cycle: "[...]"}
	tupleForm     = Form{Kind: Sequence, Name: "tuple", Open: "(", Close: ")", Single: ",", Cycle: "(...)"}
	setForm       = Form{Kind: Set, Name: "set", Open: "{", Close: "}", Empty: "set()", Cycle: "set(...)"}
	dictForm      = Form{Kind: Dict, Name: "dict", Open: "{", Close: "}", Cycle: "{...}"}
	accountForm   = Form{Kind: Attributes, Name: "A", Bare: "<__main__.A object>"}
	brokenForm    = Form{Kind: Attributes, Name: "B"} // its __repr__ fails
	textForm      = Form{Kind: Text, Name: "T"}
	listedForm    = Form{Kind: Sequence, Name: "L", Open: "[", Close: "]", Cycle: "[...]", Style: Repr}
	tupledForm    = Form{Kind: Sequence, Name: "U", Open: "(", Close: ")", Single: ",", Cycle: "(...)", Style: Repr}
	pointForm     = Form{Kind: Sequence, Name: "P", Open: "P(", Close: ")", Style: Repr, Shown: []string{"x", "y"}}
	orderedForm   = Form{Kind: Pairs, Name: "OrderedDict", Open: "OrderedDict([", Close: "])", Empty: "OrderedDict()", Cycle: "...", Style: Repr}
	counterForm   = Form{Kind: Counter, Name: "Counter", Open: "Counter({", Close: "})", Empty: "Counter()", Style: Repr}
	dataForm      = Form{Kind: Attributes, Name: "D", Open: "D(", Close: ")", Cycle: "...", Style: Repr, Shown: []string{"x", "z"}}
	namespaceForm = Form{Kind: Attributes, Name: "N", Open: "namespace(", Close: ")", Cycle: "namespace(...)", Style: Repr}
	bytesForm     = Form{Kind: Bytes, Name: "bytearray", Open: "bytearray(", Close: ")", Empty: "bytearray(b'')", Style: Repr}
	wrapperForm   = Form{Kind: Inner, Name: "W", Style: Repr, Shown: []string{"data"}}
	chainForm     = Form{Kind: Spread, Name: "C", Open: "C(", Close: ")", Cycle: "...", Style: Repr, Shown: []string{"maps"}}
	errorForm     = Form{Kind: Spread, Name: "E", Open: "E(", Close: ")", Style: Repr, Shown: []string{"args", "args"}}
	keysForm      = Form{Kind: Keys, Name: "K", Open: "K(", Close: ")", Cycle: "...", Style: Repr, Shown: []string{"mapping", "mapping"}}
	valuesForm    = Form{Kind: Values, Name: "V", Open: "V(", Close: ")", Cycle: "...", Style: Repr, Shown: []string{"mapping", "mapping"}}
	itemsForm     = Form{Kind: Items, Name: "I", Open: "I(", Close: ")", Cycle: "...", Style: Repr, Shown: []string{"mapping", "mapping"}}
)

func cells(some ...any) []any { return some }

// TestTexts checks the texts of objects by their content. The tests of package trace check
// that CPython agrees.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		objects []made
		want    string
	}{
		{[]made{{form: listForm, cells: cells("1", 1)}, {form: listForm, cells: cells("2", "3")}}, "[1, [2, 3]]"},
		{[]made{{form: listForm}}, "[]"},
		{[]made{{form: setForm}}, "set()"},
		{[]made{{form: setForm, cells: cells("1", "2")}}, "{1, 2}"},
		{[]made{{form: tupleForm, cells: cells("1")}}, "(1,)"},
		{[]made{{form: tupleForm, cells: cells("1", "2")}}, "(1, 2)"},
		{[]made{{form: dictForm, cells: cells("'a'", "1", 1, 2)}, {form: tupleForm, cells: cells("1")}, {form: listForm}}, "{'a': 1, (1,): []}"},
		{[]made{{form: listForm, cells: cells("1", 0)}}, "[1, [...]]"},
		{[]made{{form: tupleForm, cells: cells(1)}, {form: listForm, cells: cells(0)}}, "([(...)],)"},
		{[]made{{form: listForm, cells: cells(1, 1)}, {form: listForm, cells: cells("1")}}, "[[1], [1]]"},
		{[]made{{form: listForm, cells: cells(1)}, {}}, "[<object not recorded>]"},
		{[]made{{form: textForm}}, "<object not recorded>"},
		{[]made{{form: textForm, says: "T at 0x12>"}}, "T at 0x12>"},
		{[]made{{form: listForm, cells: cells("1"), says: "<one>"}}, "<one>"},

		// Elements that are not stored.
		{[]made{{form: listForm, cells: cells("1", "2"), more: 1234567}}, "[1, 2, … +1,234,567 items not stored]"},
		{[]made{{form: listForm, more: 100}}, "[… +100 items not stored]"},
		{[]made{{form: listForm, more: 1000}}, "[… +1,000 items not stored]"},
		{[]made{{form: dictForm, cells: cells("1", "2"), more: 3}}, "{1: 2, … +3 items not stored}"},
		{[]made{{form: tupleForm, cells: cells("1"), more: 1}}, "(1,, … +1 items not stored)"},
		{[]made{{form: tupleForm, cells: cells(1), more: 1}, {form: listForm}}, "([], … +1 items not stored)"},
		{[]made{{form: accountForm, cells: cells("a", "1"), more: 2}}, "A(a=1, … +2 attributes not stored)"},
		{[]made{{form: listedForm, cells: cells("1"), more: 2}}, "[1, … +2 items not stored]"},
		{[]made{{form: listedForm, more: 2}}, "[… +2 items not stored]"},
		{[]made{{form: tupledForm, cells: cells("1"), more: 1}}, "(1, … +1 items not stored)"},

		// Objects without their own __repr__, and with one that fails.
		{[]made{{form: accountForm}}, "A()"},
		{[]made{{form: accountForm, cells: cells("n", "1", "o", 1)}, {form: listForm, cells: cells(0)}}, "A(n=1, o=[A(...)])"},
		{
			[]made{
				{form: accountForm, cells: cells("in", 1)},
				{form: accountForm, cells: cells("in", 2)},
				{form: accountForm, cells: cells("in", 3, "n", "1")},
				{form: accountForm, cells: cells("in", "4")},
			},
			"A(in=A(in=A(in=A(...), n=1)))",
		},
		{[]made{{form: accountForm, cells: cells("a", "<x at 0x12>")}}, "A(a=<x at 0x12>)"},
		{[]made{{form: brokenForm, cells: cells("a", "<x at 0x12>")}}, "B(a=<x>)"},

		// Like CPython's repr.
		{[]made{{form: listedForm, cells: cells("1", 1)}, {form: listForm, cells: cells("2")}}, "[1, [2]]"},
		{[]made{{form: listedForm, cells: cells(0)}}, "[[...]]"},
		{[]made{{form: listedForm, cells: cells(1, 1)}, {form: tupleForm, cells: cells("1")}}, "[(1,), (1,)]"},
		{[]made{{form: listedForm, cells: cells(1, 2)}, {form: accountForm, cells: cells("n", "1")}, {}}, "[<__main__.A object>, <object not recorded>]"},
		{[]made{{form: listedForm, cells: cells(1, 2)}, {form: textForm}, {form: textForm, says: "<T>"}}, "[<object not recorded>, <T>]"},
		{[]made{{form: listedForm, cells: cells(1)}, {form: brokenForm}}, "L()"},
		{[]made{{form: listedForm, cells: cells(1)}, {form: dictForm, cells: cells("1", "2", "3", 2)}, {form: setForm}}, "[{1: 2, 3: set()}]"},
		{[]made{{form: listForm, cells: cells(1)}, {form: tupledForm, cells: cells("1")}}, "[(1,)]"},
		{[]made{{form: pointForm, cells: cells("1", "2")}}, "P(x=1, y=2)"},
		{[]made{{form: pointForm, cells: cells("1", "2", "3")}}, "P(x=1, y=2, 3)"},
		{[]made{{form: orderedForm}}, "OrderedDict()"},
		{[]made{{form: orderedForm, cells: cells("'a'", "1", "'b'", 0)}}, "OrderedDict([('a', 1), ('b', ...)])"},
		{[]made{{form: orderedForm, cells: cells("'a'", "1"), more: 1}}, "OrderedDict([('a', 1), … +1 items not stored])"},
		{[]made{{form: counterForm, cells: cells("'a'", "1", "'b'", "3", "'c'", "True", "'d'", "2.5", "'e'", "False")}}, "Counter({'b': 3, 'd': 2.5, 'a': 1, 'c': True, 'e': False})"},
		{[]made{{form: counterForm, cells: cells("'a'", "1", "'b'", "100000000000000000000000001", "'c'", "100000000000000000000000002")}}, "Counter({'c': 100000000000000000000000002, 'b': 100000000000000000000000001, 'a': 1})"},
		{[]made{{form: counterForm, cells: cells("'a'", "1", "'b'", "'x'", "'c'", "2")}}, "Counter({'a': 1, 'b': 'x', 'c': 2})"},
		{[]made{{form: counterForm, cells: cells("'a'", "1", "'b'", "nan", "'c'", "2")}}, "Counter({'a': 1, 'b': nan, 'c': 2})"},
		{[]made{{form: counterForm, cells: cells("'a'", "1", "'b'", 1, "'c'", "2")}, {form: listForm}}, "Counter({'a': 1, 'b': [], 'c': 2})"},
		{[]made{{form: dataForm, cells: cells("x", "1", "y", "2", "z", 0)}}, "D(x=1, z=...)"},
		{[]made{{form: dataForm, cells: cells("x", "1")}}, "D(x=1)"},
		{[]made{{form: dataForm}}, "D()"},
		{[]made{{form: dataForm, cells: cells("y", "1", "q", 0)}}, "D(y=1, q=D(...))"},
		{[]made{{form: namespaceForm, cells: cells("a", "1", "b", "2")}}, "namespace(a=1, b=2)"},
		{[]made{{form: namespaceForm}}, "namespace()"},
		{[]made{{form: namespaceForm, cells: cells("a", "1"), more: 1}}, "namespace(a=1, … +1 items not stored)"},
		{[]made{{form: wrapperForm, cells: cells("data", 1, "n", "1")}, {form: listForm, cells: cells("1")}}, "[1]"},
		{[]made{{form: wrapperForm, cells: cells("n", "1")}}, "W(n=1)"},
		{[]made{{form: chainForm, cells: cells("maps", 1)}, {form: listForm, cells: cells(2, 0)}, {form: dictForm}}, "C({}, ...)"},
		{[]made{{form: chainForm, cells: cells("maps", "[1, 2]")}}, "C(1, 2)"},
		{[]made{{form: chainForm, cells: cells("maps", "'é'")}}, "C(é)"},
		{[]made{{form: chainForm, cells: cells("maps", 1)}, {}}, "C(object not recorded)"},
		{[]made{{form: chainForm, cells: cells("maps", 1)}, {form: dictForm, cells: cells("1", "2")}}, "C(1: 2)"},
		{[]made{{form: errorForm, cells: cells("args", 1)}, {form: tupleForm}}, "E()"},
		{[]made{{form: errorForm, cells: cells("args", 1)}, {form: tupleForm, cells: cells("'x'")}}, "E('x')"},
		{[]made{{form: errorForm, cells: cells("args", 1)}, {form: tupleForm, cells: cells("'x'", 2)}, {form: tupleForm, cells: cells("1")}}, "E('x', (1,))"},
		{[]made{{form: errorForm, cells: cells("args", "(1,)")}}, "E(1)"},
		{[]made{{form: errorForm, cells: cells("args", 1, "n", "2")}, {form: tupleForm, cells: cells(2)}, {form: brokenForm}}, "E(n=2)"},
		{[]made{{form: keysForm, cells: cells("mapping", 1)}, {form: dictForm, cells: cells("'a'", "1", "'b'", "2")}}, "K(['a', 'b'])"},
		{[]made{{form: valuesForm, cells: cells("mapping", 1)}, {form: dictForm, cells: cells("'a'", "1", "'b'", 0)}}, "V([1, ...])"},
		{[]made{{form: itemsForm, cells: cells("mapping", 1)}, {form: dictForm, cells: cells("'a'", "1", "'b'", "2")}}, "I([('a', 1), ('b', 2)])"},
		{[]made{{form: keysForm, cells: cells("mapping", 1)}, {form: dictForm, cells: cells("'a'", "1"), more: 2}}, "K(['a', … +2 items not stored])"},
		{[]made{{form: keysForm, cells: cells("mapping", 1)}, {}}, "K(<object not recorded>)"},
		{[]made{{form: keysForm, cells: cells("mapping", 1)}, {form: listForm}}, "K()"},
		{[]made{{form: keysForm, cells: cells("mapping", "1")}}, "K()"},

		// Bytes.
		{[]made{{form: bytesForm}}, "bytearray(b'')"},
		{[]made{{form: bytesForm, cells: cells("0", "9", "10", "13", "31", "32", "65", "92", "126", "127", "255")}}, `bytearray(b'\x00\t\n\r\x1f A\\~\x7f\xff')`},
		{[]made{{form: bytesForm, cells: cells("39")}}, `bytearray(b"\'")`},
		{[]made{{form: bytesForm, cells: cells("34")}}, `bytearray(b'"')`},
		{[]made{{form: bytesForm, cells: cells("34", "39")}}, `bytearray(b'"\'')`},
		{[]made{{form: bytesForm, cells: cells("256")}}, "bytearray(<object not recorded>)"},
		{[]made{{form: bytesForm, cells: cells("65", 1)}, {form: listForm}}, "bytearray(<object not recorded>)"},
		{[]made{{form: bytesForm, cells: cells("65"), more: 1}}, "bytearray(b'A', … +1 items not stored)"},

		// Addresses inside a repr.
		{[]made{{form: listedForm, cells: cells("<x at 0x09afAF>", "<y at 0x>", "<z at 0x1g>", "at 0x12", "<v at 0x1:>", "<u at 0x2@>", "<u at 0x2G>", "<u at 0x2`>", "<u at 0x2/>")}}, "[<x>, <y>, <z at 0x1g>, at 0x12, <v at 0x1:>, <u at 0x2@>, <u at 0x2G>, <u at 0x2`>, <u at 0x2/>]"},
		{[]made{{form: listForm, cells: cells(1, "<x at 0x1>", 1)}, {form: listedForm, cells: cells("<y at 0x2> at 0x3>")}}, "[[<y>>], <x at 0x1>, [<y>>]]"},
	} {
		if got := textOf(t, mostChars, mostItems, c.objects); got != c.want {
			t.Errorf("%+v is\n%s\nwant\n%s", c.objects, got, c.want)
		}
	}
}

// TestTextsCut checks the limits of displayed texts, as in trace/tracer/render.py.
func TestTextsCut(t *testing.T) {
	strs := cells("'aaaa'", "'bbbb'", "'cccc'", "'dddd'")
	for _, c := range []struct {
		chars, items int
		objects      []made
		want         string
	}{
		{100, 3, []made{{form: listForm, cells: cells("1", "2", "3", "4", "5")}}, "[1, 2, 3, … +2 items not stored]"},
		{100, 3, []made{{form: listForm, cells: cells("1", "2", "3")}}, "[1, 2, 3]"},
		{100, 1, []made{{form: tupleForm, cells: cells("1", "2")}}, "(1,, … +1 items not stored)"},
		{100, 2, []made{{form: dictForm, cells: cells("1", "2", "3", "4", "5", "6")}}, "{1: 2, 3: 4, … +1 items not stored}"},
		{100, 2, []made{{form: accountForm, cells: cells("a", "2", "b", "4", "c", "6")}}, "A(a=2, b=4, … +1 attributes not stored)"},
		{12, 100, []made{{form: listForm, cells: strs}}, "['aaaa', 'bb… +27 chars not stored"},
		{12, 2, []made{{form: listForm, cells: strs}}, "['aaaa', 'bb… +27 chars not stored"},
		{16, 100, []made{{form: listForm, cells: strs}}, "['aaaa', 'bbbb',… +31 chars not stored"},
		{17, 100, []made{{form: listForm, cells: strs}}, "['aaaa', 'bbbb', … +15 chars not stored"},
		{7, 100, []made{{form: listForm, cells: cells("'aaaa'", "1", "2")}}, "['aaaa'… +7 chars not stored"},
		{7, 100, []made{{form: listForm, cells: cells("'aaaa'", 1, "'cccc'")}, {form: listForm}}, "['aaaa'… +24 chars not stored"},
		{8, 100, []made{{form: listForm, cells: cells("'aaaa'", 1, "'cccc'")}, {form: listForm}}, "['aaaa',… +27 chars not stored"},
		{3, 100, []made{{form: listForm, cells: cells("1", "2", "3", "4")}}, "[1,… +9 chars not stored"},
		{3, 100, []made{{form: dictForm, cells: cells("'é'", "'è'", "1", "2", "3", "4")}}, "{'é… +19 chars not stored"},
		{5, 100, []made{{form: accountForm, cells: cells("a", "'xxxx'", "b", "4", "c", "6")}}, "A(a='… +34 chars not stored"},
		{6, 100, []made{{form: accountForm, cells: cells("a", "'xxxx'", "b", "4", "c", "6")}}, "A(a='x… +38 chars not stored"},
		{7, 100, []made{{form: listedForm, cells: cells("<x at 0x1>", "1")}}, "[<x>, 1… +1 chars not stored"},
		{8, 100, []made{{form: listedForm, cells: cells("<x at 0x1>", "1")}}, "[<x>, 1]"},
		{4, 100, []made{{form: listForm, cells: cells("'ééé'", "1")}}, "['éé… +6 chars not stored"},
	} {
		if got := textOf(t, c.chars, c.items, c.objects); got != c.want {
			t.Errorf("%+v cut to %d and %d is\n%s\nwant\n%s", c.objects, c.chars, c.items, got, c.want)
		}
	}
}

// TestTextsDeep checks deep nesting: containers are displayed a hundred levels deep, plain
// content one level more, and nothing where CPython's repr would fail.
func TestTextsDeep(t *testing.T) {
	nest := func(form Form, n int, inside ...any) []made {
		var objects []made
		for o := range n {
			objects = append(objects, made{form: form, cells: cells(o + 1)})
		}
		return append(objects, made{form: listForm, cells: inside})
	}
	in := func(n int, text string) string { return strings.Repeat("[", n) + text + strings.Repeat("]", n) }
	for name, c := range map[string]struct {
		objects []made
		want    string
	}{
		"plain at the end":        {nest(listForm, nestings, "1", "'x'"), in(nestings, "[1, 'x']")},
		"plain beyond the end":    {nest(listForm, nestings+1, "1"), in(nestings, "[… nested deeper]")},
		"itself at the end":       {nest(listForm, nestings-1, nestings-1, "<x>"), in(nestings-1, "[[...], <x>]")},
		"not plain at the end":    {nest(listForm, nestings, "1", "<x>"), in(nestings, "[… nested deeper]")},
		"not plain before it":     {nest(listForm, nestings-1, "1", "<x>"), in(nestings-1, "[1, <x>]")},
		"attributes at the end":   {append(nest(listForm, nestings-1, nestings), made{form: accountForm, cells: cells("n", "1")}), in(nestings, "A(...)")},
		"attributes before it":    {append(nest(listForm, nestings-2, nestings-1), made{form: accountForm, cells: cells("n", "1")}), in(nestings-1, "A(n=1)")},
		"a repr as deep as it is": {nest(listedForm, reprNestings-1, "1"), in(reprNestings, "1")},
		"a repr that is too deep": {nest(listedForm, reprNestings, "1"), "<L: too deep to render>"},
	} {
		if got := textOf(t, mostChars, mostItems, c.objects); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestPlainAtoms checks which elements repr alone displays, by their text.
func TestPlainAtoms(t *testing.T) {
	for text, want := range map[string]int{
		`'abc'`: 3, `"it's"`: 4, `b'ab'`: 2, `''`: 0, `b""`: 0, `'\n\\'`: 2, `'\x41b'`: 2, `'\u0041b'`: 2, `'\U00000041b'`: 2, `'éa漢'`: 3,
		`'`: -1, ``: -1, `b'`: -1, `'a"`: -1, `abc`: -1, `bab`: -1, `'a`: -1, `a'`: -1,
	} {
		quoted, n := quotedLength(text)
		if quoted != (want >= 0) || quoted && n != want {
			t.Errorf("%s is quoted: %v, of the length %d, want %d", text, quoted, n, want)
		}
	}
	for text, want := range map[string]bool{
		"None": true, "True": true, "False": true, "Ellipsis": true, "NotImplemented": true, "inf": true, "-inf": true, "nan": true,
		"infj": true, "nanj": true, "0": true, "9": true, "-1": true, "2.5e-07": true, "1j": true, "-0j": true, "(1+2j)": true,
		"range(3)": true, "range(0, 3)": true,
		"": false, "-": false, "0x1f": false, "-0x1f": false, "(1, 2j)": false, "(1, 2)": false, "()": false, "'a'": false, "<x>": false,
		"A(n=1)": false, ":": false, "/": false, "-x": false,
	} {
		if got := isNumberOrName(text); got != want {
			t.Errorf("%s is a number or a name: %v", text, got)
		}
	}
}

// TestTouches checks the events at which a piece of an object may have changed.
func TestTouches(t *testing.T) {
	tree := objectTree()
	atom := func(text string) Value { return tree.Atom([]byte(text)) }
	steps := []func() error{
		func() error { return tree.PutWhole(0, formList, 3, []Value{atom("1"), atom("2"), atom("3")}) }, // 0
		func() error { return tree.PutItem(0, 1, atom("5")) },                                           // 1
		func() error { return tree.PutSplice(0, 3, 0, []Value{atom("4")}) },                             // 2
		func() error { return tree.PutText(0, []byte("<list>")) },                                       // 3
		func() error {
			return tree.PutWhole(0, formList, 4, []Value{atom("1"), atom("5"), atom("3"), atom("6")})
		}, // 4
		func() error { return tree.PutSplice(0, 0, 1, nil) },                                   // 5
		func() error { return tree.PutWhole(1, formDict, 1, []Value{atom("'a'"), atom("1")}) }, // 6
		func() error { return tree.PutEntry(1, atom("'b'"), atom("2")) },                       // 7
		func() error { return tree.PutEntry(1, atom("'a'"), atom("3")) },                       // 8
		func() error { return tree.PutDelete(1, atom("'b'")) },                                 // 9
		func() error {
			return tree.PutWhole(1, formDict, 2, []Value{atom("'a'"), atom("3"), atom("'c'"), atom("4")})
		}, // 10
	}
	for _, step := range steps {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	for _, c := range []struct {
		o        Object
		p        Piece
		from, to int
		want     []int
	}{
		{0, Piece{Item: true, Index: 0}, -1, 10, []int{0, 5}},
		{0, Piece{Item: true, Index: 1}, -1, 10, []int{0, 1, 5}},
		{0, Piece{Item: true, Index: 1}, 0, 4, []int{1}},
		{0, Piece{Item: true, Index: 1}, 1, 5, []int{5}},
		{0, Piece{Item: true, Index: 2}, -1, 10, []int{0, 5}},
		{0, Piece{Item: true, Index: 3}, -1, 10, []int{0, 2, 4, 5}},
		{0, Piece{Item: true, Index: 4}, 0, 10, []int{2, 5}},
		{0, Piece{Item: true, Index: -1}, -1, 10, []int{0, 2, 4, 5}},
		{0, Piece{Item: true, Index: -2}, 0, 1, []int{1}},
		{0, Piece{Item: true, Index: -3}, 0, 1, nil},
		{0, Piece{Size: true}, -1, 10, []int{0, 2, 5}},
		{0, Piece{Key: "'a'"}, 0, 10, nil},
		{1, Piece{Key: "'a'"}, -1, 10, []int{6, 8}},
		{1, Piece{Key: "'b'"}, -1, 10, []int{6, 7, 9}},
		{1, Piece{Key: "'c'"}, -1, 10, []int{6, 10}},
		{1, Piece{Key: "'c'"}, -1, 9, []int{6}},
		{1, Piece{Key: "'d'"}, 6, 10, nil},
		{1, Piece{Size: true}, -1, 10, []int{6, 7, 9, 10}},
		{1, Piece{Item: true}, 6, 10, nil},
		{2, Piece{Size: true}, -1, 10, nil},
	} {
		if got := tree.Touches(c.o, c.p, c.from, c.to); !slices.Equal(got, c.want) {
			t.Errorf("%+v of %d in (%d, %d] is touched at %v, want %v", c.p, c.o, c.from, c.to, got, c.want)
		}
	}
	// The pieces.
	for _, c := range []struct {
		got  any
		want any
	}{
		{fmt.Sprint(tree.Size(0, 4)), "4 true"},
		{fmt.Sprint(tree.Size(1, 5)), "0 false"},
		{fmt.Sprint(tree.Size(9, 5)), "0 false"},
		{fmt.Sprint(len(tree.Items(0, 1)), len(tree.Items(1, 10)), len(tree.Items(1, 5))), "3 0 0"},
		{fmt.Sprint(len(tree.Entries(1, 10)), len(tree.Entries(0, 1)), len(tree.Entries(1, 5))), "2 0 0"},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	if f, ok := tree.Form(1, 6); !ok || f.Name != "dict" {
		t.Errorf("form %+v, %v", f, ok)
	}
	if f, ok := tree.Form(1, 5); ok {
		t.Errorf("a form before there is one: %+v", f)
	}
	for name, found := range map[string]func() (Value, bool){
		"an element before all":         func() (Value, bool) { return tree.Item(0, 10, -1) },
		"an element of a dict":          func() (Value, bool) { return tree.Item(1, 10, 0) },
		"an element of what came later": func() (Value, bool) { return tree.Item(1, 5, 0) },
		"an entry of a list":            func() (Value, bool) { return tree.Entry(0, 10, "1") },
		"an entry of what came later":   func() (Value, bool) { return tree.Entry(1, 5, "'a'") },
		"an entry of no known key":      func() (Value, bool) { return tree.Entry(1, 10, "'d'") },
		"an entry that is gone":         func() (Value, bool) { return tree.Entry(1, 9, "'b'") },
	} {
		if v, ok := found(); ok {
			t.Errorf("%s is there: %v", name, v)
		}
	}
	if v, ok := tree.Entry(1, 9, "'a'"); !ok || v != atom("3") {
		t.Errorf("an entry is %v, %v", v, ok)
	}
}
