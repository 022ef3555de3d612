package places

import (
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// TestFrameTellsWhereItFits checks that the text that distinguishes frames is shown behind
// the location if there is room to read it.
func TestFrameTellsWhereItFits(t *testing.T) {
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	p := NewStack(&pane.Screen{Theme: theme})
	f := session.ViewFrame{Frame: dsl.Frame{File: "tokenizer.py", Function: "atom", Line: 56}}
	for _, c := range []struct {
		local dsl.Local
		width int
		want  string
	}{
		{dsl.Local{Name: "n", Value: "29"}, 40, "atom        tokenizer.py:56  n=29"},
		{dsl.Local{Name: "n", Value: "29"}, 36, "atom        tokenizer.py:56  n=29"},
		{dsl.Local{Name: "n", Value: "29"}, 35, "atom        tokenizer.py:56"},
		{dsl.Local{Name: "token", Value: "'('"}, 38, "atom        tokenizer.py:56  token…"},
		{dsl.Local{Name: "token", Value: "'('"}, 37, "atom        tokenizer.py:56"},
	} {
		f.Tells = &c.local
		canvas := draw.NewCanvas(c.width, 1, draw.Runes)
		if got := p.drawFrame(canvas.Sub(draw.Rect{W: c.width, H: 1}), f, false, 12); got != c.want {
			t.Errorf("in %d columns %q, want %q", c.width, got, c.want)
		}
	}
}

// TestFrameSaysClassAndPart checks that the class is shown behind the function, as far as
// it fits, and the part that differs of long values.
func TestFrameSaysClassAndPart(t *testing.T) {
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	p := NewStack(&pane.Screen{Theme: theme})
	node := "Node(left=None, right=None, name='leaf')"
	for _, c := range []struct {
		class, value string
		column, from int
		width        int
		want         string
	}{
		{"Parser", "29", 16, 0, 46, "expr [Parser]   tokenizer.py:56  node=29"},
		{"Parser", "29", 12, 0, 46, "expr [Pa…]  tokenizer.py:56  node=29"},
		{"Parser", "29", 8, 0, 46, "expr    tokenizer.py:56  node=29"},
		{"", node, 6, 28, 80, "expr  tokenizer.py:56  node=" + node},
		{"", node, 6, 28, 44, "expr  tokenizer.py:56  node=…name='leaf')"},
		{"", node, 6, 28, 38, "expr  tokenizer.py:56  …name='leaf…"},
		{"", node, 6, 28, 33, "expr  tokenizer.py:56  …name=…"},
		{"", node, 6, 28, 31, "expr  tokenizer.py:56"},
		{"", node, 6, 0, 40, "expr  tokenizer.py:56  node=Node(lef…"},
	} {
		f := session.ViewFrame{
			Frame: dsl.Frame{File: "tokenizer.py", Function: "expr", Line: 56}, Class: c.class,
			Tells: &dsl.Local{Name: "node", Value: c.value}, TellsFrom: c.from,
		}
		canvas := draw.NewCanvas(c.width, 1, draw.Runes)
		if got := p.drawFrame(canvas.Sub(draw.Rect{W: c.width, H: 1}), f, false, c.column); got != c.want {
			t.Errorf("in %d columns %q, want %q", c.width, got, c.want)
		}
	}
}
