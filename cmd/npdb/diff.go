package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/align"
)

const diffAbout = `npdb diff compares two recordings of a program, or of two versions of it, which npdb record, --save
or the command save wrote: where they first differ, in what, and whether they become the same again.

On a terminal it opens A and shows B beside it: every move in A shows the same moment of B, and } and {
go to the next and the previous divergence. Otherwise, or with --plain, it prints what differs. The exit
code is then that of diff: 0 if the runs are the same, 1 if they differ, 2 if the files cannot be compared.`

// differs is the exit code of npdb diff for runs that differ, trouble the one for an error.
const (
	differs = 1
	trouble = 2
)

func newDiffCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "diff [flags] A.npdb B.npdb",
		Short: "Compare two recordings",
		Long:  diffAbout,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := f.diff(cmd, args, stop)
			var code exitCode
			if err != nil && !errors.As(err, &code) && stop.Ctx.Err() == nil {
				complain(err)
				return exitCode(trouble)
			}
			return err
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&f.plain, "plain", false, "no screen: print what differs")
	fs.BoolVar(&f.json, "json", false, "print what differs as JSON (npdb config schema diff)")
	config.AddFlags(fs)
	return cmd
}

// diff compares two recording files.
func (f *flags) diff(cmd *cobra.Command, args []string, stop *cli.Stopper) error {
	if err := f.checkFrontEnd(); err != nil {
		return err
	}
	if len(args) != 2 {
		return fmt.Errorf("diff compares two recordings, and was given %s: npdb diff A.npdb B.npdb", cli.Count(len(args), "file"))
	}
	if f.hasScreen() {
		f.begin = []string{"diff " + args[1]}
		return f.open(cmd, args[0], stop)
	}
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	o, err := f.anyProgram(c.Config)
	if err != nil {
		return err
	}
	var runs [2]session.OtherRun
	for k := range runs {
		if runs[k], err = session.ReadRun(args[k], o.Limits); err != nil {
			return err
		}
	}
	al, err := align.Align(stop.Ctx, runs[0].Run, runs[1].Run)
	if err != nil {
		return err
	}
	report := al.Report([2]align.About{runs[0].About, runs[1].About})
	if f.json {
		if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
			return err
		}
	} else {
		for _, line := range report.Lines() {
			if _, err := fmt.Println(cli.EscapeLines(line)); err != nil {
				return err
			}
		}
	}
	if !report.Same {
		return exitCode(differs)
	}
	return nil
}
