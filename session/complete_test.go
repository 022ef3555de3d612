package session_test

import (
	"context"
	"slices"
	"testing"

	"github.com/npdb/npdb/trace"
)

func TestComplete(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	do(s, "alias counted p i")
	do(s, "b 3")
	do(s, "c")
	do(s, "rs") // before the live edge, where only recorded names are known
	do(s, "mark loop")
	for _, test := range []struct {
		line string
		from int
		want []string
	}{
		{"rev", 0, []string{"reverse-advance", "reverse-continue", "reverse-finish", "reverse-next", "reverse-step", "reverse-step-block", "reverse-step-function", "reverse-until"}},
		{"cou", 0, []string{"counted"}},
		{"  und", 2, []string{"undisplay"}},
		{"help whe", 5, []string{"where"}},
		{"info thr", 5, []string{"threads"}},
		{"s;; info thr", 9, []string{"threads"}},
		{"p x", 2, []string{"x"}},
		{"p ", 2, []string{"i", "x"}},
		{"p 1 + x", 6, []string{"x"}},
		{"p x.", 2, nil},
		{"!x", 1, []string{"x"}},
		{"step ", 5, nil},
		{"goto lo", 5, []string{"loop"}},
		{"diff ", 5, []string{"loop"}},
		{"prune l", 6, []string{"loop"}},
		{"mark -d l", 8, []string{"loop"}},
		{"b f", 2, []string{"f"}},
		{"b pro", 2, []string{"prog.py:"}},
		{"l pro", 2, []string{"prog.py:"}},
		{"unalias c", 8, []string{"counted"}},
	} {
		from, words := s.Complete(context.Background(), test.line)
		if from != test.from || !slices.Equal(words, test.want) {
			t.Errorf("%q: from %d: %q, want from %d: %q", test.line, from, words, test.from, test.want)
		}
	}
}

// TestNamesAndPlaces checks completion with known names, and at the live edge with the
// program's.
func TestNamesAndPlaces(t *testing.T) {
	f := newFake(t)
	f.said = map[trace.Verb]trace.Answer{trace.VerbComplete: {Text: "xs xt\nxu"}}
	s := open(t, f)
	s.First(t.Context())
	run(s, "s 15")
	if got := s.Names(t.Context(), "x"); !slices.Equal(got, []string{"xs", "xt", "xu"}) {
		t.Errorf("live: %q", got)
	}
	run(s, "goto 11")
	for prefix, want := range map[string][]string{"": {"i", "x", "y"}, "x": {"x"}, "z": nil, "x.": nil} {
		if got := s.Names(t.Context(), prefix); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
	run(s, "up")
	if got := s.Names(t.Context(), ""); !slices.Equal(got, []string{"i"}) {
		t.Errorf("in the module: %q", got)
	}
	if got := s.Places(t.Context()); !slices.Equal(got, []string{"f", "prog.py:"}) {
		t.Errorf("%q", got)
	}
	run(s, "c")
	if got := s.Names(t.Context(), ""); got != nil {
		t.Errorf("at the end: %q", got)
	}
}
