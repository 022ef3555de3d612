package pasts

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/npdb/npdb/python"
)

func read(t testing.TB, text string) value {
	t.Helper()
	v, ok := python.ReadPlain(text)
	if !ok {
		t.Fatalf("%s is no literal", text)
	}
	return v
}

// TestEdits checks that the edits between two random lists turn one into the other.
func TestEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() []rune {
		out := make([]rune, random.IntN(9))
		for i := range out {
			out[i] = rune('a' + random.IntN(3))
		}
		return out
	}
	for range 2000 {
		a, b := draw(), draw()
		got, shift := slices.Clone(a), 0
		for _, e := range edits(a, b) {
			got = slices.Concat(got[:e.from+shift], b[e.begin:e.end], got[e.to+shift:])
			shift += (e.end - e.begin) - (e.to - e.from)
		}
		if !slices.Equal(got, b) {
			t.Fatalf("%q to %q: %v makes %q", string(a), string(b), edits(a, b), string(got))
		}
		if same := likeness(a, b) == 1; same != slices.Equal(a, b) {
			t.Fatalf("%q and %q: likeness %g", string(a), string(b), likeness(a, b))
		}
	}
}

// TestDistance checks that distance orders results by their similarity to the wanted one.
func TestDistance(t *testing.T) {
	for want, ordered := range map[string][]string{
		"'hello'":          {"'hello'", "'hellx'", "'heyyy'", "['h']"},
		"10":               {"10", "10.0", "11", "-50", "'10'"},
		"[1, 2, 3]":        {"[1, 2, 3]", "[1, 2]", "[]", "(1, 2, 3)"},
		"{'a': 1, 'b': 2}": {"{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", "{'a': 1}", "{}", "'a'"},
		"None":             {"None", "True"},
		"{1, 2}":           {"{2, 1}", "{1}", "{3}"},
	} {
		last := -1.0
		for _, text := range ordered {
			d := distance(read(t, text), read(t, want))
			if d <= last {
				t.Errorf("%s is at %g from %s, not farther than the one before (%g)", text, d, want, last)
			}
			if (d == 0) != (read(t, text).Text() == read(t, want).Text()) {
				t.Errorf("%s is at %g from %s", text, d, want)
			}
			last = d
		}
	}
}

// TestDerive checks that derive finds the arguments of common operations, given their result.
func TestDerive(t *testing.T) {
	for _, c := range []struct{ result, argument string }{
		{"'olleh'", "'hello'"},
		{"'HELLO'", "'hello'"},
		{"'a-b-c'", "['a', 'b', 'c']"},
		{"['a', 'b']", "'a-b'"},
		{"[2, 3]", "[1, 2]"},
		{"{'a': 2, 'b': 1}", "'aab'"},
		{"{1: 'x'}", "{'x': 1}"},
		{"[('a', 1)]", "{'a': 1}"},
		{"42", "'42'"},
		{"'42'", "42"},
		{"3", "'hel'"},
		{"3", "[1, 2, 3]"},
		{"['1', '2']", "[1, 2]"},
	} {
		all := derive(read(t, c.result), []value{read(t, "'-'")})
		if !slices.ContainsFunc(all, func(m made) bool { return m.value.Text() == c.argument }) {
			t.Errorf("%s is not made of %s", c.argument, c.result)
		}
	}
}
