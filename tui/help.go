package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/line"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/places"
)

// help lists what the keys do and what the timeline's marks mean, over the whole
// screen. What is typed filters it.
type help struct {
	of     keys.Context // where it was opened
	filter textinput.Model
	pane.Scroll
}

func newHelp(of keys.Context) *help {
	in := line.Field()
	in.Focus()
	return &help{of: of, filter: in}
}

func (p *help) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.config.Keys.Lookup(keys.Help, msg)
	page := max(p.Rows-1, 1)
	switch {
	case !ok:
		var cmd tea.Cmd
		p.filter, cmd = p.filter.Update(msg)
		p.Top = 0
		return cmd
	case a.Name == "help-down":
		p.Top++
	case a.Name == "help-up":
		p.Top--
	case a.Name == "help-page-down":
		p.Top += page
	case a.Name == "help-page-up":
		p.Top -= page
	case a.Name == "leave-help" || a.Name == "help" || a.Name == "cancel":
		m.help = nil
	case a.Name == "suspend" || a.Name == "redraw":
		return m.act(a.Name)
	}
	return nil
}

// paste puts text into the filter.
func (p *help) paste(msg tea.PasteMsg) tea.Cmd {
	var cmd tea.Cmd
	p.filter, cmd = p.filter.Update(msg)
	p.Top = 0
	return cmd
}

// helpLine is a row of the list.
type helpLine []draw.Span

// groups are the parts of the list, in rows of w columns: a heading, and its
// actions or marks. What one does goes on below where it is too long.
func (p *help) groups(m *Model, w int) [][]helpLine {
	const keyColumns, left, leastText = 16, 2, 20
	var groups [][]helpLine
	group := ""
	for _, b := range keys.Filter(append(m.config.Keys.Bindings(p.of), places.Legend...), p.filter.Value()) {
		if len(b.Keys) == 0 {
			continue
		}
		if b.Group != group {
			group = b.Group
			groups = append(groups, []helpLine{{{Text: " " + group, Style: m.screen.Style(themes.Title)}}})
		}
		last := &groups[len(groups)-1]
		k := strings.Join(b.Keys, " ")
		pad := strings.Repeat(" ", max(keyColumns-m.screen.Measure.Width(k), 1))
		at := left + max(m.screen.Measure.Width(k)+1, keyColumns)
		for row := range m.screen.Measure.Wrap(b.Help, max(w-at-1, leastText)) {
			line := helpLine{{Text: strings.Repeat(" ", at)}}
			if k != "" {
				line = helpLine{{Text: strings.Repeat(" ", left) + k + pad, Style: m.screen.Style(themes.HintKey)}}
			}
			*last = append(*last, append(line, draw.Span{Text: row, Style: m.screen.Style(themes.Text)}))
			k = ""
		}
	}
	if len(groups) == 0 {
		groups = [][]helpLine{{{{Text: " no key does that; " + m.screen.KeyFor("command-line") + "help lists the commands", Style: m.screen.Style(themes.Dim)}}}}
	}
	return groups
}

// lines are the rows of the list for columns of some rows each. Where all of it
// fits, a group that has not begun goes to the next column rather than be split.
func (p *help) lines(groups [][]helpLine, columns, rows int) []helpLine {
	whole := func(parted bool) (lines []helpLine) {
		for i, g := range groups {
			if i > 0 && (!parted || len(lines)%rows > 0) { // no column begins with a blank row
				lines = append(lines, nil)
			}
			if rest := rows - len(lines)%rows; parted && len(g) > rest && len(g) <= rows {
				lines = append(lines, make([]helpLine, rest)...)
			}
			lines = append(lines, g...)
		}
		return lines
	}
	if columns > 1 && rows > 0 {
		if lines := whole(true); len(lines) <= columns*rows {
			return lines
		}
	}
	return whole(false)
}

// draw covers the screen, and returns where the cursor of the filter is.
func (p *help) draw(m *Model, a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	if h < 2 {
		return nil
	}
	a.Fill(draw.Rect{W: w, H: h}, " ", m.screen.Style(themes.Text))
	const leastColumn = 80
	columns, rows := max(w/leastColumn, 1), h-2
	width := w / columns
	lines := p.lines(p.groups(m, width), columns, rows)
	p.Rows = columns * rows
	p.Top = min(max(p.Top, 0), max(len(lines)-p.Rows, 0))
	for i := range min(p.Rows, len(lines)-p.Top) {
		column := a.Sub(draw.Rect{X: i / max(rows, 1) * width, Y: 1, W: width, H: rows})
		column.Spans(0, i%max(rows, 1), m.screen.Measure.CutSpans(lines[p.Top+i], width), 0)
	}
	x := 1
	for _, hint := range m.config.Keys.Hints(keys.Help, w-2) {
		x += a.Text(x, h-1, strings.Join(hint.Keys, " "), m.screen.Style(themes.HintKey))
		x += a.Text(x, h-1, " "+hint.Word+"  ", m.screen.Style(themes.Dim))
	}
	if below := len(lines) - p.Top - p.Rows; below > 0 {
		more := fmt.Sprintf("%d more below", below)
		if at := w - m.screen.Measure.Width(more) - 1; at > x {
			a.Text(at, h-1, more, m.screen.Style(themes.Dim))
		}
	}
	return p.drawTitle(m, a, len(lines))
}

// drawTitle is the first row: the filter, and which of n rows are in sight.
func (p *help) drawTitle(m *Model, a *draw.Area, n int) *tea.Cursor {
	w, _ := a.Size()
	rule, word := m.focusStyles()
	a.Fill(draw.Rect{W: w, H: 1}, "─", rule)
	line := []draw.Span{{Text: " ", Style: rule}, {Text: "keys", Style: word}, {Text: "  filter: ", Style: m.screen.Style(themes.Text)}}
	x, end := a.Spans(0, 0, line, 0), w-1
	if shown := p.Shown(n); shown != "" {
		shown = " " + shown + " "
		end -= m.screen.Measure.Width(shown)
		a.Text(end, 0, shown, m.screen.Style(themes.Dim))
	}
	const fieldColumns = 24
	field := a.Sub(draw.Rect{X: x, W: min(fieldColumns, max(end-x, 0)), H: 1})
	fw, _ := field.Size()
	field.Fill(draw.Rect{W: fw, H: 1}, " ", m.screen.Style(themes.Text))
	text := p.filter.Value()
	field.Text(0, 0, text, m.screen.Style(themes.Prompt))
	at := m.screen.Measure.Width(string([]rune(text)[:min(p.filter.Position(), len([]rune(text)))]))
	return tea.NewCursor(min(x+at, end), field.Rect().Y)
}
