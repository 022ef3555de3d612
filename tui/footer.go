package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// drawFooter draws the last row: typed text, messages, which may take more rows, or key hints. It
// returns the terminal's cursor.
func (m *Model) drawFooter(a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	if h == 0 {
		return nil // the screen has one row
	}
	if m.question != nil {
		return nil // keys act on the question alone
	}
	if m.screen.Typing {
		word := draw.Span{Text: m.screen.Flash, Style: m.screen.Style(themes.Notice)}
		if rows, cut := m.wordRows(w-2, 1); m.screen.Flash == "" && cut {
			m.drawWords(m.canvas.Sub(draw.Rect{W: w, H: m.h}))
		} else if typed := m.screen.Measure.Width(m.linePrompt() + m.line.Text()); m.screen.Flash != "" && typed+m.screen.Measure.Width(m.screen.Flash)+3 > w {
			rows, _ := m.wordRows(w-2, 3) // it does not fit behind the typed text
			m.drawOver(m.canvas.Sub(draw.Rect{W: w, H: m.h - 1 - m.layout.timeline.H}), rows, false)
			word = draw.Span{}
		} else if len(rows) > 0 {
			word = draw.Span{Text: m.words()[0].text, Style: m.screen.Style(rows[0].role)}
		}
		return m.line.Draw(a, m.linePrompt(), word)
	}
	switch words := m.drawWords(m.canvas.Sub(draw.Rect{W: w, H: m.h})); {
	case words == 0:
		m.drawHints(a, 1, m.hints(w-2))
	case m.screen.Search != nil && m.screen.Search.Pattern != "":
		m.drawHints(a, words+3, m.searchHints(w-words-4))
	}
	return nil
}

// drawHints draws hints into the last row, from a column on.
func (m *Model) drawHints(a *draw.Area, x int, hints []keys.Hint) {
	for _, h := range hints {
		x += a.Text(x, 0, strings.Join(h.Keys, " "), m.screen.Style(themes.HintKey))
		x += a.Text(x, 0, " "+h.Word+strings.Repeat(" ", keys.HintGap), m.screen.Style(themes.Dim))
	}
}

// message is the result of a command, shown until the next key: an answer, a notice or an error.
type message struct {
	role themes.Role
	text string
}

// mostTold limits the messages in the last rows; the output pane has all.
const mostTold = 100

// answered shows the result of a command, except its position, which the panes show.
func (m *Model) answered(a *session.Answer) {
	m.chunks(m.unshown(a))
	if e := a.Explanation; e != nil && !m.outputShows() { // it was streamed into the output pane
		shown := session.Chunk{Text: e.Text, Struck: e.Struck}
		m.tell(themes.Text, shown.Marked())
	}
	if a.Err != nil {
		m.say(themes.Error, a.Err.Marked())
	}
}

// unshown returns the chunks of an answer without what the panes show already: the place
// of a selected frame, the places that a list shows, the table of a loop, and the list of candidates that were just drawn.
func (m *Model) unshown(a *session.Answer) []session.Chunk {
	if a.Command == nil || a.Err != nil {
		return a.Chunks
	}
	switch name, _, _ := strings.Cut(*a.Command, " "); name {
	case "logpoint", "blocks":
		if len(a.Hits) == 0 && (a.Blocks == nil || !a.Blocks.Listed()) {
			return a.Chunks
		}
		fallthrough
	case "up", "down", "u", "d", "provenance", "prov", "loop", "printed":
		return slices.DeleteFunc(slices.Clone(a.Chunks), func(c session.Chunk) bool { return c.Kind == session.Said })
	case "candidates":
		if strings.Contains(*a.Command, "+") && m.shape.candidates > 0 {
			return slices.DeleteFunc(slices.Clone(a.Chunks), func(c session.Chunk) bool { return strings.Contains(c.Text, "\n") })
		}
	}
	return a.Chunks
}

// chunks shows the chunks of an answer.
func (m *Model) chunks(chunks []session.Chunk) {
	for _, c := range chunks {
		switch c.Kind {
		case session.Wrote:
			m.output.Wrote(c)
		case session.Said:
			if c.Continues || c.Struck != nil || m.output.Midway() {
				m.output.Stream(c)
				continue
			}
			m.say(themes.Text, c.Text)
		case session.Notice:
			m.say(themes.Notice, c.Text)
		}
	}
}

// say shows a text in the last rows and in the output pane.
func (m *Model) say(role themes.Role, text string) {
	m.tell(role, text)
	m.output.Say(role, text)
}

// tell shows a message in the last rows. If the output pane shows it too, the last rows omit an
// answer of several lines, and keep only the latest message.
func (m *Model) tell(role themes.Role, text string) {
	text = strings.TrimRight(text, " \t\n") // without empty rows at the end
	if len(m.told) == 0 {
		m.output.Tell()
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

// hush hides the messages, because the user does something else.
func (m *Model) hush() {
	if len(m.told) == 0 {
		m.output.Hush()
	}
	m.told = nil
}

// arrives reports whether an answer is the result of a move.
func arrives(a *session.Answer) bool {
	return a.Action != nil || a.Boundary != trace.NoBoundary ||
		slices.ContainsFunc(a.Chunks, func(c session.Chunk) bool { return c.Kind == session.Where })
}

// supersede removes the messages of earlier commands after a move. The flash message stays at the
// first stop, while the user types, and if it is about the screen's size.
func (m *Model) supersede(first bool) {
	m.hush()
	m.output.Stop()
	if !first && !m.screen.Typing && m.screen.Flash != m.sizeWords() {
		m.screen.Flash = ""
	}
}

// outputShows reports whether messages can be read in the output pane. In the strip of a narrow
// layout they cannot.
func (m *Model) outputShows() bool {
	return m.layout.panes[outputPane].H > 1 && !m.layout.strip && m.output.Follows()
}

// words returns the text for the last rows: the flash message, else the results of commands, else
// the progress of the running command. Results that the output pane shows come after the progress.
func (m *Model) words() []message {
	switch {
	case m.screen.Flash != "":
		return []message{{themes.Notice, m.screen.Flash}}
	case len(m.told) > 0 && (!m.outputShows() || m.paceWords() == ""):
		return m.told
	}
	if pace := m.paceWords(); pace != "" {
		return []message{{themes.Notice, pace}}
	}
	return nil
}

// paceWords returns the progress of the running command in one row, or "" if there is none to show.
func (m *Model) paceWords() string {
	r := m.screen.Running
	if r == nil || r.Pace == nil || r.Asked || r.Waits {
		return ""
	}
	return r.Pace.Words(m.w-2, m.screen.Measure.Width, m.screen.KeyFor("cancel")+" stops")
}

// wordRows wraps words into rows, at most most of them. cut reports that some text is left out. An
// error at the end of the text is never left out, only cut to one row.
func (m *Model) wordRows(columns, most int) (rows []message, cut bool) {
	words := m.words()
	for _, w := range words {
		for row := range m.screen.Measure.Wrap(w.text, columns) {
			if len(rows) == most {
				if last := words[len(words)-1]; last.role == themes.Error {
					rows[most-1] = message{last.role, m.screen.Measure.Cut(strings.ReplaceAll(last.text, "\n", " "), columns)}
				}
				return rows, true
			}
			rows = append(rows, message{w.role, row})
		}
	}
	return rows, false
}

// drawWords draws the message into the last row. If it needs more rows, or if the last row shows
// the progress, it is drawn above the last row, below a rule. drawWords returns the used columns of
// the last row.
func (m *Model) drawWords(a *draw.Area) int {
	w, h := a.Size()
	most := max(h/2-1, 1)
	if m.screen.Flash == "" && m.outputShows() {
		most = 1
	}
	rows, cut := m.wordRows(w-2, most)
	if cut && (m.screen.Flash != "" || most == 1) {
		last := &rows[len(rows)-1]
		last.text = m.screen.Measure.Cut(last.text+strings.Repeat(" ", w), w-2)
	}
	pace := m.paceWords()
	if len(rows) > 1 || len(rows) == 1 && rows[0].text != pace && pace != "" {
		m.drawOver(a.Sub(draw.Rect{W: w, H: h - 1 - m.layout.timeline.H}), rows, cut)
		rows = nil
		if pace != "" && !m.screen.Typing {
			rows = []message{{themes.Notice, pace}}
		}
	}
	if len(rows) == 0 {
		return 0
	}
	return 1 + a.Text(1, h-1, rows[0].text, m.screen.Style(rows[0].role))
}

// drawOver draws rows over the bottom of an area, below a rule.
func (m *Model) drawOver(a *draw.Area, rows []message, cut bool) {
	w, h := a.Size()
	top := h - len(rows) - 1
	a.Fill(draw.Rect{Y: top, W: w, H: len(rows) + 1}, " ", m.screen.Style(themes.Text))
	a.Fill(draw.Rect{Y: top, W: w, H: 1}, "─", m.screen.Style(themes.Rule))
	if m.screen.Flash == "" && m.output.Tells() {
		title := []draw.Span{{Text: " output ", Style: m.screen.Style(themes.Title)}}
		if cut {
			title = append(title, draw.Span{Text: "· " + m.screen.KeyFor("focus-output") + " shows all ", Style: m.screen.Style(themes.Dim)})
		}
		a.Spans(0, top, m.screen.Measure.CutSpans(title, w-1), 0)
	}
	for i, row := range rows {
		a.Text(1, top+1+i, row.text, m.screen.Style(row.role))
	}
}

// question is a question of npdb before it does something that cannot be undone.
type question struct {
	text    string
	yes, no func() tea.Cmd // no may be nil
}

func (q *question) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.screen.Keys.Lookup(keys.Question, msg)
	switch {
	case !ok: // the question stays open
	case a.Name == "confirm":
		m.question = nil
		return q.yes()
	case a.Name == "decline":
		m.question = nil
		if q.no != nil {
			return q.no()
		}
	default:
		return m.act(a.Name)
	}
	return nil
}

// confirm asks the yes-or-no question that the session waits for.
func (m *Model) confirm() {
	prompt := m.screen.View.Prompt
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(prompt), "(y/n)"))
	answered := func(word string) { m.output.Typed(text+" ", word) }
	m.question = &question{
		text: text,
		yes:  func() tea.Cmd { answered("yes"); return m.orders.typed("y") },
		no:   func() tea.Cmd { answered("no"); return m.orders.abort() },
	}
}

// askConsent asks for consent before the session begins.
func (m *Model) askConsent() {
	c := m.config.Consent
	answer := func(yes bool) tea.Cmd {
		var err error
		if m.config.Session, m.config.Consent, err = c.Answer(yes); err != nil {
			return m.hear(failedMsg{err})
		}
		m.engine.use(m.config.Session, m.config.Commands, m.config.Journal)
		return m.begin()
	}
	m.question = &question{
		text: c.Question,
		yes:  func() tea.Cmd { return answer(true) },
		no:   func() tea.Cmd { return answer(false) },
	}
}

// widestQuestion limits the columns of a question.
const widestQuestion = 90

// draw draws the question above the last rows, away from the current line. Its frame shows that it
// has the keyboard.
func (q *question) draw(m *Model, a *draw.Area) {
	w, h := a.Size()
	frame := m.screen.Lip(themes.Text).Border(lipgloss.RoundedBorder()).Padding(0, 1).
		BorderForeground(m.screen.Lip(themes.Focus).GetForeground()).BorderBackground(m.screen.Lip(themes.Text).GetBackground())
	room := w - frame.GetHorizontalFrameSize()
	words := escape.Line(q.text)
	text := m.screen.Lip(themes.Notice).Render(words)
	answers := m.screen.Hints(m.screen.Keys.Hints(keys.Question, room))
	line := text + m.screen.Lip(themes.Text).Render("  ") + answers
	if lipgloss.Width(line) > room {
		rows := strings.Split(ansi.Wrap(words, min(room, widestQuestion), ""), "\n")
		if most := max(h-frame.GetVerticalFrameSize()-3, 1); len(rows) > most {
			rows = append(rows[:most-1], ansi.Truncate(strings.Join(rows[most-1:], " "), room, pane.GlyphEllipsis))
		}
		line = lipgloss.JoinVertical(lipgloss.Left, m.screen.Lip(themes.Notice).Render(strings.Join(rows, "\n")), answers)
	}
	box := frame.Render(line)
	bw, bh := lipgloss.Size(box)
	a.Sub(draw.Rect{X: max((w-bw)/2, 0), Y: max(h-bh-2, 0), W: min(bw, w), H: min(bh, h)}).Styled(box)
}

// restart asks whether to run the program again.
func (m *Model) restart() tea.Cmd {
	switch {
	case m.screen.View == nil:
		return nil
	case m.screen.Running != nil:
		m.screen.Flash = "Something runs: " + m.screen.KeyFor("cancel") + " stops it, and then it can be begun again."
		return nil
	case m.config.NoConfirm || m.config.Session.File != "": // a session on a file refuses it
		return m.orders.restart()
	}
	text := "Run " + m.config.Program + " again from the start?"
	if m.screen.View.Mode == session.Predicted { // nothing is run
		text = "Begin " + m.config.Program + " again from its first state?"
	}
	m.question = &question{text: text, yes: m.orders.restart}
	return nil
}

// welcome shows a new user which keys to press.
func (m *Model) welcome() {
	words := "Welcome to npdb: " + m.firstWords()
	if len(m.told) == 0 || m.outputShows() {
		m.screen.Flash = words
		return
	}
	m.told = append(m.told, message{themes.Notice, words})
}

// firstWords returns the keys that a new user needs.
func (m *Model) firstWords() string {
	return m.screen.KeyFor("step") + " steps, " + m.screen.KeyFor("next") + " next line, " +
		m.screen.KeyFor("next-back") + " back, " + m.screen.KeyFor("help") + " all keys"
}

// complain shows an error in the footer.
func (m *Model) complain(err error) {
	if err != nil {
		m.screen.Flash = err.Error()
	}
}
