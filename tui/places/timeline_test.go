package places

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// timelineOf draws a timeline of columns columns with the current position at one of
// events events. It returns the output to the terminal, and its text without the
// percentage at the end.
func timelineOf(t *testing.T, profile colorprofile.Profile, columns int, spans []session.Span, event, events int) (raw string, cells []rune) {
	t.Helper()
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range spans {
		if spans[i].Last == 0 {
			spans[i].First, spans[i].Last = i, i
		}
	}
	view := &session.View{Mode: session.Both, Place: session.Place{Event: event, Events: events}}
	row := NewTimeline(&pane.Screen{Theme: theme.For(profile), View: view})
	row.Spans = spans
	canvas := draw.NewCanvas(columns, 1, draw.Runes)
	row.Draw(canvas.Sub(draw.Rect{W: columns, H: 1}))
	raw = canvas.Render()
	return raw, []rune(ansi.Strip(raw))[:columns-percentColumns]
}

// diverged returns the spans of a timeline with so many columns and events. The first
// divergence is at the event first; more holds the others.
func diverged(columns, events, first int, more ...int) []session.Span {
	per := 1
	for (events-1)/per >= columns {
		per *= 2
	}
	spans := make([]session.Span, (events-1)/per+1)
	for i := range spans {
		spans[i].First, spans[i].Last = i*per, min((i+1)*per, events)-1
	}
	at := func(event int) *session.Span { return &spans[event/per] }
	for _, event := range append(more, first) {
		at(event).Diverged = true
	}
	at(first).FirstDiverged = true
	return spans
}

// TestTimelineFirstDivergence checks that the first divergence has one mark, whatever the
// size of the screen and the recording, wherever it is and whatever is beside it.
func TestTimelineFirstDivergence(t *testing.T) {
	for _, columns := range []int{40, 60, 80, 100, 120, 170, 200, 333} {
		for _, events := range []int{1, 2, 7, 75, 80, 81, 500, 100_000} {
			for _, first := range []int{0, 1, events / 3, events / 2, events - 2, events - 1} {
				if first < 0 || first >= events {
					continue
				}
				for _, here := range []int{0, first, max(first-1, 0), events - 1} {
					spans := diverged(columns, events, first, min(first+1, events-1), max(first-1, 0))
					_, cells := timelineOf(t, colorprofile.TrueColor, columns, spans, here, events)
					if n := strings.Count(string(cells), markFirst); n != 1 {
						t.Errorf("%d columns, %d events, first diverged at %d, here at %d: %d marks\n%s", columns, events, first, here, n, string(cells))
					}
				}
			}
		}
	}
}

// TestTimelineMarks checks how the marks look, also without colors, and where two marks
// meet in one cell.
func TestTimelineMarks(t *testing.T) {
	spans := make([]session.Span, 20)
	spans[3].Exception, spans[6].Breakpoint, spans[9].Shown = true, true, true
	spans[12].Diverged, spans[12].FirstDiverged, spans[12].Exception = true, true, true
	spans[15].Diverged, spans[15].Breakpoint = true, true
	spans[17].Hole, spans[17].Breakpoint = true, true
	for _, c := range []struct {
		here int
		want string
	}{
		{0, "█▁▁!▁▁●▁▁.▁▁▼▁▁≠▁┊▁▁"},
		{15, "▁▁▁!▁▁●▁▁.▁▁▼▁▁█▁┊▁▁"},
		{12, "▁▁▁!▁▁●▁▁.▁▁▼▁▁≠▁┊▁▁"}, // the current position is the mark in reverse
	} {
		raw, cells := timelineOf(t, colorprofile.ASCII, len(spans)+percentColumns, spans, c.here, len(spans))
		if string(cells) != c.want {
			t.Errorf("here at %d: %s, want %s", c.here, string(cells), c.want)
		}
		// The mark is bold, and also in reverse if it shows the current position.
		for glyph, reverse := range map[string]bool{markFirst: c.here == 12, markHere: false} {
			if style := styleOf(raw, glyph); strings.Contains(raw, glyph) && (!strings.Contains(style, "1") || strings.Contains(style, ";7") != reverse) {
				t.Errorf("here at %d: %s is written as %s", c.here, glyph, style)
			}
		}
	}
	first, _ := timelineOf(t, colorprofile.TrueColor, len(spans)+percentColumns, spans, 0, len(spans))
	here, _ := timelineOf(t, colorprofile.TrueColor, len(spans)+percentColumns, spans, 12, len(spans))
	if first, here := styleOf(first, markFirst), styleOf(here, markFirst); first == here || first == "" || here == "" {
		t.Errorf("the place at the first divergence looks as another one does: %q, %q", first, here)
	}
}

// TestTimelineKeepsItsPlaces checks that the cells of the timeline do not move while a run
// continues. When the row is full, they shrink to half of it.
func TestTimelineKeepsItsPlaces(t *testing.T) {
	const columns = 40 + percentColumns
	at := func(events int) string {
		spans := diverged(columns, events, min(9, events-1))
		for i := range spans {
			spans[i].Depth = spans[i].First / 2 % 5
			spans[i].Breakpoint = spans[i].First <= 32 && 32 <= spans[i].Last
		}
		_, cells := timelineOf(t, colorprofile.TrueColor, columns, spans, events-1, events)
		return strings.TrimRight(string(cells), " ")
	}
	was := at(20)
	for events := 21; events < 41; events++ {
		now := at(events)
		if before := strings.TrimSuffix(was, markHere); !strings.HasPrefix(now, before) {
			t.Fatalf("%d events:\n%s\nwas\n%s", events, now, was)
		}
		was = now
	}
	full, half := []rune(was), []rune(at(41))
	if len(full) != 40 || len(half) != 21 || full[32] != '●' || half[16] != '●' || full[9] != '▼' || half[4] != '▼' {
		t.Errorf("the full row\n%s\nbecomes\n%s", string(full), string(half))
	}
}

// TestTimelineShown checks that a state that was shown has a bar of another shape, which
// also rises.
func TestTimelineShown(t *testing.T) {
	spans := make([]session.Span, 12)
	for i := range spans {
		spans[i].Depth, spans[i].Shown = i%5, i >= 5
	}
	_, cells := timelineOf(t, colorprofile.ASCII, len(spans)+percentColumns, spans, 11, len(spans))
	if got, want := string(cells), "▁▂▃▄▅..▖▖▌.█"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	spans[3].Depth = 9
	_, cells = timelineOf(t, colorprofile.ASCII, len(spans)+percentColumns, spans, 11, len(spans))
	if got, want := string(cells), "▁▁▁▃▂......█"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// styleOf returns the escape sequence before a glyph.
func styleOf(raw, glyph string) string {
	before, _, _ := strings.Cut(raw, glyph)
	return fmt.Sprintf("%q", before[max(strings.LastIndex(before, "\x1b["), 0):])
}

// TestTimelineGrows checks that the timeline grows by the recorded events while a move
// runs. Its cells do not move until the row is full, and then take half of it.
func TestTimelineGrows(t *testing.T) {
	theme, err := themes.Load(themes.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	screen := &pane.Screen{Theme: theme, View: &session.View{Mode: session.Real, Place: session.Place{Event: 3, Events: 4}}, Running: &pane.Running{}}
	row := NewTimeline(screen)
	for i := range 4 {
		row.Spans = append(row.Spans, session.Span{First: i, Last: i})
	}
	for _, c := range []struct {
		pace *session.Pace
		want string
	}{
		{nil, "▁▁▁█                  100%"},
		{&session.Pace{Events: 10}, "▁▁▁█······             33%"},
		{&session.Pace{Events: 20}, "▁▁▁█················   15%"},
		{&session.Pace{Events: 21}, "▁█·········            15%"},
		{&session.Pace{Events: 10_000_000}, "█···················    0%"},
		{&session.Pace{Events: 10, Unrecorded: true}, "▁▁▁█                  100%"},
	} {
		screen.Running.Pace = c.pace
		canvas := draw.NewCanvas(26, 1, draw.Runes)
		row.Draw(canvas.Sub(draw.Rect{W: 26, H: 1}))
		if got := ansi.Strip(canvas.Render()); got != c.want {
			t.Errorf("%+v: %q, want %q", c.pace, got, c.want)
		}
	}
}
