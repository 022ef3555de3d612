package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

func newDatasetHarvestCommand(stop *cli.Stopper) *cobra.Command {
	var out, contain string
	var most time.Duration
	cmd := &cobra.Command{
		Use: "harvest --out FILE [FOLDER…]", Short: "Find real functions to make programs of",
		Long: cli.Fill(`npdb dataset harvest looks through the interpreter's standard library, and Python files
in the folders, for functions that need nothing but their text. It finds out, contained,
what they can be called with and that they have no effects. npdb dataset --real FILE
then has the generator make programs of them, too.`),
		RunE: func(cmd *cobra.Command, folders []string) error {
			c, err := config.Load(cmd.Flags(), config.Path())
			if err != nil {
				return err
			}
			cli.Warn(c)
			containing, ok := containings[contain]
			switch {
			case out == "":
				return errors.New("--out FILE is missing: the file to write to")
			case !ok:
				return unknownContaining(contain)
			}
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			stop.Watch(cli.Cancelling(cancel))
			file, err := plainfile.NewReplacement(out, 0o644)
			if err != nil {
				return err
			}
			found := &lineCounter{to: file}
			warning, err := recorder.Harvest(ctx, recorder.Config{Python: c.Python, Contain: containing}, folders, most, found)
			if warning != "" {
				fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(warning))
			}
			if errors.Is(err, context.Canceled) {
				err = errors.New("interrupted, and nothing was written; with --time it stops by itself and writes what it has found")
			}
			if err != nil {
				return errors.Join(err, file.Abandon())
			}
			if err := file.Commit(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "npdb dataset harvest: %s in %s\n", cli.Count(found.lines, "function"), cli.EscapeLines(out))
			return err
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVarP(&out, "out", "o", "", "the `file` to write to")
	fs.DurationVar(&most, "time", 10*time.Minute, "after so much `time` it ends with what it has found")
	defineContain(fs, &contain)
	config.AddFlags(fs, "python")
	return cmd
}

// lineCounter counts the lines written to a file.
type lineCounter struct {
	to    *plainfile.Replacement
	lines int
}

// Write implements io.Writer.
func (c *lineCounter) Write(raw []byte) (int, error) {
	n, err := c.to.Write(raw)
	c.lines += bytes.Count(raw[:n], []byte("\n"))
	return n, err
}
