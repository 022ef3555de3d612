package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
)

// remembering opens a screen that stores the history of its command line in a file.
func remembering(t *testing.T, path string, s session.Config) *driver {
	t.Helper()
	return drive(t, 80, 24, s, func(c *Config) { c.HistoryFile = path })
}

func pastPath(t *testing.T) string { return filepath.Join(t.TempDir(), "npdb", "commands") }

// kept returns the contents of the file, or "" if there is no file.
func kept(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(raw)
}

func TestHistoryAcrossSessions(t *testing.T) {
	path := pastPath(t)
	d := remembering(t, path, replayed(t, oddRun()))
	d.command("p 1")
	d.command("p 1") // the same command twice is stored once
	d.command("b 12")
	if got := kept(t, path); got != "p 1\nb 12\n" {
		t.Errorf("the file has %q", got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	d = remembering(t, path, replayed(t, oddRun()))
	d.command("p 2")
	d.press(":", "up", "up")
	d.shows("(npdb) b 12")
	d.press("up")
	d.shows("(npdb) p 1")
}

// TestHistoryKeepsNothingElse checks that the file does not have lines that are not
// commands, or commands that the user wants to be forgotten.
func TestHistoryKeepsNothingElse(t *testing.T) {
	path := pastPath(t)
	d := remembering(t, path, replayed(t, oddRun()))
	d.command(" p 'a secret'")
	d.press(":", "up")
	if row := d.rowWith("(npdb)  p 'a secret'"); row == d.m.h-1 {
		t.Errorf("it is in the history:\n%s", d.text())
	}
	d.press("esc", "/")
	d.write("a pattern")
	d.press("enter")
	d.command("b 12")
	d.command("commands 1")
	d.write("p 'of a list'")
	d.press("enter")
	d.write("end")
	d.press("enter")
	d.command("p '" + strings.Repeat("long", 2000) + "'")
	if got := kept(t, path); got != "b 12\ncommands 1\n" {
		t.Errorf("the file has %q", got)
	}
}

// TestHistoryKeepsNoInput checks that input to the program is not stored.
func TestHistoryKeepsNoInput(t *testing.T) {
	path := pastPath(t)
	d := remembering(t, path, cpython(t, "reads.py"))
	d.press("n", "n")
	d.tell(key("n"))
	d.until(func() bool { return d.m.screen.Running != nil && d.m.screen.Running.Waits })
	for _, r := range "Grete" {
		d.tell(key(string(r)))
	}
	d.tell(key("enter"))
	d.settle()
	d.command("p name")
	if got := kept(t, path); got != "p name\n" {
		t.Errorf("the file has %q", got)
	}
}

func TestHistoryOff(t *testing.T) {
	d := remembering(t, "", replayed(t, oddRun()))
	d.command("p 1")
	d.press(":", "up")
	d.shows("(npdb) p 1")
}

// TestHistoryThatFails checks that npdb reports once that the file cannot be written.
func TestHistoryThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "commands")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	d := remembering(t, path, replayed(t, oddRun()))
	d.shows("The history of commands cannot be kept")
	d.command("p 1")
	d.showsNot("cannot be kept")
}
