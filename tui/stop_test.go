package tui

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// These tests check that one Esc stops the running command and all that should follow it,
// and that an Esc is never lost.

// TestEscapeBeforeTheCommandBegins checks that an Esc between a key and the beginning of
// its command applies to that command.
func TestEscapeBeforeTheCommandBegins(t *testing.T) {
	d, p := prefetch(t)
	p.open()
	d.tell(key("s"))
	d.tell(key("esc")) // the step has not begun: the driver runs commands in settle
	d.settle()
	if n := p.questions(); n != 2 || d.here() != 1 {
		t.Errorf("the model was asked %d times, not 2; it stands at line %d", n, d.here())
	}
	d.shows("Interrupted: step was not run.")
	d.press("s")
	if d.here() != 2 {
		t.Errorf("the next step led to line %d", d.here())
	}
}

// TestEscapeStopsWhatFollows checks that Esc stops pasted commands, a chain of commands,
// an alias and a count.
func TestEscapeStopsWhatFollows(t *testing.T) {
	for name, text := range map[string]string{
		"lines": "s\ns\ns\ns", "a chain": "s;;s;;s", "a count": "s 1000000", "an alias of itself": "x", "lines of chains": "s;;s\ns;;s",
	} {
		t.Run(name, func(t *testing.T) {
			d, p := prefetch(t, atY, atReturn, atY, atReturn)
			d.command("alias x s;;x")
			d.tell(key(":"))
			d.tell(tea.PasteMsg{Content: text})
			d.tell(key("enter"))
			d.asks(p, 3)
			d.tell(key("s")) // a key that is typed ahead
			d.m.line.Queue("a first\nfor a question that may come")
			d.tell(key("esc"))
			if _, more := d.m.line.Next(); more || len(d.m.queue) > 0 {
				t.Error("what was typed ahead is kept")
			}
			d.settle()
			if n := p.questions(); n != 3 || d.m.screen.Running != nil {
				t.Errorf("the model was asked %d times, not 3:\n%s", n, d.text())
			}
			d.showsNot("Stopping.") // the command has stopped
			p.open()
			d.press("s")
			if d.here() == 1 || d.quit {
				t.Errorf("it does not go on:\n%s", d.text())
			}
		})
	}
}

// TestSecondEscape checks that a second Esc ends the program only if there is one and the
// screen has said so.
func TestSecondEscape(t *testing.T) {
	t.Run("a model", func(t *testing.T) {
		d, p := prefetch(t)
		p.deaf = true
		d.tell(key("s"))
		d.asks(p, 3)
		d.tell(key("esc"))
		d.shows("Stopping.")
		d.showsNot("ends the program")
		d.showsNot("end the program")
		d.tell(key("esc"))
		d.showsNot("The program is ended")
		p.open()
		d.settle()
		d.press("s")
		if d.here() == 1 {
			t.Errorf("it does not go on:\n%s", d.text())
		}
	})
	t.Run("a program", func(t *testing.T) {
		h := &heedless{run: oddRun(), killed: make(chan struct{})}
		config := replayed(t, h.run)
		config.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
			return h, trace.Landing{}, nil
		}
		d := drive(t, 100, 30, config)
		var moves atomic.Bool
		h.began = func() { moves.Store(true); d.inbox <- nil }
		d.tell(key("s"))
		d.until(func() bool { return moves.Load() })
		d.tell(key("esc"))
		d.shows("again ends the program")
		d.hush()
		d.shows("Esc end the program")
		select {
		case <-h.killed:
			t.Error("the first Esc ends the program")
		default:
		}
		d.tell(key("esc"))
		d.shows("The program is ended")
		d.settle()
		<-h.killed
	})
}

// TestEscapeWhileTheProgramStarts checks that a program that starts and does not reach its
// first state can also be ended.
func TestEscapeWhileTheProgramStarts(t *testing.T) {
	config := replayed(t, oddRun())
	var d *driver
	var starting atomic.Bool
	config.Start = func(ctx context.Context, _ trace.Options) (session.Recording, trace.Landing, error) {
		starting.Store(true)
		d.inbox <- nil
		<-ctx.Done()
		return nil, trace.Landing{}, ctx.Err()
	}
	d = start(t, 100, 30, config)
	d.until(func() bool { return starting.Load() })
	d.tell(key("esc"))
	d.tell(key("esc"))
	d.settle()
	if !d.quit || !errors.Is(d.m.failed, errStartGivenUp) {
		t.Errorf("it still starts: %v", d.m.failed)
	}
}
