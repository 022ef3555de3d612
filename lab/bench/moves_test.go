package bench

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace/statetree"
)

// grow returns a finished tree of at least n events. It is that of a module that repeatedly calls a
// recursive function with a loop:
//
//	def f(n):            # 1
//	    for i in range(9):   # 2
//	        x = i            # 3
//	    if n: f(n - 1)       # 4
//	    return x             # 5
//	while True: f(40)    # 6
func grow(n int) *statetree.Tree {
	const loops, depth = 9, 40
	t := statetree.New()
	t.Batch(func() {
		file := t.AddFile(statetree.File{Path: "/f.py", Name: "f.py"})
		module := t.AddCode(statetree.Code{File: file, Name: "<module>", QualName: "<module>", FirstLine: 1, LastLine: 6})
		function := t.AddCode(statetree.Code{
			File: file, Name: "f", QualName: "f", FirstLine: 1, LastLine: 5,
			Names: []string{"n", "i", "x"}, Fast: true,
		})
		var texts [depth + 1][]byte
		for i := range texts {
			texts[i] = strconv.AppendInt(nil, int64(i), 10)
		}
		var call func(n int)
		call = func(n int) {
			t.Enter(function)
			t.Set(0, texts[n], false)
			t.Event(dsl.Call, 1, dsl.NoReturn, nil)
			for i := range loops {
				t.Event(dsl.Line, 2, dsl.NoReturn, nil)
				t.Set(1, texts[i], false)
				t.Event(dsl.Line, 3, dsl.NoReturn, nil)
				t.Set(2, texts[i], false)
			}
			t.Event(dsl.Line, 2, dsl.NoReturn, nil)
			t.Event(dsl.Line, 4, dsl.NoReturn, nil)
			if n > 0 {
				call(n - 1)
			}
			t.Event(dsl.Line, 5, dsl.NoReturn, nil)
			t.Event(dsl.Return, 5, dsl.Returned, texts[loops-1])
		}
		t.Enter(module)
		for last := 0; last < n; {
			last = t.Event(dsl.Line, 6, dsl.NoReturn, nil)
			call(depth)
		}
		t.Event(dsl.Return, 6, dsl.Returned, []byte("None"))
		t.Finish()
	})
	return t
}

// BenchmarkTenMillionMoves measures each unconditional move from random events of a recording of ten
// million events. The target is one millisecond. An operation is the same move three times. slowest-ns
// is the time of the slowest move, for which only the fastest of its three runs counts, because other
// processes may have disturbed the others.
func BenchmarkTenMillionMoves(b *testing.B) {
	tree := grow(10_000_000)
	for _, move := range []dsl.Move{
		dsl.StepInto, dsl.StepOver, dsl.StepReturn, dsl.Continue, dsl.StepBlock, dsl.StepFunction,
		dsl.InvStepInto, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvContinue, dsl.InvStepBlock, dsl.InvStepFunction,
	} {
		b.Run(move.String(), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			var slowest time.Duration
			for b.Loop() {
				from := random.IntN(tree.Len())
				quickest := time.Duration(math.MaxInt64)
				for range 3 {
					begin := time.Now()
					tree.Land(from, dsl.Action{Move: move})
					quickest = min(quickest, time.Since(begin))
				}
				slowest = max(slowest, quickest)
			}
			b.ReportMetric(float64(slowest.Nanoseconds()), "slowest-ns")
		})
	}
}
