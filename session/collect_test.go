package session

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/trace/query"
)

// followed is an expression whose value changes at each event.
type followed struct {
	follower
	values []string
}

func (f followed) last(event int) (Change, bool) {
	if event < 0 {
		return Change{}, false
	}
	return Change{Event: event, New: query.Reading{Text: f.values[event], OK: true}}, true
}

func (f followed) until() int { return len(f.values) - 1 }

// TestValuesAreCollected checks that the last values of an expression are listed, up to a
// number and an amount of text, but at least one.
func TestValuesAreCollected(t *testing.T) {
	of := func(n int, text string) (values []string) {
		for range n {
			values = append(values, text)
		}
		return values
	}
	quarter := strings.Repeat("x", historyBytes/4)
	for name, c := range map[string]struct {
		values []string
		found  int
		more   bool
	}{
		"none":               {nil, 0, false},
		"few":                {of(3, "1"), 3, false},
		"as many as may be":  {of(historyMost, "1"), historyMost, false},
		"one more":           {of(historyMost+1, "1"), historyMost, true},
		"much text":          {of(4, quarter), 4, false},
		"more text":          {of(5, quarter), 4, true},
		"one that is large":  {of(1, quarter+quarter+quarter+quarter+quarter), 1, false},
		"two that are large": {of(2, quarter+quarter+quarter+quarter+quarter), 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			found, more := newSession(Config{}).values.collect(followed{values: c.values})
			if len(found) != c.found || more != c.more {
				t.Fatalf("%d values, more %v", len(found), more)
			}
			for i, change := range found {
				if change.Event != len(c.values)-len(found)+i {
					t.Fatalf("value %d is of event %d", i, change.Event)
				}
			}
		})
	}
	s := newSession(Config{})
	s.program.stopping.Store(true)
	if found, more := s.values.collect(followed{values: of(3, "1")}); len(found) != 3 || !more {
		t.Errorf("a search that was stopped has found %d values, more %v", len(found), more)
	}
}
