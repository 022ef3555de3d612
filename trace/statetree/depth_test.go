package statetree

import (
	"testing"

	"pgregory.net/rapid"
)

type depthList []uint32

func (l depthList) depth(i int) uint32 { return l[i] }

// TestMinima compares searches by depth with a scan, over walks long enough
// for four levels of blocks.
func TestMinima(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list depthList
		var m minima
		depth := uint32(0)
		runs := rapid.SliceOfN(rapid.SampledFrom([]int{1, 2, 3, -1, -2, -3, 60, -60, 5000, -5000, 100_000}), 1, 12).Draw(t, "runs")
		for _, run := range runs {
			// A run goes one step at a time for small depths, at once for large ones, and
			// stays there for a while.
			step := run
			if run > 3000 || run < -3000 {
				step = run / 50
			}
			for range 64 * 3 {
				depth = uint32(max(0, int(depth)+step))
				list = append(list, depth)
				m.add(list, depth)
				step = -step
			}
			depth = uint32(max(0, int(depth)+run))
		}
		for range 200 {
			from := rapid.IntRange(0, len(list)-1).Draw(t, "from")
			most := list[rapid.IntRange(0, len(list)-1).Draw(t, "depth of")]
			if rapid.Bool().Draw(t, "less") && most > 0 {
				most--
			}
			first, last := from, from
			for first < len(list) && list[first] > most {
				first++
			}
			if first == len(list) {
				first = -1
			}
			for last >= 0 && list[last] > most {
				last--
			}
			if got := m.first(list, 0, from, most); got != first {
				t.Fatalf("first from %d of at most %d: %d, want %d", from, most, got, first)
			}
			if got := m.last(list, 0, from, most); got != last {
				t.Fatalf("last up to %d of at most %d: %d, want %d", from, most, got, last)
			}
		}
	})
}

// TestMinimaLarge checks five levels, with a minimum millions of events away.
func TestMinimaLarge(t *testing.T) {
	const n = fan * fan * fan * fan / 4
	list := make(depthList, n)
	var m minima
	for i := range list {
		list[i] = uint32(2 + i%7)
		if i == 12_345 {
			list[i] = 1
		}
		m.add(list, list[i])
	}
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"first ahead", m.first(list, 0, 0, 1), 12_345},
		{"first itself", m.first(list, 0, 12_345, 1), 12_345},
		{"first behind", m.first(list, 0, 12_346, 1), -1},
		{"last ahead", m.last(list, 0, n-1, 1), 12_345},
		{"last behind", m.last(list, 0, 12_344, 1), -1},
		{"none so low", m.first(list, 0, 0, 0), -1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
}
