package compare

import (
	"math"
	"strconv"
	"strings"
)

// numbers reports whether a rule explains the difference of two numbers.
func (m *matcher) numbers(a, b token) bool {
	p, r := m.texts[0].in(a), m.texts[1].in(b)
	switch {
	case m.rules.FloatNoise && nearFloats(p, r):
		m.used |= floatNoise
	case m.rules.Clocks && sinceEpoch(p, r):
		m.used |= clocks
	case m.objects(a, b):
		if !m.paired.add(p, r) {
			return false
		}
		if p[:2] == "0x" {
			m.used |= addresses
		} else {
			m.used |= ids
		}
	default:
		return false
	}
	return true
}

// relativeNoise is the largest relative difference of two floats that counts as a rounding error.
const relativeNoise = 1e-12

// nearFloats reports whether both texts are floats, or imaginary parts, and differ only by a
// rounding error.
func nearFloats(p, r string) bool {
	p, imaginary := strings.CutSuffix(p, "j")
	r, too := strings.CutSuffix(r, "j")
	if imaginary != too || !imaginary && (!isFloat(p) || !isFloat(r)) {
		return false
	}
	x, err := strconv.ParseFloat(p, 64)
	y, err2 := strconv.ParseFloat(r, 64)
	if err != nil || err2 != nil {
		return false
	}
	// Number tokens have no sign, so 0 and a tiny number may differ in sign: that is not rounding.
	// Two spellings of one number are not rounding either, because repr has only one.
	if x == 0 || y == 0 || x == y {
		return false
	}
	return math.Abs(x-y) <= relativeNoise*max(x, y) || math.Nextafter(x, y) == y
}

// isFloat reports whether a number is written as a Python float.
func isFloat(s string) bool {
	return !strings.HasPrefix(s, "0x") && !strings.Contains(s, "_") && strings.ContainsAny(s, ".e")
}

// objects reports whether both numbers identify an object: an address after " at ", or an integer
// that looks like a result of id().
func (m *matcher) objects(a, b token) bool {
	p, r := m.texts[0].in(a), m.texts[1].in(b)
	if strings.HasPrefix(p, "0x") && strings.HasPrefix(r, "0x") {
		return m.rules.Addresses && m.texts[0].address(a) && m.texts[1].address(b)
	}
	return m.rules.IDs && looksLikeID(p) && looksLikeID(r)
}

// minAddress is the minimum number of hexadecimal digits of an address. An address before ">" may
// have fewer, as in npdb's recordings.
const minAddress = 6

// address reports whether a hexadecimal number is an object's address: it follows " at ", and is
// long enough or stands before ">".
func (l *lexer) address(t token) bool {
	if !strings.HasSuffix(l.text[:t.start], " at ") || len(hexDigits(l.text[t.start+2:t.end])) != t.end-t.start-2 {
		return false
	}
	return t.end-t.start-2 >= minAddress || strings.HasPrefix(l.text[t.end:], ">")
}

// hexDigits returns the hexadecimal digits at the beginning of a text.
func hexDigits(s string) string {
	i := 0
	for i < len(s) && ('0' <= s[i] && s[i] <= '9' || 'a' <= s[i] && s[i] <= 'f' || 'A' <= s[i] && s[i] <= 'F') {
		i++
	}
	return s[:i]
}

// idRanges lists the address ranges of malloc and mmap on 64-bit Linux and macOS: the heaps of
// x86-64 and aarch64, their mappings, and the heap of macOS.
var idRanges = [][2]uint64{
	{0x5500_0000_0000, 0x5700_0000_0000},
	{0x7e00_0000_0000, 0x8000_0000_0000},
	{0xaaaa_0000_0000, 0xaaac_0000_0000},
	{0xfff0_0000_0000, 0xffff_ffff_ffff},
	{0x6000_0000_0000, 0x6100_0000_0000},
}

// looksLikeID reports whether a decimal number may be a result of id(): a multiple of 16 in one of
// the idRanges.
func looksLikeID(s string) bool {
	if len(s) < 14 || len(s) > 15 {
		return false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n%16 != 0 {
		return false
	}
	for _, r := range idRanges {
		if r[0] <= n && n < r[1] {
			return true
		}
	}
	return false
}

// pairing maps the addresses or ids in the predicted value to those in the real one, one to one. A
// nil pairing accepts every pair.
type pairing struct{ there, back map[string]string }

// add records that two addresses or ids are the same object. It reports whether that is consistent
// with the earlier pairs.
func (p *pairing) add(predicted, real string) bool {
	if p == nil {
		return true
	}
	if p.there == nil {
		p.there, p.back = map[string]string{}, map[string]string{}
	}
	r, ok := p.there[predicted]
	q, ok2 := p.back[real]
	if !ok && !ok2 {
		p.there[predicted], p.back[real] = real, predicted
		return true
	}
	return ok && ok2 && r == real && q == predicted
}

// droppedAddress explains an " at 0x…" before ">" that only one of the texts has. npdb's recordings
// leave such addresses out.
func (m *matcher) droppedAddress(a, b token) bool {
	if !m.rules.Addresses {
		return false
	}
	starts := [2]int{a.start, b.start}
	for i := range starts {
		with, without := m.texts[i].text[starts[i]:], m.texts[1-i].text[starts[1-i]:]
		n := len(beforeAngle(with))
		if n == 0 || !strings.HasPrefix(without, ">") {
			continue
		}
		m.texts[i].pos, m.texts[1-i].pos = starts[i]+n, starts[1-i]
		m.used |= addresses
		return true
	}
	return false
}

// beforeAngle returns the " at 0x…" that a text begins with, "" if there is none or if no ">"
// follows it.
func beforeAngle(s string) string {
	const at = " at 0x"
	if !strings.HasPrefix(s, at) {
		return ""
	}
	n := len(hexDigits(s[len(at):]))
	if n == 0 || !strings.HasPrefix(s[len(at)+n:], ">") {
		return ""
	}
	return s[:len(at)+n]
}
