package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/score"
)

// Limits of npdb summary's output.
const (
	summaryWidth = 76 // width of the score's plot
	indent       = 2  // indentation below a model's name
	mostFirst    = 10 // maximum number of first divergences of a model; the latest ones are shown
)

// modelSummary is the score of one model over several sessions.
type modelSummary struct {
	Model    string            `json:"model"`
	Against  string            `json:"against,omitempty"` // the second model
	Sessions int               `json:"sessions"`
	From     time.Time         `json:"from"`
	To       time.Time         `json:"to"`
	Score    *score.Score      `json:"score"`
	First    []firstDivergence `json:"first"`                   // one for each session with a divergence, oldest first
	Spent    *score.Spent      `json:"spent,omitempty"`         // nil if no session recorded the cost of its answers
	Other    *score.Spent      `json:"spent_against,omitempty"` // the same for the second model
}

type firstDivergence struct {
	When    time.Time `json:"when"`
	Program string    `json:"program"`
	Text    string    `json:"text"`
}

func newSummaryCommand() *cobra.Command {
	var model string
	var last int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "summary [flags]",
		Short: "Show how well models did beside CPython, and what they took",
		Long: `npdb summary adds up the sessions in which a model was asked. Of those in which it
walked beside CPython, or beside another model, it says for each model how many moves
were right, by field, action and horizon, whether it was as sure as it was right, and
where it first went wrong; of all of them the tokens that were read and written, the
share that came from a cache, the cost where prices are configured, the latency, and how
many answers were no state.

The scores are kept in scores.jsonl in npdb's state folder.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if last < 0 {
				return errors.New("--last takes the number of sessions; 0 means all")
			}
			kept, damaged, err := journal.Scores(journal.StateDir())
			if err != nil {
				return err
			}
			if damaged > 0 {
				fmt.Fprintf(os.Stderr, "npdb: %s of the kept scores cannot be read and are left out\n", cli.Count(damaged, "line"))
			}
			sums := summarize(kept, model, last)
			if asJSON {
				return writeSummaryJSON(cmd.OutOrStdout(), sums)
			}
			return writeSummary(cli.PageOn(cmd.OutOrStdout()), sums, model)
		},
	}
	cmd.Flags().StringVar(&model, "model", "", "only the model of this `name`")
	cmd.Flags().IntVar(&last, "last", 0, "only the last `sessions`; 0 is all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// summarize adds up the scores of the last sessions (0 is all), for each model or only for the one
// that is named.
func summarize(kept []journal.Score, model string, last int) []modelSummary {
	if model != "" {
		kept = slices.DeleteFunc(slices.Clone(kept), func(k journal.Score) bool { return k.Model != model })
	}
	if last > 0 && last < len(kept) {
		kept = kept[len(kept)-last:]
	}
	sums := []modelSummary{}
	for i := range kept {
		k := &kept[i]
		at := slices.IndexFunc(sums, func(m modelSummary) bool { return m.Model == k.Model && m.Against == k.Against })
		if at < 0 {
			at = len(sums)
			sums = append(sums, modelSummary{Model: k.Model, Against: k.Against, From: k.When, Score: &score.Score{}, First: []firstDivergence{}})
		}
		m := &sums[at]
		m.Sessions++
		m.To = k.When
		m.Score.Merge(&k.Score)
		m.Spent, m.Other = added(m.Spent, k.Spent), added(m.Other, k.SpentAgainst)
		if k.First != "" {
			m.First = append(m.First, firstDivergence{k.When, k.Program, k.First})
		}
	}
	return sums
}

// added adds more to sum and returns it. Each may be nil; the result is nil if both are.
func added(sum, more *score.Spent) *score.Spent {
	if more == nil {
		return sum
	}
	if sum == nil {
		sum = &score.Spent{}
	}
	sum.Merge(more)
	return sum
}

// spent returns the cost of the answers, with names if two models answered.
func (m modelSummary) spent() (lines []string) {
	of := func(name string, s *score.Spent) {
		if s == nil {
			return
		}
		more := s.Lines()
		if len(more) > 0 && m.Against != "" {
			more[0] = name + ": " + more[0]
		}
		lines = append(lines, more...)
	}
	of(m.Model, m.Spent)
	of(m.Against, m.Other)
	return lines
}

func writeSummaryJSON(w io.Writer, sums []modelSummary) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Version int            `json:"v"`
		Models  []modelSummary `json:"models"`
	}{1, sums})
}

func writeSummary(p cli.Page, sums []modelSummary, model string) error {
	if len(sums) == 0 {
		what := "No session is kept in which a model was asked"
		if model != "" {
			what = "No session of the model " + model + " is kept"
		}
		_, err := fmt.Fprintln(p, cli.EscapeLines(what)+" (npdb --mode both starts one).")
		return err
	}
	width := summaryWidth
	if p.Columns > 0 {
		width = min(width, p.Columns-indent)
	}
	var b strings.Builder
	to := cli.Page{Writer: &b, Columns: p.Columns, Profile: p.Profile}
	for i, m := range sums {
		if i > 0 {
			b.WriteString("\n")
		}
		title := cli.Table{Prose: []int{0}}
		title.Add(cli.Styled(cli.Loud, fmt.Sprintf("%s: %s, %s", m.called(), cli.Count(m.Sessions, "session"), dates(m.From, m.To))))
		if err := title.Write(to); err != nil {
			return err
		}
		for _, line := range m.Score.Lines(width) {
			b.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+cli.EscapeLines(line), " ") + "\n")
		}
		if lines := m.spent(); len(lines) > 0 {
			spent := cli.Table{Prose: []int{0}, Indent: indent}
			for _, line := range lines {
				spent.Add(cli.Styled(cli.Plain, line))
			}
			if err := spent.Write(to); err != nil {
				return err
			}
		}
		if len(m.First) == 0 {
			continue
		}
		b.WriteString("\n")
		first := cli.Headed("when", "program", "first divergence")
		first.Indent = indent
		for _, f := range m.First[max(len(m.First)-mostFirst, 0):] {
			first.Add(cli.Styled(cli.Quiet, f.When.Local().Format(time.DateOnly)), cli.Styled(cli.Plain, programOf(f.Program)), cli.Styled(cli.Plain, f.Text))
		}
		if err := first.Write(to); err != nil {
			return err
		}
	}
	_, err := io.WriteString(p, b.String())
	return err
}

// called returns the model's name, and the second model if it was not compared with
// CPython.
func (m modelSummary) called() string {
	if m.Against != "" {
		return m.Model + ", beside " + m.Against
	}
	return m.Model
}

// dates returns the range of days between two times.
func dates(from, to time.Time) string {
	a, b := from.Local().Format(time.DateOnly), to.Local().Format(time.DateOnly)
	if a == b {
		return a
	}
	return a + " to " + b
}

// programOf returns the name of a program by its key in the journal: the last element of a path, or
// the first line of any other key.
func programOf(key string) string {
	if filepath.IsAbs(key) {
		return filepath.Base(key)
	}
	name, _, _ := strings.Cut(key, "\n")
	return name
}
