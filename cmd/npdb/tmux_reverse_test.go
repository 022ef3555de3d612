//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
)

// paste pastes a file as a terminal does: in brackets, with CR for line ends.
func (m *tmux) paste(name string) {
	m.t.Helper()
	m.tmux("load-buffer", filepath.Join(m.dir, name))
	m.tmux("paste-buffer", "-p")
}

// TestReverseWalkInATerminal makes the walk of docs/reverse.md on the screen, with the model in the
// binary: a pasted traceback, back to the assignment that caused it, and an edit there that begins a
// branch without the exception.
func TestReverseWalkInATerminal(t *testing.T) {
	t.Parallel()
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reverse.md"))
	if err != nil {
		t.Fatal(err)
	}
	files := filesOf(page)
	m := newTmux(t, 120, 36)
	for _, name := range []string{"prices.py", "crash.txt"} {
		if files[name] == nil {
			t.Fatalf("docs/reverse.md does not show %s", name)
		}
		m.write(name, string(files[name]))
	}

	m.keys("npdb", "Enter") // the start screen
	m.until("type its path")
	m.paste("crash.txt")
	m.until("prices.py · neural", "exception mean_price:15 ", "given", "ZeroDivisionError", "idle")
	m.keys("S")
	m.until(" mean_price:15 ", "inferred", "2 of 2")
	m.keys("N")
	m.until(" mean_price:12 ", "inferred", "3 of 3")
	m.keys("N")
	m.until(" mean_price:14 ", "inferred", "4 of 4") // n += count
	m.keys(":")
	m.until("(npdb)")
	m.keys("goto #1", "Enter")
	m.until("exception mean_price:15 ")
	m.keys("R")
	m.until("call mean_price:9 ", "inferred", "of 5")
	m.keys(":")
	m.until("(npdb)")
	m.keys("rows = [('pen', 1.2, 2)]", "Enter")
	m.until("call mean_price:9 ", "edited")
	m.keys("r")
	m.until("return mean_price:15 ", "computed", "1.2")
	m.keys("5")
	m.until("├─call mean_price:9  reverse-finish", "│ return mean_price:15  return  -> 1.2")

	// The command takes a pasted traceback too. It begins another session.
	m.keys(":")
	m.until("(npdb)")
	m.keys("traceback ")
	m.until("(npdb) traceback")
	m.paste("crash.txt")
	m.until("prices.py:15: ZeroDivisionError")
	m.keys("Enter")
	m.until("exception mean_price:15 ", "1 of 1 ", "given")
	m.keys("q")
	m.until("npdb: prices.py, 1 state shown")
	m.whole()
}
