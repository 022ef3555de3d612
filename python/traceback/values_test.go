package traceback

import (
	"slices"
	"testing"
)

// TestMarked checks which part of each source line the carets mark.
func TestMarked(t *testing.T) {
	for file, want := range map[string][]string{
		"shop-3.9":                {"", "", "", ""},
		"shop-3.12":               {"", "total(basket)", "price(item, discount)", "base // discount"},
		"shop-3.14":               {`main(sys.argv[1:] or ["apples", "pear"])`, "total(basket)", "price(item, discount)", "base // discount"},
		"broken-3.12":             {"="},
		"newer-long-3.14":         {"", "total(basket)", "price(item, discount)", "base // discount"},
		"newer-long-locals-3.14":  {"shop.total(basket)", "price(item, discount)", "base // discount"},
		"newer-short-locals-3.14": {"", "total(basket)", "price(item, discount)", "base // discount"},
	} {
		trace, err := Parse(readReal(t, file))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range trace.Frames {
			got = append(got, f.Marked)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
	if got := marked("x = \u8a9e + f(1)", "        ^^^^", 0); got != "" {
		t.Errorf("%q is marked behind a wide character", got)
	}
}

// TestIsCut checks which reprs count as shortened.
func TestIsCut(t *testing.T) {
	for text, want := range map[string]bool{
		"":                    false,
		"'a...b'":             false,
		`"it's … (["`:         false,
		`'\'...'`:             false,
		"[1, 2]":              false,
		"<f at 0x7f>":         false,
		"a > b":               false, // some reprs are not literals
		"[1, ...]":            true,
		"{'a': …}":            true,
		"'abc'+17":            true,
		"'abc' + 17":          false,
		"[1, 2":               true,
		"'abc":                true,
		`'abc\'`:              true,
		"array([[1, 2],\n   ": true,
		"\xff'\xff":           true,
	} {
		if got := isCut(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestArguments checks where each argument of a call ends.
func TestArguments(t *testing.T) {
	for text, want := range map[string][]Local{
		"a = 1":                       {{"a", "1", false}},
		"a=1, b='x, c=2', c=[1, 2]":   {{"a", "1", false}, {"b", "'x, c=2'", false}, {"c", "[1, 2]", false}},
		"a = (1, b = 2), c = {'d': 3": {{"a", "(1, b = 2)", false}, {"c", "{'d': 3", true}},
		"*args=(), **kw={}":           {{"args", "()", false}, {"kw", "{}", false}},
		"größe = 3":                   {{"größe", "3", false}},
		"a, b":                        nil,
		"1 = 2":                       nil,
		"":                            nil,
	} {
		got, ok := arguments(text)
		if !slices.Equal(got, want) || ok != (want != nil) {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// TestRichValues checks which values are read from the lines of a box of values.
func TestRichValues(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  []Local
	}{
		{[]string{" a = 1 ", "bc = 'x = 3' "}, []Local{{"a", "1", false}, {"bc", "'x = 3'", false}}},
		{[]string{" a = [", "     │   1,", "     │   (", "     │   │   'x',", "     │   ),", "     ]"}, []Local{{"a", "[1, ('x',)]", false}}},
		{[]string{" a = (", "     │   1,", "     │   2,", "     )"}, []Local{{"a", "(1, 2)", false}}},
		{[]string{" a = {", "     │   'x': [", "     │   │   1,", "     │   ],", "     │   'y': 2,", "     }"}, []Local{{"a", "{'x': [1], 'y': 2}", false}}},
		{[]string{" a = Point(", "     │   x=1,", "     │   y='b = 3',", "     )"}, []Local{{"a", "Point(x=1, y='b = 3')", false}}},
		{[]string{" a = 'some words", "     and more'", " b = 2"}, []Local{{"a", "'some words and more'", true}, {"b", "2", false}}},
		{[]string{" a = 'abc'+17"}, []Local{{"a", "'abc'+17", true}}},
		{[]string{" a = [", "     │   'abc…", "     │   1,", "     ]"}, []Local{{"a", "['abc… 1]", true}}},
	} {
		v := &richValues{column: -1}
		for _, line := range c.lines {
			v.line(line)
		}
		if got := v.finish(); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.lines, got, c.want)
		}
	}
}
