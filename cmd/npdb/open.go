package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
)

const openAbout = `npdb open shows a recording that npdb record, --save or the command save wrote. Every
move works as after the program's end, and nothing is run: the program, its files and Python are not needed.
The session begins at the uncaught exception or, without one, at the first state.`

func newOpenCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "open [flags] FILE.npdb",
		Short: "Show a recording from a file",
		Long:  openAbout,
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.open(cmd, args[0], stop) },
	}
	fs := cmd.Flags()
	f.shown(fs)
	fs.BoolVar(&f.noIndex, "no-index", false, "read the whole recording, not only what is shown: for a file whose index is damaged")
	config.AddFlags(fs)
	return cmd
}

// open runs a session on a recording file.
func (f *flags) open(cmd *cobra.Command, path string, stop *cli.Stopper) error {
	if err := f.checkFrontEnd(); err != nil {
		return err
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
	if err := f.recorded(&o, path); err != nil {
		return err
	}
	screen := f.hasScreen()
	f.asking = models.Asking{Somebody: screen || !f.json && cli.HasDialogue(), Again: c.From("model.send") == "--send"}
	p, err := f.prepare(stop.Ctx, c.Config, o, nil)
	if err != nil {
		return err
	}
	return f.run(p, c, screen, stop)
}

// recorded makes the session one on a recording file.
func (f *flags) recorded(o *trace.Options, path string) error {
	h, err := saved.HeaderOf(path)
	if err != nil {
		return err
	}
	o.Script, o.Module, o.Code, o.Entry, o.Args, o.Dir = h.Script, h.Module, h.Code, h.Entry, h.Args, h.Dir
	f.file, f.verifyBy = path, string(session.VerifyByText)
	return nil
}

// openRecording returns a StartFunc that reads a recording file, without its index if noIndex is set.
func openRecording(path string, noIndex bool) session.StartFunc {
	open := trace.OpenFile
	if noIndex {
		open = trace.OpenLog
	}
	return func(_ context.Context, o trace.Options) (session.Recording, trace.Landing, error) {
		rec, l, err := open(path, o.Limits)
		if err != nil {
			return nil, l, fmt.Errorf("%s: %w", path, err)
		}
		return rec, l, nil
	}
}
