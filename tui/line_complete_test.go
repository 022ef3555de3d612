package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// tap sends the model keys without a pause, like a user or a paste that is faster than the
// answers.
func (d *driver) tap(names ...string) {
	d.t.Helper()
	for _, name := range names {
		d.tell(key(name))
	}
}

// TestTabThenEnter checks Tab and Enter typed at once: the line is completed first and
// then run.
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

// TestKeysAfterTab checks that keys after Tab go where they would have gone without the
// wait: to the completed line, or to the panes if Enter has closed the line.
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

// TestTabWhileSomethingRuns checks that, while a command is running, the completion waits
// for it, and the keys typed after Tab wait too.
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

// TestTabThenLeave checks that Esc and Ctrl-C do not wait, and discard the keys typed
// after Tab.
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

// TestTabThenEnterOfAPath checks that a path is also completed before Enter opens it.
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

// TestTabIndents checks that Tab indents in a statement of several lines.
func TestTabIndents(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("for i in (1, 2):")
	d.press("tab")
	d.write("print('row', i)")
	d.press("enter", "enter")
	d.shows("row 2")
}

// TestGivenTextIsNotKept checks that the text that the line was opened with is not kept as
// a draft, because the user did not type it.
func TestGivenTextIsNotKept(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, oddRun()))
	d.press(":")
	d.write("p tex")
	d.press("esc", "#")
	d.shows("(npdb) goto")
	d.press("esc", ":")
	d.shows("(npdb) p tex")
}

// TestEmptyLineRepeats checks that an empty line repeats the last command, as in pdb.
func TestEmptyLineRepeats(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("n")
	before := d.here()
	d.press(":", "enter")
	if d.here() <= before {
		t.Errorf("it stands at line %d still", d.here())
	}
}
