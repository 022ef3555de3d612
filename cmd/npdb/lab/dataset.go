package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/lab/dataset"
	"github.com/npdb/npdb/lab/dataset/policy"
)

// datasetFlags holds the flags of npdb dataset.
type datasetFlags struct {
	out, programs, real string
	seed                uint64
	count, perShard     int
	share               string
	parallel            int
	walks               int
	dialect             string
	heldOut             float64
	difficulty          string
	curriculum          bool
	contain             string
	events              int
	timeout             time.Duration
	memory              int64
	policy              policyFlags
}

const datasetAbout = `npdb dataset makes trajectories to train neural debuggers on: Python programs are
recorded, walks through their runs are drawn as people take them in a debugger, and what
is met is written as zstd-compressed JSON Lines that Hugging Face's datasets loads.

Programs are generated, or given with --programs: a Python file, a folder of them, or
JSON Lines with code and input. They run contained.

What is written follows from the seed and the settings alone, whatever -j. A run that was
ended goes on where it was, by the same command; --shard 0/4 to 3/4 have four machines
make a quarter each, and npdb dataset merge makes one dataset of them. docs/dataset.md
says what is in it.`

// NewDataset returns the command npdb dataset.
func NewDataset(stop *cli.Stopper) *cobra.Command {
	f := &datasetFlags{}
	cmd := &cobra.Command{
		Use: "dataset --out DIR", Short: "Make trajectories to train models on", Long: datasetAbout, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, stop) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVarP(&f.out, "out", "o", "", "the `folder` to write to, a new one or one to go on with")
	fs.Uint64Var(&f.seed, "seed", 0, "a `number` that all that is drawn follows from")
	fs.IntVar(&f.count, "count", 0, "how many `programs`; given ones come again, with other walks, if there are less; without it each given one comes once")
	fs.StringVar(&f.programs, "programs", "", "a `file` or folder of programs, in place of generated ones")
	fs.StringVar(&f.real, "real", "", "a `file` of real functions for the generator, of npdb dataset harvest")
	fs.StringVar(&f.share, "shard", "0/1", "`i/n`: make the share of machine i of n, counted from 0")
	fs.IntVarP(&f.parallel, "parallel", "j", runtime.NumCPU(), "how many `programs` run at a time")
	fs.IntVar(&f.walks, "walks", 4, "how many `trajectories` of a program")
	fs.StringVar(&f.dialect, "dialect", string(policy.ND1), "how they are written, by the `name`: nd/1, cwm or both")
	fs.Float64Var(&f.heldOut, "held-out", 0.005, "the `share` of programs that are to test with, by their texts")
	fs.StringVar(&f.difficulty, "difficulty", "0-1", "`lo-hi`: how hard generated programs are, between 0 and 1")
	fs.BoolVar(&f.curriculum, "curriculum", false, "have difficulty rise with a program's number")
	fs.IntVar(&f.perShard, "shard-programs", 1000, "how many `programs` a shard is made of")
	f.policy.define(fs)
	fs.IntVar(&f.events, "events", 400, "the most `events` of a recording")
	fs.DurationVar(&f.timeout, "timeout", 2*time.Second, "processor `time` that a program may take")
	f.memory = 1 << 30
	fs.Var((*config.ByteSize)(&f.memory), "memory", "`memory` that a program may take")
	defineContain(fs, &f.contain)
	config.AddFlags(fs, "python")
	cmd.AddCommand(newDatasetMergeCommand(stop), newDatasetStatCommand(), newDatasetCatCommand(), newDatasetHarvestCommand(stop))
	return cmd
}

// run builds the dataset, or this machine's shard of it.
func (f *datasetFlags) run(cmd *cobra.Command, stop *cli.Stopper) (err error) {
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	if f.out == "" {
		return errors.New("--out DIR is missing: the folder to write to")
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	stop.Watch(cli.Cancelling(cancel))
	made, err := f.config(ctx, cmd.Flags(), c.Python)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, made.Workers.Close()) }()
	if n := made.Settings.Source.Alike; n > 0 {
		fmt.Fprintf(os.Stderr, "npdb: left out what is there twice: %s of %s\n", cli.Count(n, "program"), cli.EscapeLines(f.programs))
	}
	bar := cli.NewProgressBar(os.Stderr)
	made.Progress = func(p dataset.Progress) {
		bar.Show(p.Programs, p.Of, p.Made, "programs", humanize.Comma(int64(p.Failed))+" failed",
			humanize.Comma(int64(p.Lines))+" trajectories", humanize.IBytes(uint64(p.Bytes)))
	}
	manifest, err := dataset.Run(ctx, made)
	bar.Clear()
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted; complete shards stay in %s, and the same command continues from there", f.out)
	case err != nil:
		return err
	case manifest == nil:
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "npdb dataset: share %s is made. When all are, npdb dataset merge makes one dataset of them.\n", f.share)
		return err
	}
	return writeStat(cmd.OutOrStdout(), f.out, manifest)
}
