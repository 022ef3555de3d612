package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
)

const blocksAbout = `npdb blocks shows what happened in a recording, basic block by basic block: for each
run of a block of the function NAME the values that went in and the values that came
out, and whether an assert or an annotation contradicts them.

--judge asks the configured chat model about each run that is shown: block, values, and
what the function is to do (--task, by default its docstring).`

// blocksFlags holds the flags of npdb blocks.
type blocksFlags struct {
	flags
	session.Blocks
}

func newBlocksCommand(stop *cli.Stopper) *cobra.Command {
	var f blocksFlags
	cmd := &cobra.Command{
		Use:   "blocks --function NAME [flags] FILE.npdb",
		Short: "Show the values of a function's basic blocks in a recording",
		Long:  blocksAbout,
		Args:  cobra.ExactArgs(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return f.show(stop.Ctx, cmd, args[0]) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.Function, "function", "", "the function: its `name`, as f or Class.f")
	fs.IntVarP(&f.Rows, "rows", "n", 200, "the most runs to show")
	fs.BoolVar(&f.Judge, "judge", false, "ask the chat model whether each run is correct")
	fs.StringVar(&f.Task, "task", "", "with --judge: what the function is to do, as `text` for the model")
	fs.BoolVar(&f.json, "json", false, "print one line of JSON (npdb config schema answer)")
	config.AddFlags(fs)
	if err := cmd.MarkFlagRequired("function"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

// show opens the recording and runs the command blocks in it.
func (f *blocksFlags) show(ctx context.Context, cmd *cobra.Command, path string) (err error) {
	switch {
	case f.Rows < 1:
		return errors.New("--rows must be at least 1")
	case f.Task != "" && !f.Judge:
		return errors.New("--task is what --judge tells the model: give --judge, too")
	}
	loaded, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(loaded)
	c := loaded.Config
	c.Mode = config.ModeReal
	f.noRC = true
	o, err := f.anyProgram(c)
	if err != nil {
		return err
	}
	if err := f.recorded(&o, path); err != nil {
		return err
	}
	f.asking.Again = loaded.From("model.send") == "--send"
	p, err := f.prepare(ctx, c, o, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if l := p.pending(); l != nil && f.Judge {
		return errors.New(l.Refusal())
	}
	s, err := session.Open(ctx, p.session)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if a := s.First(ctx, nil); a.Err != nil {
		return errors.New(a.Err.Message)
	}
	f.All = true
	a := s.Do(ctx, session.GotoPercent{})
	if a.Err == nil {
		a = s.Do(ctx, f.Blocks)
	}
	if a.Err != nil {
		return errors.New(a.Err.Message)
	}
	if f.json {
		return frontend.NewJSON(os.Stdout).Show(a)
	}
	for _, line := range a.Blocks.Lines() {
		if _, err := fmt.Println(cli.EscapeLines(line)); err != nil {
			return err
		}
	}
	return nil
}
