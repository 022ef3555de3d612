package draw

import (
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// TestStyled checks that lipgloss output is drawn with its styles, and that other escape
// sequences have no effect.
func TestStyled(t *testing.T) {
	c := NewCanvas(12, 3, Runes)
	name := lipgloss.NewStyle().Bold(true).Underline(true).Foreground(red)
	block := lipgloss.JoinHorizontal(lipgloss.Top, name.Render("a漢"), "  one\n  two")
	c.Sub(Rect{1, 1, 11, 2}).Styled(block + "\x1b[2J\x1b]0;title\x07")
	out := c.Render()
	if got, want := ansi.Strip(out), "            \n a漢  one   \n      two   "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if at := c.cells[12+1]; c.styles[at.style] != (Style{Fg: red, Attr: Bold | Underline}) {
		t.Errorf("it looks %+v", c.styles[at.style])
	}
	checkRenderer(t, c, out)
}
