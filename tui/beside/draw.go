package beside

import (
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/values"
)

// incomparable marks values that cannot be compared completely.
const incomparable = "?"

// headRows is the number of rows above the comparison: the names of the sides, and their lines.
const headRows = 2

// Draw draws the prediction on the left and CPython on the right. The column between them shows
// the verdict of each row.
func (p *Pane) Draw(a *draw.Area, focused bool) {
	p.width, _ = a.Size()
	if p.Scored {
		p.drawScore(a, focused)
		return
	}
	w, h := a.Size()
	b := p.sides()
	if rows := scoreRows(h); rows > 0 && p.View.Difference == nil {
		h -= rows
		p.drawScoreRows(a.Sub(draw.Rect{Y: h, W: w, H: rows}), b)
	}
	left := (w - 1) / 2
	sides := [2]*draw.Area{a.Sub(draw.Rect{W: left, H: h}), a.Sub(draw.Rect{X: left + 1, W: w - left - 1, H: h})}
	for y := range h {
		a.Text(left, y, "│", p.Style(themes.Rule))
	}
	sure := p.sureness()
	if d := p.View.Difference; d != nil {
		p.drawVisit(sides[0], "there", d.Called())
		p.drawVisit(sides[1], "here", fmt.Sprintf("#%d", p.View.History[p.View.Shown].Number))
	} else {
		p.drawWho(sides[0], p.View.Model.Name+pane.Stated(b.Confidence, sure[0]))
	}
	switch {
	case p.View.Difference != nil:
	case p.View.Against != "":
		p.drawWho(sides[1], p.View.Against+pane.Stated(p.View.Confidence, sure[1]))
	default:
		sides[1].Spans(1, 0, []draw.Span{{Text: "real ", Style: p.Style(themes.Title)}, {Text: b.Referee, Style: p.Style(themes.Dim)}}, 0)
	}
	rows, room := p.list(), h-headRows
	p.reveal(rows)
	p.Fit(len(rows), max(room, 0))
	if room < 0 {
		return
	}
	diverged := apart(p.View, b)
	if b.Awaited {
		p.drawTold(sides[0])
	} else {
		glyph := pane.GlyphPredicted
		if p.View.Difference != nil {
			glyph = pane.GlyphHere
		}
		p.drawLine(sides[0], glyph, b.State, p.View.State, b.Exit, diverged, sure[0])
	}
	p.drawLine(sides[1], pane.GlyphHere, p.View.State, b.State, p.View.Exit, diverged, sure[1])
	if diverged {
		a.Text(left, 1, pane.GlyphDiverged, p.Style(themes.Differs))
	}
	labels := p.labelColumns(rows, left)
	for i := p.Top; i < min(len(rows), p.Top+room); i++ {
		row := a.Sub(draw.Rect{Y: headRows + i - p.Top, W: w, H: 1})
		found := p.drawRow(row, labels, &rows[i])
		if focused && i == p.Cursor {
			row.Overlay(draw.Rect{W: w, H: 1}, p.Style(themes.Selection))
		}
		for _, f := range found {
			p.Mark(p.Context(), f.Area, f.Text, 0, i == p.Cursor)
		}
	}
	// The list of equal fields is always in the last row, so that it moves nothing else.
	if same := p.same(); same != "" && len(rows) < room {
		a.Fill(draw.Rect{Y: h - 1, W: w, H: 1}, " ", p.Style(themes.Text))
		a.Text(1, h-1, p.Measure.Cut("the same on both sides: "+same, max(w-2, 0)), p.Style(themes.Dim))
	}
}

// drawVisit draws the name of a state of the history above its side.
func (p *Pane) drawVisit(a *draw.Area, side, called string) {
	a.Spans(1, 0, []draw.Span{{Text: side + " ", Style: p.Style(themes.Title)}, {Text: called, Style: p.Style(themes.Dim)}}, 0)
}

// drawWho draws the name of a model above its side.
func (p *Pane) drawWho(a *draw.Area, model string) {
	a.Spans(1, 0, []draw.Span{{Text: "predicted ", Style: p.Style(themes.Predicted)}, {Text: model, Style: p.Style(themes.Dim)}}, 0)
}

// apart reports whether the two sides are at different places.
func apart(v *session.View, b *nav.Beside) bool {
	if b.Awaited {
		return false
	}
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

// drawLine draws the line of a side; other is the other side's state.
func (p *Pane) drawLine(a *draw.Area, glyph string, st, other *dsl.State, exit *dsl.Exit, diverged bool, of *backend.Sureness) {
	w, _ := a.Size()
	style := p.Style(themes.Here)
	if diverged {
		style = p.Style(themes.Differs)
	}
	text := "nothing"
	switch {
	case st != nil:
		text = pane.LineText(st, other)
	case exit != nil:
		text = fmt.Sprintf("the end, exit code %d", exit.Code)
	}
	a.Text(1, 1, glyph, style)
	row, doubt := a.Sub(draw.Rect{X: 3, Y: 1, W: max(w-4, 1), H: 1}), p.Doubt(of, of.Place())
	doubt.Draw(row, row.Text(0, 0, p.Measure.Cut(text, doubt.Room(max(w-4, 1))), style))
}

// drawTold draws the line of the model's side while the reply streams, or a spinner before the line
// is known.
func (p *Pane) drawTold(a *draw.Area) {
	told := p.told()
	if told == nil || p.Running.Partial.Known&dsl.KnownLine == 0 {
		if p.Running != nil {
			a.Text(1, 1, p.Running.Spinner(), p.Style(themes.Dim))
		}
		return
	}
	p.drawLine(a, pane.GlyphPredicted, &told.State, p.View.State, nil, false, nil)
}

// labelColumns returns the width of the column of names on sides of w columns.
func (p *Pane) labelColumns(rows []row, w int) int {
	n := 1
	for i := range rows {
		n = max(n, 2*rows[i].depth+p.Measure.Width(rows[i].label))
	}
	return min(n, pane.MostNameColumns, max(w/3, 1))
}

// drawRow draws a row on both sides, and returns its texts for marking search matches. CPython's
// side shows a change by the program, with the old value if that fits.
func (p *Pane) drawRow(row *draw.Area, labels int, r *row) (found [4]pane.Marked) {
	w, _ := row.Size()
	left := (w - 1) / 2
	switch {
	case r.kind.Wrong():
		row.Text(left, 0, pane.GlyphDiverged, p.Style(themes.Differs))
	case r.kind == compare.Incomparable:
		row.Text(left, 0, incomparable, p.Style(themes.Dim))
	}
	for i := range r.sides {
		a := row.Sub(draw.Rect{X: i * (left + 1), W: left, H: 1}) // equal widths cut both values alike
		style := p.Style(themes.Text)
		switch {
		case r.note:
			style = p.Style(themes.Dim)
		case i == 0 && p.View.Difference == nil:
			style = p.Style(themes.Predicted)
		case r.changed:
			style = p.Style(themes.Changed)
			a.Text(0, 0, "▌", style)
		}
		x := 1 + 2*r.depth
		if r.path != "" && parts(r.sides[i]) {
			glyph := "▸"
			if r.opened {
				glyph = "▾"
			}
			a.Text(x, 0, glyph, p.Style(themes.Dim))
		}
		const gap = 2
		at := 3 + labels + gap
		label := a.Sub(draw.Rect{X: x + 2, W: max(at-gap-x-2, 0), H: 1})
		name := p.Measure.Cut(r.label, max(at-gap-x-2, 0))
		label.Text(0, 0, name, p.Style(themes.LocalName))
		room := max(left-at-1, 0)
		cell := a.Sub(draw.Rect{X: at, W: room, H: 1})
		var doubt pane.Doubt
		if r.sides[i] != nil {
			doubt = p.Doubt(p.sureness()[i], r.sure[i])
		}
		if r.depth > 0 {
			doubt.Number = ""
		}
		value := p.value(r, i, style, doubt.Room(room))
		used := doubt.Draw(cell, cell.Spans(0, 0, value, 0))
		if i == 1 && r.changed && r.before != nil {
			if was := "was " + r.before.Text; used+gap+p.Measure.Width(was) <= room {
				cell.Text(used+gap, 0, was, p.Style(themes.Was))
			}
		}
		found[2*i], found[2*i+1] = pane.Marked{Area: label, Text: name}, pane.Marked{Area: cell, Text: draw.SpansText(value)}
	}
	return found
}

// value returns the value of a row on a side, with the differences marked.
func (p *Pane) value(r *row, side int, style draw.Style, room int) []draw.Span {
	n, other := r.sides[side], r.sides[1-side]
	differs := p.Style(themes.Differs)
	switch {
	case n != nil && other != nil && r.kind == compare.Differs:
		if r.diff == nil {
			r.diff = values.Diff(r.sides[0].Text, r.sides[1].Text)
		}
		return p.Measure.CutSpans(values.Marked(r.diff, side == 0, style, p.Style(themes.Differs), room, p.Measure), room)
	case n != nil && r.kind.Wrong():
		return []draw.Span{{Text: n.Summary(max(room, 1), p.Measure), Style: differs}}
	case n != nil:
		return []draw.Span{{Text: n.Summary(max(room, 1), p.Measure), Style: style}}
	case r.kind == compare.Missing || r.kind == compare.Extra:
		return []draw.Span{{Text: p.Measure.Cut(p.absent(r.kind), room), Style: differs}}
	}
	return nil
}

// absent returns what a side shows for a value that only the other side has.
func (p *Pane) absent(kind compare.Kind) string {
	switch {
	case p.View.Difference == nil && kind == compare.Missing:
		return "missing"
	case p.View.Difference == nil || kind == compare.Missing:
		return "not there"
	}
	return "not here"
}

// differing returns a text with the parts marked that another text does not have. It drops the
// beginning of a long text up to shortly before the first difference.
func (p *Pane) differing(other, text string, style draw.Style, room int) []draw.Span {
	return values.Marked(values.Diff(other, text), false, style, p.Style(themes.Differs), room, p.Measure)
}

// Heights of the pane from which on the score has one or two rows below the two sides. The number
// of rows depends on the height only, so that a step does not move them.
const (
	oneScoreRow  = 5
	twoScoreRows = 10 // forward moves, and inverse ones
)

func scoreRows(h int) int {
	switch {
	case h >= twoScoreRows:
		return 2
	case h >= oneScoreRow:
		return 1
	}
	return 0
}

// drawScoreRows draws the accuracy in one or two rows: for the direction of the last move, or for
// both.
func (p *Pane) drawScoreRows(a *draw.Area, b *nav.Beside) {
	w, h := a.Size()
	hint := p.KeyFor("score") + " score"
	room := w - 2 - p.Measure.Width(hint)
	for y := range h {
		inverse := y == 1 || h == 1 && b.Inverse
		a.Text(1, y, p.Measure.Cut(b.Score.Row(inverse, max(room-2, 0)), max(room-1, 0)), p.Style(themes.Dim))
	}
	if room > 0 {
		a.Text(w-1-p.Measure.Width(hint), h-1, hint, p.Style(themes.Dim))
	}
}

// scoreLines returns the whole score.
func (p *Pane) scoreLines() []string {
	if p.View.Beside == nil {
		return nil
	}
	lines := p.View.Beside.Score.Lines(max(p.width-2, 1))
	if lines == nil {
		return []string{"nothing was compared yet"}
	}
	return lines
}

// drawScore draws the score instead of the two sides.
func (p *Pane) drawScore(a *draw.Area, focused bool) {
	w, h := a.Size()
	lines := p.scoreLines()
	p.Fit(len(lines), h)
	for y := range min(h, len(lines)-p.Top) {
		a.Text(1, y, p.Measure.Cut(lines[p.Top+y], max(w-2, 0)), p.Style(themes.Text))
		if focused && p.Top+y == p.Cursor {
			a.Overlay(draw.Rect{Y: y, W: w, H: 1}, p.Style(themes.Selection))
		}
	}
}
