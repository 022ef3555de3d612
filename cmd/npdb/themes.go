package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
)

func newThemesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "themes",
		Short: "List the screen's themes, each with a sample",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			return listThemes(out, colorprofile.Detect(out, os.Environ()))
		},
	}
}

// listThemes writes a line for every theme, in its own colors as far as the
// profile shows them: its name, a sample, and what it says of itself.
func listThemes(w io.Writer, p colorprofile.Profile) error {
	names, chromas := themes.Names(), themes.ChromaNames()
	ofChroma := func(name string) int {
		if slices.Contains(chromas, name) {
			return 1
		}
		return 0
	}
	// npdb's own and the user's come first, in the same order otherwise.
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(ofChroma(a), ofChroma(b))
	})
	width := 0
	for _, name := range names {
		width = max(width, len(name))
	}
	last := 0
	for _, name := range names {
		if kind := ofChroma(name); kind != last {
			last = kind
			fmt.Fprintln(w, "\nStyles of chroma:")
		}
		if slices.Contains(names, name+"-dark") && slices.Contains(names, name+"-light") {
			continue // it is one of these, by the terminal's background
		}
		line := fmt.Sprintf("%-*s  ", width, escapeLines(name))
		t, err := themes.Load(name, true)
		about := ""
		if err == nil && ofChroma(name) == 0 {
			about = t.About
		}
		switch {
		case err != nil:
			line += escapeLines(err.Error())
		case p > colorprofile.ASCII:
			line += themeSample(t.For(p)) + "  " + about
		default:
			line += about
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nWithout -dark or -light at its end a name goes by the terminal's background.\nChoose one with --theme, with NPDB_THEME, or with a line in the configuration,\n  %s\n  theme = %q\n", escapeLines(config.Path()), "colorblind")
	return err
}

// themeSample is a row of a program as a theme has it, with its marks.
func themeSample(t *themes.Theme) string {
	const columns = 58
	canvas := draw.NewCanvas(columns, 1, draw.Runes)
	canvas.Clear(columns, 1, draw.Runes, t.Style(themes.Text))
	a := canvas.Sub(draw.Rect{W: columns, H: 1})
	span := func(text string, r themes.Role) draw.Span { return draw.Span{Text: text, Style: t.Style(r)} }
	a.Spans(0, 0, []draw.Span{
		span("●", themes.Breakpoint), span("→", themes.Here), span(" 12 ", themes.LineNumber),
		span("for", themes.SyntaxKeyword), span(" name ", themes.SyntaxName), span("in", themes.SyntaxKeyword),
		span(" sorted", themes.SyntaxBuiltin), span("(", themes.SyntaxPunctuation), span(`"ab"`, themes.SyntaxString),
		span("): ", themes.SyntaxPunctuation), span("# up", themes.SyntaxComment), span("  name='b'", themes.InlineValue),
		span("  ▌", themes.Changed), span("1", themes.Changed), span(" was 0", themes.Was),
	}, 0)
	return canvas.Render()
}
