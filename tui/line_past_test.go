package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
)

// remembering opens a screen whose command line keeps its history in a file.
func remembering(t *testing.T, path string, s session.Config) *driver {
	t.Helper()
	return drive(t, 80, 24, s, func(c *Config) { c.HistoryFile = path })
}

func pastPath(t *testing.T) string { return filepath.Join(t.TempDir(), "npdb", "commands") }

// kept is what is in the file, "" if it is not there.
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
	d.command("p 1") // once is enough
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

// What is not a command, or is meant to be forgotten, is not in the file.
func TestHistoryKeepsNothingElse(t *testing.T) {
	path := pastPath(t)
	d := remembering(t, path, replayed(t, oddRun()))
	d.command(" p 'a secret'")
	d.press(":", "up")
	d.showsNot("(npdb)  p 'a secret'")
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

// What the program reads is its own.
func TestHistoryKeepsNoInput(t *testing.T) {
	path := pastPath(t)
	d := remembering(t, path, cpython(t, "reads.py"))
	d.press("n", "n")
	d.tell(key("n"))
	d.until(func() bool { return d.m.running != nil && d.m.running.waits })
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

// The file does not grow for ever.
func TestHistoryIsBounded(t *testing.T) {
	p := &pastFile{path: pastPath(t)}
	for n := range 5*mostPast + 3 {
		p.add(fmt.Sprintf("p %d", n))
		if msg := p.save(); msg != nil {
			t.Fatal(msg)
		}
	}
	if n := strings.Count(kept(t, p.path), "\n"); n < mostPast || n >= 2*mostPast {
		t.Errorf("%d commands are kept", n)
	}
	msg := (&pastFile{path: p.path}).load().(pastMsg)
	if n := len(msg.lines); n != mostPast || msg.lines[n-1] != fmt.Sprintf("p %d", 5*mostPast+2) {
		t.Errorf("%d commands are read, the last is %q", n, msg.lines[n-1])
	}
	if left, err := filepath.Glob(p.path + ".*"); err != nil || len(left) > 0 {
		t.Errorf("%v is left over, %v", left, err)
	}
}

// What a crash has cut off is no command, and does not become part of one.
func TestHistoryCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "commands")
	if err := os.WriteFile(path, []byte("p 1\n\np \xff\np 23"), 0o644); err != nil { //nolint:gosec // made strict below
		t.Fatal(err)
	}
	p := &pastFile{path: path}
	if msg := p.load().(pastMsg); fmt.Sprintf("%q", msg.lines) != `["p 1" "p �"]` {
		t.Errorf("the commands are %q", msg.lines)
	}
	p.add("p 4")
	p.save()
	if got := kept(t, path); !strings.HasSuffix(got, "p 23\np 4\n") {
		t.Errorf("the file has %q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

// A file that cannot be written is said once.
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
