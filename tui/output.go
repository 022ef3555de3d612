package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// mostOutput is how many lines the pane keeps; the oldest are dropped first, and
// that is said.
const mostOutput = 50_000

// output shows what the program wrote and what npdb answered, in the order in
// which it came.
type output struct {
	lines   []outputLine
	dropped int
	cursor  int
	last    int // the line at the bottom
	follows bool
	open    bool // the last line may go on
	unseen  bool // the program wrote something since the pane showed
	told    int  // the line with which what the last rows say begins, -1 if they say nothing
	width   int
	rows    int
}

// outputLine is a line of the pane. Event is the one of the recording that what
// the program wrote followed; -1 where there is none.
type outputLine struct {
	role  themes.Role
	text  string
	event int
}

func newOutput() *output { return &output{follows: true, told: -1} }

func (p *output) context() keys.Context { return keys.Output }

func (p *output) title(m *Model) (name, more string) {
	switch {
	case m.running != nil && m.running.waits && !m.line.open:
		more = "· the program waits for input: " + m.keyFor("program-input")
	case !p.follows:
		more = fmt.Sprintf("· %d more lines below", len(p.lines)-1-p.last)
	}
	return "output", more
}

func (p *output) stopped(*Model) {}

// answer adds what a command came to, but the place, which the screen shows.
func (p *output) answer(m *Model, a *session.Answer) {
	p.add(m, shown(a))
	if a.Err != nil {
		m.tell(themes.Error, "*** "+a.Err.Message)
		p.say(themes.Error, "*** "+a.Err.Message)
	}
}

// shown is the chunks of an answer without what the panes show already: the place
// of a selected frame.
func shown(a *session.Answer) []session.Chunk {
	if a.Command == nil || a.Err != nil {
		return a.Chunks
	}
	switch name, _, _ := strings.Cut(*a.Command, " "); name {
	case "up", "down", "u", "d":
		return slices.DeleteFunc(slices.Clone(a.Chunks), func(c session.Chunk) bool { return c.Kind == session.Said })
	}
	return a.Chunks
}

// add adds what was written and said.
func (p *output) add(m *Model, chunks []session.Chunk) {
	for _, c := range chunks {
		switch c.Kind {
		case session.Wrote:
			p.wrote(c)
		case session.Said:
			m.tell(themes.Text, c.Text)
			p.say(themes.Text, c.Text)
		case session.Notice:
			m.tell(themes.Notice, c.Text)
			p.say(themes.Notice, c.Text)
		}
	}
}

// wrote adds what the program wrote.
func (p *output) wrote(c session.Chunk) {
	p.unseen = true
	role := themes.Stdout
	if c.Stream == "stderr" {
		role = themes.Stderr
	}
	for i, part := range c.After {
		end := len(c.Text)
		if i+1 < len(c.After) {
			end = c.After[i+1].Offset
		}
		for line := range strings.Lines(c.Text[part.Offset:end]) {
			text, ended := strings.CutSuffix(line, "\n")
			text = strings.TrimSuffix(text, "\r")
			if last := len(p.lines) - 1; p.open && p.lines[last].role == role {
				p.lines[last].text += text
			} else {
				p.push(outputLine{role, text, part.Event})
			}
			p.open = !ended
		}
	}
}

// hiddenWords are what the program wrote last, where the pane does not show.
func (p *output) hiddenWords(m *Model) string {
	unseen := p.unseen && m.layout.panes[outputPane].H <= 1
	p.unseen = false
	if !unseen {
		return ""
	}
	for i := len(p.lines) - 1; i >= 0; i-- {
		if l := p.lines[i]; l.role == themes.Stdout || l.role == themes.Stderr {
			return m.keyFor("focus-output") + " output: " + l.text
		}
	}
	return ""
}

// asked is the line that the program has begun and not ended, such as a question.
func (p *output) asked() string {
	if !p.open || len(p.lines) == 0 {
		return ""
	}
	return p.lines[len(p.lines)-1].text
}

// say adds lines of npdb's own.
func (p *output) say(role themes.Role, text string) {
	p.open = false
	for line := range strings.SplitSeq(text, "\n") {
		p.push(outputLine{role, line, -1})
	}
}

// typed adds what the user typed; a line of input stands behind the prompt that
// the program wrote for it.
func (p *output) typed(_ *Model, prompt, text string) {
	if last := len(p.lines) - 1; p.open && prompt == "" && last >= 0 {
		p.lines[last].text += text
	} else {
		p.push(outputLine{themes.Stdin, prompt + text, -1})
	}
	p.open = false
}

func (p *output) push(l outputLine) {
	p.lines = append(p.lines, l)
	if over := len(p.lines) - mostOutput; over > mostOutput/10 {
		p.lines = slices.Delete(p.lines, 0, over)
		p.dropped += over
		p.cursor, p.last, p.told = max(p.cursor-over, 0), max(p.last-over, 0), max(p.told-over, -1)
	}
	if p.follows {
		p.cursor, p.last = len(p.lines)-1, len(p.lines)-1
	}
}

func (p *output) draw(m *Model, a *draw.Area, focused bool) {
	w, h := a.Size()
	p.width, p.rows = w-2, h
	if p.width < 1 || len(p.lines) == 0 {
		return
	}
	p.fit(m, h)
	y := p.bottom(m, h)
	for i := p.last; i >= 0 && y > 0; i-- {
		rows := p.wrapped(m, p.lines[i].text)
		y -= len(rows)
		for n, row := range rows {
			if y+n >= 0 {
				a.Text(1, y+n, row, m.style(p.lines[i].role))
			}
		}
		if focused && i == p.cursor && !p.follows {
			a.Overlay(draw.Rect{Y: max(y, 0), W: w, H: len(rows)}, m.style(themes.Selection))
		}
		for n, row := range rows {
			m.searchIn(outputPane).mark(m, a.Sub(draw.Rect{X: 1, Y: y + n, W: p.width, H: 1}), row, 0, i == p.cursor)
		}
	}
	if y > 0 && p.dropped > 0 {
		a.Text(1, y-1, fmt.Sprintf("… %d older lines are not kept", p.dropped), m.style(themes.Dim))
	}
}

// fit keeps the cursor among the lines and in the rows that show, and those full.
func (p *output) fit(m *Model, h int) {
	end := len(p.lines) - 1
	p.cursor = min(max(p.cursor, 0), end)
	p.last = min(max(p.last, p.cursor, p.below(m, 0, h)), end)
	if p.last-p.cursor >= h || p.last > p.below(m, p.cursor, h) {
		p.last = p.below(m, p.cursor, h)
	}
}

// below is the line at the bottom when a line is at the top.
func (p *output) below(m *Model, top, h int) int {
	if top == 0 && p.dropped > 0 {
		h-- // for what says so
	}
	last := top
	for used := 0; last < len(p.lines); last++ {
		if used += len(p.wrapped(m, p.lines[last].text)); used > h {
			break
		}
	}
	return max(last-1, top)
}

// bottom is the row below the last one that is drawn: all of them, unless there
// are fewer lines than rows.
func (p *output) bottom(m *Model, h int) int {
	used := 0
	for i := p.last; i >= 0 && used < h; i-- {
		used += len(p.wrapped(m, p.lines[i].text))
	}
	if p.dropped > 0 {
		used++
	}
	return min(used, h)
}

// wrapped is a line in as many rows as it takes; of a very long one the beginning.
func (p *output) wrapped(m *Model, text string) []string {
	var rows []string
	width := max(p.width, 1) // less where the pane did not show
	for row := range m.measure.Wrap(text, width) {
		if len(rows) == max(p.rows, 1) {
			rows[len(rows)-1] = m.measure.Cut(rows[len(rows)-1]+strings.Repeat(" ", width), width)
			break
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		rows = []string{""}
	}
	return rows
}

func (p *output) act(m *Model, action string) (tea.Cmd, bool) {
	s := scroll{cursor: p.cursor, rows: p.rows}
	switch {
	case s.move(action, len(p.lines)):
		p.goTo(s.cursor)
		return nil, true
	case p.cursor >= len(p.lines):
		return nil, false
	}
	switch action {
	case "copy":
		return m.copy(p.lines[p.cursor].text), true
	case "show-printer":
		return p.printer(m), true
	}
	return nil, false
}

// printer goes to the state that wrote the line under the cursor.
func (p *output) printer(m *Model) tea.Cmd {
	if e := p.lines[p.cursor].event; e >= 0 && m.view != nil && m.view.Mode != session.Predicted {
		return m.goTo(e)
	}
	m.flash = "The program did not print this line."
	return nil
}

// showTold shows what the last rows had no room for from its beginning on, where it
// takes more than the pane's rows.
func (p *output) showTold(m *Model) {
	r := m.layout.panes[outputPane]
	p.width, p.rows = r.W-2, r.H-1
	if p.told < 0 || p.width < 1 || p.rows < 1 || p.below(m, p.told, p.rows) >= len(p.lines)-1 {
		return
	}
	p.goTo(p.told)
}

func (p *output) goTo(line int) {
	end := max(len(p.lines)-1, 0)
	p.cursor = min(max(line, 0), end)
	if p.follows = p.cursor == end; p.follows {
		p.last = end
	}
}

// click goes to the state that printed the line that was clicked on.
func (p *output) click(m *Model, _, y int) tea.Cmd {
	row := p.bottom(m, p.rows)
	if y >= row {
		return nil
	}
	for i := min(p.last, len(p.lines)-1); i >= 0 && row > 0; i-- {
		row -= len(p.wrapped(m, p.lines[i].text))
		if y >= row {
			last := p.last
			p.goTo(i)
			p.last = last
			return p.printer(m)
		}
	}
	return nil
}

// wheel moves what shows, and the cursor with it.
func (p *output) wheel(_ *Model, rows int) {
	last := p.last
	p.last = min(max(p.last+rows, 0), max(len(p.lines)-1, 0))
	p.cursor = min(max(p.cursor+p.last-last, 0), p.last)
	p.follows = p.last == len(p.lines)-1
	if p.follows {
		p.cursor = p.last
	}
}
