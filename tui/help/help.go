// Package help lists the keys and marks on the whole screen. Typed text filters it.
package help

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
	"github.com/npdb/npdb/tui/pane"
)

// Help is the open list.
type Help struct {
	*pane.Screen
	pane.Scroll
	bindings []keys.Binding
	filter   pane.Filter
	laid     layout
}

// layout holds the rows of the list, and what they were computed for.
type layout struct {
	theme         *themes.Theme
	filter        string
	w, columns, h int
	rows          []string
}

// New opens the list of the bindings.
func New(s *pane.Screen, bindings []keys.Binding) *Help {
	return &Help{Screen: s, bindings: bindings, filter: pane.NewFilter()}
}

// Key handles a key press, and returns the action that the screen has to do, "" for none.
func (p *Help) Key(msg tea.KeyPressMsg) (action string, cmd tea.Cmd) {
	a, ok := p.Keys.Lookup(keys.Help, msg)
	page := max(p.Rows-1, 1)
	switch {
	case !ok:
		return "", p.edit(msg)
	case a.Name == "help-down":
		p.Top++
	case a.Name == "help-up":
		p.Top--
	case a.Name == "help-page-down":
		p.Top += page
	case a.Name == "help-page-up":
		p.Top -= page
	default:
		return a.Name, nil
	}
	return "", nil
}

// Paste inserts text into the filter.
func (p *Help) Paste(msg tea.PasteMsg) tea.Cmd { return p.edit(msg) }

func (p *Help) edit(msg tea.Msg) tea.Cmd {
	cmd, _ := p.filter.Edit(msg)
	p.Top = 0
	return cmd
}

// groups returns the groups of the list in rows of w columns: a heading, and its actions or marks,
// wrapped.
func (p *Help) groups(w int) [][]string {
	const keyColumns, left, leastText = 16, 2, 20
	var groups [][]string
	group := ""
	for _, b := range keys.Filter(p.bindings, p.filter.Value()) {
		if len(b.Keys) == 0 {
			continue
		}
		if b.Group != group {
			group = b.Group
			groups = append(groups, []string{p.Lip(themes.Title).Render(" " + group)})
		}
		last := &groups[len(groups)-1]
		k := strings.Join(b.Keys, " ")
		at := left + max(p.Measure.Width(k)+1, keyColumns)
		does := slices.Collect(p.Measure.Wrap(b.Help, max(w-at-1, leastText)))
		row := lipgloss.JoinHorizontal(lipgloss.Top,
			p.Lip(themes.HintKey).PaddingLeft(left).Width(at).Render(k), p.Lip(themes.Text).Render(strings.Join(does, "\n")))
		*last = append(*last, strings.Split(row, "\n")...)
	}
	if len(groups) == 0 {
		groups = [][]string{{p.Lip(themes.Dim).Render(" no key does that; " + p.KeyFor("command-line") + "help lists the commands")}}
	}
	for _, g := range groups {
		for i := range g {
			g[i] = ansi.Truncate(g[i], w, pane.GlyphEllipsis)
		}
	}
	return groups
}

// lines returns the rows of the list in columns of w. If all of it fits, a group moves to the next
// column rather than be split.
func (p *Help) lines(w, columns, rows int) []string {
	now := layout{theme: p.Theme, filter: p.filter.Value(), w: w, columns: columns, h: rows}
	if was := p.laid; was.theme == now.theme && was.filter == now.filter && was.w == w && was.columns == columns && was.h == rows {
		return was.rows
	}
	groups := p.groups(w)
	whole := func(parted bool) (lines []string) {
		for i, g := range groups {
			if i > 0 && (!parted || len(lines)%rows > 0) { // no column begins with a blank row
				lines = append(lines, "")
			}
			if rest := rows - len(lines)%rows; parted && len(g) > rest && len(g) <= rows {
				lines = append(lines, make([]string, rest)...)
			}
			lines = append(lines, g...)
		}
		return lines
	}
	if columns > 1 && rows > 0 {
		now.rows = whole(true)
	}
	if columns <= 1 || len(now.rows) > columns*rows {
		now.rows = whole(false)
	}
	p.laid = now
	return now.rows
}

// Draw draws the list on the whole screen, and returns the cursor of the filter.
func (p *Help) Draw(a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	if h < 2 {
		return nil
	}
	const leastColumn = 80
	columns, rows := max(w/leastColumn, 1), h-2
	width := w / columns
	lines := p.lines(width, columns, rows)
	p.Rows = columns * rows
	p.Top = min(max(p.Top, 0), max(len(lines)-p.Rows, 0))
	shown := lines[p.Top:min(p.Top+p.Rows, len(lines))]
	a.Fill(draw.Rect{W: w, H: h}, " ", p.Style(themes.Text))
	for i := range columns {
		part := shown[min(i*rows, len(shown)):min((i+1)*rows, len(shown))]
		a.Sub(draw.Rect{X: i * width, Y: 1, W: width, H: rows}).Styled(lipgloss.JoinVertical(lipgloss.Left, part...))
	}
	foot := " " + p.Hints(p.Keys.Hints(keys.Help, w-2))
	if below := len(lines) - p.Top - p.Rows; below > 0 {
		more := p.Lip(themes.Dim).Render(fmt.Sprintf("%d more below ", below))
		if room := w - lipgloss.Width(foot); lipgloss.Width(more) < room {
			foot += lipgloss.PlaceHorizontal(room, lipgloss.Right, more)
		}
	}
	a.Sub(draw.Rect{Y: h - 1, W: w, H: 1}).Styled(foot)
	return p.drawTitle(a.Sub(draw.Rect{W: w, H: 1}), p.Shown(len(lines)))
}

// drawTitle draws the first row: the filter, and which rows are visible.
func (p *Help) drawTitle(a *draw.Area, sight string) *tea.Cursor {
	const fieldColumns = 24
	w, _ := a.Size()
	rule := p.Lip(themes.Focus).Reverse(false).Underline(false)
	end := rule.Render("─")
	if sight != "" {
		end = p.Lip(themes.Dim).Render(" "+sight+" ") + end
	}
	title := rule.Render(" ") + p.Lip(themes.Focus).Render("keys") + p.Lip(themes.Text).Render("  filter: ")
	x, last := lipgloss.Width(title), w-lipgloss.Width(end)
	text := p.filter.Value()
	if room := min(fieldColumns, last-x); room > 0 {
		title += p.Lip(themes.Prompt).Width(room).Render(ansi.Truncate(escape.Line(text), room, ""))
	}
	if room := w - lipgloss.Width(title); room > 0 {
		title += lipgloss.PlaceHorizontal(room, lipgloss.Right, end, lipgloss.WithWhitespaceChars("─"), lipgloss.WithWhitespaceStyle(rule))
	}
	a.Styled(title)
	return tea.NewCursor(min(x+p.Measure.Width(text[:pane.Position(&p.filter.Model)]), last), a.Rect().Y)
}
