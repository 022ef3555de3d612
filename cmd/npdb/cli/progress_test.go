package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// TestProgressFits checks that the line fits its terminal. The bar is shortened first; the
// progress numbers stay longest.
func TestProgressFits(t *testing.T) {
	more := []string{"112 failed", "10,711 trajectories", "41 MiB"}
	for _, c := range []struct {
		columns int
		want    []string
		not     string
	}{
		{200, append([]string{"░"}, more...), "\n"},
		{80, more, "░"},
		{60, more[:1], "41 MiB"},
		{40, nil, "failed"},
		{30, nil, "failed"},
		{12, nil, "failed"},
		{1, nil, "2"},
		{0, more, "░"}, // the terminal does not report its width; 80 is assumed
	} {
		var out bytes.Buffer
		b := &ProgressBar{to: &out, columns: func() int { return c.columns }, Began: time.Now().Add(-time.Hour)}
		b.Show(2710, 20000, 2710, "programs", more...)
		line, begun := strings.CutPrefix(out.String(), "\r\x1b[K")
		most := c.columns
		if most == 0 {
			most = 80
		}
		if width := ansi.StringWidth(line); !begun || width > most || strings.Contains(ansi.Strip(line), "\n") {
			t.Errorf("%d columns: %d wide: %q", c.columns, width, line)
		}
		if c.columns >= 40 || c.columns == 0 {
			c.want = append(c.want, "2,710/20,000 programs", " left")
		}
		for _, part := range c.want {
			if !strings.Contains(ansi.Strip(line), part) {
				t.Errorf("%d columns: no %q in %q", c.columns, part, line)
			}
		}
		if strings.Contains(line, c.not) {
			t.Errorf("%d columns: %q in %q", c.columns, c.not, line)
		}
	}
	var out bytes.Buffer // a short line gets a bar that fills the rest
	for columns, want := range map[int]int{80: 30 + 1 + 15, 41: 40, 26: 15} {
		out.Reset()
		(&ProgressBar{to: &out, columns: func() int { return columns }}).Show(9, 10, 0, "programs s")
		if width := ansi.StringWidth(strings.TrimPrefix(out.String(), "\r\x1b[K")); width != want {
			t.Errorf("%d columns: %d wide, not %d: %q", columns, width, want, out.String())
		}
	}
}
