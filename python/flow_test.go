package python

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// follows returns the lines that can follow each line of a code object, as "1:2,3". leads is
// c.Follows or c.Catches.
func (c *Code) follows(lines int, leads func(line, after int) bool) string {
	var all []string
	for after := 1; after <= lines; after++ {
		var next []string
		for line := 1; line <= lines; line++ {
			if leads(line, after) {
				next = append(next, fmt.Sprint(line))
			}
		}
		if len(next) > 0 {
			all = append(all, fmt.Sprintf("%d:%s", after, strings.Join(next, ",")))
		}
	}
	return strings.Join(all, " ")
}

func TestFlow(t *testing.T) {
	for _, c := range []struct {
		name, source     string
		follows, catches string // lines that can follow normally, and after an exception
		leaves           []int
	}{
		{"one after the other", "a\nb\nc\n", "1:2 2:3", "", []int{3}},
		{"if", "if a:\n    b\nelif c:\n    d\nelse:\n    e\nf\n", "1:2,3 2:7 3:4,6 4:7 6:7", "", []int{7}},
		{"if alone", "if a:\n    b\n", "1:2", "", []int{1, 2}},
		{"while", "while a:\n    b\n    if c:\n        break\n    if d:\n        continue\n    e\nelse:\n    f\ng\n", "1:2,9 2:3 3:4,5 4:10 5:6,7 6:1,2 7:1,2 9:10", "", []int{10}},
		{"for", "for a in b:\n    c\n    d\ne\n", "1:2,4 2:3 3:1", "", []int{4}},
		{"for alone", "for a in b:\n    c\n", "1:2 2:1", "", []int{1}},
		{"try", "try:\n    a\n    b\nexcept A:\n    c\nexcept B:\n    d\nelse:\n    e\nf\n", "1:2 2:3 3:9 4:5,6 5:10 6:7 7:10 9:10", "2:4,6 3:4,6", []int{10}},
		{"finally", "try:\n    a\nfinally:\n    b\nc\n", "1:2 2:4 4:5", "", []int{4, 5}},
		{"with", "with a:\n    b\nc\n", "1:2,3 2:1", "", []int{1, 3}},
		{"raise", "raise a\nb\n", "", "", []int{2}},
		{"several lines", "a = [\n    b,\n    c,\n]\nd\n", "1:2,3,4,5 2:1,3,4,5 3:1,2,4,5 4:1,2,3,5", "", []int{5}},
		{"match", "match a:\n    case 1:\n        b\n    case _:\n        c\nd\n", "1:2,4 2:3,4 3:6 4:5,6 5:6", "", []int{6}},
		{"a comprehension comes again", "a = [b for b in c]\nd\n", "1:1,2", "", []int{2}},
		{"what is no Python", "a\nb =\nc\n", "1:2 2:3", "", []int{3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := ReadFlow([]byte(c.source)).Codes[0]
			n := strings.Count(c.source, "\n")
			if got := code.follows(n, code.Follows); got != c.follows {
				t.Errorf("lines follow %s, want %s", got, c.follows)
			}
			caught := code.follows(n, func(line, after int) bool { return code.Catches(line, after) && !code.Follows(line, after) })
			if caught != c.catches {
				t.Errorf("exceptions lead to %s, want %s", caught, c.catches)
			}
			var leaves []int
			for line := 1; line <= n; line++ {
				if code.Leaves(line) {
					leaves = append(leaves, line)
				}
			}
			if !slices.Equal(leaves, c.leaves) {
				t.Errorf("it ends at %v, want %v", leaves, c.leaves)
			}
		})
	}
}

func TestFlowOfFunctions(t *testing.T) {
	flow := ReadFlow([]byte(strings.Join([]string{
		"class A:", "    x = 1", "    def f(self, *rest):", "        '''text'''", "        for a in rest:", "            yield a",
		"        return lambda b: b", "", "@one", "@two", "def g():", "    return [c for c in (d for d in e)]", "",
	}, "\n")))
	var got []string
	for _, c := range flow.Codes {
		got = append(got, fmt.Sprintf("%s %d %s %v %v %v", c.Name, c.Line, c.Class, c.Params, c.Generator, c.Plain))
	}
	want := []string{
		"<module> 1  [] false false", "A 1  [] false false", "f 3 A [self rest] true false", "<lambda> 7  [b] false true",
		"g 9  [] false false", "<listcomp> 12  [] false true", "<genexpr> 12  [] true true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the codes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	f := flow.Codes[2]
	if !f.Start(5) || f.Start(4) || f.Start(6) || !f.Yields(6) || f.Yields(5) || f.Has(2) || !f.Has(7) {
		t.Errorf("f begins at 5, yields at 6 and has no line 2: %+v", f)
	}
	var names []string
	for _, line := range []int{1, 3, 6, 9, 11, 12} {
		for _, c := range flow.At(line) {
			names = append(names, fmt.Sprint(line, " ", c.Name))
		}
	}
	if want := []string{"1 A", "3 f", "6 f", "9 g", "12 <listcomp>", "12 <genexpr>"}; !slices.Equal(names, want) {
		t.Errorf("calls are at %v, want %v", names, want)
	}
}
