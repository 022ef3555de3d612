package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/lab"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// flags contains the values of the command line.
type flags struct {
	plain, json  bool
	module, code string
	entry        string
	from         string
	stdin        string
	userCode     []string
	libraryCode  []string
	resume       bool
	rc, noRC     bool
	begin        []string
	save         string            // file to which the recording is saved
	redacts      bool              // secrets are replaced in files of the recording
	file         string            // of the recording to open; "" runs a program
	visited      session.StartFunc // begins the session in a process that runs already; nil otherwise
	beginning    beginFlags
	traceback    tracebackFlags
	noIndex      bool
	verifyBy     string
	forgets      bool          // store neither breakpoints nor a journal
	notices      []string      // for the first answer
	asking       models.Asking // how to ask for consent
}

func newCommand(stop *cli.Stopper) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:           "npdb [flags] [-m MODULE | -c CODE | FILE] [ARG…]",
		Short:         "Debug a Python program, forwards and backwards",
		Version:       cli.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.debug(cmd, args, stop)
		},
	}
	fs := cmd.Flags()
	fs.SetInterspersed(false)
	f.shown(fs)
	f.program(fs)
	f.beginning.define(fs)
	f.traceback.define(fs)
	fs.StringVar(&f.verifyBy, "verify", "", "how to verify the pasts that backward moves infer: text, model (also ask the model where a past leads), run (also run the program, in a sandbox) or off (default model, or text if the model is on another machine)")
	fs.StringVar(&f.stdin, "stdin", "", "`file` that is the program's standard input")
	fs.StringVar(&f.save, "save", "", "`file` to which the recording is written, for npdb open")
	fs.BoolVar(&f.redacts, "redact", false, "for --save and the command save: "+redactUsage)
	fs.BoolVar(&f.resume, "resume", false, "take up the last session of FILE, or of any program, where it ended")
	config.AddFlags(fs)
	cmd.CompletionOptions.DisableDefaultCmd = true // the user's program may be named completion
	cmd.PersistentPreRun = func(cmd *cobra.Command, _ []string) { mentionFile(cmd) }
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Debug", []*cobra.Command{newAttachCommand(stop), newBlocksCommand(stop), newBreakpointCommand(stop), newConfigCommand(), newDAPCommand(stop), newDiffCommand(stop), newDoctorCommand(), newDumpCommand(), newExportCommand(), newJoinCommand(stop), newKeysCommand(), newMCPCommand(stop), newOpenCommand(stop), newRecordCommand(stop), newRecorderCommand(stop), newSummaryCommand(), newThemesCommand(), newTourCommand(stop)}},
		{"Models", []*cobra.Command{newServeCommand(stop)}},
		{"Laboratory", []*cobra.Command{lab.NewDataset(stop), lab.NewEval(stop)}},
	} {
		cmd.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			cmd.AddCommand(c)
		}
	}
	explainArgs(cmd)
	cmd.SetFlagErrorFunc(mistypedFlag)
	setHelp(cmd)
	return cmd
}

// explainArgs makes the commands say how they are called if their arguments are wrong.
func explainArgs(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		explainArgs(c)
		if check := c.Args; check != nil {
			c.Args = func(c *cobra.Command, args []string) error {
				if err := check(c, args); err != nil {
					return fmt.Errorf("%w: the command is %s (%s --help)", err, c.UseLine(), c.CommandPath())
				}
				return nil
			}
		}
	}
}

// program defines the flags that say what to run and what of it is recorded.
func (f *flags) program(fs *pflag.FlagSet) {
	fs.StringVarP(&f.module, "module", "m", "", "debug a `module`, as python -m does")
	fs.StringVarP(&f.code, "code", "c", "", "debug a program given as `text`")
	fs.StringVar(&f.entry, "entry", "", "debug a `call`, such as 'f(1, 2)', after the module has run")
	fs.StringVar(&f.from, "from", "", "`place` where recording begins: FILE:LINE, a function, FILE:FUNCTION or a pytest node id. The program runs unrecorded up to there. The default with -m pytest and -m unittest is the first test; :start records their imports too")
	fs.StringArrayVar(&f.userCode, "user-code", nil, "`glob` of files to step into besides the program's folder; repeatable")
	fs.StringArrayVar(&f.libraryCode, "library-code", nil, "`glob` of files to step over; repeatable")
}

// shown defines the flags of the front ends of a session.
func (f *flags) shown(fs *pflag.FlagSet) {
	fs.BoolVar(&f.plain, "plain", false, "no screen: read commands from standard input and answer in pdb's words")
	fs.BoolVar(&f.json, "json", false, "answer every command with one line of JSON")
	fs.BoolVar(&f.noRC, "no-rc", false, "do not run the commands of .pdbrc")
	fs.BoolVar(&f.rc, "rc", false, "run the commands of .pdbrc with --json, too")
	fs.StringArrayVar(&f.begin, "command", nil, "`command` to begin with, after those of .pdbrc; repeatable")
}

// checkFrontEnd refuses flags of the front ends that contradict each other.
func (f *flags) checkFrontEnd() error {
	if f.plain && f.json {
		return errors.New("--plain and --json are both given: give only one of them")
	}
	if f.rc && f.noRC {
		return errors.New("--rc and --no-rc are both given: give only one of them")
	}
	return nil
}

// hasScreen reports whether the session is shown on the screen.
func (f *flags) hasScreen() bool { return !f.plain && !f.json && hasScreen() }

// mentionFile explains how to debug a file in the current folder that has the same name as
// the command.
func mentionFile(cmd *cobra.Command) {
	named := cmd
	for named.HasParent() && named.Parent().HasParent() {
		named = named.Parent()
	}
	if !named.HasParent() {
		return
	}
	if info, err := os.Stat(named.Name()); err == nil && info.Mode().IsRegular() {
		fmt.Fprintf(cmd.ErrOrStderr(), "npdb: %s is a command of npdb; npdb ./%s debugs the file of that name\n", named.Name(), named.Name())
	}
}

// splitArgs calls splitProgram for npdb or, if the first argument names it, for npdb record.
func splitArgs(cmd *cobra.Command, args []string) ([]string, error) {
	if len(args) == 0 || args[0] != "record" {
		return splitProgram(cmd.Flags(), args)
	}
	sub, _, err := cmd.Find(args[:1])
	if err != nil {
		return nil, err
	}
	rest, err := splitProgram(sub.Flags(), args[1:])
	return append(args[:1:1], rest...), err
}

// splitProgram inserts -- after -m MODULE or -c CODE, so that the rest belongs to the program, as
// for python itself. It changes nothing if FILE comes first: then the rest is positional.
func splitProgram(fs *pflag.FlagSet, args []string) ([]string, error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" || len(arg) < 2 || arg[0] != '-' {
			return args, nil // the rest is positional already
		}
		var f *pflag.Flag
		var inline bool // the value is part of this argument
		if name, ok := strings.CutPrefix(arg, "--"); ok {
			name, _, inline = strings.Cut(name, "=")
			f = fs.Lookup(name)
		} else {
			f, inline = fs.ShorthandLookup(arg[1:2]), len(arg) > 2
		}
		if f == nil || f.NoOptDefVal != "" {
			continue // cobra reports unknown flags; this one takes no value
		}
		if !inline {
			if i++; i == len(args) {
				return args, nil
			}
		}
		if f.Name == "module" || f.Name == "code" {
			return append(append(args[:i+1:i+1], "--"), args[i+1:]...), nil
		}
	}
	return args, nil
}

// options combines flags, configuration and positional arguments into the options of the
// recording.
func (f *flags) options(cmd *cobra.Command, args []string, c config.Config) (trace.Options, error) {
	o, err := f.anyProgram(c)
	if err != nil {
		return o, err
	}
	o.Module, o.Code = f.module, f.code
	switch set := cmd.Flags().Changed; {
	case set("module") && set("code"):
		return o, errors.New("-m and -c are both given: give only one program")
	case set("module") && f.module == "":
		return o, errors.New("-m needs the name of a module")
	case set("code"):
		if f.code == "" {
			o.Code = "\n" // an empty program, like python -c ''
		}
		if err := pdbsCommand(cmd, f.code, args); err != nil {
			return o, err
		}
	case f.module == "" && len(args) > 0 && args[0] == "":
		return o, fmt.Errorf("the program's name is empty: give FILE [ARG…], -m MODULE or -c CODE (see %s --help)", cmd.CommandPath())
	case f.module == "" && len(args) > 0:
		if err := mistypedCommand(cmd, args[0]); err != nil {
			return o, err
		}
		o.Script, args = args[0], args[1:]
	case f.module == "" && !f.resume && f.traceback.file == "":
		return o, fmt.Errorf("no program is given: give FILE [ARG…], -m MODULE or -c CODE (see %s --help)", cmd.CommandPath())
	}
	o.Args = args
	if o.Begin, err = f.beginning.beginning(cmd.Flags(), o.Entry); err != nil {
		return o, err
	}
	f.notices, err = f.traceback.begin(&o)
	return o, err
}

// anyProgram returns the options of the recording that do not depend on the program.
func (f *flags) anyProgram(c config.Config) (o trace.Options, err error) {
	if o.Dir, err = os.Getwd(); err != nil {
		return o, fmt.Errorf("the current folder is unknown: %w", err)
	}
	o.Python, o.Entry, o.From, o.RandomSeed = c.Python, f.entry, f.from, c.RandomSeed
	o.Children = c.Children
	if o.Thread = c.Thread; o.Thread == "main" || o.Thread == "MainThread" {
		o.Thread = ""
	}
	if o.Thread != "" && (o.From != "" || o.Entry != "") {
		return o, errors.New("--thread begins to record where the thread begins: leave out --from and --entry")
	}
	o.UserCode = slices.Concat(c.UserCode, absolute(o.Dir, f.userCode))
	o.LibraryCode = slices.Concat(c.LibraryCode, absolute(o.Dir, f.libraryCode))
	o.Limits.Events, o.Limits.Bytes, o.Limits.Slowdown = c.Limits.Events, int64(c.Limits.Memory), c.Limits.Slowdown
	if c.Limits.Slowdown == 0 {
		o.Limits.Slowdown = trace.Unbounded
	}
	if c.Reprs != "auto" {
		o.Reprs = trace.Reprs(c.Reprs)
	}
	o.Repeat = c.Record != "always"
	if c.Record == "budget" {
		o.Budget = trace.Budget{Events: c.Limits.Budget, Time: budgetTime}
	}
	switch {
	case c.Audit == nil:
		o.Audit = trace.AuditSampled
	case *c.Audit == 0:
		o.Audit = trace.AuditOff
	default:
		o.Audit = *c.Audit
	}
	return o, nil
}

// budgetTime is how long one move records with record = "budget".
const budgetTime = 2 * time.Second

// absolute converts globs of the command line, which are relative to dir, to globs of
// absolute paths. A glob that begins with a star already matches anywhere. One that begins
// with < matches code compiled from a string.
func absolute(dir string, globs []string) []string {
	out := make([]string, len(globs))
	for i, g := range globs {
		if !filepath.IsAbs(g) && !strings.HasPrefix(g, "*") && !strings.HasPrefix(g, "<") {
			g = filepath.Join(dir, g)
		}
		out[i] = g
	}
	return out
}
