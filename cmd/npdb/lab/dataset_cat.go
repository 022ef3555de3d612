package lab

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/lab/dataset"
)

func newDatasetCatCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cat FILE...", Short: "Print the trajectories of a dataset's files", Args: cobra.MinimumNArgs(1),
		Long: cli.Fill(`npdb dataset cat unpacks files of a dataset, such as train-00000-of-00010.jsonl.zst,
and prints their lines, one JSON object each.`),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, path := range args {
				if err := printShard(cmd.OutOrStdout(), path); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func printShard(w io.Writer, path string) error {
	r, err := dataset.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(w, r)
	return err
}
