package tui

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/npdb/npdb/themes"
)

// These tests check that the session's hints name the screen's keys, not commands.

func TestKeptBreakpointsAreNamedByKey(t *testing.T) {
	s := replayed(t, threeLines())
	d := drive(t, 80, 24, s)
	d.command("b 2")
	d = drive(t, 80, 24, s)
	d.shows("1 breakpoint is kept from an earlier run; 6 lists them.")
}

func TestInterruptedIsNamedByKey(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "reads.py"))
	d.press("n", "n")
	d.tell(key("n"))
	d.until(func() bool { return d.m.screen.Running != nil && d.m.screen.Running.Waits })
	d.tell(key("ctrl+c"))
	d.settle()
	d.shows("Program interrupted; c goes on.")
}

func TestGivenUpIsNamedByKey(t *testing.T) {
	d, p := prefetch(t)
	d.tell(key("s"))
	d.asks(p, 3)
	d.tell(key("esc"))
	d.settle()
	d.hush()
	d.m.output.GoTo(0)
	d.shows("(:retry")
}

func TestOverIsNamedByKey(t *testing.T) {
	d := drive(t, 120, 36, shop(t))
	d.press("c")
	d.command("!x = 1")
	d.shows("(Ctrl-r runs it again)")
}

// TestNamedByOtherKeys checks that the user can choose other keys while a command runs,
// which names keys at the same time.
func TestNamedByOtherKeys(t *testing.T) {
	d := drive(t, 80, 24, replayed(t, threeLines()))
	if key := d.m.engine.config.Key("b"); key != "6" {
		t.Errorf("b is named %s", key)
	}
	d.press("O", "j")
	var names atomic.Int64
	over, end := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			d.m.engine.config.Key("b")
			names.Add(1)
			select {
			case <-end:
				return
			default:
			}
		}
	}()
	for names.Load() == 0 {
		runtime.Gosched()
	}
	d.press("enter")
	close(end)
	<-over
	if key := d.m.engine.config.Key("b"); key != "B" || d.m.screen.KeyFor("focus-breakpoints") != key {
		t.Errorf("b is named %s", key)
	}
}

// TestPostMortemIsOneLine checks that the message in the last row does not push the
// traceback out of sight.
func TestPostMortemIsOneLine(t *testing.T) {
	d := drive(t, 120, 36, crash(t))
	d.press("c")
	d.shows("Uncaught exception.")
	d.shows("crash.py\", line 8,")
	d.showsNot("A forward move")
	d.shows("Uncaught ZeroDivisionError: division by zero; u d frames, S back")
	if words := d.m.words(); len(words) != 1 || words[0].role != themes.Error {
		t.Errorf("the last row has %+v", words)
	}
}
