package tui

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/source"
)

// These tests send keys and mouse events before the program has started.

func TestCommandBeforeTheFirstStop(t *testing.T) {
	d := start(t, 80, 24, replayed(t, oddRun()))
	d.tell(key(":"))
	for _, r := range "b 12" {
		d.tell(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.tell(key("enter"))
	d.tell(key("c"))
	d.settle()
	if b := d.m.screen.View.Breakpoints; len(b) != 1 || b[0].Line != 12 {
		t.Errorf("the command was not given when the program had started: %+v", b)
	}
	if d.here() != 12 {
		t.Errorf("it stands at line %d, not at the breakpoint's", d.here())
	}
}

// TestHeaderBeforeTheFirstStop checks that the header does not name a model that is only
// configured to join later.
func TestHeaderBeforeTheFirstStop(t *testing.T) {
	c := twoSides(t, &scripted{})
	for mode, want := range map[session.Mode]string{session.Real: "real CPython", session.Both: "both"} {
		c.Mode = mode
		if d := start(t, 80, 24, c); !strings.Contains(d.text(), want+" ") {
			t.Errorf("%s:\n%s", mode, d.text())
		}
	}
}

func TestGesturesBeforeTheFirstStop(t *testing.T) {
	all := gestures(t)
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		d := start(t, 1+random.IntN(100), 1+random.IntN(32), replayed(t, oddRun()))
		for range 100 {
			d.gesture(all, random.IntN(256), random.IntN(1<<16))
			if err := d.sound(); err != nil {
				t.Fatal(seed, err)
			}
		}
	}
}

// TestKeysBeforeTheFirstStop checks that keys that need the program are kept while it starts, and
// run in their order at the places that they were pressed at.
func TestKeysBeforeTheFirstStop(t *testing.T) {
	d := start(t, 80, 24, cpython(t, "shop.py"))
	d.m.source.Learn(source.Read(d.m.script())().(source.Learnt))
	for range 20 {
		d.tell(key("down"))
	}
	d.tell(key("b"))
	d.tell(key("c"))
	if n := len(d.m.queue); n != 2 {
		t.Fatalf("%d orders wait, want 2", n)
	}
	d.settle()
	if b := d.m.screen.View.Breakpoints; len(b) != 1 || b[0].Line != 21 || d.here() != 21 {
		t.Errorf("the breakpoints are %+v, it stands at line %d, want 21", b, d.here())
	}
	d = start(t, 80, 24, replayed(t, oddRun()))
	for range mostQueued + 1 {
		d.tell(key("b"))
	}
	if !strings.Contains(d.m.screen.Flash, "this one is dropped") {
		t.Errorf("nothing says that a key is dropped: %q", d.m.screen.Flash)
	}
}

// TestCompareBeforeTheFirstStop checks that the key that has CPython or a model join is kept while
// the program starts.
func TestCompareBeforeTheFirstStop(t *testing.T) {
	c := twoSides(t, &scripted{})
	c.Mode = session.Real
	d := start(t, 80, 24, c)
	d.tell(key("x"))
	d.settle()
	if v := d.m.screen.View; v.Mode != session.Both {
		t.Errorf("x was lost: mode %v", v.Mode)
	}
}
