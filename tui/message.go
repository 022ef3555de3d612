package tui

import (
	"strings"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
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
	text = strings.TrimRight(text, " \t\n") // rows that say nothing
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

// words are what there is to say: a word of the screen's own, or what commands came
// to. Where that can be read in the output pane, how far the command under way has
// come is said instead.
func (m *Model) words() []message {
	switch {
	case m.flash != "":
		return []message{{themes.Notice, m.flash}}
	case len(m.told) > 0 && (!m.outputShows() || m.paceWords() == ""):
		return m.told
	}
	if pace := m.paceWords(); pace != "" {
		return []message{{themes.Notice, pace}}
	}
	return nil
}

// paceWords are how far the command under way has come, in one row, "" if that is
// not worth a word.
func (m *Model) paceWords() string {
	r := m.running
	if r == nil || r.pace == nil || r.asked || r.waits {
		return ""
	}
	return r.pace.Words(m.w-2, m.measure.Width, m.keyFor("cancel")+" stops")
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

// drawWords writes the words: into the last row, or, where they take more than one or
// the last row has the pace, above it and the timeline, below a rule of their own and
// over what is there. It returns the columns that are used of the last row.
func (m *Model) drawWords(a *draw.Area) int {
	w, h := a.Size()
	most := max(h/2-1, 1)
	if m.flash == "" && m.outputShows() {
		most = 1
	}
	rows, cut := m.wordRows(w-2, most)
	if cut && (m.flash != "" || most == 1) {
		last := &rows[len(rows)-1]
		last.text = m.measure.Cut(last.text+strings.Repeat(" ", w), w-2)
	}
	pace := m.paceWords()
	if len(rows) > 1 || len(rows) == 1 && rows[0].text != pace && pace != "" {
		m.drawOver(a.Sub(draw.Rect{W: w, H: h - 1 - m.layout.timeline.H}), rows, cut)
		rows = nil
		if pace != "" && !m.line.open {
			rows = []message{{themes.Notice, pace}}
		}
	}
	if len(rows) == 0 {
		return 0
	}
	return 1 + a.Text(1, h-1, rows[0].text, m.style(rows[0].role))
}

// drawOver writes words to the foot of an area.
func (m *Model) drawOver(a *draw.Area, rows []message, cut bool) {
	w, h := a.Size()
	top := h - len(rows) - 1
	a.Fill(draw.Rect{Y: top, W: w, H: len(rows) + 1}, " ", m.style(themes.Text))
	a.Fill(draw.Rect{Y: top, W: w, H: 1}, "─", m.style(themes.Rule))
	if m.flash == "" && m.output.told >= 0 {
		title := []draw.Span{{Text: " output ", Style: m.style(themes.Title)}}
		if cut {
			title = append(title, draw.Span{Text: "· " + m.keyFor("focus-output") + " shows all ", Style: m.style(themes.Dim)})
		}
		a.Spans(0, top, m.measure.CutSpans(title, w-1), 0)
	}
	for i, row := range rows {
		a.Text(1, top+1+i, row.text, m.style(row.role))
	}
}
