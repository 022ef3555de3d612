package python

import (
	"reflect"
	"testing"
)

func TestBlockFacts(t *testing.T) {
	const source = `"""Module."""
from typing import Optional

@wrap(depth)
def f(xs: list[int], n: int = None, k: float = 0, *rest: int, **more: str) -> Optional[int]:
    """Adds."""
    total: int = base + sum(x * k for x in xs)
    box.size = n
    table[i], j = n, 2
    total += rest[0]
    assert total > low and \
        n, "message " + name
    if (m := total) and (lambda q: q + z)(1):
        return m
    def inner(d=total):
        assert d
    match n:
        case [a, b] if a > c:
            pass
    del j
    return None

class str: pass

def g() -> int:
    yield 1
`
	facts, blocks := ReadBlockFacts([]byte(source)), ReadBlocks([]byte(source))
	code := map[string]*CodeBlocks{}
	for i := range blocks.Codes {
		code[blocks.Codes[i].Name] = &blocks.Codes[i]
	}
	f := code["f"]
	for _, c := range []struct {
		code  string
		lines [2]int
		want  []string
	}{
		{"<module>", [2]int{4, 5}, []string{"wrap", "depth"}},
		{"f", [2]int{7, 7}, []string{"base", "sum", "k", "xs"}},
		{"f", [2]int{8, 9}, []string{"box", "n", "table", "i"}},
		{"f", [2]int{10, 10}, []string{"total", "rest"}},
		{"f", [2]int{11, 12}, []string{"total", "low", "n", "name"}},
		{"f", [2]int{13, 14}, []string{"total", "z", "m"}},
		{"f", [2]int{15, 16}, []string{"total"}},
		{"f", [2]int{17, 18}, []string{"n", "a", "c"}},
		{"f", [2]int{20, 21}, nil},
		{"inner", [2]int{1, 99}, []string{"d"}},
	} {
		if got := facts.Reads(code[c.code], c.lines[0], c.lines[1]); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %v reads %q, want %q", c.code, c.lines, got, c.want)
		}
	}
	if got, want := facts.Asserts(f), []Assert{{11, 12, "total > low and \\\n        n", []string{"total", "low", "n"}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	if got := facts.Doc(code["<module>"]) + facts.Doc(f) + facts.Doc(code["g"]); got != "Module.Adds." {
		t.Error(got)
	}
	got := []string{facts.Returns(f).Text(), facts.Returns(code["g"]).Text()}
	for _, name := range []string{"xs", "n", "k", "rest", "more", "total", "nobody"} {
		got = append(got, facts.Annotation(f, name).Text())
	}
	if want := []string{"Optional[int]", "", "list[int]", "", "float", "", "", "int", ""}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestAnnotationContradicts(t *testing.T) {
	for _, c := range []struct {
		annotation, value string
		want              bool
	}{
		{"int", "3", false},
		{"int", "True", false},
		{"int", "99999999999999999999", false},
		{"int", "3.0", true},
		{"int", "None", true},
		{"int", "'3'", true},
		{"float", "3", false},
		{"float", "'3'", true},
		{"str", "3", true},
		{"str", "99999999999999999999", true},
		{"str", "'a'", false},
		{"bool", "1", true},
		{"None", "None", false},
		{"None", "0", true},
		{"bytes", "b'a'", false},
		{"bytes", "'a'", true},
		{"Optional[int]", "None", false},
		{"Optional[int]", "'a'", true},
		{"typing.Optional[int]", "1", false},
		{"int | None", "None", false},
		{"int | None", "[]", true},
		{"Union[int, str]", "1.5", true},
		{"Union[int, Account]", "1.5", false},
		{"list[int]", "[1, 2]", false},
		{"list[int]", "[1, 'a']", true},
		{"list[int]", "(1, 2)", true},
		{"list[Account]", "[1]", false},
		{"List[int]", "['a']", true},
		{"dict[str, int]", "{'a': 1}", false},
		{"dict[str, int]", "{'a': 'b'}", true},
		{"dict[str, int]", "{1: 1}", true},
		{"tuple[int, str]", "('a', 1)", false},
		{"set[int]", "{'a'}", true},
		{"'int'", "'a'", true},
		{"'list[int]'", "['a']", true},
		{"'int'", "1", false},
		{"Any", "1", false},
		{"object", "1", false},
		{"Sequence[int]", "1", false},
		{"Literal['a']", "'b'", false},
		{"int", "Account(n=1)", false},
		{"int", "<object>", false},
		{"int", "[1, 2, … +5 items not shown]", false},
		{"own", "1", false},
		{"x[", "1", false},
		{"Color", "<Color.RED: 1>", false},
	} {
		source := "from typing import Optional, List, Union\nclass own: pass\ndef f(x: " + c.annotation + "): pass\n"
		facts := ReadBlockFacts([]byte(source))
		if got := facts.Annotation(&CodeBlocks{Name: "f", Line: 3}, "x").Contradicts(c.value); got != c.want {
			t.Errorf("%s and %s: %v", c.annotation, c.value, got)
		}
	}
	shadowed := ReadBlockFacts([]byte("class int: pass\ndef f(x: int): pass\n"))
	if shadowed.Annotation(&CodeBlocks{Name: "f", Line: 2}, "x").Contradicts("'a'") {
		t.Error("a class of the program is taken for the built-in one")
	}
	deep := "int"
	for range 5000 {
		deep = "Optional[" + deep + "]"
	}
	ReadBlockFacts([]byte("def f(x: "+deep+"): pass\n")).Annotation(&CodeBlocks{Name: "f", Line: 1}, "x").Contradicts("'a'")
}
