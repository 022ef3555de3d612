package tui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/tui/keys"
)

// sightOf matches the number of the last row in sight and the number of all rows.
var sightOf = regexp.MustCompile(` \d+–(\d+) of (\d+) ─`)

// TestHelpWhole checks that every sentence of the help can be read to its end, at every
// size, and that the help says how much of it is out of sight.
func TestHelpWhole(t *testing.T) {
	d := drive(t, 120, 36, cpython(t, "shop.py"))
	d.press("?")
	for _, size := range append(sizes, [2]int{160, 40}, [2]int{40, 10}) {
		d.resize(size[0], size[1])
		d.press(slices.Repeat([]string{"pgup"}, 40)...)
		columns := max(size[0]/80, 1)
		seen := helpOf(d, columns)
		for {
			sight := sightOf.FindStringSubmatch(d.text())
			if sight == nil || sight[1] == sight[2] {
				break
			}
			if size[0] >= 60 {
				d.shows(" more below")
			}
			d.press("down")
			seen += helpOf(d, columns)
		}
		d.showsNot("more below")
		for _, b := range d.m.screen.Keys.Bindings(keys.Source) {
			if len(b.Keys) > 0 && !strings.Contains(seen, b.Help) {
				t.Errorf("%v: %q is not to be read", size, b.Help)
			}
		}
		if strings.Contains(seen, "…") {
			t.Errorf("%v: something is cut:\n%s", size, d.text())
		}
	}
}

// helpOf returns the text of the help's columns, one below the other.
func helpOf(d *driver, columns int) string {
	var b strings.Builder
	rows := strings.Split(d.text(), "\n")
	for c := range columns {
		for _, row := range rows[1 : len(rows)-1] {
			letters := []rune(row)
			width := len(letters) / columns
			b.WriteString(strings.Join(strings.Fields(string(letters[c*width:(c+1)*width])), " ") + " ")
		}
	}
	return b.String()
}

// TestHelpColumns checks that a wide screen shows the help in columns, and that no group
// is split across two columns if everything fits.
func TestHelpColumns(t *testing.T) {
	d := drive(t, 200, 60, cpython(t, "shop.py"))
	d.press("?")
	d.shows("Marks of the timeline")
	d.showsNot("more below")
	second := []rune(strings.Split(d.text(), "\n")[1])[100:]
	if got := strings.TrimSpace(string(second)); got != "The session" {
		t.Errorf("the second column begins with %q, no heading", got)
	}
}
