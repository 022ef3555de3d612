package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/themes"
)

func newThemesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "themes",
		Short: "List the screen's themes, each with a sample",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listThemes(cli.PageOn(cmd.OutOrStdout()))
		},
	}
}

// listThemes writes a table of all themes, in their own colors as far as the page can show
// them: name, sample and description.
func listThemes(p cli.Page) error {
	all := themes.Catalog()
	names := make([]string, len(all))
	for i, named := range all {
		names[i] = named.Name
	}
	width := 0
	for _, name := range names {
		width = max(width, len(name))
	}
	looks := "what it says of itself"
	if p.Colors() {
		looks = "how it looks"
	}
	t := cli.Headed("theme", looks)
	for i, name := range names {
		chromas := all[i].From == themes.Chroma
		switch {
		case i == 0:
			t.Section("npdb's and your own")
		case chromas && all[i-1].From != themes.Chroma:
			t.Section("Styles of chroma")
		}
		if slices.Contains(names, name+"-dark") && slices.Contains(names, name+"-light") {
			continue // the names of its two themes are listed instead
		}
		theme, err := themes.Load(name, true)
		about := cli.Cell{}
		switch {
		case err != nil:
			about = cli.Styled(cli.Bad, err.Error())
		case !chromas:
			about = cli.Styled(cli.Quiet, theme.About)
		}
		if err == nil && p.Colors() {
			drawn := themeSample(theme.For(p.Profile), p.Columns-width-2*cli.Gap)
			if about.Text != "" {
				drawn += "\n" + cli.Quiet.Render(escape.Line(about.Text))
			}
			about = cli.Cell{Text: drawn, Drawn: true}
		}
		t.Add(cli.Styled(cli.Plain, name), about)
	}
	if err := t.Write(p); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p, "\nWithout -dark or -light at its end a name goes by the terminal's background.\nChoose one with --theme, with NPDB_THEME, or with a line in the configuration,\n  %s\n  theme = %q\n", cli.EscapeLines(config.Path()), "colorblind")
	return err
}

// themeSample returns a line of a program in a theme, with its marks, as far as there is
// room.
func themeSample(t *themes.Theme, room int) string {
	columns := 58
	if room > 0 {
		columns = min(columns, room)
	}
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
