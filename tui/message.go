package tui

import (
	"strings"

	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
)

// message is what a command came to, as the last rows say it until the next key:
// an answer in the role of text, a notice or an error.
type message struct {
	role themes.Role
	text string
}

// mostTold is how many messages the last rows keep; the output pane has all.
const mostTold = 100

// tell has the last rows say what the session said. What can be read in the output
// pane needs a word at most.
func (m *Model) tell(role themes.Role, text string) {
	if len(m.told) == 0 {
		m.output.told = len(m.output.lines)
	}
	switch {
	case m.outputShows() && role == themes.Text && strings.Contains(text, "\n"):
	case m.outputShows():
		m.told = []message{{role, strings.ReplaceAll(text, "\n", " ")}}
	case len(m.told) == mostTold:
		m.told[mostTold-1] = message{role, text}
	default:
		m.told = append(m.told, message{role, text})
	}
}

// hush ends what the last rows say of commands, as the user does the next thing.
func (m *Model) hush() {
	if len(m.told) == 0 {
		m.output.told = -1
	}
	m.told = nil
}

// outputShows reports whether what is said can be read in the output pane.
func (m *Model) outputShows() bool {
	return m.layout.panes[outputPane].H > 1 && m.output.follows
}

// words are the last rows' messages: a word of the screen's own, or what commands
// came to.
func (m *Model) words() []message {
	if m.flash != "" {
		return []message{{themes.Notice, m.flash}}
	}
	return m.told
}

// wordRows are the words in rows of some columns, most of them at most. cut tells
// that there is more. Of words that are cut an error at their end is not.
func (m *Model) wordRows(columns, most int) (rows []message, cut bool) {
	words := m.words()
	for _, w := range words {
		for row := range m.measure.Wrap(w.text, columns) {
			if len(rows) == most {
				if last := words[len(words)-1]; last.role == themes.Error {
					rows[most-1] = message{last.role, m.measure.Cut(strings.ReplaceAll(last.text, "\n", " "), columns)}
				}
				return rows, true
			}
			rows = append(rows, message{w.role, row})
		}
	}
	return rows, false
}

// drawWords writes the words into the last rows of an area, below a rule of their
// own where they take more than one, over what is there. It returns the columns
// that are used of the last row.
func (m *Model) drawWords(a *draw.Area) int {
	w, h := a.Size()
	most := max(h/2-1, 1)
	if m.flash == "" && m.outputShows() {
		most = 1
	}
	rows, cut := m.wordRows(w-2, most)
	if len(rows) == 0 {
		return 0
	}
	if cut && (m.flash != "" || most == 1) {
		last := &rows[len(rows)-1]
		last.text = m.measure.Cut(last.text+strings.Repeat(" ", w), w-2)
	}
	top := h - len(rows)
	if len(rows) > 1 {
		top--
		a.Fill(draw.Rect{Y: top, W: w, H: len(rows) + 1}, " ", m.style(themes.Text))
		a.Fill(draw.Rect{Y: top, W: w, H: 1}, "─", m.style(themes.Rule))
		if m.flash == "" && m.output.told >= 0 {
			title := []draw.Span{{Text: " output ", Style: m.style(themes.Title)}}
			if cut {
				title = append(title, draw.Span{Text: "· " + m.keyFor("focus-output") + " shows all ", Style: m.style(themes.Dim)})
			}
			a.Spans(0, top, m.measure.CutSpans(title, w-1), 0)
		}
		top++
	}
	x := 0
	for i, row := range rows {
		x = 1 + a.Text(1, top+i, row.text, m.style(row.role))
	}
	return x
}
