package report

import (
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"

	"github.com/npdb/npdb/internal/escape"
)

// Text writes tables. If styled is true, the output is for a terminal; otherwise it contains no escape
// sequences.
func Text(w io.Writer, tables []Table, styled bool) error {
	title, dim := lipgloss.NewStyle(), lipgloss.NewStyle()
	if styled {
		title, dim = title.Bold(true), dim.Faint(true)
	}
	var b strings.Builder
	for i, t := range tables {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(title.Render(escape.Line(t.Title)) + "\n")
		b.WriteString(t.render(title, dim) + "\n")
		if t.Note != "" {
			b.WriteString(dim.Render(escape.Line(t.Note)) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// render returns the table as text, with a line below the head and numbers aligned right.
func (t *Table) render(head, line lipgloss.Style) string {
	cells := func(row []string) []string {
		out := make([]string, len(row))
		for i, text := range row {
			out[i] = escape.Line(text)
		}
		return out
	}
	made := table.New().
		Border(lipgloss.NormalBorder()).BorderStyle(line).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).BorderHeader(true).
		Headers(cells(t.Head)...).
		StyleFunc(func(row, column int) lipgloss.Style {
			style := lipgloss.NewStyle()
			if row == table.HeaderRow {
				style = head
			}
			if column > 0 {
				style = style.Align(lipgloss.Right).PaddingLeft(2)
			}
			return style
		})
	for _, row := range t.Rows {
		made.Row(cells(row)...)
	}
	lines := strings.Split(made.Render(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
