package tui

import (
	"errors"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/tui/chooser"
)

const asked = "nd-32b predicts on another machine, https://api.example.org/v1. Sent there: the source of double.py, and values of its variables. This is asked once for this server and ~/project. Send it?"

// TestConsentIsAskedFirst checks that npdb asks its questions before the session begins,
// one after the other, and that the session follows the answers.
func TestConsentIsAskedFirst(t *testing.T) {
	for _, tt := range []struct{ keys, mode string }{
		{"y y", "neural"}, {"y n", "real"}, {"n y", "real"}, {"enter enter", "neural"}, {"esc y", "real"},
	} {
		real := cpython(t, "double.py")
		neural := real
		neural.Mode, neural.Neural = session.Predicted, &nav.Neural{Predictor: &scripted{replies: []string{atCall}}}
		all := true
		second := &chooser.Consent{Question: "And to the other one?"}
		first := &chooser.Consent{Question: asked, Answer: func(yes bool) (session.Config, *chooser.Consent, error) {
			all = yes
			return session.Config{}, second, nil
		}}
		second.Answer = func(yes bool) (session.Config, *chooser.Consent, error) {
			if all && yes {
				return neural, nil, nil
			}
			return real, nil, nil
		}
		d := drive(t, 100, 30, neural, func(c *Config) { c.Consent = first })
		d.press("s", ":") // these keys answer nothing
		d.shows("api.example.org")
		d.shows("y yes")
		if d.m.screen.View != nil || d.m.engine.session.Load() != nil {
			t.Fatal("the session began before the answer")
		}
		one, two, _ := strings.Cut(tt.keys, " ")
		d.press(one)
		d.shows("And to the other one?")
		d.press(two)
		d.showsNot("y yes")
		if d.m.screen.View == nil || string(d.m.screen.View.Mode) != tt.mode {
			t.Errorf("%s: %+v", tt.keys, d.m.screen.View)
		}
	}
}

// TestConsentFails checks that npdb ends with the reason if no session can be made from
// the answer.
func TestConsentFails(t *testing.T) {
	d := drive(t, 100, 30, cpython(t, "double.py"), func(c *Config) {
		c.Consent = &chooser.Consent{Question: asked, Answer: func(bool) (session.Config, *chooser.Consent, error) {
			return session.Config{}, nil, errors.New("there is no other model")
		}}
	})
	d.press("n")
	if !d.quit || d.m.failed == nil {
		t.Errorf("it did not end: %v", d.m.failed)
	}
}

// TestConsentOfChosen checks that npdb also asks about a program that the user chose from
// the list.
func TestConsentOfChosen(t *testing.T) {
	o := offerShop(t)
	open := o.config.Recent[0].Open
	o.config.Recent[0].Open = func(resume bool) (*chooser.Program, error) {
		p, err := open(resume)
		if err == nil {
			p.Consent = &chooser.Consent{Question: asked, Answer: func(bool) (session.Config, *chooser.Consent, error) { return p.Session, nil, nil }}
		}
		return p, err
	}
	d := o.drive(t, 80, 24)
	d.press("enter")
	d.shows("Send it?")
	d.press("y")
	d.showsNot("Send it?")
	if d.m.screen.View == nil {
		t.Error("it did not begin")
	}
}

// TestLongQuestion checks that a long question is shown in full where there is room, and
// its answers always.
func TestLongQuestion(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {60, 20}, {40, 10}} {
		d := drive(t, size[0], size[1], cpython(t, "double.py"), func(c *Config) {
			c.Consent = &chooser.Consent{Question: asked}
		})
		d.shows("y yes")
		if size[1] > 12 {
			d.shows("Send it?")
		}
	}
}
