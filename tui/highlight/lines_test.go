package highlight

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// show writes a line's tokens as kind:text and leaves out white space.
func show(line []Token) string {
	var parts []string
	for _, t := range line {
		if strings.TrimSpace(t.Text) != "" {
			parts = append(parts, t.Kind.String()+":"+t.Text)
		}
	}
	return strings.Join(parts, " ")
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`x = 0xff + 1.5`, `name:x operator:= number:0xff operator:+ number:1.5`},
		{`x = 3j`, `name:x operator:= number:3 number:j`},
		{`if not done and True: pass`, `keyword:if keyword:not name:done keyword:and constant:True punctuation:: keyword:pass`},
		{`a.b.c = d`, `name:a operator:. attribute:b operator:. attribute:c operator:= name:d`},
		{`self.low.append(name)`, `builtin:self operator:. attribute:low operator:. attribute:append punctuation:( name:name punctuation:)`},
		{`f(x, key=val, end='')`, `name:f punctuation:( name:x punctuation:, argument:key operator:= name:val punctuation:, argument:end operator:= string:'' punctuation:)`},
		{`(key := val) == other`, `punctuation:( name:key operator::= name:val punctuation:) operator:== name:other`},
		{`def f(a, b=1, *c, **d):`, `keyword:def function:f punctuation:( name:a punctuation:, name:b operator:= number:1 punctuation:, operator:* name:c punctuation:, operator:* operator:* name:d punctuation:) punctuation::`},
		{`class A(B, metaclass=M): pass`, `keyword:class class:A punctuation:( name:B punctuation:, argument:metaclass operator:= name:M punctuation:) punctuation:: keyword:pass`},
		{`@cache(size=3)`, `decorator:@cache punctuation:( argument:size operator:= number:3 punctuation:)`},
		{`raise X from err`, `keyword:raise name:X keyword:from name:err`},
		{`raise X from err.cause`, `keyword:raise name:X keyword:from name:err operator:. attribute:cause`},
		{`yield from gen`, `keyword:yield from name:gen`},
		{`from a.b import c as d`, `keyword:from module:a module:. module:b keyword:import name:c keyword:as name:d`},
		{`import os as o`, `keyword:import module:os keyword:as module:o`},
		{`except ValueError as e:`, `keyword:except class:ValueError keyword:as name:e punctuation::`},
		{`s = f"{x!r:>{w}} {{"`, `name:s operator:= string:f" escape:{ name:x escape:!r: string:> escape:{ name:w escape:} escape:} escape:{{ string:"`},
		{`t = 'a\tb %s' % v  # why`, `name:t operator:= string:'a escape:\t string:b  escape:%s string:' operator:% name:v comment:# why`},
		{`"""what"""`, `string:"""what"""`},
		{`x = [a for a in b if a]`, `name:x operator:= punctuation:[ name:a keyword:for name:a keyword:in name:b keyword:if name:a punctuation:]`},
	} {
		if got := show(Lines(c.source)[0]); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}

// TestOverLines checks that the kinds of a line's tokens depend on the lines before it.
func TestOverLines(t *testing.T) {
	for _, c := range []struct {
		source string
		line   int
		want   string
	}{
		{"f(\n  key=val,\n  x)", 1, "argument:key operator:= name:val punctuation:,"},
		{"x = (\n  a,\n  b)", 2, "name:b punctuation:)"},
		{"f(\nreturn x\nkey = 1", 2, "name:key operator:= number:1"}, // the bracket was never closed
		{"a \\\n.b", 1, "operator:. attribute:b"},
		{"'''one\ntwo # no comment\n'''", 1, "string:two # no comment"},
		{"x = '''one\ntwo'''; y", 1, "string:two''' punctuation:; name:y"},
		{"x = '\ny = 1", 1, "name:y operator:= number:1"},
	} {
		if got := show(Lines(c.source)[c.line]); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`for name, count in items:`, "name count items"},
		{`low.append(name)`, "low name"},
		{`total = sum(balances.values()) + total`, "total balances"},
		{`len = len(x)`, "len x"},
		{`f(x, key=val)`, "f x val"},
		{`print(f"{self.x!r:>{width}} and {n + 1:.2f} {{no}} {d['k']}")`, "self width n d"},
		{`s = "name {x}"  # y`, "s"},
		{`with open(p) as fh:`, "p fh"},
		{`except ValueError as e:`, "e"},
		{`def f(a, b=c):`, "a b c"},
		{`balances[source] -= amount`, "balances source amount"},
		{`raise X from err`, "X err"},
		{`import os`, ""},
		{`größe = überall['straße']`, "größe überall"},
		{`a, a = a, b`, "a b"},
		{`return cls(x)`, "cls x"},
		{`match = re.match(a, b)`, "match re a b"},
		{`if match: match.group(1)`, "match"},
		{`f(match, case=match)`, "f match"},
		{`match x:`, "x"},
		{`    case [a, b]: c = a`, "a b c"},
		{`case -1:`, ""},
		{``, ""},
	} {
		lines := Lines(c.line)
		var got string
		if len(lines) > 0 {
			got = strings.Join(Names(lines[0]), " ")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

// check fails unless the tokens have the properties that Lines documents.
func check(t *testing.T, source string) [][]Token {
	t.Helper()
	want := dsl.SplitLines(source)
	got := Lines(source)
	if len(got) != len(want) {
		t.Fatalf("%d lines of %d", len(got), len(want))
	}
	for i, line := range got {
		var b strings.Builder
		for _, token := range line {
			if token.Text == "" {
				t.Fatalf("line %d has an empty token", i+1)
			}
			b.WriteString(token.Text)
		}
		if b.String() != want[i] {
			t.Fatalf("line %d is %q, not %q", i+1, b.String(), want[i])
		}
	}
	return got
}

func TestLineEnds(t *testing.T) {
	for _, source := range []string{
		"", "\n", "\r", "\r\n", "a\r\nb\rc\nd", "a\n\n", "\n\na", "\ufeffx = 1\r\n", "x = '\xff\xfe'\ny = 1",
		"'''a\r\nb\rc'''", "a\x0cb\x0b\n", "a\u2028b\n c", "x = \\\r\n 1", "é = 'ü\xffü'",
	} {
		check(t, source)
	}
	lines := check(t, "x = 'a\xff'\r\ny = 2")
	if got := show(lines[1]); got != "name:y operator:= number:2" {
		t.Errorf("a byte that is no character moved the colors: %s", got)
	}
}

func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(t, string(source))
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"x = f'{a!r:>{w}}'", "def f(\n", "'''\n", "\"\"\"a\r\nb", "(]})", "@a.b(c=1)\nclass A: pass", "from . import x\nraise a from b",
		"\xff\n'\xff'", "1j .x", "f(a=b=c)", "\\\n\\\r", "yield from\nx", "a\x00b", "ſ = 1\n\u2029",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for _, line := range check(t, source) {
			Names(line)
		}
	})
}

func BenchmarkLines(b *testing.B) {
	source, err := os.ReadFile("../../examples/bank.py")
	if err != nil {
		b.Fatal(err)
	}
	var all strings.Builder
	for all.Len() == 0 || strings.Count(all.String(), "\n") < 10_000 {
		all.Write(source)
	}
	text := strings.Join(dsl.SplitLines(all.String())[:10_000], "\n") + "\n"
	b.ResetTimer()
	for b.Loop() {
		if n := len(Lines(text)); n != 10_000 {
			b.Fatal(n)
		}
	}
}

func BenchmarkNames(b *testing.B) {
	line := Lines(`        if count < threshold and not self.done: low.append(name)`)[0]
	for b.Loop() {
		Names(line)
	}
}

func ExampleNames() {
	for _, line := range Lines("for name, count in items:\n    total += len(name) * count\n") {
		fmt.Println(Names(line))
	}
	// Output:
	// [name count items]
	// [total name count]
}
