package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/themes"
)

// longValues returns a run in which each name has a value of several rows.
func longValues(n int) *run {
	pairs := make([][2]string, n)
	for i := range pairs {
		pairs[i] = [2]string{longValue(i), longValue(i)}
	}
	return changed(pairs...)
}

func longValue(i int) string {
	return fmt.Sprintf("'%s end of %d'", strings.Repeat("many words ", 8+i), i+1)
}

// selected returns the text of the rows that are marked as selected.
func (d *driver) selected() string {
	screen, r := d.cells(), d.m.layout.panes[localsPane]
	want := d.m.screen.Style(themes.Selection).Bg
	var text strings.Builder
	for y := r.Y + 1; y < r.Y+r.H; y++ {
		if !sameColor(screen.CellAt(r.X, y).Style.Bg, want) {
			continue
		}
		for x := r.X; x < r.X+r.W; x++ {
			text.WriteString(screen.CellAt(x, y).Content)
		}
		text.WriteString("\n")
	}
	return text.String()
}

// TestWrappedCursorIsInSight checks that the cursor's row among wrapped values is always
// in sight at once.
func TestWrappedCursorIsInSight(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 20}, {40, 10}} {
		d := drive(t, size[0], size[1], replayed(t, longValues(12)))
		d.press("2", "w")
		p := d.m.panes[localsPane]
		for _, k := range []string{"G", "k", "k", "j", "j", "ctrl+b", "ctrl+b", "G", "g", "ctrl+f", "ctrl+d", "+", "G", "ctrl+u", "_", "w", "G", "w", "k", "k"} {
			d.press(k)
			if want := fmt.Sprintf("name_%d ", p.At()+1); !strings.Contains(d.selected(), want) {
				t.Fatalf("%v: after %s the selected %sis not to be seen:\n%s", size, k, want, d.text())
			}
		}
	}
}

// TestWrappedValuesFillThePane checks that no rows below the last value stay empty while
// the value above would fit.
func TestWrappedValuesFillThePane(t *testing.T) {
	d := drive(t, 120, 36, replayed(t, longValues(12)))
	d.press("2", "w", "G")
	rows := d.localRows()
	empty := len(rows) - 1 - slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "end of 12'") })
	var top int
	if _, err := fmt.Sscanf(strings.TrimSpace(rows[0]), "name_%d", &top); err != nil {
		t.Fatalf("%v in %q", err, rows[0])
	}
	above := 1 // the row of the name, and the rows below it
	for range d.m.screen.Measure.Wrap(longValue(top-2), d.m.layout.panes[localsPane].W-6) {
		above++
	}
	if empty >= above {
		t.Errorf("%d rows are empty, and the value above takes %d:\n%s", empty, above, d.text())
	}
	d.press("g")
	if first := d.localRows()[0]; first != "   name_1" {
		t.Errorf("the first row is %q", first)
	}
}

// TestWrappedValueIsBelowItsName checks that a wrapped value uses all columns below its
// name, and says how much of it is not shown.
func TestWrappedValueIsBelowItsName(t *testing.T) {
	long := "'" + strings.Repeat("0123456789", 60) + "'"
	d := drive(t, 120, 23, replayed(t, changed([2]string{"1", "2"}, [2]string{long, long}, [2]string{"b'" + strings.Repeat(`\x00`, 400) + "'", "None"})))
	d.press("2", "w")
	rows := d.localRows()
	want := []string{"   name_1  1", "   name_2", "     '" + strings.Repeat("0123456789", 4)}
	for i, row := range want {
		if rows[i] != row {
			t.Errorf("row %d is %q, not %q", i, rows[i], row)
		}
	}
	shown := 0
	for _, row := range rows[2:] {
		row, missing, _ := strings.Cut(row, "…")
		shown += len(strings.TrimLeft(strings.TrimSpace(row), "'"))
		if missing != "" && missing != fmt.Sprintf(" +%d chars", 600-shown) {
			t.Errorf("%d show, and the last row says %q", shown, missing)
		}
	}
	if shown < 400 || shown > 500 {
		t.Errorf("%d characters show:\n%s", shown, d.text())
	}
	d.press("G")
	if !slices.ContainsFunc(d.localRows(), func(row string) bool { return strings.HasSuffix(row, " bytes") }) {
		t.Errorf("what is missing of bytes is not said:\n%s", d.text())
	}
	d.press("n", "g") // the change is beside the name
	d.shows("▌  name_1  2  was 1")
}

// TestClickOnWrappedValue checks that a click on a row of a wrapped value selects its
// name.
func TestClickOnWrappedValue(t *testing.T) {
	d := drive(t, 120, 23, replayed(t, longValues(12)))
	d.press("2", "w")
	r := d.m.layout.panes[localsPane]
	for y, row := range d.localRows() {
		d.click(r.X+6, r.Y+1+y)
		var i int
		if _, err := fmt.Sscanf(row, " name_%d", &i); err == nil && d.m.panes[localsPane].At() != i-1 {
			t.Errorf("a click on %q goes to %d", row, d.m.panes[localsPane].At())
		}
		if !strings.Contains(d.selected(), strings.TrimSpace(row)) {
			t.Errorf("a click on %q selects\n%s", row, d.selected())
		}
	}
}

// TestOutcomeMovesNoName checks that the row of a returned value does not move the names,
// and shows however many names there are.
func TestOutcomeMovesNoName(t *testing.T) {
	for _, count := range []int{3, 12, 13, 14, 40} {
		names := make([]string, count)
		r := newRun("/src/a.py", "def f():\n    x = 1\n    return x\n\nf()\n")
		for i := range names {
			names[i] = fmt.Sprintf("n%d", i+1)
		}
		f := r.function("f", 1, 3, count, names...)
		r.module(5)
		r.line(5)
		r.tree.Enter(f)
		for i := range names {
			r.set(i, fmt.Sprint(100+i))
		}
		r.tree.Event(dsl.Call, 1, 0, nil)
		r.line(2)
		r.line(3)
		r.tree.Event(dsl.Return, 3, dsl.Returned, []byte("[7, 8]"))
		r.tree.Finish()
		d := drive(t, 120, 23, replayed(t, r))
		d.press("s", "s", "s")
		before := d.localRows()
		d.press("s")
		after := d.localRows()
		if !slices.Contains(after, " ▸ returns  [7, 8]") {
			t.Errorf("%d names: what it returns is not to be seen:\n%s", count, d.text())
		}
		for y, row := range after {
			if !strings.Contains(row, "returns") && y < len(before) && row != before[y] {
				t.Errorf("%d names: row %d was %q and is %q", count, y, before[y], row)
			}
		}
		rows := d.m.layout.panes[localsPane]
		d.press("2", "G")
		if !strings.Contains(d.selected(), "returns") {
			t.Errorf("%d names: G does not go to what it returns:\n%s", count, d.text())
		}
		d.press("g")
		at := slices.IndexFunc(d.localRows(), func(row string) bool { return strings.Contains(row, "returns") })
		d.click(rows.X+5, rows.Y+1+at)
		d.click(rows.X+5, rows.Y+1+at)
		d.shows("▾ returns")
	}
}

// TestSearchMarksInLocals checks that a match is also marked on the selected row of the
// locals: in a value, below it and inside a value.
func TestSearchMarksInLocals(t *testing.T) {
	d := drive(t, 120, 36, replayed(t, changed([2]string{"'a needle'", "'a needle'"}, [2]string{"[['needle', 1], 2]", "[['needle', 1], 2]"}, [2]string{"3", "3"})))
	d.press("2", "/")
	d.write("needle")
	d.marked(t, localsPane, "needle", 0)
	d.press("enter")
	d.marked(t, localsPane, "needle", 0)
	d.press(".")
	d.marked(t, localsPane, "needle", 3)
	d.press("/")
	d.write("name_3")
	d.press("enter")
	d.marked(t, localsPane, "name_3", 6)

	d = drive(t, 120, 36, replayed(t, longValues(2)))
	d.press("2", "w", "/")
	d.write("end of 1")
	d.press("enter")
	row := slices.IndexFunc(d.localRows(), func(row string) bool { return strings.Contains(row, "end of 1") })
	d.marked(t, localsPane, "end of 1", row)
}
