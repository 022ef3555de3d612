package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	lgtable "charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"github.com/npdb/npdb/internal/escape"
)

// page is where a command writes what it was asked for.
type page struct {
	io.Writer
	columns int                  // that a line may have; 0 where it is no terminal: programs read lines
	profile colorprofile.Profile // what it shows of colors
}

// pageOn is the page of a command's output.
func pageOn(w io.Writer) page {
	p := page{Writer: w, profile: colorprofile.Detect(w, os.Environ())}
	if f, ok := w.(*os.File); ok {
		p.columns, _, _ = term.GetSize(int(f.Fd())) // 0 where there is none
	}
	return p
}

// colors reports whether the page shows colors, and with them bold and faint text.
func (p page) colors() bool { return p.profile > colorprofile.ASCII }

// How cells look where there are colors. The colors are the terminal's own, so that
// they go with its background.
var (
	plain = lipgloss.NewStyle()
	quiet = plain.Faint(true)
	loud  = plain.Bold(true)
	good  = plain.Foreground(lipgloss.Green)
	bad   = plain.Foreground(lipgloss.Red)
	vague = plain.Foreground(lipgloss.Yellow)
)

// cell is a place in a table.
type cell struct {
	text  string // of anybody
	style lipgloss.Style
	drawn bool // by npdb itself, with colors: it is shown as it is
}

// styled is a cell of a style.
func styled(style lipgloss.Style, text string) cell { return cell{text: text, style: style} }

// table is what a command lists: columns as wide as what they hold, with no lines
// between them.
type table struct {
	rows   [][]cell
	titles []int // the rows that begin a section
	prose  []int // the columns that are wrapped where there is little room
	indent int   // of all rows but titles
}

// headed is a table whose columns have names.
func headed(names ...string) *table {
	row := make([]cell, len(names))
	for i, name := range names {
		row[i] = styled(quiet, name)
	}
	return &table{rows: [][]cell{row}, prose: []int{len(names) - 1}}
}

// add adds a row.
func (t *table) add(row ...cell) { t.rows = append(t.rows, row) }

// section begins a part of the table, whose rows stand in from its title.
func (t *table) section(title string) {
	t.indent = gap
	t.add()
	t.titles = append(t.titles, len(t.rows))
	t.add(styled(loud, title))
}

const (
	gap       = 2  // between columns, and what the rows of a section stand in
	leastWide = 16 // a column of prose

	// unbroken stands for a hyphen, after which lipgloss would break a line, and with
	// it names and flags. Nothing else can look like it: escape writes what is for
	// private use in hexadecimal.
	unbroken = "\ue000"
)

// write writes the table to a page.
func (t *table) write(p page) error {
	shown := lgtable.New().Border(lipgloss.Border{}).BorderTop(false).BorderBottom(false).BorderLeft(false).
		BorderRight(false).BorderColumn(false).BorderHeader(false)
	var widths []int
	for row := range t.rows {
		texts := t.texts(row)
		for i, text := range texts {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(text))
		}
		shown.Row(texts...)
	}
	whole, least := 0, 0 // how wide the table is, and may be
	for i := range widths {
		if i < len(widths)-1 {
			widths[i] += gap
		}
		whole += widths[i]
		if least += widths[i]; slices.Contains(t.prose, i) {
			least -= max(widths[i]-leastWide, 0)
		}
	}
	narrow := p.columns > 0 && whole > p.columns
	if narrow {
		shown.Width(max(p.columns, least)) // what the terminal has to wrap is not cut
	}
	shown.StyleFunc(func(row, column int) lipgloss.Style {
		style := plain
		if p.colors() && column < len(t.rows[row]) {
			style = t.rows[row][column].style
		}
		if column < len(widths)-1 {
			style = style.PaddingRight(gap)
		}
		if narrow && !slices.Contains(t.prose, column) {
			style = style.Width(widths[column])
		}
		return style
	})
	for line := range strings.Lines(shown.String()) {
		line = strings.TrimRight(strings.ReplaceAll(line, unbroken, "-"), " \n") + "\n"
		if _, err := io.WriteString(p, line); err != nil {
			return err
		}
	}
	return nil
}

// texts are what stands in a row.
func (t *table) texts(row int) []string {
	out := make([]string, len(t.rows[row]))
	for i, c := range t.rows[row] {
		if out[i] = c.text; !c.drawn {
			out[i] = strings.ReplaceAll(escape.Line(c.text), "-", unbroken)
		}
		if i == 0 && !slices.Contains(t.titles, row) {
			out[i] = strings.Repeat(" ", t.indent) + out[i]
		}
	}
	return out
}
