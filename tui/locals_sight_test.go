package tui

import (
	"fmt"
	"strings"
	"testing"
)

// manyNames returns a run in which, at each stop, one name changes that is far from the
// others.
func manyNames() *run {
	r := newRun("/src/a.py", strings.Repeat("n += 1\n", 30))
	names := make([]string, 30)
	for i := range names {
		names[i] = fmt.Sprintf("name_%02d", i+1)
	}
	r.module(30, names...)
	for i := range names {
		r.set(i, "0")
	}
	r.line(1)
	r.line(2) // no name is new any more
	r.set(24, "25")
	r.line(3)
	r.set(24, "26")
	r.set(28, "27")
	r.line(4)
	r.set(0, "1")
	r.set(29, "1")
	r.line(5)
	r.line(6)
	r.tree.Finish()
	return r
}

// TestTitleSaysWhatIsOutOfSight checks that the title says which rows of a list are out of
// sight, and which of them have changed.
func TestTitleSaysWhatIsOutOfSight(t *testing.T) {
	for _, c := range []struct {
		size [2]int
		keys []string
		want string
	}{
		{[2]int{120, 23}, []string{"n"}, "─ 1–13 of 30 ─"},
		{[2]int{120, 23}, []string{"n", "n"}, "─ 1–13 of 30, 1 changed below ─"},
		{[2]int{120, 23}, []string{"n", "n", "n"}, "─ 1–13 of 30, 2 changed below ─"},
		{[2]int{80, 24}, []string{"n", "n", "n"}, "─ 1–8 of 30, 2 changed below ─"},
		{[2]int{120, 23}, []string{"n", "n", "n", "2", "G"}, "─ 18–30 of 30 ─"},
		{[2]int{120, 23}, []string{"n", "n", "2", "G", "n", "n"}, "─ 18–30 of 30, 1 changed above ─"},
		{[2]int{120, 23}, []string{"n", "n", "2", "G", "ctrl+b", "n", "n"}, "─ 1 changed above, 1 below ─"},
		{[2]int{120, 23}, []string{"n", "n", "2", "+"}, " locals <module> ────"},
		{[2]int{60, 20}, []string{"n", "n", "n"}, "─ 1–6 of 30, 2 changed below ─"},
	} {
		d := drive(t, c.size[0], c.size[1], replayed(t, manyNames()))
		d.press(c.keys...)
		d.shows(c.want)
		if err := d.sound(); err != nil {
			t.Error(err)
		}
	}
}
