package python

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// check checks properties that the outline of any source must have.
func check(t *testing.T, source []byte) {
	t.Helper()
	checkBlocks(t, source)
	ReadBlockFacts(source)
	s := Read(source)
	last := len(s.Lines())
	o := s.Outline()
	if !slices.IsSorted(o.Executable) || len(o.Executable) > 0 && (o.Executable[0] < 1 || o.Executable[len(o.Executable)-1] > last) {
		t.Errorf("%d lines, executable are %.200s", last, fmt.Sprint(o.Executable))
	}
	if _, ok := slices.BinarySearch(o.Executable, s.First()); !ok && s.First() != 0 || s.First() == 0 && len(o.Executable) > 0 {
		t.Errorf("first line is %d of %.200s", s.First(), fmt.Sprint(o.Executable))
	}
	for _, f := range s.Functions() {
		if f.Line < 1 || f.EndLine > last || f.BodyLine < f.Line || f.BodyLine > f.EndLine || f.Name == "" {
			t.Errorf("%d lines, function %+v", last, f)
		}
		if _, ok := slices.BinarySearch(o.Executable, f.BodyLine); !ok {
			t.Errorf("the body of %+v begins on no line of %.200s", f, fmt.Sprint(o.Executable))
		}
	}
	for _, i := range s.Imports() {
		if i.Line < 1 || i.Line > last || i.Level < 0 {
			t.Errorf("%d lines, import %+v", last, i)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"../python/testdata/outline/*.py", "testdata/programs/*.py"} {
		files, err := filepath.Glob(filepath.Join("..", "trace", pattern))
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(source)
		}
	}
	f.Add([]byte(signatureSource))
	for _, test := range brokenSources {
		f.Add([]byte(test.source))
	}
	f.Fuzz(func(t *testing.T, source []byte) { check(t, source) })
}

// TestReadOfHostileText checks that Read terminates without a crash for texts on which a parser
// might need quadratic time or a deep stack.
func TestReadOfHostileText(t *testing.T) {
	units := map[string]string{
		"brackets":          "(",
		"closing brackets":  ")",
		"lists":             "[\n",
		"operators":         "a+",
		"unary":             "-",
		"not":               "not ",
		"powers":            "a**",
		"lambdas":           "lambda:",
		"conditions":        "a if b else ",
		"attributes":        "a.",
		"calls":             "a()",
		"calls of calls":    "a(",
		"comparisons":       "a<",
		"commas":            "a,",
		"assignments":       "a=",
		"strings":           `"" `,
		"f-strings":         `f"{`,
		"f-strings, lines":  "f\"{(\n",
		"triple f-strings":  "f'''{",
		"fields":            "f'{x}'",
		"specifiers":        "f'{x:{x:",
		"quotes":            `"`,
		"triple quotes":     `"""x'''`,
		"open strings":      "'\n",
		"escapes":           `"\`,
		"continuations":     "\\\n",
		"carriage returns":  "\r",
		"tabs":              "\t",
		"elif":              "elif a:\n b\n",
		"if elif":           "if a: b\nelif c: d\n",
		"match":             "match a:\n",
		"match, case":       "match a:\n case b: c\n",
		"match on a line":   "match a: ",
		"with":              "with (a, b: c\n",
		"decorators":        "@a\n",
		"def":               "def f(a:\n",
		"defs":              "def f(): pass\n",
		"broken statements": "a b\n",
		"semicolons":        "a;",
		"dicts":             "{a:",
		"comprehensions":    "[a for a in ",
		"statements in one": "if a: ",
		"imports":           "from a import (",
		"decorated defs":    "@a\ndef f(",
		"globals":           "def f():\n global a\n",
		"zero bytes":        "\x00",
		"no UTF-8":          "\xff",
		"stars":             "*",
		"patterns":          "match a:\n case ((",
	}
	for name, unit := range units {
		t.Run(name, func(t *testing.T) {
			check(t, []byte(strings.Repeat(unit, 1<<16/len(unit))))
		})
	}
	var deep strings.Builder
	for i := range 1400 {
		deep.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	check(t, []byte(deep.String()))
}
