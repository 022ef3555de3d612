//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
)

// tourMoves are the moves of npdb tour: the keys by tmux's names, and a part of what the panel then reports.
var tourMoves = []struct {
	keys   []string
	result string
}{
	{[]string{"s", "s", "s"}, "The call of load, line 4."},
	{[]string{"/", "total /", "Enter", "b"}, "The breakpoint is set: line 18"},
	{[]string{"c"}, "npdb has recorded"},
	{[]string{"c"}, "ZeroDivisionError"},
	{[]string{"N"}, "The program still waits at event"},
	{[]string{"2", "j", "j", "j", "j", "j", "W"}, "count came here in 6 hops"},
	{[]string{"j", "j", "Enter"}, "that is the mistake"},
	{[]string{"1", "x"}, "predicts beside CPython now."},
	{[]string{"n"}, "npdb-30m: "},
	{[]string{"Space"}, "by the traceback."},
	{[]string{"S"}, "Line 18 of mean_price: inferred"},
	{[]string{"R"}, "The call of mean_price, line 12: inferred"},
}

// TestTourInATerminal plays npdb tour, from its command and from the start screen.
func TestTourInATerminal(t *testing.T) {
	t.Parallel()
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			m := newTmux(t, size[0], size[1])
			if size[0] == 80 {
				m.keys("npdb tour", "Enter")
			} else {
				m.keys("npdb", "Enter")
				m.until("Welcome to npdb", "npdb tour", "Enter play")
				m.keys("Enter")
			}
			for i, move := range tourMoves {
				m.until(fmt.Sprintf("tour %d of %d:", i+1, len(tourMoves)))
				if i == 0 {
					m.until("idle")
				}
				m.keys(move.keys...)
				m.until(strings.Fields(move.result)...) // the panel may wrap it
			}
			m.until("tour the end")
			m.keys("q")
			m.until("npdb tour: 12 of 12 steps.")
			m.whole()
			if left, err := filepath.Glob(filepath.Join(m.dir, ".local", "state", "*")); err != nil || len(left) > 0 {
				t.Errorf("it stored %q, %v", left, err)
			}
		})
	}
}

// TestTourWithoutPythonInATerminal checks that npdb tour needs no Python for its second half, that it shows
// configured keys, and that its panel can be closed.
func TestTourWithoutPythonInATerminal(t *testing.T) {
	t.Parallel()
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	m := newTmux(t, 80, 24)
	if err := os.MkdirAll(filepath.Join(m.dir, ".config", "npdb"), 0o700); err != nil {
		t.Fatal(err)
	}
	m.write(filepath.Join(".config", "npdb", "config.toml"), "[keys]\nstep-back = [\"w\"]\ntour-leave = [\"f7\"]\n")
	m.keys("PATH='"+m.dir+"' npdb tour", "Enter")
	m.until("tour 1 of 2: an inferred past", "Python did not start", "Press w:", "F7 closes")
	m.keys("w")
	m.until("tour 2 of 2: the call", "Line 18 of mean_price: inferred")
	m.keys("F7")
	m.untilTrue("no panel", func(screen string) bool { return !strings.Contains(screen, "tour") })
	m.keys("q")
	m.until("npdb tour: 1 of 2 steps.")
	m.whole()
}
