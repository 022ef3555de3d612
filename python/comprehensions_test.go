package python

import (
	"fmt"
	"testing"
)

// TestComprehensions checks the comprehensions that are found, and their fields.
func TestComprehensions(t *testing.T) {
	for source, want := range map[string]string{
		"x = [a for a in y]":                       "[{<listcomp> 1 1 [a] true false true}]",
		"x = {a: b for a, b in y}":                 "[{<dictcomp> 1 1 [a b] true false true}]",
		"def f(): pass\nx = f(), {a for a in y}":   "[{<setcomp> 2 2 [a] false false true}]",
		"def f(v): pass\nx = [f(a) for a in y]":    "[{<listcomp> 2 2 [a] true true true}]",
		"def f(): pass\nx = [a for a in f()]":      "[{<listcomp> 2 2 [a] false false true}]",
		"print(sum([a for a in y]))":               "[{<listcomp> 1 1 [a] true false true}]",
		"def f():\n  return [\n   a for a in y]":   "[{<listcomp> 2 3 [a] true false false}]",
		"x = lambda: [a for a in y]":               "[{<listcomp> 1 1 [a] false false false}]",
		"x = y or [a for a in y]":                  "[{<listcomp> 1 1 [a] false false true}]",
		"x = [[b for b in a] for a in y]":          "[{<listcomp> 1 1 [a] true true true} {<listcomp> 1 1 [b] false false false}]",
		"x = list(a for a in y)":                   "[]",
		"if [a for a in y]:\n  z = [b for b in y]": "[{<listcomp> 1 1 [a] true false true} {<listcomp> 2 2 [b] true false true}]",
	} {
		if got := fmt.Sprint(Comprehensions([]byte(source))); got != want {
			t.Errorf("%s\nis   %s\nwant %s", source, got, want)
		}
	}
}

// TestFlowOfComprehensions checks that a line with a comprehension repeats for each
// iteration since 3.12, and not before.
func TestFlowOfComprehensions(t *testing.T) {
	for version, again := range map[string]bool{"3.9": false, "3.11.7": false, "3.12": true, "3.14": true, "": true} {
		v, err := ParseVersion(version)
		if (err != nil) != (version == "") {
			t.Error(err)
		}
		if got := ReadFlowOf([]byte("y = 1\nx = [a for a in y]\nz = 2\n"), v).Codes[0].Follows(2, 2); got != again {
			t.Errorf("%q: it comes again: %v", version, got)
		}
	}
	for _, text := range []string{"", "3", "three", "3.x", "-3.11", "3.1111"} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("%q is %v", text, v)
		}
	}
}
