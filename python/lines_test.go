package python

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// lineRules are sources and the lines on which CPython 3.12 has line events.
var lineRules = []struct {
	name, source string
	want         []int
}{
	{"statements", "x = 1\n\n# no\npass\nglobal y\nimport a\ndel x\n", []int{1, 4, 6, 7}},
	{"constants and docstrings", "'''a\nb'''\n1\n...\nclass C:\n    'c'\n    'd'\ndef f():\n    'e'\n", []int{1, 3, 4, 5, 6, 7, 8}},
	{"the lines of a call", "f(\n    1,\n    a,\n    b=\n    c,\n    *d,\n)\n", []int{1, 2, 3, 5, 6}},
	{"a chain of methods", "(\n    a\n    .b(1)\n    .c(\n        2\n    )\n)\n", []int{2, 3, 4, 5}},
	{"folded constants", "x = (\n    1,\n    2,\n)\ny = [\n    1,\n    2,\n    3,\n]\nz = [\n    1,\n    2,\n]\nw = 'a' \\\n    'b' + \\\n    'c'\n", []int{1, 5, 10, 11, 12, 14}},
	{"the keys of a dict", "x = {\n    'a':\n        b,\n    'c': d,\n}\ny = {\n    e:\n        f,\n    'g':\n        1,\n}\n", []int{1, 3, 4, 6, 7, 8, 9, 10}},
	{"behind in and for", "for x in [\n    1,\n    2,\n]:\n    y = x in {\n        1,\n        2,\n    }\n", []int{1, 5}},
	{"operators", "x = (\n    a\n    +\n    b\n    and\n    not\n    c\n)\n", []int{1, 2, 4, 6, 7}},
	{"conditions", "if (\n    a\n    and not\n    b\n):\n    pass\nelif (\n    c\n):\n    pass\nelse:\n    pass\n", []int{2, 4, 6, 8, 10, 12}},
	{"what is never true", "if 0:\n    a\nelif 1:\n    b\nelse:\n    c\nwhile 0 and x:\n    d\n", []int{1, 3, 4, 7}},
	{"behind what never ends", "def f():\n    while True:\n        a\n    b\ndef g():\n    while True:\n        break\n    c\ndef h():\n    return\n    d\n", []int{1, 2, 3, 5, 6, 7, 8, 9, 10}},
	{"try", "try:\n    a\nexcept B:\n    c\nexcept (\n    D,\n    E,\n):\n    f\nelse:\n    g\nfinally:\n    h\n", []int{1, 2, 3, 4, 5, 6, 7, 9, 11, 13}},
	{"behind a try that returns", "def f():\n    try:\n        return 1\n    finally:\n        a\n    b\ndef g():\n    try:\n        return 1\n    except A:\n        pass\n    b\n", []int{1, 2, 3, 5, 7, 8, 9, 10, 11, 12}},
	{"with", "with a as b, \\\n    c as \\\n        d:\n    e\nwith (\n    f as g,\n    h,\n):\n    i\n", []int{1, 2, 3, 4, 5, 6, 7, 9}},
	{"loops", "for a in \\\n    b:\n    continue\n    c\nelse:\n    d\nwhile a:\n    b\nelse:\n    c\n", []int{1, 2, 3, 6, 7, 8, 10}},
	{"decorators and defaults", "@a\n@b(\n    c\n)\ndef f(\n    d,\n    e=g,\n    h: i = 1,\n) -> \\\n    j:\n    k\n", []int{1, 2, 3, 5, 7, 8, 10, 11}},
	{"annotations", "def f():\n    a: \\\n        b\n    c: \\\n        d = 1\nclass C:\n    a: \\\n        b\n    c: d = e\n", []int{1, 4, 5, 6, 7, 8, 9}},
	{"comprehensions and lambdas", "x = [\n    a\n    for b in c\n    if d\n]\ny = lambda: \\\n    e\n", []int{1, 2, 3, 4, 6, 7}},
	{"match", "match a:\n    case 1:\n        b\n    case C(\n        x=2,\n    ) if d:\n        e\n    case _:\n        f\nmatch = 1\nmatch (2)\ncase, type = 3, 4\ntype (5)\n", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}},
	{"f-strings", "x = f'''a\n{b}\nc{\nd:\n>{\ne}}\n'''\n", []int{1, 2, 3, 4, 5, 6}},
	{"a format", "x = '''%s\n''' % (\n    a,\n)\ny = '''%d\n''' % (\n    a,\n)\n", []int{1, 3, 5, 6, 7}},
	{"type parameters", "def f[T: (\n    int,\n    str)](x: T):\n    pass\ntype A[T] = \\\n    T\n", []int{1, 2, 3, 4, 5, 6}},
	{"one-liners", "if a: b; c\nwhile d: break\nclass C: pass\ndef f(): return 1; g\n", []int{1, 2, 3, 4}},
	{"line ends", "a\rb\r\nc\x0c\n\x0cd\n", []int{1, 2, 3, 4}},
	{"await and yield", "async def f():\n    await \\\n        a\n    async with b as c:\n        x = yield \\\n            d\n    async for e in g:\n        h\n", []int{1, 2, 3, 4, 5, 6, 7, 8}},
}

func TestExecutableLines(t *testing.T) {
	for _, rule := range lineRules {
		if got := Read([]byte(rule.source)).Outline().Executable; !slices.Equal(got, rule.want) {
			t.Errorf("%s: got %v, want %v of\n%s", rule.name, got, rule.want, numbered(rule.source))
		}
	}
}

func numbered(source string) string {
	var b strings.Builder
	for i, line := range Read([]byte(source)).Lines() {
		b.WriteString(strings.Repeat(" ", 3-len(strconv.Itoa(i+1))) + strconv.Itoa(i+1) + " " + line + "\n")
	}
	return b.String()
}

// TestExecutableLinesAreTheCompilers checks the lines in lineRules against CPython's compiler.
func TestExecutableLinesAreTheCompilers(t *testing.T) {
	interpreter := pythons.Between(t, 12, 12)[0].Path
	folder := t.TempDir()
	var files []string
	for i, rule := range lineRules {
		file := filepath.Join(folder, string(rune('a'+i))+".py")
		if err := os.WriteFile(file, []byte(rule.source), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	found := witness(t, interpreter, files, 0)
	for _, w := range found {
		rule := lineRules[slices.Index(files, w.File)]
		if !slices.Equal(w.Lines, rule.want) {
			t.Errorf("%s: the compiler has %v, the table %v of\n%s", rule.name, w.Lines, rule.want, numbered(rule.source))
		}
	}
	if len(found) != len(files) {
		t.Errorf("%d of %d sources compile", len(found), len(files))
	}
}
