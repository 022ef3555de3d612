//go:build unix

package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
)

// TestHistoryByPages checks that many values are shown by twenty, latest first, and that
// repeating the command shows earlier ones.
func TestHistoryByPages(t *testing.T) {
	s := written(t, "for i in range(45):\n    pass\n")
	run(s, "c")
	run(s, "S")
	for _, want := range []struct{ first, last, rows int }{{25, 44, 20}, {5, 24, 20}, {0, 4, 5}} {
		said := run(s, "history i")
		var rows []string
		for row := range strings.Lines(said) {
			if strings.Contains(row, "by prog.py:1") {
				rows = append(rows, strings.Fields(strings.TrimPrefix(row, ">"))[1])
			}
		}
		if len(rows) != want.rows || rows[0] != fmt.Sprint(want.first) || rows[len(rows)-1] != fmt.Sprint(want.last) {
			t.Fatalf("%v are shown, want %+v:\n%s", rows, want, said)
		}
	}
	if a := do(s, "history i"); a.Err == nil || a.Err.Kind != session.NotFound {
		t.Errorf("before the first there is %+v", a)
	}
}

// TestPastOfNothing checks a program without a state, which has no past.
func TestPastOfNothing(t *testing.T) {
	s := written(t, "")
	for _, line := range []string{"last x", "history x"} {
		if a := do(s, line); a.Err == nil || "*** "+a.Err.Message != overHere {
			t.Errorf("%s: %v", line, a.Err)
		}
	}
}

// TestPastAtTheEnd checks that at the end the last change of a name is shown, with its old
// value.
func TestPastAtTheEnd(t *testing.T) {
	s := written(t, "x = 1\nx = 2\n")
	run(s, "c")
	if got := run(s, "last x"); !strings.Contains(got, "prog.py(2)") || !strings.HasPrefix(got, "x: 1 -> 2\n") {
		t.Errorf("%q", got)
	}
	if got := run(s, "history x"); !strings.HasPrefix(got, "x has had 2 values\n") {
		t.Errorf("%q", got)
	}
}
