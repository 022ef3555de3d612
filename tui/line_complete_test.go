package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// tap gives the model keys without waiting in between, as a hand or a paste that is
// faster than what they ask for.
func (d *driver) tap(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.tell(key(name))
	}
}

// Tab and Enter typed at once: the line is completed, and then run.
func TestTabThenEnter(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press("n", "n")
	d.tap(":", "p", " ", "P", "R", "tab", "enter")
	d.settle()
	if d.m.screen.Typing {
		t.Errorf("Enter was lost:\n%s", d.text())
	}
	d.shows("(npdb) p PRICES")
}

// What follows goes where it would have gone: to the completed line, or to the
// panes when Enter has closed it.
func TestKeysAfterTab(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	line := d.here()
	d.tap(":", "t", "b", "tab", "p", "r", "i", "tab", "enter", "n", ":", "p", " ", "4", "2", "enter")
	d.settle()
	d.shows("(npdb) tbreak price")
	d.shows("(npdb) p 42")
	if d.here() == line {
		t.Errorf("n did not step:\n%s", d.text())
	}
}

// While a command is under way the completion has to wait for it; what is typed
// waits with it.
func TestTabWhileSomethingRuns(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.tap("n", ":", "d", "i", "s", "a", "tab")
	if d.m.screen.Running == nil {
		t.Fatal("nothing runs")
	}
	d.shows("goes on when this is over")
	d.tap("1", "enter")
	d.settle()
	d.shows("(npdb) disable 1")
}

// Esc and Ctrl-C wait for nothing, and forget what was typed after the Tab.
func TestTabThenLeave(t *testing.T) {
	for _, leave := range []string{"esc", "ctrl+c"} {
		t.Run(leave, func(t *testing.T) {
			d := drive(t, 120, 36, cpython(t, "shop.py"))
			d.tap(":", "p", " ", "P", "R", "tab", "x", "enter", leave)
			d.settle()
			d.showsNot("p PRICESx")
			d.press("esc", "n")
			if d.m.screen.Running != nil || d.m.screen.Typing {
				t.Errorf("it does not go on:\n%s", d.text())
			}
		})
	}
}

// A path is completed before Enter opens it, too.
func TestTabThenEnterOfAPath(t *testing.T) {
	o := offerShop(t)
	d := o.drive(t, 100, 30)
	d.press("o")
	d.tell(tea.PasteMsg{Content: programPath("sho")})
	d.tap("tab", "enter")
	d.settle()
	if len(o.opened) != 1 || o.opened[0] != programPath("shop.py") {
		t.Errorf("opened %q:\n%s", o.opened, d.text())
	}
}

// In a statement that goes on, Tab indents.
func TestTabIndents(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("for i in (1, 2):")
	d.press("tab")
	d.write("print('row', i)")
	d.press("enter", "enter")
	d.shows("row 2")
}

// What the line was opened with was not typed, and does not stay.
func TestGivenTextIsNotKept(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, oddRun()))
	d.press(":")
	d.write("p tex")
	d.press("esc", "#")
	d.shows("(npdb) goto")
	d.press("esc", ":")
	d.shows("(npdb) p tex")
}

// An empty line repeats the last command, as in pdb.
func TestEmptyLineRepeats(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("n")
	before := d.here()
	d.press(":", "enter")
	if d.here() <= before {
		t.Errorf("it stands at line %d still", d.here())
	}
}
