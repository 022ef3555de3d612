package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/themes"
)

// These are replies of a model about shop.py: a state with a wrong, a missing and an extra
// local, a state on another line, and a reply that is not a state.
const (
	saysMissing = `<|line_sep|><|stack_sep|>[["<module>", 35], ["main", 30], ["restock", 21]]{"shelves": "[Shelf(name='apple', count=3), Shelf(name='pear', count=8), Shelf(name='fig', count=0)]", "threshold": "5", "low": "[]", "shelf": "Shelf(name='apple', count=3)", "lows": "[]"}<|action_sep|>21|            missing = threshold - shelf.count` + "\n<|frame_sep|>"
	saysLoop    = `<|line_sep|>{"shelves": "..", "threshold": "..", "low": "['apple']", "shelf": "..", "lows": "[]"}<|action_sep|>19|    for shelf in shelves:` + "\n<|frame_sep|>"
	saysNothing = `<|line_sep|>{"shelves": "..`
)

// twoSides returns a session of shop.py with a model beside CPython.
func twoSides(t *testing.T, p *scripted) session.Config {
	c := cpython(t, "shop.py")
	c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: p}
	return c
}

func TestBesideScenes(t *testing.T) {
	for name, keys := range map[string][]string{
		"values differ": nil,
		"lines part":    {"n"},
		"no prediction": {"n", "n"},
		"closed":        {"x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop, saysNothing}}))
			d.command("b 21")
			d.press("c")
			d.press(keys...)
			for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {60, 20}} {
				d.resize(size[0], size[1])
				t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
					d.legibleInBoth(t)
					golden.RequireEqual(t, d.text()+"\n")
				})
			}
		})
	}
}

// TestAgainstScene checks that, of two models beside each other, both are named and
// neither is called real.
func TestAgainstScene(t *testing.T) {
	c := predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atReturn}})
	c.Mode, c.Against = session.Both, &nav.Neural{Predictor: &scripted{replies: []string{atCall, inF, atY}, name: "llama-70b"}}
	d := drive(t, 120, 36, c)
	d.shows("nd-32b walks beside llama-70b")
	d.press("s", "s", "s")
	d.showsNot("real")
	d.everySize(t)
}

func TestBesideColors(t *testing.T) {
	for _, dark := range []bool{true, false} {
		name := map[bool]string{true: "dark", false: "light"}[dark]
		t.Run(name, func(t *testing.T) {
			d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing}}))
			d.m.dark = dark
			if err := d.m.retheme(); err != nil {
				t.Fatal(err)
			}
			d.command("b 21")
			d.press("c")
			golden.RequireEqual(t, d.screen()+"\n")
		})
	}
}

// { and } go to the stops at which the two diverged.
func TestBesideDivergences(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop}}))
	d.command("b 21")
	d.press("c", "n")
	if d.here() != 22 {
		t.Fatalf("it stands at line %d", d.here())
	}
	d.press("{")
	if d.here() != 21 {
		t.Errorf("{ goes to line %d", d.here())
	}
	d.press("}")
	if d.here() != 22 {
		t.Errorf("} goes to line %d", d.here())
	}
}

// TestBesideDivergenceOnward checks that, beyond the history, } makes moves until the two
// sides diverge, and that Esc stops this.
func TestBesideDivergenceOnward(t *testing.T) {
	p := &scripted{replies: []string{atCall, inF, atY, strings.Replace(atReturn, "3", "4", 1)}}
	c := cpython(t, "double.py")
	c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: p}
	d := drive(t, 120, 40, c)
	d.press("s")
	p.shut(d)
	d.tell(key("}"))
	// CPython's move has landed too: an Esc before that would interrupt the program.
	d.until(func() bool { return p.questions() == 2 && d.here() == 1 })
	d.tell(key("esc"))
	d.settle()
	d.shows("No divergence after 1 move by step.")
	close(p.gate)
	d.press("}")
	d.shows("Divergence after ")
	if b := d.m.screen.View.Beside; b.Verdicts.Count() == 0 {
		t.Errorf("they have not diverged:\n%s", d.text())
	}
}

// TestBesideAnswersScene checks that CPython's side shows as soon as its move has landed,
// and the model's side field by field as the answer arrives.
func TestBesideAnswersScene(t *testing.T) {
	p := &scripted{replies: []string{atCall, inF, atY, atReturn}}
	c := cpython(t, "double.py")
	c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: p}
	d := drive(t, 120, 36, c)
	d.press("s", "s", "s")
	p.shut(d)
	p.shown = len(`<|line_sep|>{"x": ".."`)
	d.tell(key("s"))
	d.until(func() bool { return d.m.screen.View.Beside.Awaited && d.m.screen.Partial() != nil })
	d.now = d.now.Add(2400 * time.Millisecond)
	if d.here() != 3 {
		t.Errorf("CPython is shown at line %d", d.here())
	}
	d.everySize(t)
	d.tell(key("x"))
	d.showsNot("predicting")
	d.tell(key("x"))
	d.tell(key("esc"))
	d.settle()
	if v := d.m.screen.View; d.here() != 3 || v.Beside.Awaited || !strings.Contains(v.Beside.Failure, "cancelled") || len(v.History) != 5 {
		t.Errorf("after Esc it stands at line %d: %+v", d.here(), v.Beside)
	}
}

// TestBesideJoins checks that x adds a configured model to the session, and that it also
// closes the view.
func TestBesideJoins(t *testing.T) {
	c := twoSides(t, &scripted{replies: []string{saysLoop}})
	c.Mode = session.Real
	d := drive(t, 120, 40, c)
	d.press("x")
	d.shows("side by side")
	d.press("x")
	d.showsNot("side by side")
}

// TestBesideReport checks that a report of a session has pictures of the screen at the
// divergences.
func TestBesideReport(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop}}))
	d.command("b 21")
	d.press("c", "n")
	file := filepath.Join(t.TempDir(), "report")
	d.command("export " + file)
	report, err := os.ReadFile(file + ".md")
	if err != nil {
		t.Fatalf("%v\n%s", err, d.text())
	}
	for _, want := range []string{"side by side", "⇢ 19  for shelf in shelves:", "→ 22  cost += price(shelf.name, missing)"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report has no %q:\n%s", want, report)
		}
	}
	if strings.Contains(string(report), "\x1b") {
		t.Error("the report has escapes in it")
	}
}

// TestBesideScore checks that the pane shows the score at every size: as a row below the
// two sides, or in full in place of the sides. A step does not move it.
func TestBesideScore(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop, saysNothing}}))
	d.command("b 21")
	d.press("c")
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		d.resize(size[0], size[1])
		d.shows("forward 1 ")
		d.shows("X score")
	}
	d.resize(80, 24)
	before := d.rowOf("whole state")
	d.press("n")
	if after := d.rowOf("whole state"); after != before {
		t.Errorf("the score went from row %d to row %d", before, after)
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		d.resize(size[0], size[1])
		d.press("X")
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) { golden.RequireEqual(t, d.text()+"\n") })
		d.press("2", "G")
		d.shows("ECE")
		d.press("g")
		d.shows("by field, forward")
		d.press("X", "1")
		d.showsNot("by field, forward")
	}
	d.press("X", "x")
	d.shows("predicted nd-32b")
	d.press("x")
	d.showsNot("predicted nd-32b")
}

// TestBesideNoScore checks that there is no score without a model.
func TestBesideNoScore(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.press("X")
	d.shows("There is no score")
}

// TestBesideRows checks that a key acts on the row under the cursor.
func TestBesideRows(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing}}))
	d.command("b 21")
	d.press("c", "2", "g", "j", "j", "j") // cost, which is missing on the model's side
	d.press("=")
	d.shows("!cost = ")
	d.press("esc", "j", "j", "y") // lows, which CPython does not have
	d.shows("Copied 2 characters.")
	d.press("g", "/")
	d.write("lows")
	d.press("enter", "y")
	d.shows("Copied 2 characters.")
	d.press("G", "k", "m")
	d.shows("display shelf")
	d.press("w")
	d.shows("x closes this view")
	d.click(3, d.rowOf("cost       missing"))
	d.press("=")
	d.shows("!cost = ")
}

// rowOf returns the row of the screen that shows a text.
func (d *driver) rowOf(text string) int {
	d.t.Helper()
	for i, line := range strings.Split(d.text(), "\n") {
		if strings.Contains(line, text) {
			return i
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.text())
	return -1
}

// TestBesideOpens checks that a value opens on both sides at once, and that the
// differences in it are marked. Its parts can be set and copied.
func TestBesideOpens(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {60, 20}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := drive(t, size[0], size[1], twoSides(t, &scripted{replies: []string{saysMissing}}))
			d.command("b 21")
			d.press("c", "2", "g", "enter", "j", "j", "enter")
			golden.RequireEqual(t, d.text()+"\n")
			d.press("j", "j", "y")
			d.shows("Copied 1 character")
			d.press("=")
			d.shows("!shelves[1].count = ")
			d.press("esc", "k", "k", "enter")
			d.shows("▸ 1 ")
		})
	}
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing}}))
	d.command("b 21")
	d.press("c", "2", "g")
	y := d.rowOf("▸ shelves")
	d.click(3, y)
	if d.rowOf("▾ shelves") != y {
		t.Error("a click on the row that one is at does not open it")
	}
	d.click(3, y)
	d.shows("▸ shelves")
	d.press("x", "x")
	d.shows("▸ shelves")
}

// TestBesideOrder checks that names keep their rows from stop to stop, whether they differ
// or not.
func TestBesideOrder(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop}}))
	d.command("b 21")
	d.press("c")
	before := d.rowOf("threshold  5")
	d.press("n")
	if after := d.rowOf("threshold  5"); after != before {
		t.Errorf("a name went from row %d to row %d", before, after)
	}
	if d.rowOf("▸ shelves") > before {
		t.Errorf("the names are not in CPython's order:\n%s", d.text())
	}
}

// TestBesideChanged checks that CPython's side marks what the program has changed, with
// the value before. The mark between the sides is a different one.
func TestBesideChanged(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop, saysNothing}}))
	d.command("b 23")
	d.press("c", "N", "n")
	d.shows("│▌  cost       6  was 0")
	d.showsNot("▌  shelves")
}

// TestBesideSight checks that the important rows of a stop are in sight, or that the title
// says that there is more.
func TestBesideSight(t *testing.T) {
	d := drive(t, 60, 20, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop}}))
	d.command("b 21")
	d.press("c")
	d.shows("≠ ▸ shelves")
	d.shows("2 more differ ")
	d.press("2", "G")
	d.shows("not there")
	d.press("n") // while a marked row is in sight, the pane does not scroll
	d.shows("4–6 of 7, 3 more differ ")
	d.press("1", "n")
	d.shows("≠ ▸ shelves")
}

// TestBesideSearchMarks checks that matches of a search are marked on both sides, also in
// the selected row.
func TestBesideSearchMarks(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing}}))
	d.command("b 21")
	d.press("c", "2", "g", "/")
	d.write("apple")
	d.press("enter")
	d.marked(t, localsPane, "apple", 4) // the value that contains the match is open
	d.shows("▾ 0")
	d.press(".")
	d.marked(t, localsPane, "apple", 10)
}

// TestBesideRoles checks that each color means one thing: a difference, or a change by the
// program.
func TestBesideRoles(t *testing.T) {
	d := drive(t, 80, 24, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop, saysNothing}}))
	look := func(row, text string, role themes.Role) {
		t.Helper()
		y, line := d.rowOf(row), strings.Split(d.text(), "\n")[d.rowOf(row)]
		before, _, ok := strings.Cut(line, text)
		if !ok {
			t.Fatalf("%q is not in %q", text, line)
		}
		got, want := d.cells().CellAt(d.m.screen.Measure.Width(before), y).Style, d.m.screen.Style(role)
		if !sameColor(got.Fg, want.Fg) {
			t.Errorf("%q in %q has not the look of %v: %v", text, line, role, got)
		}
	}
	d.command("b 21")
	d.press("c", "n")
	look("side by side", "2 more differ", themes.Differs)
	look("cost       missing", "≠", themes.Differs)
	look("threshold  5", "│", themes.Rule)
	d.press("n")
	look("was 0", "▌", themes.Changed)
	look("was 0", "6", themes.Changed)
	look("was 0", "was", themes.Was)
	d.press("2", "g")
	d.resize(60, 20)
	look("side by side", "1 more changed", themes.Changed)
}

// TestBesideHints checks that the last row shows the keys for what is on the screen.
func TestBesideHints(t *testing.T) {
	d := drive(t, 120, 24, twoSides(t, &scripted{replies: []string{saysMissing}}))
	d.command("b 21")
	d.press("c")
	d.shows("} { divergence  x close  v raw  X score")
	d.showsNot("Enter open")
	d.press("2")
	d.shows("Enter open  = set")
	d.showsNot("wrap")
	d.press("X")
	d.shows("X side by side")
	d.showsNot("x close")
	d.showsNot("Enter open")
	d.resize(80, 24)
	d.shows(": command  q quit  ? help")
	d.press("X")
	d.shows(": command  q quit  ? help")
}
