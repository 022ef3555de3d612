package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/lab/eval/report"
)

// The lines of a page between which fillPage inserts the tables of a card.
const (
	cardBegins = "<!-- npdb eval card: begins -->"
	cardEnds   = "<!-- npdb eval card: ends -->"
)

func newEvalCardCommand() *cobra.Command {
	var page, figures string
	cmd := &cobra.Command{
		Use: "card [NAME=]RESULT...", Short: "Write a model's card from its results", Args: cobra.MinimumNArgs(1),
		Long: cli.Fill(`npdb eval card prints what npdb eval states and npdb eval cruxeval have found for one
model (--json) as Markdown: what it got right by move, part, horizon and type, with a column
for each set of programs, and how true its confidence is. NAME is how the card calls the
set; the file's name without it.

--page puts the tables into a page, between the lines "` + cardBegins + `" and
"` + cardEnds + `". --figures writes the shares by move as JSON, as npdb carries them with
its model: the first set of states is what its header tells.`),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := readNamed(args)
			if err != nil {
				return err
			}
			tables, err := report.Card(all)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := report.Markdown(&text, tables); err != nil {
				return err
			}
			if figures != "" {
				if err := writeFigures(figures, all); err != nil {
					return err
				}
			}
			if page != "" {
				return fillPage(page, text.String())
			}
			_, err = cmd.OutOrStdout().Write(text.Bytes())
			return err
		},
	}
	cmd.Flags().StringVar(&page, "page", "", "a Markdown `file` to put the tables into")
	cmd.Flags().StringVar(&figures, "figures", "", "a `file` to write the shares by move to, as JSON")
	return cmd
}

// readNamed reads the results of arguments in the form NAME=FILE or FILE.
func readNamed(args []string) ([]report.Named, error) {
	var all []report.Named
	for _, arg := range args {
		name, path, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			path = arg
			name = strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg))
		}
		r, err := readResult(path)
		if err != nil {
			return nil, err
		}
		all = append(all, report.Named{Name: name, Result: r})
	}
	return all, nil
}

func writeFigures(path string, all []report.Named) error {
	m, err := report.Figures(all)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// fillPage replaces the text between cardBegins and cardEnds in a page.
func fillPage(path, text string) error {
	raw, err := plainfile.Read(path, mostPage)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(raw), cardBegins+"\n")
	_, after, ends := strings.Cut(rest, cardEnds+"\n")
	if !begins || !ends {
		return fmt.Errorf("%s has no marks for a card: add the lines %q and %q", path, cardBegins, cardEnds)
	}
	return os.WriteFile(path, []byte(before+cardBegins+"\n\n"+text+"\n"+cardEnds+"\n"+after), 0o644)
}

// mostPage limits the size of a page, in bytes.
const mostPage = 16 << 20
