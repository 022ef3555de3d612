package session_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

const millionSource = `for i in source:
    name = f(i)
    g(name)
print(i)
`

// millionIterations returns a recording of three million events: a loop of a million iterations.
func millionIterations() *statetree.Tree {
	t := statetree.New()
	t.Batch(func() {
		t.AddFile(statetree.File{Path: fakePath, Name: "prog.py", Source: []byte(millionSource)})
		t.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 4, Names: []string{"i", "name", "k"}})
		t.Enter(0)
		for i := range 1_000_000 {
			t.Event(dsl.Line, 1, dsl.NoReturn, nil)
			t.Set(0, []byte(strconv.Itoa(i)), false)
			t.Event(dsl.Line, 2, dsl.NoReturn, nil)
			t.Set(1, []byte("'"+string(rune('a'+i%3))+"'"), false)
			t.Event(dsl.Line, 3, dsl.NoReturn, nil)
			t.Set(2, []byte(strconv.Itoa(i%1000)), false)
		}
		t.Event(dsl.Line, 1, dsl.NoReturn, nil)
		t.Event(dsl.Line, 4, dsl.NoReturn, nil)
		t.Finish()
	})
	return t
}

// BenchmarkLoop measures the first page of the table of a loop of a million iterations, a page that
// follows, and the search of a filter that selects nothing, for each iteration that it is tried on.
func BenchmarkLoop(b *testing.B) {
	f := newFake(&testing.T{})
	s, err := interpreted(context.Background(), session.Config{Options: trace.Options{Script: fakePath}, Start: f.start, Draws: true})
	if err != nil {
		b.Fatal(err)
	}
	f.tree = millionIterations()
	f.edge = trace.Position{Event: f.tree.Len() - 1, End: true}
	f.length = f.tree.Len()
	run(s, "goto 1500000")
	for name, commands := range map[string]func(n int) string{
		"first":  func(int) string { return "loop 1" },
		"again":  func(int) string { return "loop 1" },
		"filter": func(n int) string { return fmt.Sprintf("loop 1 i < %d", -n) },
		"text":   func(n int) string { return fmt.Sprintf(`loop 1 "x%d"`, n) },
	} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				if name == "first" {
					s.ForgetLoop()
				}
				if n++; run(s, commands(n)) == "" {
					b.Fatal("no table")
				}
			}
		})
	}
}
