//go:build unix

package query

import (
	"fmt"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// million returns a recording of a million events: a loop that binds i and x, appends to a
// list and changes an object's attribute in each iteration. early, far and the elements in
// the benchmarks changed only at its beginning.
var million = sync.OnceValue(func() *statetree.Tree {
	const events = 1_000_000
	t := statetree.New()
	t.AddFile(statetree.File{Path: "/p.py", Name: "p.py", Source: []byte("1\n2\n3\n")})
	t.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 3, Names: []string{"early", "i", "x", "xs", "node", "name"}})
	t.AddForm(statetree.Form{Kind: statetree.Sequence, Name: "list", Open: "[", Close: "]", Cycle: "[...]", Reads: statetree.Reads{Exact: true, Elements: true}})
	t.AddForm(statetree.Form{Kind: statetree.Attributes, Name: "Node", Open: "Node(", Close: ")", Cycle: "Node(...)", Reads: statetree.Reads{Attributes: true}})
	atom := func(n int) statetree.Value { return t.Atom([]byte(strconv.Itoa(n))) }
	t.Batch(func() {
		t.Enter(0)
		t.Event(dsl.Line, 1, dsl.NoReturn, nil)
		t.Set(0, []byte("1"), false)
		list := []statetree.Value{atom(1), atom(2), atom(3)}
		if t.PutWhole(0, 0, 3, list) != nil || t.PutWhole(1, 1, 2, []statetree.Value{t.Atom([]byte("far")), atom(1), t.Atom([]byte("near")), atom(2)}) != nil {
			panic("no object")
		}
		t.SetValue(3, statetree.ObjectValue(0))
		t.SetValue(4, statetree.ObjectValue(1))
		t.Set(5, []byte("'a'"), false)
		for n := 1; n < events; n++ {
			if n%3 == 0 {
				t.Set(1, []byte(strconv.Itoa(n)), false)
				if t.PutItem(0, 2, atom(n)) != nil || t.PutEntry(1, t.Atom([]byte("near")), atom(n%7)) != nil {
					panic("no change")
				}
			} else {
				t.Set(2, []byte(strconv.Itoa(n%1000)), false)
			}
			t.Event(dsl.Line, 1+n%3, dsl.NoReturn, nil)
		}
	})
	return t
})

// BenchmarkFar measures distant changes in a recording of a million events: where a name,
// an element and an attribute last changed, and change next. "first" is the first query
// about an expression, "again" every later one.
func BenchmarkFar(b *testing.B) {
	tree := million()
	never := func() bool { return false }
	last := tree.Len() - 1
	for _, expr := range []string{"early", "i", "xs[0]", "node.far", "node.near", "len(xs)", "xs", "early == 1 and xs[0] > 2"} {
		for _, kind := range []string{"first", "again"} {
			for _, direction := range []string{"back", "forth"} {
				b.Run(fmt.Sprintf("%s/%s/%s", expr, kind, direction), func(b *testing.B) {
					p := Of(tree)
					ask := func() {
						f, err := p.Follow(expr, p.ScopeAt(last), last)
						if err != nil {
							b.Fatal(err)
						}
						if direction == "back" {
							f.Last(last-1, never)
						} else {
							f.Next(2, last, never)
						}
					}
					ask()
					began := cpu()
					for b.Loop() {
						if kind == "first" {
							p = Of(tree)
						}
						ask()
					}
					b.ReportMetric((cpu()-began).Seconds()*1e3/float64(b.N), "cpu-ms/op")
				})
			}
		}
	}
}

// BenchmarkConditions evaluates conditions at a hundred thousand candidates, as rc and
// find do.
func BenchmarkConditions(b *testing.B) {
	tree := million()
	for _, expr := range []string{"i == -5", "x > 2000 and name == 'b'", "node.near == 9", "len(xs) > 3 or early is None", "xs[2] < 0", "missing == 1"} {
		b.Run(expr, func(b *testing.B) {
			p := Of(tree)
			c, err := p.Condition(expr)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			began := cpu()
			for b.Loop() {
				event := tree.Len() - 1 - n%900_000
				if holds, err := p.Truth(b.Context(), c, event); holds || err != nil && expr != "missing == 1" {
					b.Fatal(event, holds, err)
				}
				n++
			}
			b.ReportMetric(float64(n)/(cpu()-began).Seconds()/1e6, "Mcandidates/s")
		})
	}
}

// cpu returns the CPU time of this process, because other processes may use the machine.
func cpu() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
