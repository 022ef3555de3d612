package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
)

// TestSourceCursor checks that the number of the line that the keys act on has its own
// style, also on the current line and without colors, and that no other number has it.
func TestSourceCursor(t *testing.T) {
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ASCII} {
		d := drive(t, 80, 24, cpython(t, "shop.py"))
		d.m.screen.Theme = d.m.screen.Theme.For(profile)
		inPrice(d)
		for range 3 {
			want := d.m.screen.Style(themes.Cursor)
			d.m.View()
			for row := range d.m.layout.panes[sourcePane].H - 1 {
				n := d.m.source.Top + row + 1
				styles := d.styles(sourcePane, fmt.Sprintf("%3d", n))[row]
				if len(styles) == 0 {
					t.Fatalf("row %d has no number %d:\n%s", row, n, d.text())
				}
				there := !slices.ContainsFunc(styles, func(s uv.Style) bool {
					return !sameColor(s.Fg, want.Fg) && want.Fg != nil || !sameColor(s.Bg, want.Bg) && want.Bg != nil || s.Attrs&uv.AttrBold == 0 ||
						(s.Attrs&uv.AttrReverse != 0) != (want.Bg == nil) || s.Attrs&uv.AttrFaint != 0
				})
				if there != (n == d.m.source.Cursor+1) {
					t.Errorf("%v: the cursor is on line %d; line %d looks so: %v, %+v", profile, d.m.source.Cursor+1, n, there, styles)
				}
			}
			d.press("k")
		}
	}
}

// TestSourceValuesAlign checks that values at the ends of lines are aligned, as long as
// the lines leave room.
func TestSourceValuesAlign(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	inPrice(d)
	for _, size := range sizes[1:] {
		d.resize(size[0], size[1])
		column := 0
		for _, row := range strings.Split(d.text(), "\n")[1 : d.m.layout.panes[sourcePane].H+1] {
			at := strings.Index(row, "name='apple'")
			if at < 0 || at > d.m.layout.panes[sourcePane].W {
				continue
			}
			if at = len([]rune(row[:at])); column != 0 && at != column {
				t.Errorf("%v: values begin in columns %d and %d:\n%s", size, column, at, d.text())
			}
			column = at
		}
		if column == 0 {
			t.Errorf("%v: no values:\n%s", size, d.text())
		}
	}
}

// TestSourceScrollsByAThird checks that the source scrolls by several lines at once when
// stops get close to an edge. Steps of the cursor scroll it by one line.
func TestSourceScrollsByAThird(t *testing.T) {
	d := drive(t, 80, 24, cpython(t, "shop.py"))
	p := d.m.source
	stop := func(line int) { // stop does what a stop at that line does
		d.m.screen.View.Frames[d.m.screen.View.Selected].Line = line
		p.Stopped()
		d.m.View()
	}
	for _, direction := range []int{+1, -1} {
		line, tops := map[int]int{+1: 1, -1: 30}[direction], map[int]bool{}
		stop(line)
		for range 24 {
			line += direction
			stop(line)
			if tops[p.Top] = true; p.Cursor < p.Top || p.Cursor >= p.Top+p.Rows {
				t.Fatalf("line %d is out of sight", line)
			}
		}
		if len(tops) > 24/(p.Rows/3)+2 {
			t.Errorf("direction %d: %d places in 24 stops, %d rows", direction, len(tops), p.Rows)
		}
	}
	stop(5)
	d.press("g", "pgdown")
	top := p.Top
	d.press("j")
	if p.Top != top+1 {
		t.Errorf("j scrolled from %d to %d", top, p.Top)
	}
}

// TestSourceValuesAreNews checks the values at the ends of lines. Each name is shown once,
// on the current line or on one that its frame has run, and only if it is new or used on
// the current line.
func TestSourceValuesAreNews(t *testing.T) {
	d := drive(t, 200, 60, cpython(t, "shop.py"))
	d.press("n", "n", "n", "n", "n", "s")
	text, err := os.ReadFile(filepath.Join("testdata", "programs", "shop.py"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	named := regexp.MustCompile(`(?:^| )(\w+)=`)
	shown := 0
	for range 60 {
		v := d.m.screen.View
		seen := map[string]bool{}
		for y, row := range strings.Split(d.text(), "\n")[2 : 2+len(lines)-1] {
			row = ansi.Cut(row, 7, d.m.layout.panes[sourcePane].W)
			rest, ok := strings.CutPrefix(row, lines[y])
			if !ok {
				t.Fatalf("line %d is %q", y+1, row)
			}
			rest = regexp.MustCompile(`Shelf\([^)]*\)?`).ReplaceAllString(rest, "")
			for _, name := range named.FindAllStringSubmatch(rest, -1) {
				i := slices.IndexFunc(v.Locals, func(l session.ViewLocal) bool { return l.Name == name[1] })
				switch {
				case i < 0 || seen[name[1]]:
					t.Fatalf("%s is no name, or there twice:\n%s", name[1], d.text())
				case y+1 != d.here() && !slices.Contains(v.Ran, y+1):
					t.Fatalf("%s is at line %d, which has not run:\n%s", name[1], y+1, d.text())
				case y+1 != d.here() && v.Locals[i].Was == nil && !v.Locals[i].New && !v.Entered:
					t.Fatalf("%s at line %d is not new:\n%s", name[1], y+1, d.text())
				}
				seen[name[1]] = true
				shown++
			}
		}
		d.press("s")
		if d.m.screen.View.Selected < 0 {
			break
		}
	}
	if shown < 40 {
		t.Errorf("only %d values were shown", shown)
	}
}

// TestPredictedLinesRan checks that, in neural mode, the lines that ran are those that the
// model has shown on the path to the state. After going back to a state, later lines count
// as not run.
func TestPredictedLinesRan(t *testing.T) {
	d := drive(t, 80, 24, predicted(t, "double.py", &scripted{replies: []string{atCall, inF, atY, atReturn}}))
	for _, c := range []struct {
		key string
		ran []int
	}{{"s", []int{6, 1}}, {"s", []int{1}}, {"s", []int{2, 1}}, {"s", []int{3, 2, 1}}, {"S", []int{2, 1}}} {
		d.press(c.key)
		if got := d.m.screen.View.Ran; !slices.Equal(got, c.ran) {
			t.Errorf("at line %d, after %s: %v, not %v", d.here(), c.key, got, c.ran)
		}
	}
}
