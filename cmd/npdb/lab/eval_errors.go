package lab

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/lab/eval/report"
)

func newEvalErrorsCommand() *cobra.Command {
	var s report.Selection
	cmd := &cobra.Command{
		Use: "errors RESULT", Short: "Read the wrong answers of a result", Args: cobra.ExactArgs(1),
		Long: cli.Fill(`npdb eval errors prints the wrong answers that npdb eval states --json or npdb eval
cruxeval --json has written: the lines and the state that were asked about, the model's answer, the
truth, and each part that is wrong. With --compute on it also prints those of "computing".`),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := readResult(args[0])
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if err := report.Mistakes(w, r, s, cli.PageOn(w).Colors()); err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&s.By, "by", "", "only those of the model with this `name`, or of computing")
	fs.StringVar(&s.Program, "program", "", "only those about the program with this `name`")
	fs.StringVar(&s.Measure, "measure", "", "only those of one `measure`: a move such as step_into, rollout, output or input")
	fs.StringVar(&s.Event, "event", "", "only those whose move truly leads to this `event`: call, line, return, exception, end or start")
	fs.IntVar(&s.Limit, "limit", 20, "the most wrong `answers` that are printed; 0 is all")
	return cmd
}

// readResult reads a file that npdb eval --json wrote.
func readResult(path string) (*eval.Result, error) {
	raw, err := plainfile.Read(path, mostResult)
	if err != nil {
		return nil, err
	}
	r, err := eval.ReadResult(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
