package embedded

import (
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

func TestPlaces(t *testing.T) {
	lines := make([]string, 123)
	for i := range lines {
		lines[i] = "x = 1"
	}
	lines[1], lines[2] = "", "   # y"
	for i := 9; i < 19; i++ {
		lines[i] = "\t"
	}
	one := newPlaces(&dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: lines}}})
	two := newPlaces(&dsl.Program{Files: []dsl.SourceFile{{Name: "a.py"}, {Name: "b.py", Lines: lines}}})
	for _, c := range []struct {
		text        string
		begins, has bool
	}{
		{"", true, false},
		{"1", true, true},
		{"2", true, false},
		{"3", true, false},
		{"10", true, false},
		{"11", true, false},
		{"12", true, false},
		{"13", false, false},
		{"122", true, true},
		{"123", true, true},
		{"124", false, false},
		{"0", false, false},
		{"01", false, false},
		{"1230", false, false},
		{"x", false, false},
		{"9999999999", false, false},
		{"20", true, true},
	} {
		if one.begins(c.text) != c.begins || one.has(c.text) != c.has {
			t.Errorf("%q: begins %v, is %v", c.text, one.begins(c.text), one.has(c.text))
		}
		if two.begins("b:"+c.text) != c.begins || two.has("b:"+c.text) != c.has || two.begins("a:"+c.text) || two.begins("c:"+c.text) {
			t.Errorf("%q of the second file: begins %v, is %v", c.text, two.begins("b:"+c.text), two.has("b:"+c.text))
		}
	}
	if two.begins("a") || !two.begins("b") || !two.begins("") || two.within(0).begins("") || !two.within(0).none() || one.none() {
		t.Error("the files' letters")
	}
}

func TestPlacesOfFunctions(t *testing.T) {
	s := newPlaces(&dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: strings.Split(`"""What it does,

at length.
"""
def f(x):
    "Doubles."
    def g(y):
        return y
    return g(x)

class C:
    def f(self):
        return 1
    def h(self): return [
        2]

f(C())`, "\n")}}})
	for function, want := range map[string]string{
		"<module>": "1 5 11 12 14 15 17",
		"f":        "5 7 9 12 13",
		"g":        "7 8",
		"h":        "14 15",
		"C":        "1 5 7 8 9 11 12 13 14 15 17",
		"<lambda>": "1 5 7 8 9 11 12 13 14 15 17",
	} {
		var lines []string
		for n, can := range s.of(function).can[0] {
			if can {
				lines = append(lines, strconv.Itoa(n+1))
			}
		}
		if got := strings.Join(lines, " "); got != want {
			t.Errorf("%s: lines %s, want %s", function, got, want)
		}
	}
	for _, c := range []struct {
		function string
		line     int
		want     string
	}{{"f", 9, "5"}, {"f", 13, "12"}, {"g", 8, "7"}, {"h", 15, "14"}} {
		if b := s.begin(c.function, c.line); !b.has(c.want) || b.begins("1") != strings.HasPrefix(c.want, "1") {
			t.Errorf("%s, around line %d, does not begin on line %s alone", c.function, c.line, c.want)
		}
	}
	if b := s.begin("C", 12); !b.has("17") {
		t.Error("a class has no line of a call")
	}
	broken := newPlaces(&dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: []string{"def (:", "  # no", "x"}}}})
	if !broken.has("1") || broken.has("2") || !broken.has("3") {
		t.Error("of what does not parse, lines that are no comment can be places")
	}
}
