package cli

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

// Page is the output of a command.
type Page struct {
	io.Writer
	Columns int                  // of the terminal; 0 if the output is not a terminal, so that lines are not wrapped
	Profile colorprofile.Profile // colors that the output can show
}

// PageOn returns the page for an output, with its columns and colors if it is a terminal.
func PageOn(w io.Writer) Page {
	p := Page{Writer: w, Profile: colorprofile.Detect(w, os.Environ())}
	if f, ok := w.(*os.File); ok {
		p.Columns, _, _ = term.GetSize(int(f.Fd())) // 0 on failure
	}
	return p
}

// Colors reports whether the page shows colors, and also bold and faint text.
func (p Page) Colors() bool { return p.Profile > colorprofile.ASCII }

// The styles of cells on a page with colors. They use the terminal's own palette, which
// suits its background.
var (
	Plain = lipgloss.NewStyle()
	Quiet = Plain.Faint(true)
	Loud  = Plain.Bold(true)
	Good  = Plain.Foreground(lipgloss.Green)
	Bad   = Plain.Foreground(lipgloss.Red)
	Vague = Plain.Foreground(lipgloss.Yellow)
)

// Cell holds the text of one column in one row.
type Cell struct {
	Text  string // may come from any source; Write escapes it
	style lipgloss.Style
	Drawn bool // Text is npdb's own and contains colors; Write does not escape it
}

// Styled returns a cell with a style.
func Styled(style lipgloss.Style, text string) Cell { return Cell{Text: text, style: style} }

// Table aligns rows of cells in columns, without lines between them.
type Table struct {
	rows   [][]Cell
	Titles []int // indexes of the rows that are titles of sections
	Prose  []int // indexes of the columns that are wrapped on a narrow page
	Indent int   // of all rows except titles, in columns
}

// Headed returns a table whose first row contains the names of the columns.
func Headed(names ...string) *Table {
	row := make([]Cell, len(names))
	for i, name := range names {
		row[i] = Styled(Quiet, name)
	}
	return &Table{rows: [][]Cell{row}, Prose: []int{len(names) - 1}}
}

// Add adds a row.
func (t *Table) Add(row ...Cell) { t.rows = append(t.rows, row) }

// Section adds a title. The rows after it are indented.
func (t *Table) Section(title string) {
	t.Indent = Gap
	t.Add()
	t.Titles = append(t.Titles, len(t.rows))
	t.Add(Styled(Loud, title))
}

// Gap is the number of spaces between cells, and the indentation of rows in a section.
const Gap = 2

const (
	leastWide = 16 // minimum width of a wrapped column

	// unbroken replaces each hyphen while lipgloss lays out the table, because it would break a
	// line after a hyphen, also within names and flags. No other text can contain it, because
	// escape writes private-use characters in hexadecimal.
	unbroken = "\ue000"
)

// Write prints the table on a page.
func (t *Table) Write(p Page) error {
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
	whole, least := 0, 0 // width of the table: without wrapping, and at the narrowest
	for i := range widths {
		if i < len(widths)-1 {
			widths[i] += Gap
		}
		whole += widths[i]
		if least += widths[i]; slices.Contains(t.Prose, i) {
			least -= max(widths[i]-leastWide, 0)
		}
	}
	narrow := p.Columns > 0 && whole > p.Columns
	if narrow {
		shown.Width(max(p.Columns, least)) // below least, the terminal wraps lines
	}
	shown.StyleFunc(func(row, column int) lipgloss.Style {
		style := Plain
		if p.Colors() && column < len(t.rows[row]) {
			style = t.rows[row][column].style
		}
		if column < len(widths)-1 {
			style = style.PaddingRight(Gap)
		}
		if narrow && !slices.Contains(t.Prose, column) {
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

// texts returns the texts of a row's cells: escaped, indented, and with hyphens replaced by
// unbroken.
func (t *Table) texts(row int) []string {
	out := make([]string, len(t.rows[row]))
	for i, c := range t.rows[row] {
		if out[i] = c.Text; !c.Drawn {
			out[i] = strings.ReplaceAll(escape.Line(c.Text), "-", unbroken)
		}
		if i == 0 && !slices.Contains(t.Titles, row) {
			out[i] = strings.Repeat(" ", t.Indent) + out[i]
		}
	}
	return out
}
