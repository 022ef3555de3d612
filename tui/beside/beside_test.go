package beside

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace/statetree"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// TestBesideKids checks that an element is compared with the one of the same key or index,
// by the rules for values.
func TestBesideKids(t *testing.T) {
	for name, c := range map[string]struct {
		kind            compare.Kind
		predicted, real string
		want            string
	}{
		"a dict":      {compare.Differs, "{'a': 1, 'x': 9, 'b': 2}", "{'b': 3, 'a': 1, 'c': 4}", "'b' differs 2|3; 'a' same 1|1; 'x' extra 9|; 'c' missing |4"},
		"a list":      {compare.Differs, "[1, 2]", "[1, 3, 4]", "0 same 1|1; 1 differs 2|3; 2 missing |4"},
		"a set":       {compare.Differs, "{1, 2}", "{3, 2}", " extra 1|;  missing |3;  same 2|2"},
		"by a rule":   {compare.Differs, "[0.1, 0.30000000000000004]", "[0.2, 0.3]", "0 differs 0.1|0.2; 1 same 0.30000000000000004|0.3"},
		"the same":    {compare.Same, "[<A at 0x1>]", "[<A at 0x2>]", "0 same <A at 0x1>|<A at 0x2>"},
		"missing":     {compare.Missing, "", "[1]", "0 missing |1"},
		"another one": {compare.Differs, "[1]", "{'a': 1}", "0 extra 1|; 'a' missing |1"},
		"cut":         {compare.Incomparable, "[1, 2, … +9 items not stored]", "[1, 2, … +9 items not stored]", "0 same 1|1; 1 same 2|2;  note … +9 items not stored|… +9 items not stored"},
	} {
		t.Run(name, func(t *testing.T) {
			r := row{label: "v", kind: c.kind, path: "v"}
			for i, text := range []string{c.predicted, c.real} {
				if text != "" {
					r.sides[i] = values.Parse(text)
				}
			}
			var got []string
			for _, k := range r.kids() {
				text := [2]string{}
				for i, n := range k.sides {
					if n != nil {
						text[i] = n.Text
					}
				}
				kind := k.kind.String()
				if k.note {
					kind = "note"
				}
				got = append(got, fmt.Sprintf("%s %s %s|%s", k.label, kind, text[0], text[1]))
			}
			if got := strings.Join(got, "; "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestBesideHuge checks that only some elements of a huge value have rows, and that a row
// says so.
func TestBesideHuge(t *testing.T) {
	text := "[" + strings.Repeat("1, ", mostKids+4) + "1]"
	r := row{kind: compare.Differs, path: "v", sides: [2]*values.Node{values.Parse(text), values.Parse(text)}}
	kids := r.kids()
	if last := kids[len(kids)-1]; len(kids) != mostKids+1 || !last.note || last.sides[1].Text != "… 5 elements more" {
		t.Errorf("%d rows, the last is %q", len(kids), last.sides[1].Text)
	}
}

// TestBesideKidsChanged checks that the rows of an open value mark what the program has
// changed in it.
func TestBesideKidsChanged(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{"{'a': 1, 'b': 2}", "{'a': 1, 'b': 3, 'c': 4}", "b was 2, c"},
		{"[1, 2]", "[1, 3]", "1 was 2"},
		{"{1, 2}", "{2, 3}", "3"},
		{"[1, 2]", "[0, 1, 2]", "0"}, // an insertion at the front does not mark the elements behind it
		{"None", "[1]", "0"},
		{"", "[1]", ""}, // a new name: the whole value is new
	} {
		r := row{kind: compare.Same, path: "v", changed: true, sides: [2]*values.Node{values.Parse("[0]"), values.Parse(c.now)}}
		if c.before != "" {
			r.before = values.Parse(c.before)
		}
		var got []string
		for _, k := range r.kids() {
			if !k.changed {
				continue
			}
			text := strings.Trim(k.label, "'")
			if text == "" {
				text = k.sides[1].Text
			}
			if k.before != nil {
				text += " was " + k.before.Text
			}
			got = append(got, text)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s, then %s: %q, want %q", c.before, c.now, got, c.want)
		}
	}
}

func local(name string, k compare.Kind, predicted, real string) compare.Verdict {
	return compare.Verdict{Field: compare.Local, Name: name, Kind: k, Predicted: predicted, Real: real}
}

// TestBesideTitle checks that the title names the first divergence within 80 columns.
func TestBesideTitle(t *testing.T) {
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		d    nav.Divergence
		want string
	}{
		"a local":    {nav.Divergence{File: "bank.py", Line: 42, Moves: 4, Verdict: local("source", compare.Differs, "'anng'", "'ann'")}, "diverged at line 42 after 4 moves: source 'anng' ≠ 'ann'"},
		"missing":    {nav.Divergence{File: "bank.py", Line: 42, Verdict: local("cost", compare.Missing, "", "0")}, "diverged at line 42 after 0 moves: cost missing"},
		"extra":      {nav.Divergence{File: "bank.py", Line: 42, Verdict: local("cost", compare.Extra, "0", "")}, "diverged at line 42 after 0 moves: cost not there"},
		"a field":    {nav.Divergence{File: "bank.py", Line: 42, Verdict: compare.Verdict{Field: compare.Line, Kind: compare.Differs, Predicted: "41", Real: "42"}}, "diverged at line 42 after 0 moves: line 41 ≠ 42"},
		"the end":    {nav.Divergence{Moves: 1, Verdict: compare.Verdict{Field: compare.ExitCode, Kind: compare.Differs, Predicted: "0", Real: "1"}}, "diverged at the end after 1 move: exit-code 0 ≠ 1"},
		"an outcome": {nav.Divergence{File: "bank.py", Line: 42, Verdict: compare.Verdict{Field: compare.Outcome, Kind: compare.Differs, Predicted: "end", Real: "state"}}, "diverged at line 42 after 0 moves: the end… ≠ a state"},
		"no answer":  {nav.Divergence{File: "bank.py", Line: 42, Verdict: compare.Verdict{Field: compare.Outcome, Kind: compare.Missing, Real: "state"}}, "diverged at line 42 after 0 moves: no answer"},
		"elsewhere":  {nav.Divergence{File: "lib.py", Line: 2, Verdict: local("cost", compare.Missing, "", "0")}, "diverged at line 2 of lib.py after 0 moves: cost missing"},
		"long texts": {nav.Divergence{File: "bank.py", Line: 42, Verdict: local("s", compare.Differs, "'the quick brown fox leaps'", "'the quick brown fox jumps'")}, "diverged at line 42 after 0 moves: s …x leap… ≠ …x jump…"},
	} {
		t.Run(name, func(t *testing.T) {
			p := New(&pane.Screen{Theme: theme, View: &session.View{Files: []statetree.File{{Name: "bank.py"}}}})
			p.width = 80
			if got := p.divergenceWords(&c.d); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestKeptRowsForgetChanges checks that rows that are kept from one stop to the next do
// not show the changes of the earlier stop.
func TestKeptRowsForgetChanges(t *testing.T) {
	view := func(was *string) *session.View {
		return &session.View{
			Locals: []session.ViewLocal{{Local: dsl.Local{Name: "v", Value: "[1, 3]"}, Was: was}},
			Beside: &nav.Beside{State: &dsl.State{}, Verdicts: compare.Verdicts{local("v", compare.Same, "[1, 3]", "[1, 3]")}},
		}
	}
	before := "[1, 2]"
	p := New(&pane.Screen{View: view(&before)})
	p.tree.toggle(p.list()[0])
	if rows := p.list(); len(rows) != 3 || !rows[2].changed || rows[1].changed {
		t.Fatalf("%+v", rows)
	}
	node := p.list()[0].sides[1]
	p.View = view(nil)
	rows := p.list()
	if len(rows) != 3 || rows[0].changed || rows[2].changed {
		t.Errorf("%+v", rows)
	}
	if rows[0].sides[1] != node {
		t.Error("the value was taken apart again")
	}
}
