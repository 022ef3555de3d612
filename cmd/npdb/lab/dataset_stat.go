package lab

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/lab/dataset"
	"github.com/npdb/npdb/lab/eval/report"
)

func newDatasetStatCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "stat DIR", Short: "Say what a dataset holds", Args: cobra.ExactArgs(1),
		Long: cli.Fill(`npdb dataset stat prints what a dataset holds, or what there is of one that is not
whole: its trajectories, their actions and horizons, and the programs that failed.`),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := dataset.Stat(args[0])
			if err != nil {
				return err
			}
			if !asJSON {
				return writeStat(cmd.OutOrStdout(), args[0], m)
			}
			e := json.NewEncoder(cmd.OutOrStdout())
			e.SetEscapeHTML(false)
			return e.Encode(m)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the manifest, one JSON object")
	return cmd
}

// writeStat writes the statistics of a dataset as tables.
func writeStat(w io.Writer, dir string, m *dataset.Manifest) error {
	p, comma := m.Programs, func(n int) string { return humanize.Comma(int64(n)) }
	fmt.Fprintf(w, "npdb dataset: %s has %s, %s of them held out; %s alike an earlier one, %s failed\n", cli.EscapeLines(dir),
		cli.Count(p.Kept, "program"), comma(p.HeldOut), comma(p.Duplicates), comma(p.Failed))
	if m.Repeated > 0 {
		fmt.Fprintf(w, "trajectories left out, as an earlier one has the text: %s\n", comma(m.Repeated))
	}
	if m.Made < m.Shards {
		fmt.Fprintf(w, "%s of %s are there\n", comma(m.Made), cli.Count(m.Shards, "shard"))
	}
	fmt.Fprintln(w)
	return report.Text(w, report.Dataset(m), cli.PageOn(w).Colors())
}
