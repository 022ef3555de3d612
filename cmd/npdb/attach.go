package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/trace"
)

const attachAbout = `npdb attach stops a Python program that runs already, in its main thread, and debugs it. The recording
begins there. quit and detach let the program run on as before.

Python 3.14 lets npdb in by itself. A program of an older Python must have called npdb.listen(), of the
Python package npdb. docs/entry-points.md describes both.`

func newAttachCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "attach [flags] PID",
		Short: "Debug a Python program that runs already",
		Long:  attachAbout,
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			pid, err := strconv.Atoi(args[0])
			if err != nil || pid <= 0 {
				return fmt.Errorf("%q is not the number of a process", args[0])
			}
			screen := f.hasScreen()
			conn, err := reach(stop.Ctx, pid)
			if err != nil {
				return fmt.Errorf("npdb cannot attach to process %d: %w", pid, err)
			}
			if err := f.visit(cmd, visit{conn: conn, leaving: trace.Detach, output: copyOutput}, screen, stop); err != nil {
				return err
			}
			if alive(pid) {
				fmt.Fprintf(os.Stderr, "npdb: detached from process %d\n", pid)
			}
			return nil
		},
	}
	fs := cmd.Flags()
	f.shown(fs)
	fs.StringArrayVar(&f.userCode, "user-code", nil, "`glob` of files to step into besides the program's folder; repeatable")
	fs.StringArrayVar(&f.libraryCode, "library-code", nil, "`glob` of files to step over; repeatable")
	config.AddFlags(fs)
	return cmd
}
