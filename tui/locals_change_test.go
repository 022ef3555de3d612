package tui

import (
	"fmt"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/themes"
)

// changed returns a run of module code in which names have other values at line 2 than at
// line 1, and the same values at line 3.
func changed(pairs ...[2]string) *run {
	r := newRun("/src/a.py", "first()\nsecond()\nthird()\n")
	names := make([]string, len(pairs))
	for i := range names {
		names[i] = fmt.Sprintf("name_%d", i+1)
	}
	r.module(3, names...)
	for i, p := range pairs {
		r.set(i, p[0])
	}
	r.line(1)
	for i, p := range pairs {
		if p[1] != p[0] {
			r.set(i, p[1])
		}
	}
	r.line(2)
	r.line(3)
	r.tree.Finish()
	return r
}

// localRows returns the rows of the locals' pane, without trailing blanks.
func (d *driver) localRows() []string {
	r := d.m.layout.panes[localsPane]
	var rows []string
	for _, row := range strings.Split(d.text(), "\n")[r.Y+1 : r.Y+r.H] {
		rows = append(rows, strings.TrimRight(ansi.Cut(row, r.X, r.X+r.W), " "))
	}
	return rows
}

// TestLongValueSaysWhereItChanged checks that a value that is too long for its row shows
// where it changed before the rest of the value.
func TestLongValueSaysWhereItChanged(t *testing.T) {
	long := "[" + strings.Repeat("100, ", 50) + "1]"
	for _, c := range []struct{ old, now, want string }{
		{"[1, 2]", "[1, 3]", "[1, 3]  was [1, 2]"},
		{long, strings.Replace(long, "100", "7", 1), "…[0] 7  was 100"},
		{"[" + long + ", 1]", "[" + strings.Replace(long, ", 1]", ", 2]", 1) + ", 1]", "…[0][50] 2  was 1"},
		{long, strings.ReplaceAll(long, "100", "7"), "…[0] 7  was 100  +49 more"},
		{long, strings.TrimSuffix(long, "]") + ", 5]", "…[51] 5 added"},
		{long, strings.TrimSuffix(long, ", 1]") + "]", "…[50] removed  was 1"},
		{"{'a_key': 1, 'many': " + long + "}", "{'a_key': 2, 'many': " + long + "}", "…['a_key'] 2  was 1"},
		{"[]", "[1]", "[1]  was []"},
		{"[]", long, "[100, 100, 100, … +48]  was []"},
		{"'" + strings.Repeat("many words ", 20) + "end'", "'" + strings.Repeat("many words ", 20) + "END'", "…y words END'  was …ords end'"},
		{"'" + strings.Repeat("many words ", 20) + "'", "'other " + strings.Repeat("many words ", 20) + "'", "'other many … +215 chars  was 'man…"},
		{"None", long, "[100, 100, 100, … +48]  was None"},
	} {
		d := drive(t, 120, 36, replayed(t, changed([2]string{c.old, c.now})))
		d.press("n")
		want := "▌▸ name_1  " + c.want
		if c.now[0] == '\'' {
			want = "▌  name_1  " + c.want
		}
		if got := d.localRows()[0]; got != want {
			t.Errorf("%.60s to %.60s:\n got %s\nwant %s", c.old, c.now, got, want)
		}
		d.press("n")
		if got := d.localRows()[0]; strings.Contains(got, "was") || strings.Contains(got, "▌") {
			t.Errorf("it has not changed any more: %s", got)
		}
	}
}

// TestLongPathKeepsItsEnd checks that the path to a change is cut at its start if it is
// too long, so that the new value has room.
func TestLongPathKeepsItsEnd(t *testing.T) {
	old := "{'a_long_key': {'another_long_key': {'the_last_key': 1, 'more': " + "[" + strings.Repeat("1, ", 30) + "]}}}"
	d := drive(t, 120, 36, replayed(t, changed([2]string{old, strings.Replace(old, "_key': 1", "_key': 2", 1)})))
	d.press("n")
	d.shows("▌▸ name_1  …['the_last_key'] 2  was 1")
}

// TestChangedPieceIsMarked checks that the changed piece of a value is marked, and never
// with the mark for a difference between a model and CPython.
func TestChangedPieceIsMarked(t *testing.T) {
	d := drive(t, 120, 36, replayed(t, changed([2]string{"[1, 2]", "[1, 3]"}, [2]string{"'" + strings.Repeat("x", 100) + "1'", "'" + strings.Repeat("x", 100) + "2'"})))
	d.press("n")
	looks := func(text string, role themes.Role) {
		t.Helper()
		for _, styles := range d.styles(localsPane, text) {
			for _, s := range styles[len(styles)-1:] {
				if !sameColor(s.Fg, d.m.screen.Style(role).Fg) {
					t.Errorf("the end of %q has the color %v, not that of %v", text, s.Fg, role)
				}
			}
		}
	}
	looks("[1, ", themes.Text)
	looks("[1, 3", themes.Changed)
	looks("was [1, 2", themes.Was)
	looks("x2", themes.Changed)
	looks("x1", themes.Was)
}

// TestOpenValueMarksWhatChanged checks that changes inside an open value are also marked,
// at every depth.
func TestOpenValueMarksWhatChanged(t *testing.T) {
	d := drive(t, 120, 36, replayed(t, changed(
		[2]string{"[[0, 2], 'other', 5]", "[[1, 2], 'other', 5, 6]"},
		[2]string{"{'a': 1}", "{'a': 1}"},
	)))
	d.press("2", "enter", "j", "enter", "1", "n")
	want := []string{
		"▌▾ name_1  [[1, 2], 'other… +1]  was [[0, 2],…",
		"▌  ▾ 0  [1, 2]  was [0, 2]",
		"▌      0  1  was 0",
		"       1  2",
		"     1  'other'",
		"     2  5",
		"▌    3  6",
		" ▸ name_2  {'a': 1}",
	}
	got := d.localRows()
	for i, row := range want {
		if i > 0 && got[i] != row {
			t.Errorf("row %d:\n got %s\nwant %s", i, got[i], row)
		}
	}
	d.press("n")
	if strings.Contains(strings.Join(d.localRows(), ""), "▌") {
		t.Errorf("nothing has changed any more:\n%s", d.text())
	}
}

// TestTitleCountsChangesInOpenValues checks that the title counts the changed rows,
// including those of open values.
func TestTitleCountsChangesInOpenValues(t *testing.T) {
	old := "[" + strings.Repeat("100, ", 50) + "1]"
	now := strings.Replace(strings.Replace(old, ", 1]", ", 2]", 1), "100", "0", 1)
	d := drive(t, 120, 23, replayed(t, changed([2]string{old, now})))
	d.press("2", "enter", "n")
	d.shows("─ 1–13 of 52, 1 changed below ─")
	d.press("G")
	d.shows("─ 40–52 of 52, 1 changed above ─")
	d.press("g", "enter")
	d.showsNot(" of 52")
	d.shows("…[0] 0  was 100  +1 more")
}

// TestChangedKeepsItsOrigin checks that a value that a model made up keeps that style
// where it has changed, and in its parts.
func TestChangedKeepsItsOrigin(t *testing.T) {
	made := `<|line_sep|>{"x": "..", "y": "[3]"}<|action_sep|>3|    return y` + "\n<|frame_sep|>"
	d := drive(t, 120, 36, predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atY, made}}))
	looks := func(text string, role themes.Role) {
		t.Helper()
		rows := d.styles(localsPane, text)
		if len(rows) == 0 {
			t.Fatalf("%q is not among the locals:\n%s", text, d.text())
		}
		for _, styles := range rows {
			if s := styles[len(styles)-1]; !sameColor(s.Fg, d.m.screen.Style(role).Fg) || s.Attrs&uv.AttrItalic == 0 {
				t.Errorf("%q looks %+v, not as %v and predicted", text, s, role)
			}
		}
	}
	d.press("s", "s", "s", "s", "2", "j", "enter", "1")
	looks("x  2", themes.Predicted)
	looks("y  [3", themes.Changed)
	d.shows("0  3")
	looks("0  3", themes.Predicted)
}

// TestWatchKeys checks that one key keeps a value above the locals, in every frame and
// after a restart, and that another key removes it. The cursor stays on its name.
func TestWatchKeys(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "tree.py"))
	d.command("b 20")
	d.press("c", "2", "j", "m") // node
	d.shows("display node: Node(name='root'")
	rows := d.localRows()
	for i, want := range []string{" watches ╌", " ▸ node  Node(", " locals ╌", " ▸ self  Walker(", " ▸ node  Node("} {
		if !strings.HasPrefix(rows[i], want) {
			t.Errorf("row %d is %q, not %q", i, rows[i], want)
		}
	}
	d.press("D")
	d.shows("This is not displayed: m has it stay")
	d.press("c") // in another activation, where the name did not have a value yet
	if got := d.localRows()[1]; got != " ▸ node  Node(name='left', … +1)" {
		t.Errorf("in the next call: %q", got)
	}
	d.press("ctrl+r", "y", "c")
	if got := d.localRows()[1]; got != " ▸ node  Node(name='root', … +1)" {
		t.Errorf("after a restart: %q", got)
	}
	d.press("g", "m") // the cursor is on the title
	d.write("visited * 2")
	d.press("enter")
	if got := d.localRows()[2]; got != "   visited * 2  2" {
		t.Errorf("an expression: %q", got)
	}
	d.press("2", "g", "j", "D", "D")
	d.showsNot("watches")
	if got := d.localRows()[0]; !strings.HasPrefix(got, " ▸ self") {
		t.Errorf("without watches: %q", got)
	}
}
