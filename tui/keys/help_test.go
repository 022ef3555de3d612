package keys

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func line(hints []Hint) string {
	parts := make([]string, len(hints))
	for i, h := range hints {
		parts[i] = h.String()
	}
	return strings.Join(parts, strings.Repeat(" ", HintGap))
}

func TestHints(t *testing.T) {
	for _, c := range []struct {
		context Context
		columns int
		want    string
	}{
		{Source, 0, ""},
		{Source, 6, "? help"},
		{Source, 13, "? help"},
		{Source, 14, "s step  ? help"},
		{Source, 32, "s step  n next  S N back  ? help"},
		{Source, 44, "s step  n next  S N back  q quit  ? help"},
		{Source, 58, "s step  n next  S N back  : command  q quit  ? help"},
		{Source, 78, "s step  n next  c continue  S N back  b breakpoint  : command  q quit  ? help"},
		{Source, 999, "s step  n next  r return  c continue  t to cursor  S N back  z revisit  b breakpoint  i values  x compare  / search  : command  q quit  ? help"},
		{Locals, 44, "Enter expand  = set  s step  n next  ? help"},
		{Breakpoints, 60, "D delete  Space on/off  Enter show  e edit  s step  ? help"},
		{CommandLine, 60, "Enter run  Tab complete  Up Down history  Esc leave"},
		{Help, 30, "Down Up scroll  Esc close"},
	} {
		if got := line(mustNew(t, "", nil).Hints(c.context, c.columns)); got != c.want {
			t.Errorf("%s in %d columns:\n%s\nwant\n%s", c.context, c.columns, got, c.want)
		}
	}
}

func TestHintsFit(t *testing.T) {
	m := mustNew(t, PudbProfile, nil)
	for c := range Context(len(contextNames)) {
		for columns := range 220 {
			if n := utf8.RuneCountInString(line(m.Hints(c, columns))); n > columns {
				t.Fatalf("%s: %d of %d columns", c, n, columns)
			}
		}
	}
}

func TestBindings(t *testing.T) {
	m := mustNew(t, "", nil)
	bindings := m.Bindings(Output)
	if bindings[0].Name != "show-printer" || bindings[1].Name != "program-input" {
		t.Errorf("the pane's own come first, not %s", bindings[0].Name)
	}
	i := slices.IndexFunc(bindings, func(b Binding) bool { return b.Name == "line-values" })
	if len(bindings[i].Keys) != 0 {
		t.Errorf("i is the pane's, but line-values has %q", bindings[i].Keys)
	}
	for _, b := range m.Bindings(CommandLine) {
		for _, k := range b.Keys {
			if utf8.RuneCountInString(k) == 1 {
				t.Errorf("%q is text, not %s", k, b.Name)
			}
		}
	}
}

func TestFilter(t *testing.T) {
	all := mustNew(t, "", nil).Bindings(Source)
	for _, c := range []struct {
		text string
		want string
	}{
		{"N", "next-back"},
		{"n", "next"},
		{"live model", ""},
		{"breakpoint cursor", "toggle-breakpoint edit-breakpoint"},
		{"CTRL-f", "page-down"},
		{"shift-f1", "step-back next-back"},
	} {
		var names []string
		for _, b := range Filter(all, c.text) {
			names = append(names, b.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := Filter(all, " "); len(got) != len(all) {
		t.Errorf("nothing is filtered out by nothing, but %d of %d are left", len(got), len(all))
	}
}

func ExampleMap_Hints() {
	m, err := New(PudbProfile, nil, map[string][]string{"help": {"f1"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range m.Hints(Source, 50) {
		fmt.Println(h)
	}
	// Output:
	// s step
	// n next
	// Alt-s Alt-n back
	// q quit
	// F1 help
}
