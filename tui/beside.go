package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
	"github.com/npdb/npdb/tui/values"
)

// glyphPredicted points at the line that a model predicts, where that is not the
// line CPython is at.
const glyphPredicted = "⇢"

// compare shows prediction and CPython side by side, or closes that view. Where
// there is one of them only, the other is asked to join.
func (m *Model) compare() tea.Cmd {
	if m.view == nil {
		return nil
	}
	if m.view.Mode != session.Both {
		return m.run("mode both")
	}
	m.shape.beside, m.shape.scored = !m.shape.beside || m.shape.scored, false
	m.panes[localsPane].(*locals).scroll = scroll{}
	return m.relayout()
}

// besides reports whether the locals show both sides.
func (m *Model) besides() bool {
	return m.view != nil && m.view.Beside != nil && m.shape.beside
}

// besideHead is how many rows are above the comparison: who, and where.
const besideHead = 2

// besideRow is one row of the comparison.
type besideRow struct {
	label           string
	predicted, real string
	kind            compare.Kind
	told            bool // there is something to compare
	value           bool // a local, or what is returned or raised
	local           bool
}

// besideRows are what differs, then what is the same: the eye meets the difference
// first.
func (m *Model) besideRows() []besideRow {
	b := m.view.Beside
	var rows []besideRow
	var same []string // of the place: one row says so of all of them
	for _, v := range b.Verdicts {
		value := v.Field == compare.Local || v.Field == compare.Value
		if v.Kind == compare.Same && !value {
			same = append(same, v.Field.String())
			continue
		}
		label := v.Name
		if label == "" {
			label = v.Field.String()
		}
		rows = append(rows, besideRow{label, v.Predicted, v.Real, v.Kind, true, value, v.Field == compare.Local})
	}
	if len(b.Verdicts) == 0 || b.State == nil {
		rows = append(rows, m.besideUncompared(b)...)
	}
	if len(same) > 0 {
		text := strings.Join(same, ", ")
		rows = append(rows, besideRow{label: "the same", predicted: text, real: text})
	}
	slices.SortStableFunc(rows, func(a, b besideRow) int { return besideRank(a) - besideRank(b) })
	return rows
}

func besideRank(r besideRow) int {
	switch {
	case r.told && r.kind != compare.Same:
		return 0
	case r.value:
		return 1
	}
	return 2
}

// besideUncompared are the rows of a state that was not predicted.
func (m *Model) besideUncompared(b *session.Beside) []besideRow {
	var rows []besideRow
	predicted := map[string]string{}
	if b.State != nil {
		for _, l := range b.State.Locals {
			predicted[l.Name] = l.Value
		}
	}
	for _, l := range m.view.Locals {
		if !l.Hidden {
			rows = append(rows, besideRow{label: l.Name, predicted: predicted[l.Name], real: l.Value, value: true, local: true})
		}
	}
	return rows
}

// besideTitle says where the two first parted, or why there is no prediction.
func (m *Model) besideTitle() (name, more string) {
	name = "side by side"
	if m.shape.scored {
		name = "score"
	}
	switch b := m.view.Beside; {
	case b.Failure != "" && !m.shape.scored:
		return name, "no prediction: " + b.Failure
	case b.First != "":
		return name, b.First
	case b.Moves > 0:
		return name, "They have not parted."
	}
	return name, ""
}

// drawBeside draws the prediction on the left and CPython on the right.
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
	if h < besideHead {
		return
	}
	parted := b.State == nil || m.view.State == nil || b.State.Line != m.view.State.Line || b.State.File != m.view.State.File
	m.drawBesideLine(sides[0], glyphPredicted, b.State, b.Exit, parted)
	m.drawBesideLine(sides[1], glyphHere, m.view.State, m.view.Exit, parted)
	rows := m.besideRows()
	p.fit(len(rows), h-besideHead)
	names := 1
	for _, r := range rows {
		names = max(names, m.measure.Width(r.label))
	}
	names = min(names, mostNameColumns)
	for i := p.top; i < min(len(rows), p.top+h-besideHead); i++ {
		y := besideHead + i - p.top
		m.drawBesideRow(sides, y, names, rows[i])
		if focused && i == p.cursor {
			a.Overlay(draw.Rect{Y: y, W: w, H: 1}, m.style(themes.Selection))
		}
	}
}

// drawBesideLine draws where a side stands.
func (m *Model) drawBesideLine(a *draw.Area, glyph string, st *dsl.State, exit *dsl.Exit, parted bool) {
	w, _ := a.Size()
	style := m.style(themes.Here)
	if parted {
		style = m.style(themes.Differs)
	}
	text := "nothing"
	switch {
	case st != nil:
		text = fmt.Sprintf("%d  %s", st.Line, strings.TrimSpace(st.Source))
		if st.Event != dsl.Line {
			text = st.Event.String() + " " + text
		}
	case exit != nil:
		text = fmt.Sprintf("the end, exit code %d", exit.Code)
	}
	a.Text(1, 1, glyph, style)
	a.Text(3, 1, m.measure.Cut(text, max(w-4, 1)), style)
}

// drawBesideRow draws one thing on both sides, with what differs in it marked.
func (m *Model) drawBesideRow(sides [2]*draw.Area, y, names int, r besideRow) {
	differs := r.told && r.kind != compare.Same
	texts := [2]string{r.predicted, r.real}
	for i, a := range sides {
		w, _ := a.Size()
		if differs {
			a.Text(0, y, "▌", m.style(themes.Differs))
		}
		a.Text(1, y, m.measure.Cut(r.label, names), m.style(themes.LocalName))
		at := 1 + names + 2
		cell := a.Sub(draw.Rect{X: at, Y: y, W: max(w-at-1, 0), H: 1})
		room, _ := cell.Size()
		style := m.style(themes.Text)
		if i == 0 {
			style = m.style(themes.Predicted)
		}
		switch {
		case r.kind == compare.Missing && i == 0 && r.told:
			cell.Text(0, 0, "missing", m.style(themes.Differs))
		case r.kind == compare.Extra && i == 1 && r.told:
			cell.Text(0, 0, "not there", m.style(themes.Differs))
		case r.told && (r.kind == compare.Missing || r.kind == compare.Extra):
			cell.Text(0, 0, values.Parse(texts[i]).Summary(max(room, 1), m.measure), m.style(themes.Differs))
		case differs && r.kind == compare.Differs:
			cell.Spans(0, 0, m.measure.CutSpans(m.differing(texts[1-i], texts[i], style, room), room), 0)
		default:
			cell.Text(0, 0, values.Parse(texts[i]).Summary(max(room, 1), m.measure), style)
		}
	}
}

// differing is a text in which what another one has not is marked. The beginning
// of a long text is left out up to shortly before the first difference.
func (m *Model) differing(other, text string, style draw.Style, room int) []draw.Span {
	mark := m.style(themes.Differs)
	var spans []draw.Span
	used := 0
	for _, piece := range values.Diff(other, text) {
		switch piece.Kind {
		case values.Removed:
			continue
		case values.Same:
			shown := piece.Text
			if used == 0 && m.measure.Width(shown) > room/2 {
				runes := []rune(shown)
				shown = glyphEllipsis + string(runes[max(len(runes)-room/3, 0):])
			}
			spans = append(spans, draw.Span{Text: shown, Style: style})
		default:
			spans = append(spans, draw.Span{Text: piece.Text, Style: mark})
		}
		used += len(piece.Text)
	}
	return spans
}
