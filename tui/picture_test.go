package tui

import (
	"slices"
	"strings"
	"testing"
)

// TestPictureIsTheScreen checks that a picture has the layout of the screen, by the
// contents of the panes, and has its keys.
func TestPictureIsTheScreen(t *testing.T) {
	for _, c := range []struct {
		run  *run
		keys []string
	}{
		{manyNames(), []string{"n"}},
		{threeLines(), []string{"O", "j", "enter", "esc", "n"}},
	} {
		d := drive(t, pictureColumns, pictureRows, replayed(t, c.run))
		d.press(c.keys...)
		drawn := d.m.engine.picture(d.m.screen.View)
		if got, want := titles(drawn), titles(d.text()); !slices.Equal(got, want) {
			t.Errorf("the picture has\n%s\nnot\n%s", drawn, d.text())
		}
		rows := strings.Split(strings.TrimRight(drawn, "\n"), "\n")
		if hints := strings.TrimSpace(rows[len(rows)-1]); !strings.Contains(d.text(), hints) {
			t.Errorf("the picture has the keys %s, not\n%s", hints, d.text())
		}
	}
}

// titles returns the rows of a screen in which panes begin.
func titles(screen string) []int {
	var at []int
	for y, row := range strings.Split(screen, "\n") {
		if strings.Contains(row, "───") {
			at = append(at, y)
		}
	}
	return at
}
