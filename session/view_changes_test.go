package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// localsOf returns the names of a view's selected frame, and their changes.
func localsOf(v *session.View) string {
	var all []string
	for _, l := range v.Locals {
		text := l.Name + "=" + l.Value
		if l.Was != nil {
			text += " was " + *l.Was
		}
		if l.New {
			text += " new"
		}
		all = append(all, text)
	}
	return fmt.Sprintf("%s %v", strings.Join(all, ", "), v.Entered)
}

// TestViewOfChanges checks that a view shows changes in the selected frame since the
// previous stop, but not since a stop that did not contain this frame.
func TestViewOfChanges(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	for _, c := range []struct {
		line, locals string
		live         int
		ran          []int
	}{
		{"n", " false", 1, []int{5, 1}},
		{"n", "i=0 new false", 2, []int{6, 5, 1}},
		{"s", "x=0 true", 3, nil},
		{"s", "x=0 false", 4, nil},
		{"s", "x=0, y=1 new false", 5, []int{3, 2, 1}},
		{"s", "x=0, y=1 false", 6, []int{3, 2, 1}},
		{"s", "i=0 false", 7, []int{5, 6, 1}},
		{"n", "i=1 was 0 false", 8, nil},
		{"back", "i=0 false", 8, nil},
		{"forth", "i=1 was 0 false", 8, nil},
		{"goto 5", "x=0, y=1 true", 8, nil},
		{"up", "i=0 was 1 false", 8, nil},
		{"c", " false", -1, nil},
		{"rs", "i=2 true", -1, nil},
	} {
		run(s, c.line)
		v := s.View()
		if v.State == nil && v.Selected != -1 || v.Place.Live != c.live || v.Origin != dsl.Real {
			t.Errorf("%s: %+v", c.line, v)
		}
		if got := localsOf(v); got != c.locals {
			t.Errorf("%s: %s, want %s", c.line, got, c.locals)
		}
		if c.ran != nil && !slices.Equal(v.Ran, c.ran) {
			t.Errorf("%s: %v have run, want %v", c.line, v.Ran, c.ran)
		}
	}
}
