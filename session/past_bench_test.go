package session_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// loop returns a recording of a loop: a hundred thousand iterations of three lines, in the
// second of which i and name change.
func loop() *statetree.Tree {
	t := statetree.New()
	t.Batch(func() {
		t.AddFile(statetree.File{Path: fakePath, Name: "prog.py", Source: []byte(fakeSource)})
		t.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 7, Names: []string{"i", "name"}})
		t.Enter(0)
		for i := range 100_000 {
			t.Event(dsl.Line, 5, dsl.NoReturn, nil)
			t.Set(0, []byte(strconv.Itoa(i)), false)
			t.Event(dsl.Line, 6, dsl.NoReturn, nil)
			t.Set(1, []byte("'"+string(rune('a'+i%3))+"'"), false)
			t.Event(dsl.Line, 7, dsl.NoReturn, nil)
		}
		t.Finish()
	})
	return t
}

// BenchmarkReverseConditions measures rc over a hundred thousand candidates of a condition
// that is never true, and find over three times as many lines.
func BenchmarkReverseConditions(b *testing.B) {
	for _, c := range []struct{ set, command string }{
		{"break 6, i == -5", "rc"},
		{"break 6, i > 3 and name == 'z'", "rc"},
		{"", "find -r i < 0"},
	} {
		b.Run(c.set+" "+c.command, func(b *testing.B) {
			f := newFake(&testing.T{})
			s, err := interpreted(context.Background(), session.Config{Options: trace.Options{Script: fakePath}, Start: f.start})
			if err != nil {
				b.Fatal(err)
			}
			f.tree = loop()
			f.edge = trace.Position{Event: f.tree.Len() - 1, End: true}
			f.length = f.tree.Len()
			run(s, "goto 299999", c.set)
			for b.Loop() {
				if run(s, c.command); s.Position().Event != 299_999 {
					b.Fatalf("it stopped at %+v", s.Position())
				}
			}
		})
	}
}
