package tui

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
	"github.com/npdb/npdb/tui/keys"
)

// help lists what the keys do and what the timeline's marks mean, over the whole
// screen. What is typed filters it.
type help struct {
	of     keys.Context // where it was opened
	filter textinput.Model
	scroll int
	rows   int
}

func newHelp(of keys.Context) *help {
	in := textinput.New()
	in.Prompt = ""
	in.SetVirtualCursor(false)
	in.Focus()
	return &help{of: of, filter: in}
}

func (p *help) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.config.Keys.Lookup(keys.Help, msg)
	page := max(p.rows-1, 1)
	switch {
	case !ok:
		var cmd tea.Cmd
		p.filter, cmd = p.filter.Update(msg)
		p.scroll = 0
		return cmd
	case a.Name == "help-down":
		p.scroll++
	case a.Name == "help-up":
		p.scroll--
	case a.Name == "help-page-down":
		p.scroll += page
	case a.Name == "help-page-up":
		p.scroll -= page
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
	p.scroll = 0
	return cmd
}

// lines are the rows of the list: a heading for each group, and its actions or
// marks.
func (p *help) lines(m *Model) [][]draw.Span {
	var lines [][]draw.Span
	group := ""
	for _, b := range keys.Filter(append(m.config.Keys.Bindings(p.of), legend...), p.filter.Value()) {
		if len(b.Keys) == 0 {
			continue
		}
		if b.Group != group {
			group = b.Group
			if len(lines) > 0 {
				lines = append(lines, nil)
			}
			lines = append(lines, []draw.Span{{Text: " " + group, Style: m.style(themes.Title)}})
		}
		const keyColumns = 16
		k := strings.Join(b.Keys, " ")
		pad := strings.Repeat(" ", max(keyColumns-m.measure.Width(k), 1))
		lines = append(lines, []draw.Span{
			{Text: "  " + k + pad, Style: m.style(themes.HintKey)},
			{Text: b.Help, Style: m.style(themes.Text)},
		})
	}
	if len(lines) == 0 {
		lines = append(lines, []draw.Span{{Text: " no key does that; " + m.keyFor("command-line") + "help lists the commands", Style: m.style(themes.Dim)}})
	}
	return lines
}

// draw covers the screen, and returns where the cursor of the filter is.
func (p *help) draw(m *Model, a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	if h < 2 {
		return nil
	}
	a.Fill(draw.Rect{W: w, H: h}, " ", m.style(themes.Text))
	a.Fill(draw.Rect{W: w, H: 1}, "─", m.style(themes.Focus))
	x := a.Text(0, 0, " keys ", m.style(themes.Focus))
	label := " filter: "
	a.Text(x, 0, label, m.style(themes.Text))
	field := a.Sub(draw.Rect{X: x + len(label), W: max(w-x-len(label)-1, 0), H: 1})
	fw, _ := field.Size()
	field.Fill(draw.Rect{W: min(fw, 24), H: 1}, " ", m.style(themes.Text))
	text := p.filter.Value()
	field.Text(0, 0, text, m.style(themes.Prompt))
	lines := p.lines(m)
	p.rows = h - 2
	p.scroll = min(max(p.scroll, 0), max(len(lines)-p.rows, 0))
	for row := range min(p.rows, len(lines)-p.scroll) {
		a.Spans(0, row+1, m.measure.CutSpans(lines[p.scroll+row], w), 0)
	}
	x = 1
	for _, hint := range m.config.Keys.Hints(keys.Help, w-2) {
		x += a.Text(x, h-1, strings.Join(hint.Keys, " "), m.style(themes.HintKey))
		x += a.Text(x, h-1, " "+hint.Word+"  ", m.style(themes.Dim))
	}
	r := field.Rect()
	at := m.measure.Width(string([]rune(text)[:min(p.filter.Position(), len([]rune(text)))]))
	return tea.NewCursor(min(r.X+at, w-1), r.Y)
}
