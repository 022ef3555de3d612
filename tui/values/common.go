package values

import (
	"unicode"
	"unicode/utf8"
)

// run is n equal items in two sequences, from a and b on.
type run struct{ a, b, n int }

// maxSteps limits how many equal items common compares before it gives up.
const maxSteps = 10_000_000

// common returns the longest common subsequence of two sequences, after Myers, "An O(ND)
// Difference Algorithm" (1986). ok is false if they differ in more than most items, or if that
// would take too long. go-udiff's version silently drops common items beyond a hundred
// differences: of 1,000 items without every fifth it finds 404 of 800.
func common(n, m int, equal func(i, j int) bool, most int) (found []run, ok bool) {
	most = min(most, n+m)
	// furthest[k] is the furthest index of the first sequence that is reached on the diagonal k =
	// i - j with d differences.
	furthest := make([]int, 2*most+3)
	at := func(k int) *int { return &furthest[k+most+1] }
	var trace [][]int
	steps := 0
	for d := 0; d <= most; d++ {
		trace = append(trace, append([]int(nil), furthest[most+1-d:most+2+d]...))
		for k := -d; k <= d; k += 2 {
			var i int
			if k == -d || k != d && *at(k - 1) < *at(k + 1) {
				i = *at(k + 1)
			} else {
				i = *at(k - 1) + 1
			}
			j := i - k
			for i < n && j < m && equal(i, j) {
				i, j, steps = i+1, j+1, steps+1
			}
			if steps > maxSteps {
				return nil, false
			}
			if *at(k) = i; i >= n && j >= m {
				return retrace(trace, n, m), true
			}
		}
	}
	return nil, false
}

// retrace walks back from the end to find the runs of equal items. trace[d] holds the furthest
// indexes on the diagonals -d to d before the d-th difference.
func retrace(trace [][]int, i, j int) []run {
	var found []run
	for d := len(trace) - 1; d > 0; d-- {
		before := func(k int) int {
			if k < -d || k > d {
				return -1
			}
			return trace[d][k+d]
		}
		k, last := i-j, 0
		if k == -d || k != d && before(k-1) < before(k+1) {
			last = k + 1
		} else {
			last = k - 1
		}
		li := before(last)
		lj := li - last
		// From (li, lj) one difference, then equal items up to (i, j).
		si, sj := li, lj+1
		if last < k {
			si, sj = li+1, lj
		}
		if i > si {
			found = append(found, run{si, sj, i - si})
		}
		i, j = li, lj
	}
	if i > 0 {
		found = append(found, run{0, 0, i})
	}
	for a, b := 0, len(found)-1; a < b; a, b = a+1, b-1 {
		found[a], found[b] = found[b], found[a]
	}
	return found
}

// matches returns the matching elements of two values: those with the same key, or without keys
// the equal ones.
func matches(a, b *Node) []run {
	equal := func(i, j int) bool {
		if a.form != sequence && (a.spans[i].key > 0 || b.spans[j].key > 0) {
			return a.key(i) == b.key(j)
		}
		return a.element(i) == b.element(j)
	}
	start, n, m := 0, a.Len(), b.Len()
	for start < n && start < m && equal(start, start) {
		start++
	}
	end := 0
	for end < n-start && end < m-start && equal(n-1-end, m-1-end) {
		end++
	}
	var found []run
	if start > 0 {
		found = append(found, run{0, 0, start})
	}
	within, _ := common(n-start-end, m-start-end, func(i, j int) bool { return equal(start+i, start+j) }, diffEdits)
	for _, r := range within {
		found = append(found, run{start + r.a, start + r.b, r.n})
	}
	if end > 0 {
		found = append(found, run{n - end, m - end, end})
	}
	if a.form == sequence && n == m {
		return inPlace(n, equal, found)
	}
	return found
}

// inPlace matches the equal elements of two lists of n that have the same index, unless fewer are
// equal then: a replaced element, or two swapped ones, keep their places.
func inPlace(n int, equal func(i, j int) bool, found []run) []run {
	others := 2 * n // elements that found counts as added and removed
	for _, r := range found {
		others -= 2 * r.n
	}
	var runs []run
	for i := range n {
		last := len(runs) - 1
		switch {
		case !equal(i, i):
			others--
		case last >= 0 && runs[last].a+runs[last].n == i:
			runs[last].n++
		default:
			runs = append(runs, run{i, i, 1})
		}
		if others < 0 {
			return found
		}
	}
	return runs
}

// element returns the text of the i-th element with its key.
func (n *Node) element(i int) string { return n.Text[n.spans[i].start:n.spans[i].end] }

// characters splits a text into what a reader sees as characters: a letter with its accents is one,
// an escape such as \x1b too.
func characters(text string) []string {
	var parts []string
	for start, end := 0, 0; start < len(text); start = end {
		end = start + 1
		for end < len(text) && !between(text, end) {
			end++
		}
		parts = append(parts, text[start:end])
	}
	return parts
}

// between reports whether a position is between two characters, as far as the ten bytes before it
// show.
func between(text string, i int) bool {
	if i <= 0 || i >= len(text) {
		return true
	}
	if !utf8.RuneStart(text[i]) {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(text[i:]); r == 0x200d || unicode.Is(unicode.M, r) {
		return false
	}
	if r, _ := utf8.DecodeLastRuneInString(text[:i]); r == 0x200d {
		return false
	}
	// \U0001f600 is the longest escape.
	for j := i - 1; j >= 0 && j > i-10; j-- {
		if text[j] != '\\' {
			continue
		}
		slashes := 1
		for j-slashes >= 0 && text[j-slashes] == '\\' {
			slashes++
		}
		return slashes%2 == 0 || j+escape(text[j:]) <= i
	}
	return true
}

// escape returns the length of the escape at the beginning of a text.
func escape(text string) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case 'x':
		return 4
	case 'u':
		return 6
	case 'U':
		return 10
	}
	return 2
}
