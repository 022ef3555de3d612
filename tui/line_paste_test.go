package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/tui/keys"
)

func (d *driver) paste(text string) {
	d.t.Helper()
	d.tell(tea.PasteMsg{Content: text})
	d.settle()
}

// TestPasteCommands checks that several pasted lines are shown together, and that Enter
// runs them one after the other.
func TestPasteCommands(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press(":")
	d.paste("n\r\nfirst = 1\ndef both(a):\n\treturn a + first\n\np both(2)\n")
	d.shows("(npdb) n␤first = 1␤def both(a):␤    return a + first␤␤p both(2)")
	line := d.here()
	d.press("enter")
	if d.here() == line {
		t.Error("the first line was not run")
	}
	d.shows("3  ")
	if d.m.screen.Typing {
		t.Errorf("the statement is not complete:\n%s", d.text())
	}
}

// TestPasteThatFails checks that, after a line that fails, npdb does not run the rest and
// says so.
func TestPasteThatFails(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press(":")
	d.paste("p 1\nnosuch.name\nn\nn")
	line := d.here()
	d.press("enter")
	d.shows("2 lines after it: not run.")
	if d.here() != line {
		t.Errorf("it stands at line %d", d.here())
	}
}

// TestPasteIntoPanes checks that text that is pasted while no line is open is kept, and
// does nothing yet.
func TestPasteIntoPanes(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.paste("p 42")
	d.shows("(npdb) p 42")
	d.press("esc", "?")
	d.paste("breakpoint")
	d.shows("filter: breakpoint")
}

// TestPasteInput checks that each of several pasted lines answers one question of the
// program, and that tabs are kept.
func TestPasteInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asks.py")
	if err := os.WriteFile(path, []byte("both = input('one '), input('two ')\nrest = input('three ')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 36, cpythonOf(t, path))
	asked := func() bool { return d.m.line.Is(keys.Input) }
	d.tell(key("n"))
	d.until(asked)
	d.tell(tea.PasteMsg{Content: "Gre\tte\r\nsecond\n"})
	d.shows("Gre␉te␤second")
	d.tap("enter")
	d.settle()
	d.shows(`('Gre\tte', 'second')`)
	d.tell(key("n"))
	d.until(asked)
	d.tap("x", "tab", "y", "enter")
	d.settle()
	d.command("p rest")
	d.shows(`'x\ty'`)
}

// TestPassword checks that input that the program reads with the echo off is shown
// nowhere, and is not kept afterwards.
func TestPassword(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asks.py")
	if err := os.WriteFile(path, []byte("import getpass\nname = input('name ')\nsize = len(getpass.getpass('word '))\nlast = input('last ')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 36, cpythonOf(t, path))
	asked := func() bool { return d.m.line.Is(keys.Input) }
	hidden := func() {
		t.Helper()
		d.showsNot("secret")
	}
	d.press("n")
	d.tell(key("n"))
	d.until(asked)
	d.tap("a", "n", "n", "enter")
	d.settle()
	d.tell(key("n"))
	d.until(asked)
	d.tell(tea.PasteMsg{Content: "secret"})
	hidden()
	d.shows("in> word")
	d.shows("what you type is not shown")
	d.tap("esc")
	if asked() {
		t.Fatal("the line is still open")
	}
	d.plan(d.m.act("program-input"))
	d.tell(tea.PasteMsg{Content: "secret1"})
	d.tap("enter")
	d.settle()
	hidden()
	d.shows("size  7")
	d.tell(key("n"))
	d.until(asked)
	d.showsNot("is not shown")
	d.tap("x", "enter")
	d.settle()
}

// TestSuspend checks that Ctrl-Z returns to the shell.
func TestSuspend(t *testing.T) {
	if err := stoppable(); err != nil {
		t.Skip(err) // the tests do not run as a job of a shell
	}
	d := drive(t, 80, 24, replayed(t, oddRun()))
	for _, where := range []string{"", ":", "/", "?"} {
		if where != "" {
			d.press(where)
		}
		d.asked = nil
		d.press("ctrl+z")
		if len(d.asked) != 1 {
			t.Errorf("after %q the terminal was asked for %v", where, d.asked)
		} else if name := fmt.Sprintf("%T", d.asked[0]); name != "tea.execMsg" {
			t.Errorf("after %q the terminal was asked for %s", where, name)
		}
		d.press("esc")
	}
}
