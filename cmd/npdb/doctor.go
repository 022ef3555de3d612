package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/doctor"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/session/journal"
)

func newDoctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [flags] [SECTION…]",
		Short: "Find out what works here, and what the model can do",
		Long: `npdb doctor finds out what npdb has to work with here, tries it, and says what to do
about what is wrong: for whom npdb does not do what they expect, and for a report of a
fault. It shows no key and runs no program but a trial of three lines. Its sections are
` + strings.Join(doctor.Sections(), ", ") + `; without a name it shows all,
but for against, the model of --against, where there is none.

A model on a server is asked some small questions about the trial. It fails where npdb
cannot step with the models that are configured, where the Python that npdb would use
cannot be traced, and where the configuration cannot be read.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := known(names); err != nil {
				return err
			}
			g := given(cmd)
			if asJSON {
				return diagnoseJSON(cmd, g, names)
			}
			return diagnose(cmd, g, names)
		},
	}
	config.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer with one line of JSON")
	return cmd
}

// known returns an error for a name that is not a section.
func known(names []string) error {
	for _, name := range names {
		if sections := doctor.Sections(); !slices.Contains(sections, name) {
			what := fmt.Sprintf("there is no section %q", name)
			return errors.New(cmp.Or(suggest.Ask(what, name, sections), what+": there are "+strings.Join(sections, ", ")))
		}
	}
	return nil
}

// given returns what package doctor needs for its checks: the configuration, the standard streams,
// and functions that make the configured models.
func given(cmd *cobra.Command) *doctor.Given {
	g := &doctor.Given{Version: cli.Version(), Path: config.Path(), UTF8: drawsUTF8(os.Getenv), In: os.Stdin, Out: os.Stdout}
	g.Config, g.Fault = config.Load(cmd.Flags(), g.Path)
	g.Endpoint = func(m config.Model) (doctor.Server, error) {
		o, err := models.ServerConfig(m)
		if err != nil {
			return nil, err
		}
		return models.OnServer(o)
	}
	g.Second = func() (config.Model, error) {
		c, err := models.OfSecond(g.Config.Config)
		return c.Model, err
	}
	if dir := journal.StateDir(); dir != "" {
		g.Dialects = journal.DialectsPath(dir)
	}
	g.Own = func() (backend.Predictor, error) { return embedded.Shipped(models.EmbeddedConfig(g.Config.Config)) }
	if g.Config != nil {
		g.Frames = models.PythonVersion(g.Config.Config)
	}
	return g
}

// diagnose prints the sections one after the other, and a summary.
func diagnose(cmd *cobra.Command, g *doctor.Given, names []string) error {
	p := cli.PageOn(cmd.OutOrStdout())
	if p.Columns == 0 {
		p.Columns = cli.HelpWidth // people read it, also when it is redirected to a file for a report
	}
	r, err := doctor.Examine(cmd.Context(), g, names, func(s doctor.Section) error { return writeSection(p, s, g.UTF8) })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p, comesTo(r))
	return errors.Join(err, r.Err())
}

// diagnoseJSON prints the report as one JSON object, also if something does not work.
func diagnoseJSON(cmd *cobra.Command, g *doctor.Given, names []string) error {
	r, err := doctor.Examine(cmd.Context(), g, names, func(doctor.Section) error { return nil })
	if err != nil {
		return err
	}
	e := json.NewEncoder(cmd.OutOrStdout())
	e.SetEscapeHTML(false)
	return errors.Join(e.Encode(r), r.Err())
}

// marks maps each mark of a fact to its sign in UTF-8, its sign in ASCII, and its style.
var marks = map[doctor.Mark]struct {
	sign, ascii string
	style       lipgloss.Style
}{
	doctor.Right: {"✓", "+", cli.Good},
	doctor.Note:  {"!", "!", cli.Vague},
	doctor.Wrong: {"✗", "x", cli.Bad},
}

// labelWidth is enough for most labels, so that sections align.
const labelWidth = 16

// writeSection prints a section: each fact on a line, with advice below it.
func writeSection(p cli.Page, s doctor.Section, utf8 bool) error {
	t := cli.Table{Prose: []int{1}, Indent: cli.Gap, Titles: []int{0}}
	t.Add(cli.Styled(cli.Loud, s.Name))
	for _, f := range s.Facts {
		mark := marks[f.Mark]
		sign, arrow := mark.sign, "→ "
		if !utf8 {
			sign, arrow = mark.ascii, "-> "
		}
		if p.Colors() {
			sign = mark.style.Render(sign)
		}
		t.Add(cli.Cell{Text: sign + " " + fmt.Sprintf("%-*s", labelWidth, escape.Line(f.Label())), Drawn: true}, cli.Styled(cli.Plain, f.Text))
		if f.Do != "" {
			t.Add(cli.Cell{}, cli.Styled(cli.Loud, arrow+f.Do))
		}
	}
	return t.Write(p)
}

// comesTo returns the summary line: how many facts are wrong, and how many are worth knowing.
func comesTo(r *doctor.Report) string {
	wrong, notes := r.Count(doctor.Wrong), r.Count(doctor.Note)
	if wrong+notes == 0 {
		return "All is as it should be."
	}
	return fmt.Sprintf("%d wrong, %d worth knowing.", wrong, notes)
}
