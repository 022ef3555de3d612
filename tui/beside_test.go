package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/npdb/npdb/session"
)

// Replies of a model about shop.py: a state with a wrong, a missing and an extra
// local, one on another line, and one that is none.
const (
	saysMissing = `<|line_sep|><|stack_sep|>[["<module>", 35], ["main", 30], ["restock", 21]]{"shelves": "[Shelf(name='apple', count=3), Shelf(name='pear', count=8), Shelf(name='fig', count=0)]", "threshold": "5", "low": "[]", "shelf": "Shelf(name='apple', count=3)", "lows": "[]"}<|action_sep|>21|            missing = threshold - shelf.count` + "\n<|frame_sep|>"
	saysLoop    = `<|line_sep|>{"shelves": "..", "threshold": "..", "low": "['apple']", "shelf": "..", "lows": "[]"}<|action_sep|>19|    for shelf in shelves:` + "\n<|frame_sep|>"
	saysNothing = `<|line_sep|>{"shelves": "..`
)

// twoSides is a session of shop.py with a model beside CPython.
func twoSides(t *testing.T, p *scripted) session.Config {
	c := cpython(t, "shop.py")
	c.Mode, c.Neural = session.Both, &session.Neural{Predictor: p}
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
				t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) { golden.RequireEqual(t, d.text()+"\n") })
			}
		})
	}
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

// { and } go to the stops at which the two parted.
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

// x has a model join that is configured, and closes the view.
func TestBesideJoins(t *testing.T) {
	c := twoSides(t, &scripted{replies: []string{saysLoop}})
	c.Mode = session.Real
	d := drive(t, 120, 40, c)
	d.press("x")
	d.shows("side by side")
	d.press("x")
	d.showsNot("side by side")
}

// A report of a session has pictures of the screen where the two part.
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

// The score is in the pane at every size: a row below the two sides, and all of it
// in their place. A step moves none of it.
func TestBesideScore(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing, saysLoop, saysNothing}}))
	d.command("b 21")
	d.press("c")
	rowOf := func(text string) int {
		t.Helper()
		for i, line := range strings.Split(d.text(), "\n") {
			if strings.Contains(line, text) {
				return i
			}
		}
		t.Fatalf("there is no %q on\n%s", text, d.text())
		return -1
	}
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		d.resize(size[0], size[1])
		d.shows("forward 1 ")
		d.shows("X score")
	}
	d.resize(80, 24)
	before := rowOf("whole state")
	d.press("n")
	if after := rowOf("whole state"); after != before {
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

// Without a model there is no score.
func TestBesideNoScore(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	d.press("X")
	d.shows("There is no score")
}

// What is done to a row is done to that row, though the rows are in an order of
// their own.
func TestBesideRows(t *testing.T) {
	d := drive(t, 120, 40, twoSides(t, &scripted{replies: []string{saysMissing}}))
	d.command("b 21")
	d.press("c", "2", "j") // shelves differs, then cost, which is missing
	d.press("=")
	d.shows("!cost = ")
	d.press("esc", "j", "y") // lows, which CPython has not
	d.shows("Copied 2 characters.")
	d.press("G", "=")
	d.shows("This row is no name.")
	d.press("g", "/")
	d.write("lows")
	d.press("enter", "y")
	d.shows("Copied 2 characters.")
	d.press("G", "k", "m") // shelf
	d.shows("display shelf")
	d.press("enter")
	d.shows("x closes this view")
	y := 0
	for i, line := range strings.Split(d.text(), "\n") {
		if strings.Contains(line, "▌cost") {
			y = i
		}
	}
	d.click(3, y)
	d.press("=")
	d.shows("!cost = ")
}
