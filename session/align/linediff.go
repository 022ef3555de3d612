package align

import (
	"slices"
	"strings"
)

const (
	mostTable  = 1 << 20 // maximum number of cells of a table of two texts' lines
	leastAlike = 0.5     // similarity from which on two lines of a hunk are one edited line
)

// pairLines returns for each line of a the line of b that it corresponds to, or -1. Equal lines are
// paired by a line diff. In a hunk, lines are paired with the ones that replaced them.
func pairLines(a, b []string) []int {
	d := &lineDiff{a: a, b: b, to: make([]int, len(a))}
	for i := range d.to {
		d.to[i] = -1
	}
	d.equal(0, len(a), 0, len(b))
	d.hunks()
	return d.to
}

type lineDiff struct {
	a, b []string
	to   []int
}

// equal pairs equal lines of a[i:m] and b[j:n]: common ones at both ends, then lines that are unique in
// both, and what lies between these.
func (d *lineDiff) equal(i, m, j, n int) {
	for i < m && j < n && d.a[i] == d.b[j] {
		d.to[i] = j
		i, j = i+1, j+1
	}
	for i < m && j < n && d.a[m-1] == d.b[n-1] {
		m, n = m-1, n-1
		d.to[m] = n
	}
	if i == m || j == n {
		return
	}
	anchors := d.anchors(i, m, j, n)
	if len(anchors) == 0 {
		d.longest(i, m, j, n)
		return
	}
	for _, at := range anchors {
		d.equal(i, at[0], j, at[1])
		d.to[at[0]] = at[1]
		i, j = at[0]+1, at[1]+1
	}
	d.equal(i, m, j, n)
}

// anchors returns pairs of equal lines that occur once in a[i:m] and once in b[j:n], in ascending order
// on both sides: the longest such list.
func (d *lineDiff) anchors(i, m, j, n int) [][2]int {
	type count struct{ a, b, at int }
	seen := map[string]*count{}
	at := func(line string) *count {
		if seen[line] == nil {
			seen[line] = &count{}
		}
		return seen[line]
	}
	for k := j; k < n; k++ {
		c := at(d.b[k])
		c.b++
		c.at = k
	}
	for k := i; k < m; k++ {
		at(d.a[k]).a++
	}
	var both [][2]int
	for k := i; k < m; k++ {
		if c := seen[d.a[k]]; c.a == 1 && c.b == 1 && strings.TrimSpace(d.a[k]) != "" {
			both = append(both, [2]int{k, c.at})
		}
	}
	return ascending(both)
}

// ascending returns the longest subsequence whose second numbers ascend.
func ascending(list [][2]int) [][2]int {
	var ends []int // by length: index of the subsequence's last pair with the lowest number
	before := make([]int, len(list))
	for k, p := range list {
		at, _ := slices.BinarySearchFunc(ends, p[1], func(end, want int) int { return list[end][1] - want })
		before[k] = -1
		if at > 0 {
			before[k] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, k)
		} else {
			ends[at] = k
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out [][2]int
	for k := ends[len(ends)-1]; k >= 0; k = before[k] {
		out = append(out, list[k])
	}
	slices.Reverse(out)
	return out
}

// longest pairs equal lines by their longest common subsequence, unless the texts are too large.
func (d *lineDiff) longest(i, m, j, n int) {
	d.best(i, m, j, n, func(x, y string) float64 {
		if x == y {
			return 1
		}
		return 0
	})
}

// best pairs lines of a[i:m] and b[j:n] in order so that the sum of score is highest.
func (d *lineDiff) best(i, m, j, n int, score func(x, y string) float64) {
	rows, columns := m-i, n-j
	if (rows+1)*(columns+1) > mostTable {
		return
	}
	sums := make([]float64, (rows+1)*(columns+1))
	at := func(r, c int) *float64 { return &sums[r*(columns+1)+c] }
	for r := rows - 1; r >= 0; r-- {
		for c := columns - 1; c >= 0; c-- {
			*at(r, c) = max(*at(r+1, c), *at(r, c+1))
			if s := score(d.a[i+r], d.b[j+c]); s > 0 {
				*at(r, c) = max(*at(r, c), s+*at(r+1, c+1))
			}
		}
	}
	for r, c := 0, 0; r < rows && c < columns; {
		switch s := score(d.a[i+r], d.b[j+c]); {
		case s > 0 && *at(r, c) == s+*at(r+1, c+1):
			d.to[i+r] = j + c
			r, c = r+1, c+1
		case *at(r, c) == *at(r+1, c):
			r++
		default:
			c++
		}
	}
}

// hunks pairs the lines of each hunk: one by one if it has as many lines on both sides, else those that
// are alike.
func (d *lineDiff) hunks() {
	i, j := 0, 0
	for i < len(d.a) || j < len(d.b) {
		m := i
		for m < len(d.a) && d.to[m] < 0 {
			m++
		}
		n := len(d.b)
		if m < len(d.a) {
			n = d.to[m]
		}
		if m-i == n-j {
			for k := range m - i {
				d.to[i+k] = j + k
			}
		} else {
			d.best(i, m, j, n, alike)
		}
		i, j = m+1, n+1
	}
}

// alike returns the share of two lines that their common beginning and end make up, or 0 below
// leastAlike.
func alike(x, y string) float64 {
	x, y = strings.TrimSpace(x), strings.TrimSpace(y)
	short := min(len(x), len(y))
	if short == 0 {
		return 0
	}
	front, back := 0, 0
	for front < short && x[front] == y[front] {
		front++
	}
	for back < short-front && x[len(x)-1-back] == y[len(y)-1-back] {
		back++
	}
	if share := 2 * float64(front+back) / float64(len(x)+len(y)); share >= leastAlike {
		return share
	}
	return 0
}
