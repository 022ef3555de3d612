package values

import (
	"fmt"
	"strings"
	"testing"
)

// show writes a value's children as label=text.
func show(n *Node) string {
	if n.Len() == 0 {
		return ""
	}
	parts := make([]string, n.Len())
	for i := range parts {
		c := n.Child(i)
		parts[i] = c.Label + "=" + c.Node.Text
	}
	return n.Open() + "|" + strings.Join(parts, "|") + "|" + n.Close()
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[1, 2]`, `[|0=1|1=2|]`},
		{`(1,)`, `(|0=1|)`},
		{`{1, 2}`, `{|=1|=2|}`},
		{`{'a': 1, 'b': [2, 3]}`, `{|'a'=1|'b'=[2, 3]|}`},
		{`{'a: b': {'c': 1}}`, `{|'a: b'={'c': 1}|}`},
		{`{(1, 2): 'x'}`, `{|(1, 2)='x'|}`},
		{`{slice(1, 2, None)}`, `{|=slice(1, 2, None)|}`},
		{`Account(owner='ann', balance=3)`, `Account(|owner='ann'|balance=3|)`},
		{`Account(owner='x=1, y', other=Account(...))`, `Account(|owner='x=1, y'|other=Account(...)|)`},
		{`frozenset({1, 2})`, `frozenset({|=1|=2|})`},
		{`OrderedDict({'a': 1})`, `OrderedDict({|'a'=1|})`},
		{`OrderedDict([('a', 1), ('b', (2,))])`, `OrderedDict([|'a'=1|'b'=(2,)|])`},
		{`defaultdict(<class 'int'>, {'a': 1})`, `defaultdict(<class 'int'>, {|'a'=1|})`},
		{`defaultdict(<function <lambda>>, {'a': 1})`, `defaultdict(<function <lambda>>, {|'a'=1|})`},
		{`defaultdict(None, {'a': 1})`, `defaultdict(None, {|'a'=1|})`},
		{`Counter({'a': 2, 'b': 1})`, `Counter({|'a'=2|'b'=1|})`},
		{`deque([1, 2], maxlen=3)`, `deque([|0=1|1=2|], maxlen=3)`},
		{`array('i', [1, 2])`, `array('i', [|0=1|1=2|])`},
		{`array([1, 2], dtype=int8)`, `array([|0=1|1=2|], dtype=int8)`},
		{"array([[1, 2],\n       [3, 4]])", "array([|0=[1, 2]|1=[3, 4]|])"},
		{`mappingproxy({'a': 1})`, `mappingproxy({|'a'=1|})`},
		{`collections.Point(x=1, y=2)`, `collections.Point(|x=1|y=2|)`},
		{`Point(1, [2])`, `Point(|0=1|1=[2]|)`},
		{`Job([1], tags=[2])`, `Job(|0=[1]|tags=[2]|)`},
		{`Größe(höhe=1)`, `Größe(|höhe=1|)`},
		{`['it\'s', "a]b", b'[']`, `[|0='it\'s'|1="a]b"|2=b'['|]`},
		{`[<Foo it's [>, 2]`, `[|0=<Foo it's [>|1=2|]`},
		{`[<function f.<locals>.g>, <generator object <genexpr>>]`, `[|0=<function f.<locals>.g>|1=<generator object <genexpr>>|]`},
		{`[<re.Match object; span=(0, 1), match='>'>, 3]`, `[|0=<re.Match object; span=(0, 1), match='>'>|1=3|]`},
		{`[<a<b>, <a<b>, 1]`, `[|0=<a<b>|1=<a<b>|2=1|]`},
		{`{<Color.RED: 1>: 'x'}`, `{|<Color.RED: 1>='x'|}`},
		{`[Interval(0, 1], (1, 2])`, `[|0=Interval(0, 1]|1=(1, 2]|)`},
		{`[Foo(it's), 2]`, `[|0=Foo(it's)|1=2|]`},
		{`[1, 2, … +1,234 items not stored]`, `[|0=1|1=2|=… +1,234 items not stored|]`},
		{`{'a': 1, … +3 items not stored}`, `{|'a'=1|=… +3 items not stored|}`},
		{`['abc'… +1,005 chars not stored, 2]`, `[|0='abc'… +1,005 chars not stored|1=2|]`},
		{`[1, [2, 3… +1,005 chars not stored`, `[|0=1|1=[2, 3|… +1,005 chars not stored`},
		{`[… +3, 4]`, `[|=… +3|1=4|]`},
		// These values have no parts, or none that are worth opening.
		{`[]`, ``},
		{`{}`, ``},
		{`set()`, ``},
		{`[...]`, ``},
		{`Account(...)`, ``},
		{`[… nested deeper]`, ``},
		{`PosixPath('/a, b')`, ``},
		{`Decimal('1.5')`, ``},
		{`<Foo [1, 2]>`, ``},
		{`'[1, 2]'`, ``},
		{`'[1, 2]'… +5 chars not stored`, ``},
		{`[1, 2`, ``},
		{`[1] + [2]`, ``},
		{`f(1).g`, ``},
		{`list[int]`, ``},
		{`1.5`, ``},
		{``, ``},
		{`(`, ``},
		{`x(`, ``},
	} {
		if got := show(Parse(c.text)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestChild(t *testing.T) {
	for _, c := range []struct {
		text   string
		i      int
		access string
	}{
		{`[1, 2]`, 1, "[1]"},
		{`(1, 2)`, 0, "[0]"},
		{`{'a': 1}`, 0, "['a']"},
		{`{b'a': 1}`, 0, "[b'a']"},
		{`{1.5: 1}`, 0, "[1.5]"},
		{`{(1, 'a'): 1}`, 0, "[(1, 'a')]"},
		{`{None: 1}`, 0, "[None]"},
		{`{<Color.RED: 1>: 1}`, 0, ""},
		{`{Point(1, 2): 1}`, 0, ""},
		{`{(1, <x>): 1}`, 0, ""},
		{`{1, 2}`, 0, ""},
		{`A(b=1)`, 0, ".b"},
		{`A(1, 2)`, 0, ""},
		{`OrderedDict([('a', 1)])`, 0, "['a']"},
		{`defaultdict(<class 'int'>, {'a': 1})`, 0, "['a']"},
		{`deque([1, 2], maxlen=3)`, 1, "[1]"},
		{`dict_keys(['a', 'b'])`, 1, ""},
		{`frozenset({1})`, 0, ""},
		{`[1, … +2 items not stored]`, 1, ""},
	} {
		if got := Parse(c.text).Child(c.i).Access; got != c.access {
			t.Errorf("%s[%d]: %q, want %q", c.text, c.i, got, c.access)
		}
	}
	n := Parse(`[1, … +2 items not stored]`)
	if n.Child(0).Note || !n.Child(1).Note {
		t.Error("the note is taken for an element")
	}
	if n := Parse(`'a'… +1,234 chars not stored`); n.Cut != "… +1,234 chars not stored" {
		t.Errorf("cut is %q", n.Cut)
	}
	if n := Parse(`'a… +1,234 chars not stored'`); n.Cut != "" {
		t.Errorf("what a string says is taken for a cut: %q", n.Cut)
	}
}

func TestFind(t *testing.T) {
	n := Parse(`{'ann': [1, {'x': 'Pear'}], 'bob': Account(name='pear', other=(1, 2)), 'pear': 3}`)
	for _, c := range []struct {
		needle     string
		ignoreCase bool
		most       int
		want       string
	}{
		{"pear", false, 9, "[[1 0] [2]]"},
		{"PEAR", true, 9, "[[0 1 0] [1 0] [2]]"},
		{"PEAR", true, 2, "[[0 1 0] [1 0]]"},
		{"other", false, 9, "[[1 1]]"},
		{"Account", false, 9, "[[1]]"},
		{"(1, 2)", false, 9, "[[1 1]]"},
		{"}], 'bob'", false, 9, "[[]]"},
		{"nowhere", true, 9, "[]"},
	} {
		if got := fmt.Sprint(n.Find(c.needle, c.ignoreCase, c.most)); got != c.want {
			t.Errorf("%s: %s, want %s", c.needle, got, c.want)
		}
	}
	if got, ok := n.Follow(Path{0, 1, 0}); !ok || got.Text != "'Pear'" {
		t.Errorf("%v", got)
	}
	for _, path := range []Path{{3}, {0, 1, 0, 0}, {-1}} {
		if _, ok := n.Follow(path); ok {
			t.Errorf("%v leads somewhere", path)
		}
	}
}

var seeds = []string{
	`[1, 2]`, `{'a': {'b': (1,)}}`, `Account(owner='ann', x=<Foo it's>)`, `OrderedDict([('a', 1), ('b', 2)])`,
	`defaultdict(<class 'int'>, {'a': 1})`, `array('i', [1, 2], x=3)`, `[<a<b>, <c>d>]`, `['abc'… +1,005 chars not stored, 2]`,
	`[1, [2… +5 chars not stored`, `[… +3 items not stored]`, `'a\'b\\'`, `b"\x00"`, "array([[1, 2],\n [3]])", `{a: `, `{a:`, `(,)`, `A(=)`, `A(x=`, `A([)`,
	`A(x=, y)`, `OrderedDict([('a', 1, 2), 3])`, `deque([`, "[\xff]", `{1: 2, 3}`, `A(…`, `[(<]`, "'e\u0301\U0001f469\u200d\U0001f680'",
}

// FuzzParse checks that the children are one behind the other inside the text.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "a")
	}
	f.Fuzz(func(t *testing.T, text, needle string) {
		n := Parse(text)
		var walk func(n *Node, depth int)
		walk = func(n *Node, depth int) {
			if n.Len() > 0 && !strings.HasPrefix(n.Text, n.Open()) || !strings.HasSuffix(n.Text, n.Close()) {
				t.Fatalf("%q: %q … %q", n.Text, n.Open(), n.Close())
			}
			at := len(n.Open())
			for i := range n.Len() {
				c := n.Child(i)
				if len(c.Node.Text) >= len(n.Text) || n.Child(i).Node != c.Node {
					t.Fatalf("%q: child %d is %q", n.Text, i, c.Node.Text)
				}
				e := n.spans[i]
				if int(e.start) < at || e.value < e.start || e.end < e.value || e.key != 0 && (e.key < e.start || e.key > e.value) || int(e.end) > n.close {
					t.Fatalf("%q: child %d is at %+v, after %d", n.Text, i, e, at)
				}
				at = int(e.end)
				if depth < 8 {
					walk(c.Node, depth+1)
				}
			}
		}
		walk(n, 0)
		for _, path := range Parse(text).Find(needle, true, 50) {
			found, ok := n.Follow(path)
			if !ok || len(path) == 0 && !strings.Contains(strings.ToLower(found.Text), strings.ToLower(needle)) && needle < "\x7f" && text < "\x7f" {
				t.Fatalf("%q in %q: %v", needle, text, path)
			}
		}
	})
}
