package locals

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// stopped returns a pane at a stop of a function f.
func stopped(t *testing.T, v *session.View) *Pane {
	t.Helper()
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	v.Frames = []session.ViewFrame{{Frame: dsl.Frame{Function: "f"}}}
	p := New(&pane.Screen{Theme: theme, View: v})
	p.Stopped()
	return p
}

func local(name, value string) session.ViewLocal {
	return session.ViewLocal{Local: dsl.Local{Name: name, Value: value}}
}

// drawn returns what a pane of a size shows.
func drawn(p *Pane, w, h int) string {
	canvas := draw.NewCanvas(w, h, draw.Runes)
	p.Draw(canvas.Sub(draw.Rect{W: w, H: h}), true)
	return sgr.ReplaceAllString(canvas.Render(), "")
}

// TestBelowWhatIsRaised checks that every name below a raised exception, which takes rows
// of its own, can be reached.
func TestBelowWhatIsRaised(t *testing.T) {
	raised := "ValueError('" + strings.Repeat("many words ", 12) + "')"
	v := &session.View{State: &dsl.State{Event: dsl.Exception, Value: &raised}, Locals: []session.ViewLocal{local("a", "1"), local("b", "2")}}
	for i := range 6 {
		v.Globals = append(v.Globals, local(fmt.Sprintf("G%d", i), "0"))
	}
	for h := 1; h <= 16; h++ {
		p := stopped(t, v)
		for _, move := range []string{"down", "up", "bottom", "up", "page-up", "page-down", "top"} {
			for range p.count() {
				p.Act(move)
				label, rows := p.label(p.Cursor), drawn(p, 50, h)
				if !strings.Contains(rows, " "+label+" ") {
					t.Fatalf("%d rows, %s: the cursor is on %s, which does not show:\n%s", h, move, label, rows)
				}
			}
		}
	}
}

// TestWheelOverWrapped checks that the wheel reaches both ends, whatever rows are between,
// and that the cursor stays in sight.
func TestWheelOverWrapped(t *testing.T) {
	v := &session.View{}
	for i := range 9 {
		v.Locals = append(v.Locals, local(fmt.Sprintf("n%d", i), "'"+strings.Repeat("many words ", 20*(i%3))+"'"))
	}
	raised := "ValueError('" + strings.Repeat("many words ", 12) + "')"
	for _, c := range []struct {
		wraps bool
		view  *session.View
	}{
		{true, v},
		{false, &session.View{State: &dsl.State{Event: dsl.Exception, Value: &raised}, Locals: v.Locals[:2], Globals: v.Locals[2:]}},
	} {
		for h := 4; h <= 16; h++ {
			p := stopped(t, c.view)
			p.wraps = c.wraps
			drawn(p, 50, h)
			for _, by := range []int{3, -3, 1, -1} {
				var rows string
				for range 2 * p.count() {
					p.Wheel(by)
					if label := p.label(p.Cursor); !strings.Contains(drawn(p, 50, h), " "+label+" ") {
						t.Fatalf("%d rows, by %d: the cursor is on %s, which does not show:\n%s", h, by, label, drawn(p, 50, h))
					}
				}
				end := p.label(p.count() - 1)
				if by < 0 {
					end = p.label(0)
				}
				if rows = drawn(p, 50, h); !strings.Contains(rows, " "+end+" ") {
					t.Errorf("%d rows: the wheel by %d does not come to %s:\n%s", h, by, end, rows)
				}
			}
		}
	}
}

func (p *Pane) label(row int) string {
	e, _ := p.entry(row)
	return e.label
}

// TestLocalCalledReturns checks that a local with the same name as the row of the returned
// value is a row of its own.
func TestLocalCalledReturns(t *testing.T) {
	value := "[1, 2]"
	for _, c := range []struct{ open, closed int }{{0, 1}, {1, 0}} {
		v := &session.View{State: &dsl.State{Event: dsl.Return, Value: &value}, Locals: []session.ViewLocal{local("returns", "[3, 4]")}}
		p := stopped(t, v)
		p.Cursor = c.open
		p.toggle()
		p.Stopped()
		if p.roots[c.open].open == nil || p.roots[c.closed].open != nil {
			t.Errorf("the name is open: %v, what is returned: %v", p.roots[0].open != nil, p.roots[1].open != nil)
		}
	}
}
