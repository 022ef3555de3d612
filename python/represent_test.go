package python

import (
	"fmt"
	"strings"
	"testing"
)

// given is an instance with known attributes, repr and str.
type given struct {
	attributes map[string]Datum
	text       string
}

func (g *given) Class() (string, bool) { return "Given", true }
func (g *given) Attribute(name string) (Datum, bool) {
	d, ok := g.attributes[name]
	return d, ok
}
func (g *given) Repr() (string, bool) { return g.text, g.text != "" }
func (g *given) Str() (string, bool)  { return "", false }

func TestRepresentation(t *testing.T) {
	inner := InstanceDatum(&given{text: "Inner(1)", attributes: map[string]Datum{"name": ReadDatum("'in'")}})
	self := &given{attributes: map[string]Datum{
		"x": ReadDatum("3"), "_C__private": ReadDatum("'p'"), "inner": inner, "items": ListDatum([]Datum{ReadDatum("1"), inner}),
		"pair": TupleDatum([]Datum{inner}), "function": ReadDatum("<function f>"),
	}}
	for body, want := range map[string]string{
		`return "fixed"`:                                        "fixed",
		`return f"{self.x!r:>3}|{self.x:.1f}"`:                  "  3|3.0",
		`return "%s %r" % (self.x, self.inner)`:                 "3 Inner(1)",
		`return type(self).__name__ + self.__class__.__name__`:  "GivenGiven",
		`return self.__private`:                                 "p",
		`return repr(self.items) + repr(self.pair)`:             "[1, Inner(1)](Inner(1),)",
		`return ",".join(i.name for i in self.items[1:])`:       "in",
		`return f"{self.function!r}"`:                           "<function f>",
		`return ("a" "b"` + "\n        " + `"c")`:               "abc",
		`"""Text."""` + "\n        " + `return "behind"`:        "behind",
		`return "none" if self.inner is None else "some"`:       "some",
		`return str(self.inner)`:                                "", // its __str__ is not known
		`return f"{self.function}"`:                             "",
		`return "yes" if self.inner else "no"`:                  "", // it may have a __bool__
		`return "yes" if self.inner == 1 else "no"`:             "",
		`return "yes" if 1 in self.items[1:] else "no"`:         "",
		`return "yes" if isinstance(self.inner, int) else "no"`: "",
		`return str({self.inner: 1})`:                           "",
		`return self.name()`:                                    "",
		`return self.absent`:                                    "",
		`return GLOBAL`:                                         "",
		`return len("x")`:                                       "",
		`return 1 / 0`:                                          "",
		`return shadowed("x")`:                                  "",
		`return repr(super())`:                                  "",
		`return f"{id(self)}"`:                                  "",
		`return "".join(str(i) for i in range(10 ** 9))`:        "",
		"x = 1\n        return 'two statements'":                "",
		`yield "text"`:                                          "",
	} {
		t.Run(body, func(t *testing.T) {
			source := "from x import str as shadowed\nclass C:\n    def __repr__(self):\n        " + body + "\n"
			r := ReadRepresentations([]byte(source))[3]
			got, ok := "", false
			if r != nil {
				got, ok = r.Text(self)
			}
			if got != want && ok || ok != (want != "") {
				t.Errorf("got %q, %t, want %q", got, ok, want)
			}
		})
	}
}

// TestRepresentationKnowsNames checks that a __repr__ is not read if it calls a builtin function
// that the module may rebind, for example by a star import.
func TestRepresentationKnowsNames(t *testing.T) {
	const class = "class C:\n    def __repr__(self): return repr(1)\n"
	for before, known := range map[string]bool{
		"":                    true,
		"def f(): repr = 1\n": true, // local to another function
		"repr = 1\n":          false,
		"import repr\n":       false,
		"def f():\n    global repr\n    repr = 1\n": false,
		"from m import *\n":                         false,
		"for repr in (): pass\n":                    false,
		"if (repr := 1): pass\n":                    false,
	} {
		line := strings.Count(before, "\n") + 2
		if r := ReadRepresentations([]byte(before + class))[line]; (r != nil) != known {
			t.Errorf("behind %q it is known: %t", before, r != nil)
		}
	}
}

// TestRepresentationOfUnknown checks that a __repr__ is not read if its expression needs what npdb
// cannot compute, such as the id of an object.
func TestRepresentationOfUnknown(t *testing.T) {
	for _, body := range []string{"f'{self.up is self}'", "__name__ + '.N'", "f'{id(self)}'"} {
		if r := ReadRepresentations([]byte("def __repr__(self): return " + body + "\n")); len(r) > 0 {
			t.Errorf("%s is read", body)
		}
	}
}

func BenchmarkRepresentation(b *testing.B) {
	r := ReadRepresentations([]byte("def __repr__(self): return f'Point({self.x}, {self.y!r})'\n"))[1]
	self := &given{attributes: map[string]Datum{"x": ReadDatum("3"), "y": ReadDatum("'four'")}}
	for b.Loop() {
		if text, ok := r.Text(self); !ok || text != "Point(3, 'four')" {
			b.Fatal(fmt.Sprint(text, ok))
		}
	}
}
