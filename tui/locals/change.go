package locals

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// leastWas is the minimum width for an old value that does not fit.
const leastWas = 8

const (
	wasLabel = "was "
	gap      = 2 // columns between the new and the old value
)

// changedSpans formats a changed value with the old one: both if they fit. Else, for a value with
// elements, the first changed element: "…['ann'] 175 was 275 +2 more"; for a text, the part around
// the first difference.
func (p *Pane) changedSpans(c *values.Delta, style draw.Style, room int) []draw.Span {
	if spans, ok := p.wholeSpans(c, style, room); ok {
		return spans
	}
	if place, n := c.First(); n > 0 {
		if spans, ok := p.placeSpans(c, place, n-1, style, room); ok {
			return spans
		}
	}
	return p.partSpans(c, style, room)
}

// wholeSpans formats both values if they fit.
func (p *Pane) wholeSpans(c *values.Delta, style draw.Style, room int) (spans []draw.Span, ok bool) {
	now, ok := c.New.Line(room, p.Measure)
	if !ok {
		return nil, false
	}
	room -= p.Measure.Width(now) + gap + len(wasLabel)
	old, ok := c.Old.Line(room, p.Measure)
	if !ok {
		return nil, false
	}
	return append(p.markedSpans(now, c.Diff(), style), p.wasSpan(old)), true
}

func (p *Pane) wasSpan(old string) draw.Span {
	return draw.Span{Text: strings.Repeat(" ", gap) + wasLabel + old, Style: p.Style(themes.Was)}
}

// placeSpans formats the first changed element, and how many more there are.
func (p *Pane) placeSpans(c *values.Delta, place values.Change, more int, style draw.Style, room int) (spans []draw.Span, ok bool) {
	dim := p.Style(themes.Dim)
	var rest string
	if more > 0 {
		rest = fmt.Sprintf("%*s+%d more", gap, "", more)
	}
	room -= p.Measure.Width(rest) + 1
	need := room / 3 // the path is more important than the value
	if place.New != nil {
		if text, ok := place.New.Line(need, p.Measure); ok {
			need = p.Measure.Width(text)
		}
	}
	path := p.path(place.Path, room-need)
	if room -= p.Measure.Width(path); room < need || need == 0 {
		return nil, false
	}
	spans = []draw.Span{{Text: path + " ", Style: dim}}
	switch place.Kind {
	case values.Added:
		text := place.New.Summary(room, p.Measure)
		spans = append(spans, draw.Span{Text: text, Style: p.changedStyle(style)})
		if room -= p.Measure.Width(text); room >= len(" added") {
			spans = append(spans, draw.Span{Text: " added", Style: dim})
		}
	case values.Removed:
		text := p.Measure.Cut("removed", room)
		spans = append(spans, draw.Span{Text: text, Style: p.Style(themes.Changed)})
		if room -= len("removed") + gap + len(wasLabel); room > leastWas-len(wasLabel) {
			spans = append(spans, p.wasSpan(place.Old.Summary(room, p.Measure)))
		}
	default:
		spans = append(spans, p.changedSpans(c.In(place), style, room)...)
	}
	return append(spans, draw.Span{Text: rest, Style: dim}), true
}

// path formats the path to an element. If it is too long, the first steps are left out.
func (p *Pane) path(steps []string, room int) string {
	for len(steps) > 1 && p.Measure.Width(strings.Join(steps, "")) >= room {
		steps = steps[1:]
	}
	return p.Measure.Cut(pane.GlyphEllipsis+strings.Join(steps, ""), max(room, 1))
}

// partSpans formats the new value with its differences marked, and the old value if there is
// room. Both are shortened to the room.
func (p *Pane) partSpans(c *values.Delta, style draw.Style, room int) []draw.Span {
	before, _ := c.Old.Line(room, p.Measure)
	need := room
	if before != "" {
		need = p.Measure.Width(before)
	}
	need = max(need, leastWas-len(wasLabel)) + len(wasLabel) + gap
	limit := max(room-min(need, room/3), room/2, 1)
	var spans []draw.Span
	text, whole := c.New.Line(limit, p.Measure)
	if pieces := c.Diff(); !whole && p.late(pieces, limit) {
		spans = p.Measure.CutSpans(p.window(pieces, style, p.changedStyle(style), limit), limit)
	} else {
		if !whole {
			text = c.New.Summary(limit, p.Measure)
		}
		spans = p.markedSpans(text, pieces, style)
	}
	if left := room - p.Measure.SpansWidth(spans) - gap - len(wasLabel); left > leastWas-len(wasLabel) {
		spans = append(spans, p.oldSpans(c, left)...)
	}
	return spans
}

// oldSpans formats the part of the old value around the first difference.
func (p *Pane) oldSpans(c *values.Delta, room int) []draw.Span {
	was := p.Style(themes.Was)
	text, whole := c.Old.Line(room, p.Measure)
	if pieces := values.Diff(c.New.Text, c.Old.Text); !whole && p.late(pieces, room) {
		return p.Measure.CutSpans(append([]draw.Span{p.wasSpan("")}, p.window(pieces, was, was, room)...), room+gap+len(wasLabel))
	}
	if !whole {
		text = c.Old.Summary(room, p.Measure)
	}
	return []draw.Span{p.wasSpan(text)}
}

// late reports whether the first difference is after the visible part of a text.
func (p *Pane) late(pieces []values.Piece, room int) bool {
	return len(pieces) > 0 && pieces[0].Kind == values.Same && (len(pieces[0].Text) > 16*room || p.Measure.Width(pieces[0].Text) > room/2)
}

// window returns a text from shortly before its first difference on.
func (p *Pane) window(pieces []values.Piece, style, mark draw.Style, room int) []draw.Span {
	var spans []draw.Span
	for i, p := range pieces {
		text := p.Text
		look := mark
		if p.Kind == values.Same {
			look = style
		}
		if i == 0 {
			text = text[max(len(text)-8*room, 0):]
			runes := []rune(strings.ToValidUTF8(text, ""))
			text = pane.GlyphEllipsis + string(runes[max(len(runes)-room/3, 0):])
		}
		if p.Kind != values.Removed {
			spans = append(spans, draw.Span{Text: text, Style: look})
		}
		if len(spans) > room {
			break
		}
	}
	return spans
}

// markedSpans formats a text with the changes marked. If the changes only remove text, so that
// nothing could be marked, it marks all of it. It does not mark text that is not in the pieces,
// such as a note after the value.
func (p *Pane) markedSpans(text string, pieces []values.Piece, style draw.Style) []draw.Span {
	changed := p.changedStyle(style)
	var spans []draw.Span
	marks := false
	for _, p := range pieces {
		if p.Kind == values.Removed {
			continue
		}
		look := style
		if p.Kind != values.Same {
			look, marks = changed, true
		}
		n := shared(text, p.Text)
		spans = append(spans, draw.Span{Text: text[:n], Style: look})
		if text = text[n:]; n < len(p.Text) {
			break
		}
	}
	spans = append(spans, draw.Span{Text: text, Style: style})
	if !marks {
		for i := range spans {
			spans[i].Style = changed
		}
	}
	return spans
}

// shared returns the length of the common beginning of two texts.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// changedWords describes how many names outside of the visible rows have changed.
func changedWords(above, below int) string {
	switch {
	case above+below == 0:
		return ""
	case below == 0:
		return fmt.Sprintf("%d changed above", above)
	case above == 0:
		return fmt.Sprintf("%d changed below", below)
	}
	return fmt.Sprintf("%d changed above, %d below", above, below)
}
