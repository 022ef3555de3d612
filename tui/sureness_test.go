package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/themes"
)

// shades returns the texts of the screen that have a role's background, row by row.
func (d *driver) shades(role themes.Role) string {
	screen, want := d.cells(), d.m.screen.Style(role).Bg
	var rows []string
	for y := range d.m.h {
		var text strings.Builder
		for x := range d.m.w {
			if c := screen.CellAt(x, y); c != nil && sameColor(c.Style.Bg, want) {
				text.WriteString(c.Content)
			}
		}
		if text.Len() > 0 {
			rows = append(rows, strings.Join(strings.Fields(text.String()), " "))
		}
	}
	return strings.Join(rows, "|")
}

func sure(p float64) *float64 { return &p }

// TestDoubtedLocal checks that a value that the model was unsure of has a shade, with its
// probability behind it if there is room, and that no other value has one.
func TestDoubtedLocal(t *testing.T) {
	of := &backend.Sureness{By: backend.LogProbabilities, Locals: map[string]float64{"x": .97, "y": .61}}
	d := drive(t, 120, 36, predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atY, atReturn}, of: of}))
	d.press("s", "s", "s", "s")
	d.shows("3  61%")
	d.showsNot("97%")
	if got := d.shades(themes.Doubtful); got != "3 61%" || d.shades(themes.Unsure) != "" {
		t.Errorf("shaded is %q", got)
	}
	of.Locals["y"] = .3
	if got := d.shades(themes.Unsure); got != "3 30%" || d.shades(themes.Doubtful) != "" {
		t.Errorf("of less it is %q", got)
	}
	of.By, of.Of, of.Locals["y"] = backend.Agreement, 5, .6
	if got := d.shades(themes.Doubtful); got != "3 3 of 5" {
		t.Errorf("by agreement it is %q", got)
	}
	of.By, of.Locals["y"] = backend.LogProbabilities, .61
	d.everySize(t)
}

// TestDoubtedPlace checks that a returned value has its own probability, and that the
// predicted line has one: the lowest of all parts of the location.
func TestDoubtedPlace(t *testing.T) {
	of := &backend.Sureness{By: backend.LogProbabilities, Event: sure(1), Line: sure(.7), Function: sure(.8), Value: sure(.4)}
	d := drive(t, 120, 36, predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atY, atReturn, returnsY}, of: of}))
	d.press("s", "s", "s", "s", "s")
	d.legibleInBoth(t)
	if got := d.shades(themes.Unsure); got != "3 40%" {
		t.Errorf("what it returns is shaded %q", got)
	}
	if got := d.shades(themes.Doubtful); !strings.Contains(got, "return y") || !strings.HasSuffix(got, "70%") || strings.Contains(got, "|") {
		t.Errorf("the line is shaded %q", got)
	}
}

// TestDoubtedLongValue checks that a value in rows of its own is shaded in all of them,
// with its probability beside the name. The parts of an open value are shaded too, without
// a number.
func TestDoubtedLongValue(t *testing.T) {
	list := "[" + strings.Repeat("1111, ", 30) + "2222]"
	of := &backend.Sureness{By: backend.LogProbabilities, Locals: map[string]float64{"y": .4}}
	reply := strings.Replace(atReturn, `"3"`, `"`+list+`"`, 1)
	d := drive(t, 120, 36, predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atY, reply}, of: of}))
	d.press("s", "s", "s", "s", "2", "w")
	d.legibleInBoth(t)
	rows := strings.Split(d.shades(themes.Unsure), "|")
	if len(rows) < 4 || rows[0] != "40%" || strings.Join(strings.Fields(strings.Join(rows[1:], " ")), " ") != list {
		t.Errorf("in rows it is shaded %q", rows)
	}
	d.press("w")
	if got := d.shades(themes.Unsure); !strings.HasPrefix(got, "[1111, 1111") || !strings.HasSuffix(got, "40%") {
		t.Errorf("cut it is shaded %q", got)
	}
	d.press("j", "enter")
	d.shows("0   1111")
	if got := d.shades(themes.Unsure); strings.Count(got, "1111") < 10 || strings.Count(got, "%") > 1 {
		t.Errorf("open it is shaded %q", got)
	}
}

// TestDoubtedBeside checks the shades beside CPython: on the model's side at the values
// and at the line, and in the source if the model's line is another one.
func TestDoubtedBeside(t *testing.T) {
	of := &backend.Sureness{By: backend.Agreement, Of: 5, Whole: sure(.2), Event: sure(1), Line: sure(.2), Function: sure(1), Locals: map[string]float64{"shelf": 1, "low": .6, "shelves": .2}}
	p := &scripted{replies: []string{saysMissing, saysLoop}, of: of}
	d := drive(t, 120, 40, twoSides(t, p))
	d.command("b 21")
	d.press("c")
	for size, want := range map[[2]int][]string{
		{120, 40}: {"21 missing = threshold - shelf.count 1 of 5", "1 of 5", "3 of 5"},
		{80, 24}:  {"1 of 5", "3 of 5"},
	} {
		d.resize(size[0], size[1])
		d.legibleInBoth(t)
		got := d.shades(themes.Unsure) + "|" + d.shades(themes.Doubtful)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%v: %q is not among what is shaded: %s", size, w, got)
			}
		}
	}
	d.resize(120, 40)
	d.shows("nd-32b 0.93 1 of 5 agree")
	d.shows("free · 1 of 5 agree")
	d.press("n")
	if got := d.shades(themes.Unsure); !strings.Contains(got, "for shelf in shelves: 1 of 5") {
		t.Errorf("where they part the source is shaded %s", got)
	}
}

// TestDoubtedAgainst checks that, of two models, each side has its own shades.
func TestDoubtedAgainst(t *testing.T) {
	of := func(p float64) *backend.Sureness {
		return &backend.Sureness{By: backend.LogProbabilities, Locals: map[string]float64{"x": p}}
	}
	c := predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atReturn}, of: of(.3)})
	c.Mode, c.Against = session.Both, &nav.Neural{Predictor: &scripted{replies: []string{atCall, inF, atY}, name: "llama-70b", of: of(.7)}}
	d := drive(t, 120, 36, c)
	d.press("s", "s", "s")
	if first, second := d.shades(themes.Unsure), d.shades(themes.Doubtful); first != "2 30%" || second != "2 70%" {
		t.Errorf("shaded are %q and %q", first, second)
	}
}

// TestDoubtWithoutColors checks that, without colors, the number is shown, and that a
// confidence that the model states itself is marked as such.
func TestDoubtWithoutColors(t *testing.T) {
	of := &backend.Sureness{By: backend.OwnWord, Whole: sure(.8), Locals: map[string]float64{"y": .4}}
	d := drive(t, 120, 36, predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atY, atReturn}, of: of}))
	d.tell(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	d.press("s", "s", "s", "s")
	d.shows("3  40%")
	d.shows("predicted 0.93 says 80%")
	if s := d.m.screen.Style(themes.Unsure); fmt.Sprint(s) != fmt.Sprint(d.m.screen.Style(themes.Doubtful)) || s.Bg != nil {
		t.Errorf("without colors the shade is %v", s)
	}
}

// TestMadeUpArguments checks that an argument that the model made up has the style of
// inferred values, and that a given argument does not.
func TestMadeUpArguments(t *testing.T) {
	config := predicted(t, "double.py", &scripted{filled: []string{"7"}, replies: []string{atY}})
	config.Options.Entry = "f(_)"
	d := drive(t, 120, 36, config)
	d.shows("inferred 0.93")
	if got := d.m.screen.View.MadeUp; len(got) != 1 || got[0] != "x" {
		t.Errorf("made up are %v", got)
	}
}
