// Package output shows what the program wrote and npdb answered.
package output

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// mostOutput limits the lines of the pane; it drops the oldest ones and says so.
const mostOutput = 50_000

// markOwn marks npdb's own lines.
const markOwn = "╎"

// Pane shows the program's output and npdb's answers, in order.
type Pane struct {
	*pane.Screen
	lines   []entry
	dropped int
	cursor  int
	last    int // the line at the bottom
	follows bool
	open    bool // later output may continue the last line
	midway  bool // the last line is npdb's own text, and more of it will be streamed
	pen     pen  // where the program writes in that line
	unseen  bool // the program wrote something since the pane was visible
	told    int  // the first line of the text that the last rows show, -1 if they show none
	since   int  // the first line of npdb's messages about this stop
	// Brief reports whether only the end of the output is visible.
	Brief bool
	brief map[int]bool // the lines shown if Brief
	width int
	rows  int
}

// entry is a line of the pane. Own marks npdb's answers and the user's commands. Event is the
// event that the program's output followed; -1 for none.
type entry struct {
	role  themes.Role
	text  string
	event int
	parts []part // if several events wrote the line
	own   bool
	runs  []run // of colors; nil for a line without
}

// New returns a pane without lines.
func New(s *pane.Screen) *Pane { return &Pane{Screen: s, follows: true, told: -1} }

// Context returns the context of the output.
func (p *Pane) Context() keys.Context { return keys.Output }

// Title returns the pane's name, and that the program waits for input or how many lines are hidden
// below.
func (p *Pane) Title() (name, more string) {
	switch {
	case p.Running != nil && p.Running.Waits && !p.Typing:
		more = "· the program waits for input: " + p.KeyFor("program-input")
	case !p.follows:
		more = fmt.Sprintf("· %d more lines below", len(p.lines)-1-p.last)
	}
	return "output", more
}

// Fills counts the rows of the lines from the last one up.
func (p *Pane) Fills(columns, most int) (rows int) {
	for i := len(p.lines) - 1; i >= 0 && rows < most; i-- {
		text := p.lines[i].text
		room := max(columns-2, 1) // within the margins
		width := p.Measure.Width(text[:min(len(text), most*room)])
		rows += max((width+room-1)/room, 1)
	}
	return min(rows, most)
}

// Stopped does nothing: lines are added as they are written.
func (p *Pane) Stopped() {}

// Wrote adds output of the program.
func (p *Pane) Wrote(c session.Chunk) {
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
			if last := len(p.lines) - 1; !p.open || p.lines[last].role != role {
				p.close()
				p.push(entry{role: role, event: part.Event})
			}
			offset := p.pen.at
			if strings.HasPrefix(text, "\r") {
				offset = 0
			}
			if text != "" {
				p.lines[len(p.lines)-1].wrote(offset, part.Event)
			}
			p.pen.write(&p.lines[len(p.lines)-1], text)
			if p.open = true; ended {
				p.close()
			}
		}
	}
}

// close ends the last line, which later output would continue.
func (p *Pane) close() {
	if p.open {
		p.pen.end(&p.lines[len(p.lines)-1])
	}
	p.open = false
}

// Unseen returns the last line of output that the program wrote while the pane was hidden. shows
// reports that the pane is visible.
func (p *Pane) Unseen(shows bool) string {
	unseen := p.unseen && !shows
	p.unseen = false
	if !unseen {
		return ""
	}
	for i := len(p.lines) - 1; i >= 0; i-- {
		if l := p.lines[i]; l.role == themes.Stdout || l.role == themes.Stderr {
			return p.KeyFor("focus-output") + " output: " + l.text
		}
	}
	return ""
}

// Asked returns the unfinished last line of the program, such as a question.
func (p *Pane) Asked() string {
	if !p.open || len(p.lines) == 0 {
		return ""
	}
	return p.lines[len(p.lines)-1].text
}

// Follows reports whether the latest line is visible.
func (p *Pane) Follows() bool { return p.follows }

// Tell records that the lines from now on are shown in the screen's last rows, too.
func (p *Pane) Tell() { p.told = len(p.lines) }

// Hush records that the screen's last rows are empty again.
func (p *Pane) Hush() { p.told = -1 }

// Tells reports whether the screen's last rows show lines of the pane.
func (p *Pane) Tells() bool { return p.told >= 0 }

// Say adds npdb's own lines.
func (p *Pane) Say(role themes.Role, text string) {
	p.close()
	p.midway = false
	for line := range strings.SplitSeq(text, "\n") {
		p.push(entry{role: role, text: line, event: -1, own: true})
	}
}

// Stream adds npdb's own text, in which ranges may be struck through. A piece of a streamed text continues the
// last line of the previous piece.
func (p *Pane) Stream(c session.Chunk) {
	p.close()
	at := 0
	for line := range strings.SplitAfterSeq(c.Text, "\n") {
		if !p.midway {
			p.push(entry{role: themes.Text, event: -1, own: true})
		}
		l := &p.lines[len(p.lines)-1]
		text := strings.TrimSuffix(line, "\n")
		from := 0
		for _, r := range c.Struck {
			begin, end := min(max(r[0]-at, from), len(text)), min(max(r[1]-at, from), len(text))
			l.add(text[from:begin], draw.Style{})
			l.add(text[begin:end], draw.Style{Attr: draw.Strike})
			from = end
		}
		l.add(text[from:], draw.Style{})
		at += len(line)
		p.midway = text == line
	}
	p.midway = c.Continues
}

// Midway reports whether more of npdb's own text will be streamed.
func (p *Pane) Midway() bool { return p.midway }

// Typed adds a line that the user typed. Input for the program continues the line of the program's
// prompt.
func (p *Pane) Typed(prompt, text string) {
	if last := len(p.lines) - 1; p.open && prompt == "" && last >= 0 {
		p.close()
		p.lines[last].text += text
		return
	}
	p.close()
	p.push(entry{role: themes.Stdin, text: prompt + text, event: -1, own: prompt != ""})
}

func (p *Pane) push(l entry) {
	p.lines = append(p.lines, l)
	if over := len(p.lines) - mostOutput; over > mostOutput/10 {
		p.lines = slices.Delete(p.lines, 0, over)
		p.dropped += over
		p.cursor, p.last, p.told, p.since = max(p.cursor-over, 0), max(p.last-over, 0), max(p.told-over, -1), max(p.since-over, 0)
	}
	if p.follows {
		p.cursor, p.last = len(p.lines)-1, len(p.lines)-1
	}
}

// Draw draws the lines that are visible.
func (p *Pane) Draw(a *draw.Area, focused bool) {
	w, h := a.Size()
	p.width, p.rows = w-2, h
	if p.width < 1 || len(p.lines) == 0 {
		return
	}
	p.shorten()
	p.fit(h)
	y := p.bottom(h)
	for i := p.last; i >= 0 && y > 0; i-- {
		rows := p.rowsOf(i)
		y -= len(rows)
		from, role := 0, p.lines[i].role
		if p.past(i) {
			role = themes.Dim
		}
		for n, row := range rows {
			if y+n >= 0 {
				a.Spans(1, y+n, p.lines[i].spans(row, from, p.Style(role), p.Theme.Foreign), 0)
				if p.lines[i].own {
					a.Text(0, y+n, markOwn, p.Style(themes.Dim))
				}
			}
			from += len(row)
		}
		if focused && i == p.cursor && !p.follows {
			a.Overlay(draw.Rect{Y: max(y, 0), W: w, H: len(rows)}, p.Style(themes.Selection))
		}
		for n, row := range rows {
			p.Mark(p.Context(), a.Sub(draw.Rect{X: 1, Y: y + n, W: p.width, H: 1}), row, 0, i == p.cursor)
		}
	}
	if y > 0 && p.dropped > 0 {
		a.Text(1, y-1, fmt.Sprintf("… %d older lines are not kept", p.dropped), p.Style(themes.Dim))
	}
}

// fit keeps the cursor among the lines and visible, and the rows filled.
func (p *Pane) fit(h int) {
	end := len(p.lines) - 1
	p.cursor = min(max(p.cursor, 0), end)
	p.last = min(max(p.last, p.cursor, p.below(0, h)), end)
	if p.last-p.cursor >= h || p.last > p.below(p.cursor, h) {
		p.last = p.below(p.cursor, h)
	}
}

// below returns the line at the bottom of h rows if the line top is at the top.
func (p *Pane) below(top, h int) int {
	if top == 0 && p.dropped > 0 {
		h-- // a row reports the dropped lines
	}
	last := top
	for used := 0; last < len(p.lines); last++ {
		if used += len(p.rowsOf(last)); used > h {
			break
		}
	}
	return max(last-1, top)
}

// bottom returns the row after the last line.
func (p *Pane) bottom(h int) int {
	used := 0
	for i := p.last; i >= 0 && used < h; i-- {
		used += len(p.rowsOf(i))
	}
	if p.dropped > 0 {
		used++
	}
	return min(used, h)
}

// wrapped wraps a line; of a very long one only the beginning.
func (p *Pane) wrapped(text string) []string {
	var rows []string
	width := max(p.width, 1) // it may be less before the pane was visible
	for row := range p.Measure.Wrap(text, width) {
		if len(rows) == max(p.rows, 1) {
			rows[len(rows)-1] = p.Measure.Cut(rows[len(rows)-1]+strings.Repeat(" ", width), width)
			break
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		rows = []string{""}
	}
	return rows
}

// Act does an action on the line at the cursor.
func (p *Pane) Act(action string) (tea.Cmd, bool) {
	s := pane.Scroll{Cursor: p.cursor, Rows: p.rows}
	switch {
	case s.Move(action, len(p.lines)):
		p.GoTo(s.Cursor)
		return nil, true
	case p.cursor >= len(p.lines):
		return nil, false
	}
	switch action {
	case "copy":
		return p.Copy(p.lines[p.cursor].text), true
	case "show-printer":
		return p.printer(0), true
	}
	return nil, false
}

// printer goes to the state that wrote the text at an offset of the line under the cursor.
func (p *Pane) printer(offset int) tea.Cmd {
	if e := p.lines[p.cursor].eventAt(offset); e >= 0 && p.View != nil && p.View.Mode != session.Predicted {
		return p.Orders.GoTo(e)
	}
	p.Flash = "The program did not print this line."
	return nil
}

// ShowTold moves to the beginning of the text that the screen's last rows show, if the text has
// more rows than the pane.
func (p *Pane) ShowTold(w, h int) {
	p.width, p.rows = w, h
	if p.told < 0 || p.width < 1 || p.rows < 1 || p.below(p.told, p.rows) >= len(p.lines)-1 {
		return
	}
	p.GoTo(p.told)
}

// GoTo moves the cursor to a line; on the last one the pane follows new output.
func (p *Pane) GoTo(line int) {
	end := max(len(p.lines)-1, 0)
	p.cursor = min(max(line, 0), end)
	if p.follows = p.cursor == end; p.follows {
		p.last = end
	}
}

// Click goes to the state that wrote the clicked text: a line may have parts of several states.
func (p *Pane) Click(x, y int) tea.Cmd {
	row := p.bottom(p.rows)
	if y >= row {
		return nil
	}
	for i := min(p.last, len(p.lines)-1); i >= 0 && row > 0; i-- {
		rows := p.rowsOf(i)
		row -= len(rows)
		if y >= row {
			last := p.last
			p.GoTo(i)
			p.last = last
			return p.printer(p.offset(rows, x-1, y-row))
		}
	}
	return nil
}

// Wheel scrolls, and moves the cursor.
func (p *Pane) Wheel(rows int) {
	last := p.last
	p.last = min(max(p.last+rows, 0), max(len(p.lines)-1, 0))
	p.cursor = min(max(p.cursor+p.last-last, 0), p.last)
	p.follows = p.last == len(p.lines)-1
	if p.follows {
		p.cursor = p.last
	}
}

// Texts returns the lines for a search.
func (p *Pane) Texts() (int, func(int) string) {
	return len(p.lines), func(i int) string { return p.lines[i].text }
}

// At returns the cursor's line.
func (p *Pane) At() int { return p.cursor }
