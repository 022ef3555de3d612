package statetree

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// synth appends an artificial CPU-bound program: a module that drives a long-lived
// generator, whose items go through nested loops and, now and then, a deep recursion.
// About 1.2 locals change at an event, one of them to a new text.
type synth struct {
	tree    *Tree
	counter int
	buf     []byte
}

const (
	synthModule = iota
	synthLoops
	synthRecursion
	synthGenerator
)

func newSynth() *synth {
	s := &synth{tree: New()}
	s.tree.AddFile(File{Path: "/p/main.py", Name: "main.py", Source: bytes.Repeat([]byte("pass\n"), 40)})
	s.tree.AddCode(Code{Name: "<module>"})
	s.tree.AddName(synthModule, "total")
	for _, name := range []string{"loops", "recursion", "generator"} {
		s.tree.AddCode(Code{
			Name: name, Fast: true, Generator: name == "generator",
			Names: []string{"n", "i", "j", "acc", "x"},
		})
	}
	return s
}

// fresh returns a new text: a number of seven digits or more.
func (s *synth) fresh() []byte {
	s.counter += 3
	s.buf = strconv.AppendInt(s.buf[:0], int64(1_000_000+s.counter), 10)
	return s.buf
}

func (s *synth) small(n int) []byte {
	s.buf = strconv.AppendInt(s.buf[:0], int64(n), 10)
	return s.buf
}

// line appends a line event that changes a local to a new text and, one time in five,
// another one to an old text.
func (s *synth) line(line int) {
	s.tree.Set(3, s.fresh(), false)
	if s.counter%5 == 0 {
		s.tree.Set(1, s.small(s.counter/15%100), false)
	}
	s.tree.Event(dsl.Line, line, dsl.NoReturn, nil)
}

func (s *synth) call(code, line int) {
	s.tree.Enter(code)
	s.tree.Set(0, s.small(line), false)
	s.tree.Event(dsl.Call, line, dsl.NoReturn, nil)
}

func (s *synth) recursion(depth int) {
	s.call(synthRecursion, 20)
	s.line(21)
	if depth > 0 {
		s.recursion(depth - 1)
	}
	s.line(22)
	s.tree.Event(dsl.Return, 22, dsl.Returned, s.small(depth))
}

func (s *synth) loops() {
	s.call(synthLoops, 10)
	for i := range 10 {
		s.line(11)
		for range 8 + i%3 {
			s.line(12)
			s.line(13)
		}
	}
	s.tree.Event(dsl.Return, 14, dsl.Returned, s.fresh())
}

// run appends about n events and finishes the tree.
func (s *synth) run(n int) {
	var generator uint32
	s.tree.Batch(func() { s.tree.Enter(synthModule) })
	for k := 0; s.tree.events.n() < n; k++ {
		s.tree.Batch(func() {
			s.tree.Set(0, s.fresh(), false)
			s.tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
			if k == 0 {
				generator = s.tree.Enter(synthGenerator)
			} else {
				s.tree.Resume(generator)
			}
			s.tree.Event(dsl.Call, 30, dsl.NoReturn, nil)
			s.line(31)
			s.tree.Event(dsl.Return, 31, dsl.Yielded, s.small(k%50))
			s.loops()
			if k%100 == 0 {
				s.recursion(500)
			}
		})
	}
	s.tree.Batch(func() {
		s.tree.Event(dsl.Line, 2, dsl.NoReturn, nil)
		s.tree.Finish()
	})
}

// BenchmarkAppend appends a million events, and reports the time and memory of each.
func BenchmarkAppend(b *testing.B) {
	for b.Loop() {
		var before, after runtime.MemStats
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&before)
		b.StartTimer()
		s := newSynth()
		s.run(1_000_000)
		b.StopTimer()
		runtime.GC()
		runtime.ReadMemStats(&after)
		n := float64(s.tree.Len())
		b.ReportMetric(float64(s.tree.Bytes())/n, "bytes/event")
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "heap/event")
		b.ReportMetric(float64(s.tree.texts.len())/n, "texts/event")
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1_000_000, "ns/event")
}

// BenchmarkAppendCalls is the same for a program that mainly calls functions.
func BenchmarkAppendCalls(b *testing.B) {
	for b.Loop() {
		s := newSynth()
		s.tree.Enter(synthModule)
		for s.tree.events.n() < 1_000_000 {
			s.recursion(20)
		}
		b.ReportMetric(float64(s.tree.Bytes())/float64(s.tree.Len()), "bytes/event")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1_000_000, "ns/event")
}

// BenchmarkDelegation moves over ten million events from the first line of a generator to
// its next line. The generator only delegates to another one, so its frame has one call
// and one yield for each item.
func BenchmarkDelegation(b *testing.B) {
	s := newSynth()
	t := s.tree
	t.Enter(synthModule)
	generator := t.Enter(synthGenerator)
	call := t.Event(dsl.Call, 30, dsl.NoReturn, nil)
	first := t.Event(dsl.Line, 31, dsl.NoReturn, nil)
	for t.events.n() < 10_000_000 {
		t.Event(dsl.Return, 31, dsl.Yielded, nil)
		t.Resume(generator)
		t.Event(dsl.Call, 31, dsl.NoReturn, nil)
	}
	last := t.Event(dsl.Return, 32, dsl.Returned, nil)
	t.Finish()
	for _, move := range []struct {
		from int
		dsl.Move
		to int
	}{
		{first, dsl.StepOver, last},
		{first, dsl.StepReturn, last},
		{last, dsl.InvStepOver, first},
		{last, dsl.InvStepReturn, call},
	} {
		b.Run(move.String(), func(b *testing.B) {
			for b.Loop() {
				if got := t.Land(move.from, dsl.Action{Move: move.Move}); got.Event != move.to {
					b.Fatalf("landed on %+v, want %d", got, move.to)
				}
			}
		})
	}
}

var large = sync.OnceValue(func() *Tree {
	s := newSynth()
	s.run(10_000_000)
	return s.tree
})

// BenchmarkMoves measures each unconditional move from random events of a recording of ten
// million.
func BenchmarkMoves(b *testing.B) {
	tree := large()
	for m := range dsl.Moves() {
		b.Run(m.String(), func(b *testing.B) {
			a := dsl.Action{Move: m}
			if m.TakesLines() {
				a.Lines = []dsl.Location{{Line: 2}, {Line: 22}}
			}
			random := rand.New(rand.NewPCG(1, 2))
			for b.Loop() {
				tree.Land(random.IntN(tree.events.n()), a)
			}
		})
	}
}

// BenchmarkState reads random states of a recording of ten million events.
func BenchmarkState(b *testing.B) {
	tree := large()
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		tree.State(random.IntN(tree.events.n()))
	}
}

// BenchmarkStack reads random stacks of the same recording.
func BenchmarkStack(b *testing.B) {
	tree := large()
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		tree.Stack(random.IntN(tree.events.n()))
	}
}
