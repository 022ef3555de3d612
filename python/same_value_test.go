package python

import "testing"

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		a, b          string
		same, decided bool
	}{
		{"1", "1", true, true},
		{"1", "1.0", false, true},
		{"True", "1", false, true},
		{"1000.0", "1e3", true, true},
		{"-0.0", "0.0", false, true},
		{"nan", "nan", true, true},
		{`"a"`, "'a'", true, true},
		{"'a'", "b'a'", false, true},
		{"(1+2j)", "1+2j", true, true},
		{"{1, 2, 3}", "{3, 2, 1}", true, true},
		{"{1, True}", "{1}", true, true},
		{"{1}", "{True}", false, true},
		{"frozenset({1, 2})", "frozenset({2, 1})", true, true},
		{"frozenset({1, 2})", "{2, 1}", false, true},
		{"[{'a', 'b'}, 1]", "[{'b', 'a'}, 1]", true, true},
		{"{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", false, true}, // the order of a dict matters
		{"{'a': 1}", "{'a': 1}", true, true},
		{"Bag(of={'a', 'b'}, n=1.0)", "Bag(of={'b', 'a'}, n=1.)", true, true},
		{"Bag(of={'a'}, n=1)", "Bag(of={'a'}, n=2)", false, true},
		{"Bag(of={'a'}, n=1)", "Bag(of={'a'}, m=1)", false, true},
		{"{Bag(1), Bag(2)}", "{Bag(2), Bag(1)}", true, true},
		{"{Bag(1), Bag(2)}", "{Bag(2), Bag(2)}", false, true},
		{"<Bag object at 0x7f01>", "<Bag object>", true, true},
		{"<Bag object>", "<Box object>", false, true},
		{"'abc… +1,234 chars not stored", "'abcd'", false, false},
		{"deque([1, 2])", "[1, 2]", false, true},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := c.a, c.b
			if swapped {
				a, b = b, a
			}
			if same, decided := SameValue(a, b); same != c.same || decided != c.decided {
				t.Errorf("SameValue(%s, %s) = %v, %v", a, b, same, decided)
			}
		}
	}
}
