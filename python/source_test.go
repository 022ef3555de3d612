package python

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// brokenSources are invalid sources, with the executable lines and the functions that Read still
// finds, the latter as NAME LINE-END.
var brokenSources = []struct {
	name, source string
	lines        []int
	funcs        []string
}{
	{"an unclosed bracket", "x = 1\ny = f(1,\n      2\ndef g():\n    return x\nz = g()\n", []int{1, 2, 4, 5, 6}, []string{"g 4-5"}},
	{"a bracket unclosed up to the end", "x = 1\ny = f(\n", []int{1, 2}, nil},
	{"a bracket too many", "x = 1)\ny = 2\n", []int{1, 2}, nil},
	{"an unclosed string", "x = 'abc\ny = 2\n", []int{1, 2}, nil},
	{"an unclosed triple quote", "x = 1\ny = \"\"\"abc\nz = 2\n", []int{1, 2, 3}, nil},
	{"an unclosed field", "x = f'{a'\ny = f'{b}'\n", []int{1, 2}, nil},
	{"a def without an end", "def f(x:\n    return x\ny = 2\n", []int{1, 2, 3}, []string{"f 1-2"}},
	{"a def without a colon", "def f(x)\n    return x\ny = 2\n", []int{1, 2, 3}, []string{"f 1-2"}},
	{"a def without a body", "def f(x):\ny = 2\n", []int{1, 2}, []string{"f 1-1"}},
	{"a header", "if x ==:\n    y = 1\n    z = 2\nelse:\n    y = 3\nw = 4\n", []int{1, 2, 3, 4, 5, 6}, nil},
	{"a later clause", "try:\n    f()\nexcept A, e:\n    g()\nh()\n", []int{1, 2, 3, 4, 5}, nil},
	{"a statement of Python 2", "def f():\n    print 'x'\n    return 1\nf()\n", []int{1, 2, 3, 4}, []string{"f 1-3"}},
	{"a method cut off", "    def pay(self, x):\n        self.x = x\n        return x\n", []int{1, 2, 3}, []string{"pay 1-3"}},
	{"dedents to nowhere", "if a:\n        b\n    c\nd\n", []int{1, 2, 3, 4}, nil},
	{"an indent for nothing", "a\n    b\nc\n", []int{1, 2, 3}, nil},
	{"an ellipsis of words", "def f(x):\n    ... more code here ...\n    return x\n", []int{1, 2, 3}, []string{"f 1-3"}},
	{"a diff's marks", "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\ny = 3\n", []int{1, 2, 3, 4, 5, 6}, nil},
	{"a decorator of nothing", "@f\nx = 1\ny = 2\n", []int{1, 3}, nil},
	{"a broken case", "match x:\n    case 1 2:\n        y = 1\n    case 3:\n        y = 3\nz = 1\n", []int{1, 2, 3, 4, 5, 6}, nil},
}

func TestReadOfBrokenSource(t *testing.T) {
	for _, test := range brokenSources {
		s := Read([]byte(test.source))
		if got := s.Outline().Executable; !slices.Equal(got, test.lines) {
			t.Errorf("%s: lines %v, want %v", test.name, got, test.lines)
		}
		var funcs []string
		for _, f := range s.Functions() {
			funcs = append(funcs, f.QualName+" "+strconv.Itoa(f.Line)+"-"+strconv.Itoa(f.EndLine))
		}
		if !slices.Equal(funcs, test.funcs) {
			t.Errorf("%s: functions %v, want %v", test.name, funcs, test.funcs)
		}
	}
}

// TestErrorsAreNodes checks that invalid code becomes a nodeError, with a message close to
// CPython's, and that the code around it is still parsed.
func TestErrorsAreNodes(t *testing.T) {
	tests := []struct{ source, want string }{
		{"x = 1)\ny = 2\n", "1 [)] unmatched ')'"},
		{"x = (1\ny = 2\n", "2 [] '(' was never closed"},
		{"x = 'a\n", "1 ['a] unterminated string literal (detected at line 1)"},
		{"x = \"\"\"a\ny\n", "1 [\"\"\"a] unterminated triple-quoted string literal (detected at line 2)"},
		{"x = f'{a'\n", "1 [f'{a'] f-string: expecting '}'"},
		{"x = 0777\n", "1 [0777] leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"},
		{"x = “a”\n", "1 [“a”] invalid character '“' (U+201C)"},
		{"if a:\n    x = a if b\n", "2 [] expected 'else' after 'if' expression"},
		{"f(a=1,\n  2)\n", "2 [)] positional argument follows keyword argument"},
		{"def f(a, *):\n    x = [a for f() in b]\n", "1 [)] named arguments must follow bare * 2 [f()] cannot assign to expression"},
		{"f([a for 1 in b])\n", "1 [1] cannot assign to expression"},
		{"else:\n    pass\n", "1 [else] invalid syntax"},
		{"match x:\n    case 1 2:\n        y = 1\n", "2 [2] invalid syntax"},
	}
	for _, test := range tests {
		p := newParser(test.source)
		var got []string
		var expr func(e *node)
		expr = func(e *node) {
			if e == nil {
				return
			}
			if e.kind == nodeError {
				got = append(got, fmt.Sprintf("%d [%s] %s", e.line, test.source[e.pos:e.end], e.value.(*EvalError).Message))
			}
			for _, k := range e.kids {
				expr(k)
			}
		}
		var block func(list []*stmt)
		block = func(list []*stmt) {
			for _, s := range list {
				for _, e := range s.exprs {
					expr(e)
				}
				for _, b := range s.branches {
					for _, e := range b.exprs {
						expr(e)
					}
				}
				for _, b := range s.blocks() {
					block(b)
				}
			}
		}
		block(p.statements(false))
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: got %s, want %s", test.source, got, test.want)
		}
	}
}

func TestFirst(t *testing.T) {
	tests := []struct {
		name, source string
		want         int
	}{
		{"empty", "", 0},
		{"blank", "\n\n", 0},
		{"comments", "# one\n# two\n", 0},
		{"a docstring", "# one\n\"\"\"Two.\"\"\"\nx = 1\n", 2},
		{"pass", "\n\npass\n", 3},
		{"a decorator", "\n@f\ndef g(): pass\n", 2},
		{"a value before its target", "x = (\n    f()\n)\n", 2},
		{"try", "\ntry:\n    x\nfinally:\n    y\n", 2},
		{"global has no event", "global x\nx = 1\n", 2},
		{"a byte order mark", "\ufeffx = 1\n", 1},
	}
	for _, test := range tests {
		if got := Read([]byte(test.source)).First(); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

func TestReadDecodes(t *testing.T) {
	tests := []struct{ name, source, want string }{
		{"UTF-8", "x = 'é'\n", "x = 'é'"},
		{"a byte order mark", "\ufeffx = 'é'\n", "x = 'é'"},
		{"Latin-1", "# -*- coding: latin-1 -*-\nx = '\xe9'\n", "x = 'é'"},
		{"Latin-1 on the second line", "#!/usr/bin/python\r\n# vim: set fileencoding=iso-8859-1\r\nx = '\xe9'\r\n", "x = 'é'"},
		{"declared too late", "#\n#\n# coding: latin-1\nx = 'é'\n", "x = 'é'"},
		{"declared behind code", "y = 1\n# coding: latin-1\nx = 'é'\n", "x = 'é'"},
		{"declared otherwise", "# coding: utf-8\nx = 'é'\n", "x = 'é'"},
		{"no UTF-8, and nothing declared", "x = '\xe9'\n", "x = 'é'"},
	}
	for _, test := range tests {
		lines := Read([]byte(test.source)).Lines()
		if got := lines[len(lines)-1]; got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestLex(t *testing.T) {
	tests := []struct{ source, want string }{
		{"x = 1", "x|=|1|;"},
		{"if x:\n\ty\n        z\n", "if|x|:|;|>|y|;|z|;|<|"},
		{"f(a,\n  b) # c\nd", "f|(|a|,|b|)|;|d|;"},
		{"a = \\\n  b", "a|=|b|;"},
		{"1if 0x1f else 1.5e-3j+.5", "1|if|0x1f|else|1.5e-3j|+|.5|;"},
		{"x**=y//z->w:=...", "x|**=|y|//|z|->|w|:=|...|;"},
		{`rb'\'' Rb"x" u'' b''`, `rb'\''|Rb"x"|u''|b''|;`},
		{`f"{x}"`, `f"|{|x|}|"|;`},
		{`f"a{{b}}{x!r:>{w}}c"`, `f"|a{{b}}|{|x|!|r|:|>|{|w|}|}|c|"|;`},
		{`f"{d["k"]:{"a"}}"`, `f"|{|d|[|"k"|]|:|{|"a"|}|}|"|;`},
		{`f'{a != b}{(lambda: 1)}{x=}'`, `f'|{|a|!=|b|}|{|(|lambda|:|1|)|}|{|x|=|}|'|;`},
		{`f"\N{DIGIT ONE}{x}"`, `f"|\N{DIGIT ONE}|{|x|}|"|;`},
		{"f'''a\n{\nx # c\n}\n'''", "f'''|a\n|{|x|}|\n|'''|;"},
		{"'open\nx", "'open|;|x|;"},
	}
	for _, test := range tests {
		var got strings.Builder
		for _, token := range lex(test.source) {
			switch token.kind {
			case tokenEnd:
				continue
			case tokenNewline:
				got.WriteString(";")
			case tokenIndent:
				got.WriteString(">")
			case tokenDedent:
				got.WriteString("<")
			default:
				got.WriteString(test.source[token.pos:token.end])
			}
			got.WriteString("|")
		}
		if strings.TrimSuffix(got.String(), "|") != strings.TrimSuffix(test.want, "|") {
			t.Errorf("%q: got %s, want %s", test.source, got.String(), test.want)
		}
	}
}

// TestReadOfDamagedSource checks that Read still finds most of a program if one character is
// missing.
func TestReadOfDamagedSource(t *testing.T) {
	files, err := filepath.Glob("../trace/testdata/stdlib/*.py")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../examples/*.py")
	if err != nil || len(files)+len(more) < 20 {
		t.Fatalf("%d files, %v", len(files)+len(more), err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var lines, linesFound, functions, functionsFound int
	for _, file := range append(files, more...) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		whole := Read(source)
		var marks []int
		for i, c := range source {
			if strings.IndexByte("()[]{}:,=.", c) >= 0 {
				marks = append(marks, i)
			}
		}
		for range 50 {
			at := marks[random.IntN(len(marks))]
			damaged := Read(slices.Concat(source[:at], source[at+1:]))
			lines += len(whole.executable)
			for _, line := range whole.executable {
				if _, ok := slices.BinarySearch(damaged.executable, line); ok {
					linesFound++
				}
			}
			functions += len(whole.functions)
			for _, f := range whole.functions {
				if slices.ContainsFunc(damaged.functions, func(g Signature) bool { return g.QualName == f.QualName && g.Line == f.Line }) {
					functionsFound++
				}
			}
		}
	}
	t.Logf("of %d lines %.2f%%, of %d functions %.2f%%", lines, percent(linesFound, lines), functions, percent(functionsFound, functions))
	if percent(linesFound, lines) < 99 || percent(functionsFound, functions) < 99 {
		t.Error("too little is found of programs that lack a character")
	}
}
