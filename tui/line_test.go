package tui

import (
	"testing"

	"github.com/npdb/npdb/tui/keys"
)

// TestInputKeepsTheCommand checks that a half-typed command is there again after the
// program has asked for input.
func TestInputKeepsTheCommand(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, oddRun()))
	d.press(":")
	d.write("p text")
	d.m.line.Start(keys.Input, "")
	d.shows("in> ")
	d.showsNot("p text")
	d.write("42")
	d.press("enter")
	d.press(":")
	d.shows("(npdb) p text")
}
