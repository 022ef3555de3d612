package align_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/align"
	"github.com/npdb/npdb/trace/statetree"
)

const loopSource = "def f(x):\n    y = x\n    return y\ntotal = 0\nitems = []\nfor i in range(n):\n    items.append(f(i))\n    total += i\n"

// loopRun returns the run of loopSource with n iterations. f returns another value in iteration odd, and
// does not return in iteration odd if skip is set.
func loopRun(n, odd int, skip bool) align.Run {
	t := statetree.New()
	t.Batch(func() {
		t.AddFile(statetree.File{Path: "/p/prog.py", Name: "prog.py", Source: []byte(loopSource)})
		main := t.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", LastLine: 8, Names: []string{"total", "items", "i"}})
		f := t.AddCode(statetree.Code{Name: "f", QualName: "f", FirstLine: 1, LastLine: 3, Names: []string{"x", "y"}, Args: 1, Fast: true})
		form := t.AddForm(statetree.Form{Kind: statetree.Sequence, Name: "list", Open: "[", Close: "]", Empty: "[]"})
		text := func(i int) []byte { return []byte(strconv.Itoa(i)) }
		t.Enter(main)
		t.Event(dsl.Line, 1, dsl.NoReturn, nil)
		t.Event(dsl.Line, 4, dsl.NoReturn, nil)
		t.Set(0, text(0), false)
		t.Event(dsl.Line, 5, dsl.NoReturn, nil)
		if err := t.PutWhole(0, form, 0, nil); err != nil {
			panic(err)
		}
		t.SetValue(1, statetree.ObjectValue(0))
		const mostItems = 50 // of the list
		size := 0
		for i := range n {
			t.Event(dsl.Line, 6, dsl.NoReturn, nil)
			t.Set(2, text(i), false)
			t.Event(dsl.Line, 7, dsl.NoReturn, nil)
			if i == odd && skip {
				continue
			}
			t.Enter(f)
			t.Set(0, text(i), false)
			t.Event(dsl.Call, 1, dsl.NoReturn, nil)
			t.Event(dsl.Line, 2, dsl.NoReturn, nil)
			y := i
			if i == odd {
				y++
			}
			t.Set(1, text(y), false)
			t.Event(dsl.Line, 3, dsl.NoReturn, nil)
			t.Event(dsl.Return, 3, dsl.Returned, text(y))
			if err := t.PutSplice(0, min(size, mostItems-1), size/mostItems, []statetree.Value{t.Atom(text(y))}); err != nil {
				panic(err)
			}
			size = min(size+1, mostItems)
			t.Event(dsl.Line, 8, dsl.NoReturn, nil)
			t.Set(0, text(i*7), false)
		}
		t.Event(dsl.Line, 6, dsl.NoReturn, nil)
		t.Event(dsl.Return, 6, dsl.Returned, []byte("None"))
		t.Finish()
	})
	return align.Run{Tree: t}
}

// TestLongRuns checks the divergences of two long runs that differ in one iteration.
func TestLongRuns(t *testing.T) {
	const n, odd = 5000, 4000
	for _, skip := range []bool{false, true} {
		al := aligned(t, loopRun(n, -1, false), loopRun(n, odd, skip))
		r := al.Report([2]align.About{})
		if r.First == nil || len(r.First.Sides[0].Loops) != 1 || r.First.Sides[0].Loops[0].Number != odd+1 {
			t.Fatalf("skip %v: %+v", skip, r.First)
		}
		stack := r.First.Sides[0].Stack
		if want := "y"; !skip && (r.First.Name != want || *r.First.Sides[1].Value != strconv.Itoa(odd+1) || len(stack) != 2) {
			t.Errorf("%+v", r.First)
		}
		if skip && (r.First.Kind != "path" || r.First.Sides[0].What != "call" || r.First.Joins == nil || al.Only != [2]int{5, 0}) {
			t.Errorf("%+v, only %v", r.First, al.Only)
		}
	}
	if al := aligned(t, loopRun(n, -1, false), loopRun(n, -1, false)); !al.Same() || !al.Rejoined || al.Aligned != al.Runs[0].Tree.Len() {
		t.Errorf("the same runs: %d divergences, rejoined %v, %d aligned", al.Count, al.Rejoined, al.Aligned)
	}
}

// TestCancelled checks that aligning ends when its context is cancelled.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := align.Align(ctx, loopRun(5000, -1, false), loopRun(5000, 3, false)); err == nil {
		t.Error("no error")
	}
}

// FuzzAlign checks that no two runs make Align fail, and that a run is the same as itself. The bytes are
// lines, calls and returns.
func FuzzAlign(f *testing.F) {
	f.Add([]byte{1, 2, 9, 3, 4, 10, 5}, []byte{1, 2, 3, 10, 5})
	f.Add([]byte{9, 9, 9, 17, 1, 10, 10}, []byte{9, 1, 17, 17, 10})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, y := fuzzRun(a), fuzzRun(b)
		al := aligned(t, x, y)
		al.Report([2]align.About{}).Lines()
		for i := range al.Divergences {
			al.Place(i)
		}
		if same := aligned(t, x, fuzzRun(a)); !same.Same() || same.Aligned != x.Tree.Len() {
			t.Errorf("a run differs from itself: %v", same.Report([2]align.About{}).Lines())
		}
	})
}

// fuzzRun returns the run that some bytes describe: a byte below 8 is a line, 8 or 9 a call, 10 a return, 11 a
// yield, 12 an exception; others set a name.
func fuzzRun(ops []byte) align.Run {
	t := statetree.New()
	t.Batch(func() {
		t.AddFile(statetree.File{Path: "/p/prog.py", Name: "prog.py", Source: []byte(loopSource)})
		main := t.AddCode(statetree.Code{Name: "<module>", QualName: "<module>", LastLine: 8, Names: []string{"a", "b"}})
		functions := []int{}
		for k := range 2 {
			functions = append(functions, t.AddCode(statetree.Code{Name: fmt.Sprint("f", k), QualName: fmt.Sprint("f", k), FirstLine: k + 1, LastLine: 3, Names: []string{"x", "y"}, Fast: true, Generator: k == 1}))
		}
		form := t.AddForm(statetree.Form{Kind: statetree.Sequence, Name: "list", Open: "[", Close: "]", Empty: "[]"})
		t.Enter(main)
		t.Event(dsl.Line, 1, dsl.NoReturn, nil)
		depth, objects := 1, 0
		for _, op := range ops {
			switch {
			case op < 8:
				t.Event(dsl.Line, int(op)+1, dsl.NoReturn, nil)
			case op < 10:
				t.Enter(functions[op-8])
				t.Event(dsl.Call, 1, dsl.NoReturn, nil)
				depth++
			case op < 12 && depth > 1:
				t.Event(dsl.Return, 3, []dsl.ReturnKind{dsl.Returned, dsl.Yielded}[op-10], []byte("1"))
				depth--
			case op == 12:
				t.Event(dsl.Exception, 2, dsl.NoReturn, []byte("ValueError()"))
			case op < 32:
				t.Set(int(op&1), []byte(strconv.Itoa(int(op))), op&2 > 0)
			case op < 64:
				if err := t.PutWhole(statetree.Object(objects), form, 1, []statetree.Value{t.Atom([]byte{'0' + op&7})}); err != nil {
					panic(err)
				}
				t.SetValue(int(op&1), statetree.ObjectValue(statetree.Object(objects)))
				objects++
			case objects > 0:
				if err := t.PutItem(statetree.Object(int(op)%objects), 0, statetree.ObjectValue(statetree.Object(int(op>>1)%objects))); err != nil {
					panic(err)
				}
			}
		}
		t.Finish()
	})
	return align.Run{Tree: t}
}

// BenchmarkAlign aligns two runs of a million events each that differ in one value.
func BenchmarkAlign(b *testing.B) {
	const iterations = 1_000_000 / 7
	x, y := loopRun(iterations, -1, false), loopRun(iterations, iterations/2, false)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	events := 0
	for b.Loop() {
		al, err := align.Align(b.Context(), x, y)
		if err != nil || al.Count == 0 {
			b.Fatal(err)
		}
		events = x.Tree.Len()
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(events), "events")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/(1<<20), "MB/op")
}
