package statetree

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// atoms returns the values of the first n ints.
func atoms(tree *Tree, n int) []Value {
	values := make([]Value, n)
	for k := range values {
		values[k] = tree.Atom(fmt.Append(nil, k))
	}
	return values
}

// bigList returns a tree with a list of 10⁵ ints; each event changes one of them.
func bigList(events int, splices bool) *Tree {
	const size = 100_000
	tree := objectTree()
	values := atoms(tree, size)
	random := rand.New(rand.NewPCG(1, 2))
	_ = tree.PutWhole(0, formList, size, values)
	tree.SetValue(0, ObjectValue(0))
	for range events {
		if splices {
			at := random.IntN(size)
			_ = tree.PutSplice(0, at, 1, nil)
			at = random.IntN(size)
			_ = tree.PutSplice(0, at, 0, values[at:at+1])
		} else {
			at := random.IntN(size)
			_ = tree.PutItem(0, at, values[at/2])
		}
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	return tree
}

// BenchmarkObjectState reads random states with a list of 10⁵ elements.
func BenchmarkObjectState(b *testing.B) {
	for _, splices := range []bool{false, true} {
		b.Run(fmt.Sprint("splices=", splices), func(b *testing.B) {
			tree := bigList(100_000, splices)
			random := rand.New(rand.NewPCG(3, 4))
			b.ReportMetric(float64(tree.objects.bytes())/100_000, "bytes/event")
			b.ResetTimer()
			for b.Loop() {
				tree.State(random.IntN(tree.Len()))
			}
		})
	}
}

// BenchmarkChanged lists the changes at random events of it.
func BenchmarkChanged(b *testing.B) {
	tree := bigList(10_000, false)
	random := rand.New(rand.NewPCG(3, 4))
	for b.Loop() {
		tree.Changed(random.IntN(tree.Len()))
	}
}

// BenchmarkVersions searches a million versions of an object.
func BenchmarkVersions(b *testing.B) {
	const events = 1_000_000
	tree := objectTree()
	_ = tree.PutWhole(0, formObject, 1, []Value{tree.Atom([]byte("n")), tree.Atom([]byte("0"))})
	tree.SetValue(0, ObjectValue(0))
	name := tree.Atom([]byte("n"))
	values := atoms(tree, 1000)
	for k := range events {
		_ = tree.PutEntry(0, name, values[k%1000])
		tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	random := rand.New(rand.NewPCG(3, 4))
	b.Run("after", func(b *testing.B) {
		for b.Loop() {
			tree.VersionAfter(0, random.IntN(events-1))
		}
	})
	b.Run("upTo", func(b *testing.B) {
		for b.Loop() {
			tree.VersionUpTo(0, random.IntN(events))
		}
	})
	b.Run("entry", func(b *testing.B) {
		for b.Loop() {
			tree.Entry(0, random.IntN(events), "n")
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if n := len(versions(tree, 0, -1, events)); n != events {
				b.Fatalf("%d versions", n)
			}
		}
	})
	b.Run("bindings", func(b *testing.B) {
		for b.Loop() {
			tree.Bindings(0, "x", -1, events)
		}
	})
}

// BenchmarkPut appends a million events, each with a version of an object, and reports the
// time and memory of each.
func BenchmarkPut(b *testing.B) {
	const events = 1_000_000
	for _, c := range []struct {
		name string
		put  func(tree *Tree, k int, values []Value)
	}{
		{"new", func(tree *Tree, k int, values []Value) {
			_ = tree.PutWhole(Object(k), formObject, 3, []Value{values[0], values[k%1000], values[1], values[k/7%1000], values[2], ObjectValue(Object(k / 2))})
			tree.SetValue(0, ObjectValue(Object(k)))
		}},
		{"attribute", func(tree *Tree, k int, values []Value) {
			if k < 1000 {
				_ = tree.PutWhole(Object(k), formObject, 3, []Value{values[0], values[1], values[1], values[1], values[2], ObjectValue(Object(k))})
			}
			_ = tree.PutEntry(Object(k%min(k+1, 1000)), values[1], values[k/11%1000])
		}},
		{"append", func(tree *Tree, k int, values []Value) {
			if k == 0 {
				_ = tree.PutWhole(0, formList, 0, nil)
			}
			_ = tree.PutSplice(0, k, 0, values[k%1000:k%1000+1])
		}},
		{"key", func(tree *Tree, k int, values []Value) {
			if k == 0 {
				_ = tree.PutWhole(0, formDict, 0, nil)
			}
			_ = tree.PutEntry(0, tree.Atom(fmt.Append(nil, k)), values[k%1000])
		}},
		{"item", func(tree *Tree, k int, values []Value) {
			if k == 0 {
				_ = tree.PutWhole(0, formList, 100_000, slices.Repeat(values, 100))
			}
			_ = tree.PutItem(0, k*7919%100_000, values[k%1000])
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				var before, after runtime.MemStats
				b.StopTimer()
				runtime.GC()
				runtime.ReadMemStats(&before)
				tree := objectTree()
				values := atoms(tree, 1000)
				b.StartTimer()
				for k := range events {
					c.put(tree, k, values)
					tree.Event(dsl.Line, 1, dsl.NoReturn, nil)
				}
				b.StopTimer()
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(tree.Bytes())/events, "bytes/event")
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/events, "heap/event")
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
		})
	}
}
