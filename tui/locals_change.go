package tui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/values"
)

// changes are those of a stop, by the new value. What of a value is asked for is
// looked at once.
type changes map[*values.Node]*change

// change is what a value has other than before.
type change struct {
	old, now *values.Node
	all      changes
	looked   bool // at the places
	found    []values.Change
	places   int
	pairs    *values.Pairs
	kids     []int
	pieces   []values.Piece
}

func (c changes) of(old, now *values.Node) *change {
	if c[now] == nil {
		c[now] = &change{old: old, now: now, all: c}
	}
	return c[now]
}

// child is what the new value's child k was before, nil if it was the same or is
// new, which fresh says.
func (c *change) child(k int) (before *values.Node, fresh bool) {
	if c.old == nil {
		return nil, false // the value as a whole has not changed
	}
	kids := c.children()
	if _, ok := slices.BinarySearch(kids, k); !ok {
		return nil, false
	}
	i := c.pairs.Before[k]
	if i < 0 {
		return nil, true
	}
	return c.old.Child(i).Node, false
}

// children are those of the new value that are new or were others before, in order.
func (c *change) children() []int {
	if c.pairs == nil {
		pairs, alike := values.Pair(c.old, c.now)
		if !alike { // another value as a whole: all that is in it is new
			pairs.Before = slices.Repeat([]int{-1}, c.now.Len())
		}
		c.pairs = &pairs
		c.kids = pairs.Differ(c.old, c.now)
	}
	return c.kids
}

// first is the first place in the value that is not as it was, and how many there
// are; none if it is another value as a whole, or was empty.
func (c *change) first() (values.Change, int) {
	if !c.looked && c.old.Len() > 0 {
		c.looked = true
		c.found, c.places = values.Changes(c.old, c.now, 1)
	}
	if c.places == 0 {
		return values.Change{}, 0
	}
	return c.found[0], c.places
}

// diff is the new text, in the pieces that are as they were and the others.
func (c *change) diff() []values.Piece {
	if c.pieces == nil {
		c.pieces = values.Diff(c.old.Text, c.now.Text)
	}
	return c.pieces
}

// Columns that a value before gets, if it needs them.
const leastWas = 8

const (
	wasLabel = "was "
	gap      = 2 // columns between what is now and what was
)

// changedSpans are a value that has changed, and what it was: both where they fit.
// Else, of a value with parts, the first part that changed: "…['ann'] 175 was 275
// +2 more"; of a text, what is around the first difference.
func (m *Model) changedSpans(c *change, style draw.Style, room int) []draw.Span {
	if spans, ok := m.wholeSpans(c, style, room); ok {
		return spans
	}
	if place, n := c.first(); n > 0 {
		if spans, ok := m.placeSpans(c, place, n-1, style, room); ok {
			return spans
		}
	}
	return m.partSpans(c, style, room)
}

// wholeSpans are both values, if they fit.
func (m *Model) wholeSpans(c *change, style draw.Style, room int) (spans []draw.Span, ok bool) {
	now, ok := c.now.Line(room, m.measure)
	if !ok {
		return nil, false
	}
	room -= m.measure.Width(now) + gap + len(wasLabel)
	old, ok := c.old.Line(room, m.measure)
	if !ok {
		return nil, false
	}
	return append(m.markedSpans(now, c.diff(), style), m.wasSpan(old)), true
}

func (m *Model) wasSpan(old string) draw.Span {
	return draw.Span{Text: strings.Repeat(" ", gap) + wasLabel + old, Style: m.style(themes.Was)}
}

// placeSpans are the first part of a value that has changed, and how many more.
func (m *Model) placeSpans(c *change, place values.Change, more int, style draw.Style, room int) (spans []draw.Span, ok bool) {
	dim := m.style(themes.Dim)
	var rest string
	if more > 0 {
		rest = fmt.Sprintf("%*s+%d more", gap, "", more)
	}
	room -= m.measure.Width(rest) + 1
	need := room / 3 // where it changed says more than what it was there
	if place.New != nil {
		if text, ok := place.New.Line(need, m.measure); ok {
			need = m.measure.Width(text)
		}
	}
	path := m.path(place.Path, room-need)
	if room -= m.measure.Width(path); room < need || need == 0 {
		return nil, false
	}
	spans = []draw.Span{{Text: path + " ", Style: dim}}
	switch place.Kind {
	case values.Added:
		text := place.New.Summary(room, m.measure)
		spans = append(spans, draw.Span{Text: text, Style: m.changedStyle(style)})
		if room -= m.measure.Width(text); room >= len(" added") {
			spans = append(spans, draw.Span{Text: " added", Style: dim})
		}
	case values.Removed:
		text := m.measure.Cut("removed", room)
		spans = append(spans, draw.Span{Text: text, Style: m.style(themes.Changed)})
		if room -= len("removed") + gap + len(wasLabel); room > leastWas-len(wasLabel) {
			spans = append(spans, m.wasSpan(place.Old.Summary(room, m.measure)))
		}
	default:
		spans = append(spans, m.changedSpans(c.all.of(place.Old, place.New), style, room)...)
	}
	return append(spans, draw.Span{Text: rest, Style: dim}), true
}

// path is what leads to a part of a value, the end of it where there is no room
// for all.
func (m *Model) path(steps []string, room int) string {
	for len(steps) > 1 && m.measure.Width(strings.Join(steps, "")) >= room {
		steps = steps[1:]
	}
	return m.measure.Cut(glyphEllipsis+strings.Join(steps, ""), max(room, 1))
}

// partSpans are as much as fits of two values that do not fit.
func (m *Model) partSpans(c *change, style draw.Style, room int) []draw.Span {
	before, _ := c.old.Line(room, m.measure)
	need := room
	if before != "" {
		need = m.measure.Width(before)
	}
	need = max(need, leastWas-len(wasLabel)) + len(wasLabel) + gap
	limit := max(room-min(need, room/3), room/2, 1)
	var spans []draw.Span
	text, whole := c.now.Line(limit, m.measure)
	if pieces := c.diff(); !whole && m.late(pieces, limit) {
		spans = m.measure.CutSpans(m.window(pieces, style, m.changedStyle(style), limit), limit)
	} else {
		if !whole {
			text = c.now.Summary(limit, m.measure)
		}
		spans = m.markedSpans(text, pieces, style)
	}
	if left := room - m.spansWidth(spans) - gap - len(wasLabel); left > leastWas-len(wasLabel) {
		spans = append(spans, m.oldSpans(c, left)...)
	}
	return spans
}

// oldSpans are what of the value before fits, around the first difference.
func (m *Model) oldSpans(c *change, room int) []draw.Span {
	was := m.style(themes.Was)
	text, whole := c.old.Line(room, m.measure)
	if pieces := values.Diff(c.now.Text, c.old.Text); !whole && m.late(pieces, room) {
		return m.measure.CutSpans(append([]draw.Span{m.wasSpan("")}, m.window(pieces, was, was, room)...), room+gap+len(wasLabel))
	}
	if !whole {
		text = c.old.Summary(room, m.measure)
	}
	return []draw.Span{m.wasSpan(text)}
}

// late reports whether the first difference is behind what shows of a text.
func (m *Model) late(pieces []values.Piece, room int) bool {
	return len(pieces) > 0 && pieces[0].Kind == values.Same && (len(pieces[0].Text) > 16*room || m.measure.Width(pieces[0].Text) > room/2)
}

// window is a text from shortly before its first difference on.
func (m *Model) window(pieces []values.Piece, style, mark draw.Style, room int) []draw.Span {
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
			text = glyphEllipsis + string(runes[max(len(runes)-room/3, 0):])
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

// markedSpans are the beginning of a text with what of it has changed marked; all
// of it is where something is only missing. What the text has behind it is no part
// of the value.
func (m *Model) markedSpans(text string, pieces []values.Piece, style draw.Style) []draw.Span {
	changed := m.changedStyle(style)
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

// shared is how long the beginning is that two texts have in common.
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
