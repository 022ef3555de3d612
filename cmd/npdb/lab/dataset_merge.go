package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/lab/dataset"
)

func newDatasetMergeCommand(stop *cli.Stopper) *cobra.Command {
	cmd := &cobra.Command{
		Use: "merge DIR [FROM…]", Short: "Make one dataset of what several machines made", Args: cobra.MinimumNArgs(1),
		Long: cli.Fill(`npdb dataset merge sees that the shards of a dataset are all there, once and undamaged,
leaves out programs that are alike, and writes the manifest and the card. DIR is the
folder that the machines have written to together; or a new one, to which the shards in
the folders FROM are copied. Those stay as they are. Shards of DIR that are damaged are
copied from there as well.`),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithCancel(cmd.Context())
			defer cancel()
			stop.Watch(cli.Cancelling(cancel))
			bar, at := cli.NewProgressBar(os.Stderr), dataset.Checking
			m, err := dataset.Merge(ctx, dataset.MergeConfig{Dir: args[0], From: args[1:], Progress: func(step dataset.MergeStep, done, of int) {
				if step != at {
					bar.Began, at = time.Now(), step
				}
				bar.Show(done, of, done, "shards "+string(step))
			}})
			bar.Clear()
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("interrupted; run the same command to start again")
			}
			if err != nil {
				return err
			}
			return writeStat(cmd.OutOrStdout(), args[0], m)
		},
	}
	return cmd
}
