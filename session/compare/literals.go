package compare

import "strings"

// longestStamp limits how far before the first differing byte an explained part may begin. Stamps
// and addresses are shorter.
const longestStamp = 32

// explainText explains all differences between two literals by the rules: timestamps, and addresses
// in text that looks like a repr. If ok is false, at holds the offset of the first unexplained
// difference in each literal.
func (r Rules) explainText(predicted, real string) (used rule, at [2]int, ok bool) {
	i, j := 0, 0
	for {
		n := commonPrefix(predicted[i:], real[j:])
		if i+n == len(predicted) && j+n == len(real) {
			return used, at, true
		}
		// The part that a rule explains may begin before the first differing byte.
		var p, q int
		var by rule
		back := min(n, longestStamp)
		for ; back >= 0; back-- {
			if p, q, by = r.explainAt(predicted, real, i+n-back, j+n-back); by != 0 && max(p, q) > back && min(p, q) >= back {
				break
			}
		}
		if back < 0 {
			return 0, [2]int{i + n, j + n}, false
		}
		i, j = i+n-back+p, j+n-back+q
		used |= by
	}
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// explainAt looks for a rule that explains the difference between predicted[i:] and real[j:]. It
// returns the lengths of the explained parts p and q, and the rule, 0 for none.
func (r Rules) explainAt(predicted, real string, i, j int) (p, q int, by rule) {
	if r.Clocks && digitAt(predicted, i) && !digitAt(predicted, i-1) && !digitAt(real, j-1) {
		p, exact := stamp(predicted[i:])
		q, exact2 := stamp(real[j:])
		if p > 0 && q > 0 && predicted[i+dateLen] == real[j+dateLen] && (exact || exact2) &&
			!digitAt(predicted, i+p) && !digitAt(real, j+q) {
			return p, q, clocks
		}
	}
	if r.Addresses && inRepr(predicted, i) && inRepr(real, j) {
		p, q := len(beforeAngle(predicted[i:])), len(beforeAngle(real[j:]))
		if p > 0 && (q > 0 || strings.HasPrefix(real[j:], ">")) || q > 0 && strings.HasPrefix(predicted[i:], ">") {
			return p, q, addresses
		}
	}
	return 0, 0, 0
}

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && '0' <= s[i] && s[i] <= '9' }

// inRepr reports whether there is a "<" in the 200 bytes before offset at, as in the repr of an
// object.
func inRepr(s string, at int) bool {
	const near = 200
	return strings.IndexByte(s[max(at-near, 0):at], '<') >= 0
}

const dateLen = len("2026-11-21")

// stamp returns the length n of the ISO 8601 date and time at the beginning of s, 0 if there is
// none. exact reports whether it has at least three digits of a fraction of a second.
func stamp(s string) (n int, exact bool) {
	for _, part := range []struct {
		separators string
		digits     int
		least      int
		most       int
	}{{"", 4, 1970, 2099}, {"-", 2, 1, 12}, {"-", 2, 1, 31}, {"T ", 2, 0, 23}, {":", 2, 0, 59}} {
		if part.separators != "" {
			if n == len(s) || strings.IndexByte(part.separators, s[n]) < 0 {
				return 0, false
			}
			n++
		}
		value := 0
		for range part.digits {
			if !digitAt(s, n) {
				return 0, false
			}
			value = value*10 + int(s[n]-'0')
			n++
		}
		if value < part.least || value > part.most {
			return 0, false
		}
	}
	if !strings.HasPrefix(s[n:], ":") || !digitAt(s, n+1) || !digitAt(s, n+2) {
		return n, false
	}
	n += len(":00")
	if n == len(s) || s[n] != '.' && s[n] != ',' {
		return n, false
	}
	k := n + 1
	for digitAt(s, k) {
		k++
	}
	if k-n-1 < 3 {
		return n, false
	}
	return k, true
}
