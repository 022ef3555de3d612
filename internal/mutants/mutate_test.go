package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestFind checks the mutants of a function. want lists them by kind, with the changed line.
func TestFind(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"if a < b { c() }", `
			branch removed: if false && (a < b) { c() }
			negated: if a >= b { c() }
			boundary: if a <= b { c() }
			statement removed: if a < b {  }`},
		{"if err != nil { return 1, err }", `
			error branch removed: if false && (err != nil) { return 1, err }
			negated: if err == nil { return 1, err }
			zero returned: if err != nil { return *new(int), err }
			constant: if err != nil { return (1 + 1), err }
			constant: if err != nil { return (1 - 1), err }
			zero returned: if err != nil { return 1, *new(error) }`},
		{"return g()", `
			zero returned: return *new(int), *new(error)`},
		{"a, b = b, a", `
			statement removed: _, _ = b, a`},
		{"a += b", `
			statement removed: _ = b
			arithmetic: a -= b`},
		{"p = nil", `
			statement removed: `},
		{"_ = g()", ``},
		{"for !done && a == b { break }", `
			boolean: for done && a == b { break }
			boolean: for !done || a == b { break }
			negated: for !done && a != b { break }
			loop: for !done && a == b { continue }`},
		{"x := make(map[int]int, 10)", ``},
		{"x := make([]byte, a*b)", `
			arithmetic: x := make([]byte, a/b)`},
		{"func() bool { return true }()", `
			statement removed: 
			boolean: func() bool { return false }()`},
	} {
		before := "package p\n\nfunc f() (n int, err error) {\n"
		text := []byte(before + test.line + "\n}\n")
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range find("p.go", text, file) {
			line, _, _ := strings.Cut(string(m.applied(text)[len(before):]), "\n")
			got = append(got, m.kind+": "+line)
		}
		var want []string
		for line := range strings.Lines(strings.TrimPrefix(test.want, "\n")) {
			want = append(want, strings.TrimSuffix(strings.TrimLeft(line, "\t"), "\n"))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s becomes\n%s\nnot\n%s", test.line, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
