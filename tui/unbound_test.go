package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/tui/keys"
)

// TestUnboundLetter checks that an unbound letter begins a command, and that the letters
// after it are typed and do not act as keys.
func TestUnboundLetter(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	line := d.here()
	d.write("p 6*7")
	d.shows("(npdb) p 6*7")
	if d.here() != line {
		t.Errorf("it went to line %d", d.here())
	}
	d.press("enter")
	d.shows("42")
	for _, own := range []string{"a", "o", "w", "ä"} {
		d.press(own)
		if !d.m.line.Is(keys.CommandLine) || d.m.line.Text() != own {
			t.Errorf("%s: the line has %q", own, d.m.line.Text())
		}
		d.press("ctrl+c")
	}
}

// TestUnboundKey checks that npdb says that a pressed key is unbound.
func TestUnboundKey(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	for name, msg := range map[string]tea.KeyPressMsg{
		"~": key("~"), "0": key("0"), "Ctrl-t": key("ctrl+t"), "Alt-q": key("alt+q"), "Insert": {Code: tea.KeyInsert}, "F8": {Code: tea.KeyF8},
	} {
		d.tell(msg)
		d.shows(name + " is not bound; ? lists the keys.")
	}
	d.press("n")
	d.showsNot("is not bound")
	d.tell(tea.KeyPressMsg{Code: tea.KeyLeftShift, Mod: tea.ModShift})
	d.showsNot("is not bound")
}

// TestUnboundLetterAfterLeaving checks that a letter that begins a new command keeps the
// text that was left on the line.
func TestUnboundLetterAfterLeaving(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press(":")
	d.write("p one")
	d.press("esc", "p")
	if text := d.m.line.Text(); text != "p" {
		t.Errorf("the line has %q", text)
	}
}

// TestToldOfItsOwnStop checks that the message of a command belongs to its own stop, not
// to that of a command that was typed ahead.
func TestToldOfItsOwnStop(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	for _, name := range []string{"b", "n", "n"} { // these keys are typed faster than they are handled
		d.tell(key(name))
	}
	d.settle()
	if d.here() == 1 {
		t.Fatalf("the moves were not made:\n%s", d.text())
	}
	if last := d.m.words(); len(last) > 0 {
		t.Errorf("under the last stop stands %v", last)
	}
}

// TestDroppedOrders checks that npdb says that commands were not run, because the one before them came to
// the program's end.
func TestDroppedOrders(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	for _, name := range []string{"c", "S", "S"} {
		d.tell(key(name))
	}
	d.settle()
	d.shows("2 commands that were typed ahead were dropped after this answer.")
}

// TestTooManyOrders checks that npdb drops commands beyond the number that can wait, and
// says so.
func TestTooManyOrders(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	for range mostQueued + 2 {
		d.tell(key("n"))
	}
	d.shows("orders wait for their turn already: this one is dropped.")
	d.settle()
}

// TestFlood checks a million keys without a pause: beyond a limit npdb drops them, does
// not draw for them, and says so.
func TestFlood(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press(":")
	for range 1_000_000 {
		d.m.Update(key("j"))
	}
	d.shows("More than 4,096 keys came at once: the rest of them is dropped.")
	if n := len(d.m.line.Text()); n > mostInARow {
		t.Errorf("%d were typed", n)
	}
	d.now = d.now.Add(pause)
	d.press("ctrl+c")
	d.showsNot("keys came at once")
}

// TestLongPaste checks that a long paste fills the line up to a limit, and that npdb says
// so.
func TestLongPaste(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press(":")
	d.paste(strings.Repeat("é", 500_000))
	d.shows("Too long: the first 64 KiB of 977 KiB were pasted.")
	if n := len(d.m.line.Text()); n != 1<<16 {
		t.Errorf("%d bytes were pasted", n)
	}
	d.paste("more")
	if n := len(d.m.line.Text()); n != 1<<16 {
		t.Errorf("%d bytes after another one", n)
	}
}

// TestHugeTerminal checks that npdb draws a terminal that reports an absurd size only up
// to a limit.
func TestHugeTerminal(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.resize(65535, 65535)
	rows := strings.Split(d.text(), "\n")
	if len(rows) > mostCells || len([]rune(rows[0])) > mostCells {
		t.Errorf("%d rows of %d columns", len(rows), len([]rune(rows[0])))
	}
	d.press("n")
	if msg := filter(nil, tea.WindowSizeMsg{Width: 65535, Height: 3}); msg != (tea.WindowSizeMsg{Width: mostCells, Height: 3}) {
		t.Errorf("the renderer is told %v", msg)
	}
	d.press("q")
	if !d.quit {
		t.Error("it does not end")
	}
}

// TestSetBeginsWithTheValue checks that "set" starts with the current value, and with
// nothing if the value is not an expression.
func TestSetBeginsWithTheValue(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.command("!text = 'a<b'")
	d.command("!number = [1, {'k': 2.5}]")
	d.command("!opaque = (1).__add__")
	for name, want := range map[string]string{"text": "'a<b'", "number": "[1, {'k': 2.5}]", "opaque": ""} {
		d.press("2", "/")
		d.write(name)
		d.press("enter", "=")
		if text := d.m.line.Text(); text != "!"+name+" = "+want {
			t.Errorf("%s: the line has %q", name, text)
		}
		d.press("ctrl+c", "1")
	}
}
