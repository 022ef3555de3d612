package tui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/source"
)

// sizes are one size for each layout: the smallest, an ordinary terminal, a wide one and a
// whole monitor.
var sizes = [][2]int{{60, 20}, {80, 24}, {120, 36}, {200, 60}}

// scenes are states of the screen: a session, and the keys that were pressed.
var scenes = []struct {
	name    string
	session func(t *testing.T) session.Config
	play    func(d *driver)
}{
	{"nested call", shop, func(d *driver) { inPrice(d) }},
	{"frame selected", shop, func(d *driver) { inPrice(d); d.press("u") }},
	{"breakpoints", shop, func(d *driver) {
		d.command("b 22")
		d.command("b 20, shelf.count > 1")
		d.command("tbreak 32")
		d.command("b price")
		d.command("disable 4")
		d.command("ignore 1 1")
		d.press("c", "6")
	}},
	{"history", shop, func(d *driver) { inPrice(d); d.press("S", "N", "z", "5") }},
	{"long values", valuesProgram, func(d *driver) { d.press("n", "n", "n", "n", "n", "n", "n", "n", "n", "2") }},
	{"open values", valuesProgram, func(d *driver) {
		d.press("n", "n", "n", "n", "n", "n", "n", "n", "n", "2", "j", "j", "enter", "j", "j", "enter", "j")
	}},
	{"wrapped values", valuesProgram, func(d *driver) { d.press("n", "n", "n", "n", "n", "n", "n", "n", "n", "2", "w") }},
	{"watches", tree, func(d *driver) { watchTree(d); d.press("n", "n") }},
	{"watches in another frame", tree, func(d *driver) { watchTree(d); d.press("n", "n", "u", "u", "u") }},
	{"watches going back", tree, func(d *driver) { watchTree(d); d.press("n", "n", "N") }},
	{"recursion", tree, func(d *driver) { watchTree(d); d.command("undisplay"); d.press("3") }},
	{"help", shop, func(d *driver) { d.press("?") }},
	{"help filtered", shop, func(d *driver) { d.press("?"); d.write("breakpoint") }},
	{"settings", shop, func(d *driver) { inPrice(d); d.press("O", "j", "j", "j") }},
	{"themes", shop, func(d *driver) { inPrice(d); d.press("P", "down"); d.write("l") }},
	{"post mortem", crash, func(d *driver) { d.press("c") }},
	{"crash looked into", crash, func(d *driver) { d.press("c", "u", "2") }},
	{"loop iteration", shop, func(d *driver) { d.command("b 19"); d.press("c", "c") }},
	{"line after line", shop, func(d *driver) { d.command("b 19"); d.press("c", "n", "n", "n") }},
	{"many names", manyValues, func(d *driver) { d.command("b 8"); d.press("c") }},
	{"much output", printer, func(d *driver) { d.command("b 4"); d.press("c") }},
	{"end", shop, func(d *driver) { d.press("c") }},
	{"search", shop, func(d *driver) { d.press("/"); d.write("shelf") }},
	{"command line", shop, func(d *driver) { inPrice(d); d.press(":"); d.write("p name, count") }},
	{"completion", shop, func(d *driver) { inPrice(d); d.press(":"); d.write("re"); d.press("tab") }},
	{"answer", shop, func(d *driver) { inPrice(d); d.command("w") }},
	{"question", shop, func(d *driver) { inPrice(d); d.press("ctrl+r") }},
	{"typed question", shop, func(d *driver) { inPrice(d); d.command("clear") }},
	{"error", shop, func(d *driver) { inPrice(d); d.command("p nothing.here") }},
}

func shop(t *testing.T) session.Config          { return cpython(t, "shop.py") }
func manyValues(t *testing.T) session.Config    { return cpython(t, "many.py") }
func printer(t *testing.T) session.Config       { return cpython(t, "printer.py") }
func valuesProgram(t *testing.T) session.Config { return cpython(t, "values.py") }
func tree(t *testing.T) session.Config          { return cpython(t, "tree.py") }
func crash(t *testing.T) session.Config         { return cpython(t, "crash.py") }

// inPrice goes to the line of price in its first call.
func inPrice(d *driver) {
	d.command("b 22")
	d.press("c", "s", "s")
}

// watchTree watches some expressions and moves to where the program is at the leaf of its tree.
func watchTree(d *driver) {
	d.command("b 19")
	d.press("c", "c", "c")
	for _, e := range []string{"visited", "self.path", "len(tree.children)", "sorted(self.path)[0]", "visited // (visited - 2)", "child.name"} {
		d.command("display " + e)
	}
}

// TestScenes compares the screen with golden files, at every size. One session serves all
// sizes of a scene.
func TestScenes(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, 120, 36, s.session(t))
			s.play(d)
			d.everySize(t)
		})
	}
}

// everySize compares the screen at every size with its golden file, and checks that it is
// legible in dark and light themes.
func (d *driver) everySize(t *testing.T) {
	t.Helper()
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d.resize(size[0], size[1])
			d.resize(size[0], size[1]) // the first drawing scrolls the cursor into sight
			d.legibleInBoth(t)
			golden.RequireEqual(t, d.text()+"\n")
		})
	}
}

// TestStartingScene checks that the screen already shows the program's text while the
// program starts.
func TestStartingScene(t *testing.T) {
	d := start(t, 120, 36, cpython(t, "shop.py"))
	d.cmds = nil // this test does not start the program
	d.plan(source.Read(d.m.script()))
	d.settle()
	d.now = d.now.Add(1300 * time.Millisecond)
	d.everySize(t)
}

// TestRunningScene checks that the screen shows what has arrived of a request that is
// still running.
func TestRunningScene(t *testing.T) {
	p := &scripted{replies: []string{atCall, inF, atY, atReturn}}
	d := drive(t, 120, 36, predicted(t, "double.py", p))
	d.press("s", "s", "s")
	p.shut(d)
	p.shown = 30
	d.tell(key("s"))
	d.asks(p, 4)
	d.until(func() bool { return d.m.screen.Partial() != nil })
	d.now = d.now.Add(2400 * time.Millisecond)
	d.tell(key("n")) // a key that is typed ahead
	d.everySize(t)
	close(p.gate)
	d.settle()
}

// TestPredictedScene checks that a predicted state is marked as predicted, with the
// model's confidence.
func TestPredictedScene(t *testing.T) {
	p := &scripted{replies: []string{atCall, inF, atY, atReturn}}
	d := drive(t, 120, 36, predicted(t, "double.py", p))
	d.press("s", "s", "s", "s")
	d.everySize(t)
}

// TestInputScene checks that the input line opens when the program waits for input.
func TestInputScene(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "reads.py"))
	d.press("n", "n")
	d.tell(key("n"))
	d.until(func() bool { return d.m.screen.Running != nil && d.m.screen.Running.Waits })
	for _, r := range "Grete" {
		d.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.everySize(t)
	d.tell(key("enter"))
	d.settle()
	d.shows("Grete")
	if d.here() != 4 {
		t.Errorf("it stands at line %d, not 4", d.here())
	}
}

// TestColors checks that the colors are those of the theme for the terminal's background.
func TestColors(t *testing.T) {
	for _, dark := range []bool{true, false} {
		t.Run(map[bool]string{true: "dark", false: "light"}[dark], func(t *testing.T) {
			d := drive(t, 80, 24, cpython(t, "shop.py"))
			d.m.dark = dark
			if err := d.m.retheme(); err != nil {
				t.Fatal(err)
			}
			inPrice(d)
			d.press("u")
			golden.RequireEqual(t, d.screen()+"\n")
		})
	}
}
