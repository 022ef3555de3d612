package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/backend/pasts"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	crashed "github.com/npdb/npdb/session/crash"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/sampled"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/chooser"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/tour"
)

// ownModel returns the model in the binary in the form that a session needs.
func ownModel(t testing.TB) *nav.Neural {
	t.Helper()
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	version := python.Version{Major: 3, Minor: 12}
	own, err := embedded.Shipped(embedded.Config{Python: version})
	if err != nil {
		t.Fatal(err)
	}
	n := &nav.Neural{Python: version, Predictor: computed.New(&sampled.Predictor{Predictor: own, Pasts: 5}, version, 100)}
	t.Cleanup(func() {
		if err := n.Predictor.Close(); err != nil {
			t.Error(err)
		}
	})
	n.Verify.Text = &nav.Method{Verifier: computed.NewVerifier(version), Searcher: pasts.Searcher{Version: version}}
	return n
}

// touring configures a screen for the tour.
func touring(t testing.TB, c *Config) {
	t.Helper()
	dir := t.TempDir()
	path, err := tour.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Session = cpythonOf(t, path)
	c.Session.Mode, c.Session.Neural, c.Session.StateDir, c.Session.Unkept = session.Real, ownModel(t), "", true
	c.Program, c.Tour = tour.Name, tour.New(path, true)
	inferred := func(text string) (s session.Config, err error) {
		s = session.Config{Options: trace.Options{Script: path, Dir: dir}, Mode: session.Predicted, Neural: ownModel(t), Unkept: true}
		state, err := crashed.Finder{Dir: dir}.Read(text)
		if err == nil {
			s.Options.Begin = state.Begin
		}
		return s, err
	}
	c.Traceback = func(ctx context.Context, text string, connect func(*session.Config)) (*session.Session, string, error) {
		s, err := inferred(text)
		if err != nil {
			return nil, "", err
		}
		connect(&s)
		opened, err := session.Open(ctx, s)
		return opened, tour.Name, err
	}
	c.Instead = func(why error) (*chooser.Program, error) {
		s, err := inferred(tour.Report(path))
		return &chooser.Program{Session: s, Name: tour.Name, Tour: tour.Inferred(path, why.Error())}, err
	}
}

// tourKeys are the keys of each step, by the names of package keys, and a part of the result that the
// panel then reports.
var tourKeys = []struct{ press, result string }{
	{"s s s", "The call of load, line 4. The stack has 2 frames."},
	{strings.Repeat("j ", 14) + "b", "The breakpoint is set: line 18 has a mark."},
	{"c", "Line 18 of mean_price. npdb has recorded"},
	{"c", "ZeroDivisionError: float division by zero, on line 18."},
	{"N", "Line 18 of mean_price: event"},
	{"2 j j j j j W", "count came here in 6 hops, the earliest on line 21."},
	{"j j enter", "Line 8 of load. count is ''"},
	{"1 x", "npdb-30m predicts beside CPython now."},
	{"n", "npdb-30m: "},
	{"space", "The exception of mean_price, line 18, by the traceback."},
	{"S", "Line 18 of mean_price: inferred"},
	{"R", "The call of mean_price, line 12: inferred"},
}

// TestTour plays the tour at several sizes.
func TestTour(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			d := drive(t, size[0], size[1], session.Config{}, func(c *Config) { touring(t, c) })
			for i, step := range tourKeys {
				d.shows(fmt.Sprintf("tour %d of %d", i+1, len(tourKeys)))
				d.shows("Space does it for you  - closes")
				if w, h := size[0], size[1]; w >= 80 && d.m.tour.Rows(d.m.screen, w, h) != d.m.tour.Rows(d.m.screen, w, 1000) {
					t.Errorf("the panel is cut:\n%s", d.text())
				}
				d.press(strings.Fields(step.press)...)
				if size[0] >= 80 {
					d.shows(step.result)
				}
			}
			d.shows("tour the end")
			d.press("-")
			d.showsNot(" tour ")
		})
	}
}

// TestTourOfTheTerminal plays the tour in an emulated terminal, where Bubble Tea itself reads the keys and draws.
func TestTourOfTheTerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			var c Config
			touring(t, &c)
			c.Keys, c.Theme = defaultKeys(t), npdbTheme
			m := showConfig(t.Context(), t, size[0], size[1], c)
			for i, step := range tourKeys {
				m.until(fmt.Sprintf("tour %d of %d: ", i+1, len(tourKeys)))
				m.press(strings.NewReplacer(" ", "", "enter", "\r", "space", " ").Replace(step.press))
				m.until(step.result)
			}
			m.until("tour the end")
			m.press("q")
			if err := m.quit(); err != nil {
				t.Error(err)
			}
			m.whole()
			if m.sum.TourMade != len(tourKeys) || m.sum.TourSteps != len(tourKeys) {
				t.Errorf("%d of %d steps were made", m.sum.TourMade, m.sum.TourSteps)
			}
		})
	}
}

// TestTourKeys checks that the panel names the user's own keys, and notices moves that were made by
// other keys and by commands.
func TestTourKeys(t *testing.T) {
	t.Parallel()
	own, err := keys.New(keys.PudbProfile, nil, map[string][]string{"step": {"w"}, "next": {"n", "space"}, "continue": {}})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, 120, 36, session.Config{}, func(c *Config) { touring(t, c); c.Keys = own })
	d.shows("Press w until")
	d.shows("F6 does it for you")
	d.press("space") // its own meaning is that of next
	d.shows("<module>:12")
	d.press("w", "w")
	d.command("b mean_price")
	d.shows("tour 3 of")
	d.shows("Press :continue")
	d.command("until 18")
	d.shows("tour 3 of") // no breakpoint is there
	d.command("c")
	d.shows("tour 4 of")
	d.command("c")
	d.shows("ZeroDivisionError")
	d.shows("press Alt-n")
	d.command("rs")
	d.shows("tour 6 of")
}

// TestTourMakesMoves checks that one key makes all moves of the tour, also after the user has gone
// elsewhere, and skips a move that did not lead to what the step asks for.
func TestTourMakesMoves(t *testing.T) {
	t.Parallel()
	d := drive(t, 120, 36, session.Config{}, func(c *Config) { touring(t, c) })
	for i := range tourKeys {
		d.shows(fmt.Sprintf("tour %d of %d: ", i+1, len(tourKeys)))
		d.press("space")
	}
	d.shows("tour the end")
	d.press("space") // does nothing any more
	d.shows("tour the end")

	d = drive(t, 120, 36, session.Config{}, func(c *Config) { touring(t, c) })
	d.press("c", "c") // to the end
	d.shows("end of 28")
	d.press("space") // a breakpoint
	d.shows("tour 3 of")
	d.press("space")
	d.shows("npdb made the move, but it did not lead there. Space skips this step.")
	d.press("space")
	d.shows("tour 4 of")
	d.press("space", "space", "space")
	d.shows("tour 6 of")
	d.press("space", "space") // there is no count here, so that no hops are listed
	d.shows("tour 7 of")
	d.press("space")
	d.shows("tour 8 of")
}

// TestTourShowsSource checks that the steps that the key of the tour makes leave the source on a small
// screen, also beside the model, where the list of the hops had taken its place.
func TestTourShowsSource(t *testing.T) {
	t.Parallel()
	d := drive(t, 80, 24, session.Config{}, func(c *Config) { touring(t, c) })
	for i := range tourKeys {
		d.shows(fmt.Sprintf("tour %d of %d: ", i+1, len(tourKeys)))
		d.shows("source prices.py")
		d.press("space")
	}
}

// TestTourLeaves checks that the panel can be closed, that the session goes on without it, and that its keys do
// nothing then.
func TestTourLeaves(t *testing.T) {
	t.Parallel()
	d := drive(t, 80, 24, session.Config{}, func(c *Config) { touring(t, c) })
	d.press("s", "-")
	d.showsNot(" tour ")
	d.press("s")
	d.shows("<module>:21")
	d.press("space")
	d.shows("Space is not bound")
}

// TestTourWithoutPython checks that a tour whose program cannot be started says why, and continues with the
// second half.
func TestTourWithoutPython(t *testing.T) {
	t.Parallel()
	d := drive(t, 80, 24, session.Config{}, func(c *Config) {
		touring(t, c)
		c.Session.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
			return nil, trace.Landing{}, &trace.StartError{Kind: trace.NoPython, Message: "no Python found: neither python3 nor python is on the PATH"}
		}
	})
	d.shows("tour 1 of 2: an inferred past")
	d.shows("Python did not start")
	d.shows("nor python is on the PATH.")
	d.press("S", "R")
	d.shows("tour the end")
	d.shows("npdb doctor")
}

// TestTourCannotBegin checks that npdb ends with the reason if neither half of the tour can be opened.
func TestTourCannotBegin(t *testing.T) {
	t.Parallel()
	d := start(t, 80, 24, session.Config{}, func(c *Config) {
		touring(t, c)
		c.Session.Start = func(context.Context, trace.Options) (session.Recording, trace.Landing, error) {
			return nil, trace.Landing{}, errors.New("no Python")
		}
		c.Instead = func(why error) (*chooser.Program, error) { return nil, errors.Join(why, errors.New("no model")) }
	})
	d.settle()
	if err := d.m.failed; err == nil || err.Error() != "no Python\nno model" {
		t.Errorf("the error is %v", err)
	}
}

// TestTourIsOffered checks that the start screen offers the tour and starts it.
func TestTourIsOffered(t *testing.T) {
	t.Parallel()
	o := offerShop(t)
	o.config.Recent = nil
	o.config.Tour = &chooser.Offer{Name: "npdb tour", About: "Five minutes", Open: func(bool) (*chooser.Program, error) {
		var c Config
		touring(t, &c)
		return &chooser.Program{Session: c.Session, Name: c.Program, Tour: c.Tour}, nil
	}}
	d := o.drive(t, 80, 24)
	d.shows("Enter play")
	d.press("a")
	d.shows("The tour begins at its first line: Enter plays it.")
	d.press("enter")
	d.shows("tour 1 of 12: step")
}
