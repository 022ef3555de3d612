package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/values"
)

// glyphPredicted points at the line that a model predicts, where that is not the
// line CPython is at.
const glyphPredicted = "⇢"

// glyphIncomparable marks values of which a part cannot be compared.
const glyphIncomparable = "?"

// besideHead is how many rows are above the comparison: who, and where.
const besideHead = 2

// drawBeside draws the prediction on the left and CPython on the right. The column
// between them says of each row how they compare.
func (p *locals) drawBeside(m *Model, a *draw.Area, focused bool) {
	if m.shape.scored {
		p.drawScore(m, a, focused)
		return
	}
	w, h := a.Size()
	b := m.view.Beside
	if rows := scoreRows(h); rows > 0 {
		h -= rows
		m.drawScoreRows(a.Sub(draw.Rect{Y: h, W: w, H: rows}), b)
	}
	left := (w - 1) / 2
	sides := [2]*draw.Area{a.Sub(draw.Rect{W: left, H: h}), a.Sub(draw.Rect{X: left + 1, W: w - left - 1, H: h})}
	for y := range h {
		a.Text(left, y, "│", m.style(themes.Rule))
	}
	model := m.view.Model.Name
	if c := b.Confidence; c != nil {
		model += fmt.Sprintf(" %.2f", *c)
	}
	sides[0].Spans(1, 0, []draw.Span{{Text: "predicted ", Style: m.style(themes.Predicted)}, {Text: model, Style: m.style(themes.Dim)}}, 0)
	sides[1].Spans(1, 0, []draw.Span{{Text: "real ", Style: m.style(themes.Title)}, {Text: b.Referee, Style: m.style(themes.Dim)}}, 0)
	rows, room := p.besideRows(m), h-besideHead
	p.besideReveal(m, rows)
	p.fit(len(rows), max(room, 0))
	if room < 0 {
		return
	}
	parted := besideParted(m.view)
	m.drawBesideLine(sides[0], glyphPredicted, b.State, m.view.State, b.Exit, parted)
	m.drawBesideLine(sides[1], glyphHere, m.view.State, b.State, m.view.Exit, parted)
	if parted {
		a.Text(left, 1, markParted, m.style(themes.Differs))
	}
	labels := besideLabels(m, rows, left)
	for i := p.top; i < min(len(rows), p.top+room); i++ {
		row := a.Sub(draw.Rect{Y: besideHead + i - p.top, W: w, H: 1})
		found := m.drawBesideRow(row, labels, &rows[i])
		if focused && i == p.cursor {
			row.Overlay(draw.Rect{W: w, H: 1}, m.style(themes.Selection))
		}
		for _, f := range found {
			m.searchIn(localsPane).mark(m, f.area, f.text, 0, i == p.cursor)
		}
	}
	// Its place is the last row, whatever stands above: nothing moves for it.
	if same := m.besideSame(); same != "" && len(rows) < room {
		a.Fill(draw.Rect{Y: h - 1, W: w, H: 1}, " ", m.style(themes.Text))
		a.Text(1, h-1, m.measure.Cut("the same on both sides: "+same, max(w-2, 0)), m.style(themes.Dim))
	}
}

// besideParted reports whether the two stand at different places.
func besideParted(v *session.View) bool {
	b := v.Beside
	for _, f := range []compare.Field{compare.Outcome, compare.Event, compare.Line} {
		if v, ok := b.Verdicts.Of(f); ok && v.Kind.Wrong() {
			return true
		}
	}
	if len(b.Verdicts) > 0 {
		return false
	}
	return b.State == nil || v.State == nil || b.State.Line != v.State.Line || b.State.File != v.State.File
}

// drawBesideLine draws where a side stands; other is the other side's state.
func (m *Model) drawBesideLine(a *draw.Area, glyph string, st, other *dsl.State, exit *dsl.Exit, parted bool) {
	w, _ := a.Size()
	style := m.style(themes.Here)
	if parted {
		style = m.style(themes.Differs)
	}
	text := "nothing"
	switch {
	case st != nil:
		text = fmt.Sprintf("%d  %s", st.Line, strings.TrimSpace(st.Source))
		if other != nil && other.File != st.File {
			text = st.File + ":" + text
		}
		switch {
		case st.Event == dsl.Return && st.Kind != dsl.NoReturn:
			text = st.Kind.String() + " " + text
		case st.Event != dsl.Line:
			text = st.Event.String() + " " + text
		}
	case exit != nil:
		text = fmt.Sprintf("the end, exit code %d", exit.Code)
	}
	a.Text(1, 1, glyph, style)
	a.Text(3, 1, m.measure.Cut(text, max(w-4, 1)), style)
}

// besideLabels is how wide the column of names is, of a side that is so wide.
func besideLabels(m *Model, rows []besideRow, w int) int {
	n := 1
	for i := range rows {
		n = max(n, 2*rows[i].depth+m.measure.Width(rows[i].label))
	}
	return min(n, mostNameColumns, max(w/3, 1))
}

// drawBesideRow draws one thing on both sides, and returns where a search may find
// something. CPython's side is marked where the program has just changed it, with the
// value it had if that fits.
func (m *Model) drawBesideRow(row *draw.Area, labels int, r *besideRow) (found [4]marked) {
	w, _ := row.Size()
	left := (w - 1) / 2
	switch {
	case r.kind.Wrong():
		row.Text(left, 0, markParted, m.style(themes.Differs))
	case r.kind == compare.Incomparable:
		row.Text(left, 0, glyphIncomparable, m.style(themes.Dim))
	}
	for i := range r.sides {
		a := row.Sub(draw.Rect{X: i * (left + 1), W: left, H: 1}) // as wide, so that as much is cut
		style := m.style(themes.Text)
		switch {
		case r.note:
			style = m.style(themes.Dim)
		case i == 0:
			style = m.style(themes.Predicted)
		case r.changed:
			style = m.style(themes.Changed)
			a.Text(0, 0, "▌", style)
		}
		x := 1 + 2*r.depth
		if r.path != "" && parts(r.sides[i]) {
			glyph := "▸"
			if r.opened {
				glyph = "▾"
			}
			a.Text(x, 0, glyph, m.style(themes.Dim))
		}
		const gap = 2
		at := 3 + labels + gap
		label := a.Sub(draw.Rect{X: x + 2, W: max(at-gap-x-2, 0), H: 1})
		name := m.measure.Cut(r.label, max(at-gap-x-2, 0))
		label.Text(0, 0, name, m.style(themes.LocalName))
		room := max(left-at-1, 0)
		cell := a.Sub(draw.Rect{X: at, W: room, H: 1})
		value := m.besideValue(r, i, style, room)
		used := cell.Spans(0, 0, value, 0)
		if i == 1 && r.changed && r.before != nil {
			if was := "was " + r.before.Text; used+gap+m.measure.Width(was) <= room {
				cell.Text(used+gap, 0, was, m.style(themes.Was))
			}
		}
		found[2*i], found[2*i+1] = marked{label, name}, marked{cell, spansText(value)}
	}
	return found
}

// besideValue is the value that a row has on a side, with what differs in it marked.
func (m *Model) besideValue(r *besideRow, side int, style draw.Style, room int) []draw.Span {
	n, other := r.sides[side], r.sides[1-side]
	differs := m.style(themes.Differs)
	switch {
	case n != nil && other != nil && r.kind == compare.Differs:
		if r.diff == nil {
			r.diff = values.Diff(r.sides[0].Text, r.sides[1].Text)
		}
		return m.measure.CutSpans(m.marking(r.diff, side == 0, style, room), room)
	case n != nil && r.kind.Wrong():
		return []draw.Span{{Text: n.Summary(max(room, 1), m.measure), Style: differs}}
	case n != nil:
		return []draw.Span{{Text: n.Summary(max(room, 1), m.measure), Style: style}}
	case r.kind == compare.Missing:
		return []draw.Span{{Text: m.measure.Cut("missing", room), Style: differs}}
	case r.kind == compare.Extra:
		return []draw.Span{{Text: m.measure.Cut("not there", room), Style: differs}}
	}
	return nil
}

// differing is a text in which what another one has not is marked. The beginning
// of a long text is left out up to shortly before the first difference.
func (m *Model) differing(other, text string, style draw.Style, room int) []draw.Span {
	return m.marking(values.Diff(other, text), false, style, room)
}

// marking is differing for what Diff made of two texts: the new one, or the old.
func (m *Model) marking(pieces []values.Piece, old bool, style draw.Style, room int) []draw.Span {
	mark := m.style(themes.Differs)
	long := 16 * max(room, 1) // bytes that fill the room, whatever they are
	var spans []draw.Span
	used := 0
	for _, piece := range pieces {
		if used > long {
			break
		}
		shown := piece.Text
		switch {
		case piece.Kind == values.Removed && !old, piece.Kind == values.Added && old:
			continue
		case piece.Kind == values.Same:
			if used == 0 && (len(shown) > long || m.measure.Width(shown) > room/2) {
				at := len(shown)
				for range room / 3 {
					_, size := utf8.DecodeLastRuneInString(shown[:at])
					at -= size
				}
				shown = glyphEllipsis + shown[at:]
			}
			spans = append(spans, draw.Span{Text: shown, Style: style})
		case piece.Kind == values.Changed && old:
			shown = piece.Old
			fallthrough
		default:
			spans = append(spans, draw.Span{Text: shown, Style: mark})
		}
		used += len(shown)
	}
	return spans
}
