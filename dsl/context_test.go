package dsl_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
)

func TestSplitLines(t *testing.T) {
	for source, want := range map[string][]string{
		"":                nil,
		"a":               {"a"},
		"a\n":             {"a"},
		"a\nb\r\nc\rd":    {"a", "b", "c", "d"},
		"\n\r\n\r\r\na":   {"", "", "", "", "a"},
		"\ufeffa\n\ufeff": {"a", "\ufeff"},
		"a\vb\fc\u2028d":  {"a\vb\fc\u2028d"},
	} {
		if got := dsl.SplitLines(source); !slices.Equal(got, want) {
			t.Errorf("%q has the lines %q, want %q", source, got, want)
		}
	}
}

// TestBegin checks that Begin rejects programs that a context cannot contain.
func TestBegin(t *testing.T) {
	file := func(name string, lines ...string) dsl.SourceFile { return dsl.SourceFile{Name: name, Lines: lines} }
	many := func(n int) []dsl.SourceFile {
		files := make([]dsl.SourceFile, n)
		for i := range files {
			files[i].Name = fmt.Sprint(i)
		}
		return files
	}
	for _, c := range []struct {
		files []dsl.SourceFile
		says  string // part of the error; "" if the program is valid
	}{
		{nil, "a program without a file"},
		{many(1<<20/26 + 1), "a program of 40330 files"},
		{many(1 << 20 / 26), ""},
		{[]dsl.SourceFile{file("")}, ""},
		{[]dsl.SourceFile{file("a"), file("a")}, "two files of the program have the same name"},
		{[]dsl.SourceFile{file("a"), file("")}, `the name "" of a file is empty or not UTF-8`},
		{[]dsl.SourceFile{file("\xff"), file("a")}, `the name "\xff" of a file is empty or not UTF-8`},
		{[]dsl.SourceFile{file("a", "x", "\xff")}, "line 2 of a is not UTF-8"},
		{[]dsl.SourceFile{file("a", "x\n")}, "line 1 of a has a line end within it"},
		{[]dsl.SourceFile{file("a", "x", "\ry")}, "line 2 of a has a line end within it"},
	} {
		n, err := dsl.ND1.Begin(&dsl.Program{Files: c.files})
		var refused *dsl.EncodeError
		switch {
		case c.says == "":
			if err != nil {
				t.Errorf("%d files: %v", len(c.files), err)
			}
		case n != nil || !errors.As(err, &refused) || refused.Message != c.says:
			t.Errorf("%d files: %v, want %s", len(c.files), err, c.says)
		}
	}
}
