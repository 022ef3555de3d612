package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/python/supported"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
)

// exitCode is the error of a program that npdb record has run: npdb exits with the program's code.
type exitCode int

// status returns the exit code as a shell gives it: that of a signal is above 128.
func (c exitCode) status() int {
	if c < 0 {
		return 128 - int(c)
	}
	return int(c)
}

func (c exitCode) Error() string { return fmt.Sprintf("the program ended with exit code %d", int(c)) }

const recordAbout = `npdb record runs a program to its end and writes the recording to a file, which
npdb open shows: every state, forwards and backwards, on any machine, without the
program and without Python. The program's input, output and exit code are as under
python.

The file holds the source files, all recorded values, the output, the input that you
type (unless hidden, like a password), the program's arguments and the names (not the
values) of environment variables. It is written while the program runs: if npdb is
killed, the last 256 KiB of records and the last second are lost.`

func newRecordCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	var file, keep string
	var redacts bool
	cmd := &cobra.Command{
		Use:   "record [flags] [-m MODULE | -c CODE | FILE] [ARG…]",
		Short: "Run a program and write its recording to a file",
		Long:  recordAbout,
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := config.Load(cmd.Flags(), config.Path())
			if err != nil {
				return err
			}
			cli.Warn(c)
			o, err := f.options(cmd, args, c.Config)
			if err != nil {
				return err
			}
			if o.Keep, err = keptEvents(keep); err != nil {
				return err
			}
			if redacts {
				if o.Redact, err = fileRedactor(c.Config); err != nil {
					return err
				}
			}
			beginAt(&o, session.Real)
			if o.Reprs == "" {
				o.Reprs = trace.ReprsAsked
			}
			if file == "" {
				file = recordingName(o)
			}
			return record(o, file, stop)
		},
	}
	fs := cmd.Flags()
	fs.SetInterspersed(false)
	fs.StringVarP(&file, "output", "o", "", "`file` to write; by default the program's name with .npdb, in the current folder. An earlier recording of that name is replaced")
	fs.StringVar(&keep, "keep", "", "keep only the newest events: `last:N`. The file is written at an uncaught exception, at the end, and by npdb dump")
	fs.BoolVar(&redacts, "redact", false, redactUsage)
	f.program(fs)
	config.AddFlags(fs, "python", "thread", "random_seed", "audit", "reprs", "limits.events", "limits.memory", "limits.slowdown", "redact", "redact_names")
	return cmd
}

const redactUsage = "replace what looks like a secret in the recording's file. It is then written at the end only"

// fileRedactor returns what hides secrets in a recording file. The rules are those for models.
func fileRedactor(c config.Config) (trace.Redactor, error) {
	r, err := models.NewRedactor(c)
	if err != nil {
		return nil, err // not a nil *redact.Redactor in an interface
	}
	return r, nil
}

// recordingName returns the name of the file for a program's recording.
func recordingName(o trace.Options) string {
	name := "program"
	switch {
	case o.Script != "":
		name = strings.TrimSuffix(filepath.Base(o.Script), ".py")
	case o.Module != "":
		name = o.Module
	}
	return name + ".npdb"
}

// record runs a program and writes its recording to a file.
func record(o trace.Options, path string, stop *cli.Stopper) error {
	file, err := saved.Create(path)
	if err != nil {
		return err
	}
	typed := bufio.NewReader(os.Stdin)
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		o.Stdin = os.Stdin
	}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		columns, rows, _ := term.GetSize(int(os.Stdout.Fd()))
		o.Terminal = &trace.Terminal{Columns: columns, Rows: rows}
	}
	o.Stdout, o.Stderr = os.Stdout, os.Stderr
	rec, landing, err := trace.Start(stop.Ctx, o)
	if err != nil {
		return errors.Join(err, saved.Abandon(file))
	}
	if err := rec.Save(file, cli.Version()); err != nil {
		return errors.Join(err, rec.Close(), file.Close())
	}
	if said := supported.Notice(rec.PythonVersion()); said != "" {
		fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(said))
	}
	stop.Watch(&recorded{Recording: rec})
	d := newDumper(rec, path)
	if o.Keep > 0 {
		ended, err := d.serve()
		if err != nil {
			fmt.Fprintln(os.Stderr, "npdb: npdb dump and SIGUSR1 will not work: "+cli.EscapeLines(err.Error()))
		} else {
			defer ended()
		}
	}
	err = runToEnd(stop.Ctx, d, landing, typed)
	exit := rec.Exit()
	events, kept := rec.Events()
	if err = errors.Join(err, rec.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	size := ""
	if info, err := os.Stat(path); err == nil {
		size = ", " + humanize.Bytes(uint64(info.Size()))
	}
	what := cli.Count(events, "event")
	if kept < events {
		what += ", the last " + humanize.Comma(int64(kept)) + " of them"
	}
	fmt.Fprintf(os.Stderr, "npdb: %s in %s%s: npdb open %s\n", what, cli.EscapeLines(path), size, cli.Argument(path))
	if exit != nil && exit.Code != 0 {
		return exitCode(exit.Code)
	}
	return nil
}

// runToEnd runs a program to its end. The program's own stops, such as breakpoint(), are passed.
func runToEnd(ctx context.Context, d *dumper, landing trace.Landing, typed *bufio.Reader) (err error) {
	rec := d.rec
	for {
		notice := landing.Notice
		if landing.Reason == trace.LimitReached {
			notice = "the recording has reached its limit (--max-events and --max-memory raise it): the program runs on unrecorded"
		}
		if notice != "" {
			fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(notice))
		}
		switch landing.Reason {
		case trace.Ended:
			return nil
		case trace.LimitReached:
			rec.Record(false)
			landing, err = rec.Advance(ctx, nil, nil)
		case trace.Begun:
			landing, err = rec.Resume(ctx)
		case trace.NeedsInput:
			if err := typeLine(rec, typed, landing.Unseen); err != nil {
				return err
			}
			landing, err = rec.Resume(ctx)
		case trace.DiedPostMortem:
			if err := rec.Flush(); err != nil { // the rest of the program may take long, or be killed
				return err
			}
			landing, err = rec.Advance(ctx, nil, nil)
		case trace.Interrupted:
			d.stopped()
			landing, err = rec.Advance(ctx, nil, nil)
		default:
			landing, err = rec.Advance(ctx, nil, nil)
		}
		if err != nil {
			return err
		}
	}
}

// typeLine passes a line that the user types to the program.
func typeLine(rec *trace.Recording, typed *bufio.Reader, unseen bool) error {
	var line string
	var err error
	if unseen {
		var secret []byte
		secret, err = term.ReadPassword(int(os.Stdin.Fd()))
		line = string(secret) + "\n"
	} else {
		line, err = typed.ReadString('\n')
	}
	var gone *trace.GoneError
	if e := rec.Input(line, errors.Is(err, io.EOF)); e != nil && !errors.As(e, &gone) {
		return e // a program that is gone has ended, which Resume reports
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// recorded passes signals on to the program.
type recorded struct{ *trace.Recording }

// Busy reports that the program runs.
func (r *recorded) Busy() (busy, again bool) { return true, false }

// Runs reports that Ctrl-C says nothing: it is the program's.
func (r *recorded) Runs() bool { return false }

// Interrupt sends the program SIGINT, which raises KeyboardInterrupt in it.
func (r *recorded) Interrupt() { r.Signal(syscall.SIGINT) }
