package values

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// told writes changes in the form "[0].a 1 was 2".
func told(found []Change, all int) string {
	var parts []string
	for _, c := range found {
		s := strings.Join(c.Path, "")
		if c.New != nil {
			s += " " + c.New.Text
		}
		if c.Old != nil {
			s += " was " + c.Old.Text
		}
		if (c.Kind == Added) != (c.Old == nil) || (c.Kind == Removed) != (c.New == nil) {
			s += " wrong kind"
		}
		parts = append(parts, s)
	}
	if all > len(found) {
		parts = append(parts, fmt.Sprintf("of %d", all))
	}
	return strings.Join(parts, "; ")
}

func TestChanges(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"[[0, 2], 3]", "[[1, 2], 3]", "[0][0] 1 was 0"},
		{"{'ann': 275, 'bob': 20}", "{'ann': 175, 'bob': 20}", "['ann'] 175 was 275"},
		{"Shelf(name='a', count=3)", "Shelf(name='a', count=9)", ".count 9 was 3"},
		{"[Shelf(name='a', count=3)]", "[Shelf(name='a', count=9)]", "[0].count 9 was 3"},
		{"[1, 2]", "[1, 2, 3]", "[2] 3"},
		{"[2, 3]", "[1, 2, 3]", "[0] 1"},
		{"[1, 2, 3]", "[1, 3]", "[1] was 2"},
		{"{'a': 1}", "{'a': 1, 'b': [2]}", "['b'] [2]"},
		{"{'a': 1, 'b': 2}", "{'b': 2}", "['a'] was 1"},
		{"{1, 2}", "{1, 2, 3}", " 3"},
		{"{<a>: 1}", "{<a>: 2}", "[<a>] 2 was 1"},
		{"Point(1, 2)", "Point(1, 3)", "[1] 3 was 2"},
		{"[]", "[1]", "[0] 1"},
		{"[1]", "[]", ""},
		{"[[]]", "[[1]]", "[0][0] 1"},
		{"[[1]]", "[[]]", "[0] [] was [1]"},
		{"[1, 2]", "(1, 2)", ""},
		{"3", "9", ""},
		{"'pear'", "'apple'", ""},
		{"[1, 2]", "[1, 2]", ""},
		{"['a', 'b']", "['b', 'a']", "[0] 'b' was 'a'; [1] 'a' was 'b'"},
		{"[1, 2, 3]", "[2, 3, 1]", "[2] 1; [0] was 1"},
		{"[1, 1, 1, 5]", "[0, 1, 1, 6]", "[0] 0 was 1; [3] 6 was 5"},
		{"[1, 2, 3, 4, 5]", "[6, 7, 8, 9, 0]", "[0] 6 was 1; [1] 7 was 2; of 5"},
		{"[1, … +4 items not stored]", "[1, … +5 items not stored]", ""},
		{"[1, … +4 items not stored]", "[2, … +5 items not stored]", "[0] 2 was 1"},
		{"deque([1, 2], maxlen=3)", "deque([1, 5], maxlen=3)", "[1] 5 was 2"},
		{"array([[ 0,  1],\n       [ 2,  3]])", "array([[  0,   1],\n       [102,   3]])", "[1][0] 102 was 2"},
		{"array([0.5, 1. ])", "array([ 0.5, -1. ])", "[1] -1. was 1."},
		{"['a  b']", "['a b']", "[0] 'a b' was 'a  b'"},
		{"[<a 1 2>]", "[<a 12>]", "[0] <a 12> was <a 1 2>"},
		{"OrderedDict([('a', 1)])", "OrderedDict([('a', 2)])", "['a'] 2 was 1"},
	} {
		found, all := Changes(Parse(c.old), Parse(c.now), 2)
		if got := told(found, all); got != c.want {
			t.Errorf("%s to %s:\n got %s\nwant %s", c.old, c.now, got, c.want)
		}
	}
}

// FuzzChanges checks that each child of a value is paired once or is new, and that every
// reported change is a change.
func FuzzChanges(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i+1)%len(seeds)])
		f.Add("["+s+", 1]", "["+s+", 2]")
	}
	f.Fuzz(func(t *testing.T, old, now string) {
		a, b := Parse(old), Parse(now)
		if p, ok := Pair(a, b); ok {
			if len(p.Before) != b.Len() {
				t.Fatalf("%d of %d children are paired", len(p.Before), b.Len())
			}
			all := slices.Concat(p.Before, p.Gone)
			all = slices.DeleteFunc(all, func(i int) bool { return i < 0 })
			slices.Sort(all)
			if n := len(slices.Compact(all)); len(all) != a.Len() && a.Len() > 0 && !hollow(a, b) || n != len(all) {
				t.Fatalf("old children %v of %d", all, a.Len())
			}
		}
		found, all := Changes(a, b, 5)
		if len(found) > 5 || len(found) > all {
			t.Fatalf("%d of %d", len(found), all)
		}
		for _, c := range found {
			if c.Old != nil && c.New != nil && c.Old.Text == c.New.Text {
				t.Fatalf("%v is as it was", c)
			}
		}
	})
}

// TestChangesOfLargeValue checks that the differences in a large value are found.
// BenchmarkChanges measures the time.
func TestChangesOfLargeValue(t *testing.T) {
	old := bigDict(10_000)
	now := strings.Replace(old, "'n9999'", "'other'", 1)
	found, all := Changes(Parse(old), Parse(now), 3)
	if got := told(found, all); got != "['key-9999'][1]['name'] 'other' was 'n9999'" {
		t.Error(got)
	}
}

func BenchmarkChanges(b *testing.B) {
	old := bigDict(10_000)
	now := strings.Replace(old, "'n9999'", "'other'", 1)
	for b.Loop() {
		Changes(Parse(old), Parse(now), 3)
	}
}
