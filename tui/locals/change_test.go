package locals

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// FuzzChangedSpans checks that the spans never take more columns than there are, and have
// no text that is not in the values.
func FuzzChangedSpans(f *testing.F) {
	for i, s := range []string{
		"\x1b[2J\x1b[H", "\x9b31m", "\u202e\u2066abc", "e\u0301\u0327", "👨\u200d👩\u200d👧", "\u200b\ufeff", "a\tb", "line\rover", "\x00\x7f", "日本語", "ﷺ", "\xff\xfe",
	} {
		f.Add("["+s+", 1]", "["+s+", 2]", 10+i)
		f.Add("'"+strings.Repeat(s, 20)+"a'", "'"+strings.Repeat(s, 20)+"b'", 30)
		f.Add("{'"+s+"': ["+s+"]}", "{'"+s+"': [1]}", 20)
	}
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		f.Fatal(err)
	}
	p := New(&pane.Screen{Theme: theme})
	f.Fuzz(func(t *testing.T, old, now string, room int) {
		room = min(max(room, 0), 200)
		for _, measure := range []draw.Measure{draw.Runes, draw.Clusters} {
			p.Measure = measure
			spans := p.changedSpans(values.Deltas{}.Of(values.Parse(old), values.Parse(now)), draw.Style{}, room)
			canvas := draw.NewCanvas(room+10, 1, measure)
			canvas.Sub(draw.Rect{W: room + 10, H: 1}).Spans(0, 0, measure.CutSpans(spans, room), 0)
			text := sgr.ReplaceAllString(canvas.Render(), "")
			for rest := text; rest != ""; {
				r, size := utf8.DecodeRuneInString(rest)
				if escape.Hostile(r, size) {
					t.Fatalf("something steers the terminal: %q", canvas.Render())
				}
				rest = rest[size:]
			}
			if w := measure.Width(strings.TrimRight(text, " ")); w > room {
				t.Fatalf("%d columns of %d: %q", w, room, text)
			}
		}
	})
}
