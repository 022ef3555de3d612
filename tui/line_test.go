package tui

import (
	"testing"

	"github.com/npdb/npdb/tui/keys"
)

// A command that is being typed when the program asks for input is there again
// afterwards.
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
