package python_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/python"
)

// BenchmarkRead parses 10,000 lines of real files.
func BenchmarkRead(b *testing.B) {
	files, err := filepath.Glob(filepath.Join("..", "trace", "testdata", "*", "*.py"))
	if err != nil || len(files) == 0 {
		b.Fatal(files, err)
	}
	var text strings.Builder
	for lines := 0; lines < 10_000; {
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			lines += strings.Count(string(source), "\n")
			text.Write(source)
			text.WriteString("\n")
		}
	}
	source := []byte(strings.Join(strings.SplitAfter(text.String(), "\n")[:10_000], ""))
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		python.Read(source)
	}
}

// BenchmarkCompile compiles random breakpoint conditions, some of which are invalid.
func BenchmarkCompile(b *testing.B) {
	conditions := conditionsOf(1, 1000)
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range conditions {
			_, _ = python.Compile(text)
		}
	}
}

// BenchmarkReadDatum parses reprs: small ones and a large table.
func BenchmarkReadDatum(b *testing.B) {
	small := []string{"[3, 1, 2]", "{'b': 1, 'a': [2, {'c': None}]}", "1.5", `"it's"`, "(1, 'a', None)", "{1, 2}", "Account(owner='ann', balance=3)", "<object object>"}
	table := "[" + strings.Repeat("{'id': 17, 'name': 'barbara', 'amount': 12.75, 'tags': ['a', 'b']}, ", 1000) + "]"
	b.Run("small", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range small {
				python.ReadDatum(text)
			}
		}
	})
	b.Run("table", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(table)))
		for b.Loop() {
			python.ReadDatum(table)
		}
	})
}

// BenchmarkEval evaluates expressions over the reprs in state.
func BenchmarkEval(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range []string{"[i * x for i in xs if i % 2]", "f'{x:>4}|{y!r}'", "sorted(d, key=lambda k: -len(k))", "d['a'][1]['c'] is None", "sum(i * i for i in range(1000))"} {
			if _, err := python.Eval(b.Context(), text, state); err != nil {
				b.Fatal(text, err)
			}
		}
	}
}
