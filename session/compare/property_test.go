package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sample is a value written twice, the second time with differences that one rule each
// explains. It counts these.
type sample struct {
	t      *rapid.T
	used   rule
	leaves int
	// wrong is the number of the leaf that is wrong in the second text; -1 for none.
	wrong int
}

// write draws a value and returns its two texts. Inside a set no rule makes elements
// equal, because the wrong leaf could then match another one.
func (s *sample) write(depth int, inSet bool) (predicted, real string) {
	most := 9
	if depth == 0 {
		most = 6
	}
	switch kind := rapid.IntRange(0, most).Draw(s.t, "kind"); kind {
	case 7, 8:
		open, closing := "[", "]"
		if kind == 8 {
			open, closing = "Point(x=", ")"
		}
		var ps, rs []string
		for range rapid.IntRange(1, 4).Draw(s.t, "items") {
			p, r := s.write(depth-1, inSet)
			ps, rs = append(ps, p), append(rs, r)
		}
		return open + strings.Join(ps, ", ") + closing, open + strings.Join(rs, ", ") + closing
	case 9:
		n := rapid.IntRange(1, 4).Draw(s.t, "elements")
		ps, rs := make([]string, n), make([]string, n)
		order := rapid.Permutation(indexes(n)).Draw(s.t, "order")
		for i, at := range order {
			ps[i], rs[at] = s.write(depth-1, true)
			if i != at {
				s.used |= setOrder
			}
		}
		return "frozenset({" + strings.Join(ps, ", ") + "})", "frozenset({" + strings.Join(rs, ", ") + "})"
	default:
		return s.leaf(kind, inSet)
	}
}

func indexes(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func (s *sample) leaf(kind int, inSet bool) (predicted, real string) {
	number := s.leaves
	s.leaves++
	if number == s.wrong {
		// Different from any leaf below.
		return fmt.Sprintf("'right %d'", number), fmt.Sprintf("'wrong %d'", number)
	}
	// Leaves of one set differ from each other.
	switch kind {
	case 0:
		x := 1 + float64(number) + rapid.Float64Range(0, 0.5).Draw(s.t, "float")
		y := x
		if rapid.Bool().Draw(s.t, "noise") {
			y = math.Nextafter(x, 1e9)
		}
		s.used |= when(x != y, floatNoise)
		return pythonFloat(x), pythonFloat(y)
	case 1:
		if inSet {
			break
		}
		s.used |= addresses
		return fmt.Sprintf("<A %d at 0x7f%06d>", number, number), fmt.Sprintf("<A %d at 0x7e%06d>", number, number)
	case 2:
		if inSet {
			break
		}
		s.used |= ids
		return strconv.Itoa(140347012345600 + 16*number), strconv.Itoa(140347099999984 - 16*number)
	case 3:
		if inSet {
			break
		}
		s.used |= clocks
		return fmt.Sprintf("'%d: 2024-05-01T12:00:00.%06d'", number, number), fmt.Sprintf("'%d: 2026-05-01T12:00:00.%06d'", number, number)
	case 4:
		if inSet {
			break
		}
		s.used |= clocks
		return fmt.Sprintf("datetime.datetime(2024, 5, 1, 12, 0, 1, %d)", 1+number), fmt.Sprintf("datetime.datetime(2026, 5, 1, 12, 0, 1, %d)", 2+number)
	}
	text := rapid.SampledFrom([]string{"%d", "'%d'", "'{%d, 1}'", "'it\\'s %d'", `"<%d"`, "{'a': %d}", "<C.A: %d>"}).Draw(s.t, "text")
	text = fmt.Sprintf(text, number)
	return text, text
}

func when(is bool, r rule) rule {
	if is {
		return r
	}
	return 0
}

func pythonFloat(x float64) string {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// TestRulesExplain checks that with all rules two texts with allowed differences are the
// same, and that the verdict names only rules that were needed. Without a needed rule they
// differ.
func TestRulesExplain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &sample{t: t, wrong: -1}
		p, r := s.write(3, false)
		v := compareValue(p, r, All())
		if v.Kind != Same {
			t.Fatalf("%s | %s: %+v", p, r, v)
		}
		if p == r {
			return
		}
		for i, info := range ruleTable {
			if strings.Contains(v.Rule, info.Name) && s.used&(1<<i) == 0 {
				t.Fatalf("%s | %s: needs %q, drawn was %q", p, r, v.Rule, names(s.used))
			}
			rules := All()
			*info.field(&rules) = false
			needed := strings.Contains(v.Rule, info.Name)
			if v := compareValue(p, r, rules); (v.Kind == Same) == needed {
				t.Fatalf("%s | %s without %s: %+v", p, r, info.Name, v)
			}
		}
		if v := compareValue(p, r, Rules{}); v.Kind != Differs {
			t.Fatalf("%s | %s without rules: %+v", p, r, v)
		}
	})
}

// TestRulesHideNothing checks that one wrong leaf makes the value differ, whatever the
// rules explain around it.
func TestRulesHideNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &sample{t: t, wrong: rapid.IntRange(0, 5).Draw(t, "wrong")}
		p, r := s.write(3, false)
		if s.leaves <= s.wrong {
			return
		}
		if v := compareValue(p, r, All()); v.Kind != Differs {
			t.Fatalf("%s | %s: %+v", p, r, v)
		}
	})
}

// FuzzValue checks that no text makes the comparison fail or take forever, that it is
// symmetric, and that a value equals itself.
func FuzzValue(f *testing.F) {
	for _, pair := range [][2]string{
		{"{1, 2}", "{2, 1}"},
		{"<A at 0x7f01>", "<A>"},
		{"'a'… +3 chars not stored", "b'ab"},
		{"[1, … +3 items not stored]", "[1, 2"},
		{"datetime.datetime(2024, 5, 1, 12, 0, 7, 1)", "datetime.datetime(2024, 5, 1, 12, 0)"},
		{"'2024-05-01T12:00:00.123456'", "'2026-11-21T20:30:37.987654'"},
		{"{<a, {1}", "{{1}, <a>}"},
		{"'… +1 chars", "b… +1 chars"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, p, r string) {
		v, turned := compareValue(p, r, All()), compareValue(r, p, All())
		if unrendered(p) || unrendered(r) {
			return
		}
		if v.Kind != turned.Kind {
			t.Fatalf("%q | %q: %s, turned %s", p, r, v.Kind, turned.Kind)
		}
		if v := compareValue(p, p, All()); v.Kind.Wrong() {
			t.Fatalf("%q is not like itself: %+v", p, v)
		}
		if v := compareValue(p, r, Rules{}); v.Kind == Same && p != r {
			t.Fatalf("%q | %q: same without rules", p, r)
		}
		v.Field, v.Name = Local, "x"
		_ = v.String()
	})
}
