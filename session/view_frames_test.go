package session_test

import (
	"fmt"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// TestTellApart checks that frames of a recursion show the first name that differs.
func TestTellApart(t *testing.T) {
	locals := [][]dsl.Local{
		{{Name: "n", Value: "9"}},
		{{Name: "self", Value: "Tree()"}, {Name: "f", Value: "1", Hidden: true}, {Name: "n", Value: "3"}},
		{{Name: "self", Value: "Tree()"}, {Name: "f", Value: "2", Hidden: true}, {Name: "n", Value: "2"}},
		{{Name: "x", Value: "1"}},
		{{Name: "self", Value: "Tree()"}, {Name: "f", Value: "3", Hidden: true}, {Name: "n", Value: "1"}, {Name: "m", Value: "0"}},
		{{Name: "a", Value: "1"}},
		{{Name: "a", Value: "1"}, {Name: "b", Value: "1"}},
		nil,
	}
	frames := make([]session.ViewFrame, len(locals))
	for i, name := range []string{"<module>", "walk", "walk", "key", "walk", "same", "same", "walk"} {
		frames[i].Function, frames[i].Path = name, "/p.py"
	}
	frames[7].Path = "/q.py" // another function with the same name
	session.TellApart(frames, func(i int) []dsl.Local { return locals[i] })
	for i, want := range []string{"", "n=3", "n=2", "", "n=1", "", "", ""} {
		got := ""
		if l := frames[i].Tells; l != nil {
			got = fmt.Sprintf("%s=%s", l.Name, l.Value)
		}
		if got != want {
			t.Errorf("frame %d, %s: %q, not %q", i, frames[i].Function, got, want)
		}
	}
}

// TestTellsFrom checks that values that begin alike are shown from the difference on: from
// the argument, the element or the word.
func TestTellsFrom(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string
	}{
		{[]string{"1", "29"}, "1"},
		{[]string{"Node(left=None, name='ab')", "Node(left=None, name='ac')"}, "name='ab')"},
		{[]string{"[1, 2, 3, 4]", "[1, 2, 3, 5]", "[1, 2, 4]"}, "3, 4]"},
		{[]string{"{'a': 1, 'b': 2}", "{'a': 1, 'b': 3}"}, "'b': 2}"},
		{[]string{"[1, 2]", "[1, 2, 3]"}, "2]"},
		{[]string{"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac'"}, "b'"},
		{[]string{"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u00e4'", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u00f6'"}, "\u00e4'"},
	} {
		frames := make([]session.ViewFrame, len(c.values))
		session.TellApart(frames, func(i int) []dsl.Local { return []dsl.Local{{Name: "x", Value: c.values[i]}} })
		if f := frames[0]; f.Tells == nil || f.Tells.Value[f.TellsFrom:] != c.want {
			t.Errorf("%q: from %d, want %q", c.values, f.TellsFrom, c.want)
		}
	}
}

// TestTellApartIsBounded checks that only the newest thousand frames of a very deep
// recursion are compared.
func TestTellApartIsBounded(t *testing.T) {
	frames := make([]session.ViewFrame, 1001)
	asked := 0
	session.TellApart(frames, func(i int) []dsl.Local {
		asked++
		return []dsl.Local{{Name: "n", Value: fmt.Sprint(i)}}
	})
	if asked != 1000 || frames[0].Tells != nil || frames[1].Tells == nil || frames[1000].Tells == nil {
		t.Errorf("%d were asked: %+v, %+v", asked, frames[0].Tells, frames[1].Tells)
	}
}

// TestFramesOfARecursion checks that frames of a recursion show values of the current
// event. Frames that an exception has left have none.
func TestFramesOfARecursion(t *testing.T) {
	s := written(t, "def f(n):\n    if n == 0:\n        raise KeyError\n    f(n - 1)\nf(2)\n")
	run(s, "b 3", "c")
	for _, want := range []string{"- 2 1 0 at 3", "- 2 1 - at 2"} {
		v := s.View()
		got := ""
		for _, f := range v.Frames {
			tells := "-"
			if f.Tells != nil {
				tells = f.Tells.Value
			}
			got += tells + " "
		}
		if got += fmt.Sprint("at ", v.Here); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		run(s, "r", "s")
	}
}
