package pasts

import "slices"

// edit replaces a[from:to] by b[begin:end].
type edit struct{ from, to, begin, end int }

const mostDiffed = 300 // the most items of a list that are compared

// common returns a table of the lengths of the longest common subsequences: at [i][j] that of a[i:] and
// b[j:].
func common[T comparable](a, b []T) [][]uint16 {
	table := make([][]uint16, len(a)+1)
	cells := make([]uint16, (len(a)+1)*(len(b)+1))
	for i := range table {
		table[i] = cells[i*(len(b)+1) : (i+1)*(len(b)+1)]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// edits returns the edits that turn a into b, in order.
func edits[T comparable](a, b []T) []edit {
	if len(a) > mostDiffed || len(b) > mostDiffed {
		return []edit{{0, len(a), 0, len(b)}}
	}
	table := common(a, b)
	var out []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
			continue
		}
		e := edit{from: i, begin: j}
		for (i < len(a) || j < len(b)) && (i == len(a) || j == len(b) || a[i] != b[j]) {
			if j == len(b) || i < len(a) && table[i+1][j] >= table[i][j+1] {
				i++
			} else {
				j++
			}
		}
		e.to, e.end = i, j
		out = append(out, e)
	}
	return out
}

// likeness returns the share of items that two lists have in common, in the same order: 1 for equal
// lists.
func likeness[T comparable](a, b []T) float64 {
	if len(a) > mostDiffed {
		a = a[:mostDiffed]
	}
	if len(b) > mostDiffed {
		b = b[:mostDiffed]
	}
	if len(a)+len(b) == 0 || slices.Equal(a, b) {
		return 1
	}
	return 2 * float64(common(a, b)[0][0]) / float64(len(a)+len(b))
}
