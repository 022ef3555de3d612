package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// newBreakpointCommand returns the command that the Python package npdb (shim/npdb) runs where a program
// calls npdb.set_trace(), npdb.post_mortem() or the like. It is not for users.
func newBreakpointCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	var fd int
	var shim string
	cmd := &cobra.Command{
		Use:    "breakpoint",
		Short:  "Debug the Python process that called npdb.set_trace()",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conn, err := inherited(fd)
			if err != nil {
				return errors.New("this command is run by the Python package npdb, see docs/entry-points.md: to stop a running program, use npdb attach")
			}
			f.libraryCode = append(f.libraryCode, shim)
			screen := f.hasScreen()
			v := visit{conn: conn, leaving: trace.EndProgram}
			if screen {
				v.output = divertOutput
			}
			return f.visit(cmd, v, screen, stop)
		},
	}
	fs := cmd.Flags()
	f.shown(fs)
	fs.IntVar(&fd, "socket", -1, "`descriptor` of the connection to the program")
	fs.StringVar(&shim, "shim", "", "`folder` of the Python package npdb")
	config.AddFlags(fs)
	return cmd
}

// visit is a session in a process that npdb did not start.
type visit struct {
	conn    connection
	leaving trace.Leaving
	output  output
}

// output says what becomes of the program's output during a visit. The tracer reads these words.
type output string

const (
	ownOutput    output = ""       // it goes where it goes without npdb
	copyOutput   output = "copy"   // it is shown by npdb too
	divertOutput output = "divert" // npdb shows it, and it is printed when the session ends: npdb's screen has the terminal
)

// visit runs a session in a process that npdb did not start, from its start to its end.
func (f *flags) visit(cmd *cobra.Command, v visit, screen bool, stop *cli.Stopper) (err error) {
	defer func() { err = errors.Join(err, v.conn.Close()) }()
	if err := f.checkFrontEnd(); err != nil {
		return err
	}
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	c.Mode, c.Record = config.ModeReal, "always"
	o, err := f.anyProgram(c.Config)
	if err != nil {
		return err
	}
	attached, err := f.enter(stop.Ctx, v, &o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, attached.Close()) }()
	f.asking = models.Asking{Somebody: screen || !f.json && cli.HasDialogue(), Again: c.From("model.send") == "--send"}
	p, err := f.prepare(stop.Ctx, c.Config, o, nil)
	if err != nil {
		return err
	}
	return f.run(p, c, screen, stop)
}

// enter loads the tracer into the process, sets the options that describe its program, and makes the session
// start with a visit.
func (f *flags) enter(ctx context.Context, v visit, o *trace.Options) (_ *trace.Attachment, err error) {
	o.Thread, o.Children = "", false // a visit records the main thread only
	attached, who, err := enter(ctx, v.conn, *o)
	if err != nil {
		return nil, fmt.Errorf("npdb cannot debug this process: %w", err)
	}
	if err := trace.SendText(v.conn, string(v.output)); err != nil {
		return nil, errors.Join(err, attached.Close())
	}
	o.Script, o.Dir, o.Python = who.Main, who.Dir, who.Python
	if filepath.Base(o.Script) == "__main__.py" { // for example pytest
		o.Module, o.Script = filepath.Base(filepath.Dir(o.Script)), ""
	}
	f.visited = func(ctx context.Context, _ trace.Options) (session.Recording, trace.Landing, error) {
		rec, l, err := attached.Visit(ctx, v.leaving)
		if err != nil {
			return nil, l, err
		}
		return rec, l, nil
	}
	return attached, nil
}
