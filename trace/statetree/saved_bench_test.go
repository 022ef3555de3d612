package statetree

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
)

// benchMemory bounds the pages of the loaded trees of the benchmarks.
const benchMemory = 64 << 20

// stored is a tree of ten million events, saved.
var stored = sync.OnceValue(func() *storedTree {
	s := newSynth()
	s.run(10_000_000)
	at := &storedTree{shelf: newShelf(), events: s.tree.Len()}
	begin := time.Now()
	root, err := s.tree.Save(at.put)
	if err != nil {
		panic(err)
	}
	at.root, at.took = root, time.Since(begin)
	return at
})

type storedTree struct {
	*shelf
	root   []byte
	events int
	took   time.Duration
}

func (s *storedTree) load(b *testing.B) *Tree {
	b.Helper()
	tree, err := Load(s.root, s.page, benchMemory)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

// BenchmarkLoad loads the tree and reads a state in its middle. It reports the bytes of the saved
// tree, the time that saving took, and the heap of a loaded tree after 20,000 states.
func BenchmarkLoad(b *testing.B) {
	s := stored()
	for b.Loop() {
		s.load(b).State(s.events / 2)
	}
	b.StopTimer()
	b.ReportMetric(float64(s.bytes+len(s.pack.EncodeAll(s.root, nil)))/float64(s.events), "bytes/event")
	b.ReportMetric(float64(s.took.Nanoseconds())/float64(s.events), "save-ns/event")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	tree := s.load(b)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		tree.State(random.IntN(s.events))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "heap-MB")
	if tree.Len() != s.events || tree.Err() != nil {
		b.Fatalf("%d events, %v", tree.Len(), tree.Err())
	}
}

// BenchmarkLoadedMoves measures each unconditional move from a random event of the tree after it
// was loaded, when no page is in memory. slowest-ns is the slowest move. Only the fastest of its
// three runs counts, because other processes may have disturbed the others.
func BenchmarkLoadedMoves(b *testing.B) {
	s := stored()
	for m := range dsl.Moves() {
		b.Run(m.String(), func(b *testing.B) {
			a := dsl.Action{Move: m}
			if m.TakesLines() {
				a.Lines = []dsl.Location{{Line: 2}, {Line: 22}}
			}
			random := rand.New(rand.NewPCG(1, 2))
			slowest := time.Duration(0)
			for b.Loop() {
				from := random.IntN(s.events)
				quickest := time.Duration(math.MaxInt64)
				for range 3 {
					b.StopTimer()
					tree := s.load(b)
					b.StartTimer()
					begin := time.Now()
					tree.Land(from, a)
					quickest = min(quickest, time.Since(begin))
				}
				slowest = max(slowest, quickest)
			}
			b.ReportMetric(float64(slowest.Nanoseconds()), "slowest-ns")
		})
	}
}

// BenchmarkLoadedStates reads random states of the tree, with room for a part of its pages.
func BenchmarkLoadedStates(b *testing.B) {
	s := stored()
	tree := s.load(b)
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		tree.State(random.IntN(s.events))
	}
}
