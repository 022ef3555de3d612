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
