package tui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/tui/pane"
)

// stops sets breakpoints of every kind in shop.py, and shows their list.
func stops(d *driver) {
	d.command("b 22, missing > 1 and shelf.name != 'pear' and threshold < 1000")
	d.command("b 20, shelf.count > 1")
	d.command("tbreak 32")
	for range 7 {
		d.command("b 13")
	}
	d.command("ignore 1 3")
	d.press("c", "6")
}

// listed returns the row of a breakpoint in the list.
func (d *driver) listed(number string) string {
	d.t.Helper()
	for _, row := range strings.Split(d.text(), "\n") {
		if _, after, ok := strings.Cut(row, "breakpoints"); ok && after != "" {
			continue
		}
		for _, glyph := range []string{pane.GlyphBreakpoint, pane.GlyphConditional, pane.GlyphDisabled} {
			if _, after, ok := strings.Cut(row, glyph+" "+number+"  "); ok {
				after, _, _ = strings.Cut(after, "╎") // a wide screen shows the output beside the list
				return after
			}
		}
	}
	d.t.Fatalf("breakpoint %s is not in the list:\n%s", number, d.text())
	return ""
}

// TestWatchpointRows checks that a watchpoint or a catchpoint has its row to itself,
// without the text of a line.
func TestWatchpointRows(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("b 13")
	d.command("catch ArithmeticError, 1 < 2")
	d.command("watch len(stock_of_a_very_long_name_indeed['pears'])")
	d.press("6")
	for number, want := range map[string]string{
		"1": "shop.py:13", "2": "catch ArithmeticError  if 1 < 2", "3": "watch len(stock_of_a_very_long_name_inde",
	} {
		if got := d.listed(number); !strings.HasPrefix(got, want) {
			t.Errorf("breakpoint %s is %q, not %q …", number, got, want)
		}
	}
}

// TestBreakpointRows checks that the condition of a breakpoint comes before the text of
// its line at every size, and that the locations are aligned in a column.
func TestBreakpointRows(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	stops(d)
	for _, size := range sizes {
		d.resize(size[0], size[1])
		d.press("g")
		for number, want := range map[string]string{
			" 1": "shop.py:22  if miss", " 2": "shop.py:20  if shelf.count > 1 ", " 3": "shop.py:32  once",
		} {
			if got := d.listed(number); !strings.HasPrefix(got, want) {
				t.Errorf("%v: breakpoint%s is %q, not %q …", size, number, got, want)
			}
		}
		if got := d.listed(" 1"); !strings.Contains(got, "  ignores 3") {
			t.Errorf("%v: %q lost the count", size, got)
		}
		if got := d.listed(" 2"); !strings.HasSuffix(strings.TrimRight(got, " "), "  1 hit") {
			t.Errorf("%v: %q does not say at its end how often it was hit", size, got)
		}
	}
	d.resize(200, 60)
	if got := d.listed(" 3"); !strings.Contains(got, "once  return cost") {
		t.Errorf("%q lacks the line's text, for which there is room", got)
	}
}

// TestBreakpointCondition checks that a selected condition that its row cuts is shown in
// full at the foot of the pane, and that no row moves for it.
func TestBreakpointCondition(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	stops(d)
	second := d.listed(" 2")
	d.press("g")
	d.shows("threshold < 1000")
	if got := d.listed(" 2"); got != second {
		t.Errorf("the second row became %q", got)
	}
	d.press("j")
	d.showsNot("threshold < 1000")
	d.resize(80, 19) // the pane does not grow any more
	d.press("G")
	d.listed("10")
	d.shows(" 3–10 of 10 ─")
}

// TestBreakpointsDeletedFast checks that keys that are typed faster than commands are
// answered act on one breakpoint after the other.
func TestBreakpointsDeletedFast(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	for _, line := range []string{"13", "20", "22", "31", "32"} {
		d.command("b " + line)
	}
	d.press("6", "g", "j")
	for range 3 {
		d.tell(key("D"))
	}
	d.settle()
	if b := d.m.screen.View.Breakpoints; len(b) != 2 || b[0].Number != 1 || b[1].Number != 5 {
		t.Errorf("D D D from the second of five leaves %v", b)
	}
	for range 3 {
		d.tell(key("space"))
	}
	d.settle()
	if b := d.m.screen.View.Breakpoints; b[1].Enabled {
		t.Errorf("three times on and off leave it on")
	}
	for range 4 {
		d.tell(key("D"))
	}
	d.settle()
	if b := d.m.screen.View.Breakpoints; len(b) != 0 {
		t.Errorf("D more often than there are leaves %v", b)
	}
}

// TestBreakpointInAnyPath checks that a key sets and deletes a breakpoint whatever
// characters the file's path has. No part of the path is read as a command.
func TestBreakpointInAnyPath(t *testing.T) {
	for _, name := range []string{"c;;print('x'*9) #", "e,f", "g\nh"} {
		config := cpython(t, "shop.py")
		source, err := os.ReadFile(config.Options.Script)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name, "shop.py")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, source, 0o600)); err != nil {
			t.Fatal(err)
		}
		config.Options.Script = path
		d := drive(t, 120, 36, config)
		d.press("b")
		if list := d.m.screen.View.Breakpoints; len(list) != 1 || list[0].File != path {
			t.Errorf("%q: %+v\n%s", name, list, d.text())
		}
		d.press("e")
		d.shows("condition 1")
		d.press("esc", "b")
		if list := d.m.screen.View.Breakpoints; len(list) != 0 || d.m.screen.View.State.Line != 1 || strings.Contains(d.text(), "xxxxxxxxx") {
			t.Errorf("%q: %+v\n%s", name, list, d.text())
		}
	}
}
