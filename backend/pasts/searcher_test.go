package pasts_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/backend/pasts"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

const raisers = `def get(d, k):
    try:
        return d[k]
    except KeyError:
        return None


def number(text):
    try:
        n = int(text)
    except ValueError:
        n = 0
    return n


def two(a, b):
    x = int(a)
    y = int(b)
    return x + y
`

// TestSearchRaised checks that a search finds the calls that raise an exception on a given line, even if
// the function catches it, and no calls that raise it on another line.
func TestSearchRaised(t *testing.T) {
	const noInt = `ValueError("invalid literal for int() with base 10: 'x'")`
	for _, c := range []struct {
		function string
		line     int
		raised   string
		holds    string // the value of the last argument of the first call
	}{
		{"get", 3, "KeyError('a')", "'a'"},
		{"get", 3, "KeyError", ""}, // with any arguments
		{"number", 10, noInt, "'x'"},
		{"two", 18, noInt, "'x'"},
		{"two", 17, noInt, ""},
	} {
		lines := dsl.SplitLines(raisers)
		p := &dsl.Program{Files: []dsl.SourceFile{{Name: "p.py", Lines: lines}}}
		now := &dsl.Stop{
			State: dsl.State{Event: dsl.Exception, File: "p.py", Line: c.line, Source: lines[c.line-1], Function: c.function, Value: &c.raised},
			Stack: []dsl.Frame{{Function: c.function, File: "p.py", Line: c.line}},
		}
		for _, name := range strings.Fields("d k text n a b x y") {
			now.Locals = append(now.Locals, dsl.Local{Name: name, Hidden: true, Unknown: true})
		}
		got, err := pasts.Searcher{}.Search(t.Context(), backend.CallSearch{Program: p, Now: now})
		if err != nil || len(got.List) == 0 {
			t.Errorf("%s at line %d: nothing is found: %s, %v", c.raised, c.line, got.Said, err)
			continue
		}
		for i, found := range got.List {
			locals := found.Reply.Stop.Locals
			if last := locals[len(locals)-1].Value; i == 0 && !strings.Contains(last, c.holds) {
				t.Errorf("%s at line %d: %v is found first", c.raised, c.line, locals)
			}
			claim := backend.Claim{Program: p, Past: found.Reply.Stop, Action: dsl.Action{Move: dsl.InvStepReturn}, Now: now}
			if v, err := computed.NewVerifier(python.Version{}).Verify(t.Context(), claim); err != nil || v.Verdict != backend.LeadsHere {
				t.Errorf("%s at line %d: %v %v: %s%s, %v", c.raised, c.line, locals, v.Verdict, v.Difference, v.Why, err)
			}
		}
	}
}
