package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// debug runs a session from its start to its end.
func (f *flags) debug(cmd *cobra.Command, args []string, stop *cli.Stopper) error {
	if err := f.checkFrontEnd(); err != nil {
		return err
	}
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	notice, err := models.Unasked(c)
	if err != nil {
		return err
	}
	if notice != "" && !f.resume { // otherwise the session reports its mode
		c.Warnings = append(c.Warnings, notice)
	}
	cli.Warn(c)
	if err := f.traceback.read((f.plain || f.json) && len(f.begin) > 0); err != nil {
		return err
	}
	screen := f.hasScreen()
	f.asking = models.Asking{Somebody: screen || !f.json && cli.HasDialogue(), Again: c.From("model.send") == "--send"}
	if screen && len(args) == 0 && f.module == "" && f.code == "" && !f.resume && f.traceback.file == "" {
		return f.startScreen(c, stop)
	}
	o, err := f.options(cmd, args, c.Config)
	if err != nil {
		return err
	}
	var journalled *journal.Journal
	if f.resume {
		if journalled, err = journal.Find(journal.StateDir(), o); err != nil {
			return err
		}
		o = journalled.Options(o)
	}
	p, err := f.prepare(stop.Ctx, c.Config, o, journalled)
	if err != nil {
		return err
	}
	return f.run(p, c, screen, stop)
}

// run runs a prepared session, on the screen or by the commands of standard input, and closes its files.
func (f *flags) run(p *prepared, c *config.Loaded, screen bool, stop *cli.Stopper) (err error) {
	s := &starter{ctx: stop.Ctx, flags: f, config: c.Config, prepared: p}
	defer func() { err = errors.Join(err, s.close()) }()
	if screen {
		return f.screen(s, c, stop)
	}
	return f.serve(s, stop)
}

// prepared is a session that can be opened, with the files that it needs.
type prepared struct {
	session  session.Config
	commands command.Config   // initial configuration of the commands
	journal  *journal.Journal // the session to resume; nil for a new one
	stdin    *os.File         // nil if the program has no file for its input
	sandbox  *sandbox         // nil without a model
	config   config.Config
}

// close closes the files of the session when it has ended.
func (p *prepared) close() (err error) {
	if p.stdin != nil {
		err = p.stdin.Close()
	}
	if p.sandbox != nil {
		p.sandbox.close()
	}
	if p.session.Neural != nil {
		err = errors.Join(err, p.session.Neural.Predictor.Close())
	}
	if p.session.Against != nil {
		err = errors.Join(err, p.session.Against.Predictor.Close())
	}
	if p.session.Explain.Talker != nil {
		err = errors.Join(err, p.session.Explain.Talker.Close())
	}
	return err
}

// prepare makes a new session for a program or, if from is not nil, one that resumes the session of
// that journal.
func (f *flags) prepare(ctx context.Context, c config.Config, o trace.Options, from *journal.Journal) (*prepared, error) {
	cfg := session.Config{Notices: f.notices, Start: session.StartTrace, StateDir: journal.StateDir(), Unkept: !c.KeepBreakpoints, StdinFile: f.stdin, SaveTo: f.save, Version: cli.Version(), Unrecorded: c.Record == "on-demand" && o.Thread == ""}
	begin := command.Config{Begin: f.begin}
	switch {
	case from != nil && len(f.begin) > 0:
		return nil, errors.New("--command begins a new session, and --resume continues an old one: give only one of them")
	case from == nil && !f.noRC && (!f.json || f.rc):
		begin.RC = command.ReadRC()
	case from != nil:
		if c.Mode == "" {
			c.Mode = cmp.Or(from.Header.Mode, string(session.Real)) // use the mode of the old session
		}
		if cfg.StdinFile == "" {
			cfg.StdinFile = from.Header.Options.Stdin
		}
		if from.Header.Against != "" && !c.TwoModels() { // otherwise npdb would run the program
			return nil, fmt.Errorf("the session compared two models, %s and %s: name the second one with --against or --against-model",
				from.Header.Model, from.Header.Against)
		}
	}
	if f.file != "" && o.Begin == nil { // its breakpoints and moves are not those of the program
		cfg.Start, cfg.File, cfg.StateDir = openRecording(f.file, f.noIndex), f.file, ""
	}
	if f.visited != nil {
		cfg.Start, cfg.Attached, cfg.StateDir = f.visited, true, ""
	}
	if f.forgets {
		cfg.StateDir, cfg.Unkept = "", true
	}
	p := &prepared{commands: begin, journal: from, config: c}
	if cfg.StdinFile != "" {
		in, err := openInput(ctx, cfg.StdinFile)
		if err != nil {
			return nil, fmt.Errorf("the program's standard input cannot be opened: %w", err)
		}
		p.stdin, o.Stdin = in, in
	}
	if from == nil {
		beginAt(&o, session.Mode(c.DefaultMode()))
	}
	if f.redacts {
		var err error
		if o.Redact, err = fileRedactor(c); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	cfg.Options, cfg.WritePage = o, writesPages(c, shownProgram(o))
	if c.Model.Prefetch == nil && (f.json || !term.IsTerminal(int(os.Stdin.Fd()))) {
		c.Model.Prefetch = new(int) // no prefetch: a program types the commands, without pauses to read
	}
	if o.Begin != nil && c.Mode == "" {
		c.Mode = config.ModeNeural // nothing is to be run up to there
	}
	mode := c.DefaultMode()
	cfg.Mode = session.Mode(mode)
	if f.save != "" && cfg.Mode == session.Predicted {
		return nil, errors.Join(errors.New("--save needs a run to record, and neural mode runs nothing: use --mode real or --mode both, or the command export"), p.close())
	}
	if mode != config.ModeReal || models.HasModel(c) { // in real mode the user may add the model later
		var err error
		if cfg.Neural, err = modelToJoin(c, mode); err != nil {
			return nil, errors.Join(err, p.close())
		}
		if from != nil {
			cfg.Neural.Filled = from.Header.Filled
		}
	}
	if mode == config.ModeBoth && c.TwoModels() {
		var err error
		if cfg.Against, err = models.Against(c); err != nil {
			p.session = cfg // so that p.close closes the first model
			return nil, errors.Join(err, p.close())
		}
		if from != nil {
			cfg.Against.Filled = from.Header.Filled
		}
	}
	var err error
	if cfg.Explain, err = models.Explaining(c); err != nil {
		p.session = cfg // so that p.close closes the models
		return nil, errors.Join(err, p.close())
	}
	f.askConsent(&cfg, c)
	p.session = cfg
	if err := f.verify(ctx, p, c); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// openInput opens the file for a program's standard input. It may also be a named pipe or
// a device. openInput waits until another process opens the pipe for writing.
func openInput(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%q is a folder", path)
	}
	type opened struct {
		file *os.File
		err  error
	}
	came := make(chan opened, 1)
	go func() {
		file, err := os.Open(path)
		came <- opened{file, err}
	}()
	select {
	case o := <-came:
		return o.file, o.err
	case <-ctx.Done(): // when npdb is stopped, it must not keep waiting for the pipe to open
		return nil, ctx.Err()
	}
}

// streamEvery is the interval at which a running program's output is shown.
const streamEvery = 100 * time.Millisecond

// every returns a clock that ticks until ended is called.
func every(d time.Duration) (ticks <-chan time.Time, ended func()) {
	ticker := time.NewTicker(d)
	return ticker.C, ticker.Stop
}

// serve opens the session and answers commands until it ends.
func (f *flags) serve(s *starter, stop *cli.Stopper) (err error) {
	p := s.prepared
	lines := cli.NewStdin(os.Stdin, stop.Interrupts)
	if err := p.askOn(stop.Ctx, os.Stderr, lines, f.asking); err != nil {
		return err
	}
	ticks, ended := every(streamEvery)
	defer ended()
	shown, connect := f.frontEnd(lines, ticks)
	connect(&p.session)
	open, err := session.Open(stop.Ctx, p.session)
	if err != nil {
		return err
	}
	defer func() {
		if e := open.Close(); err == nil {
			err = e
		}
	}()
	stop.Watch(open)
	p.commands.Traceback = func(ctx context.Context, text string) (*session.Session, error) {
		next, _, err := s.traceback(ctx, text, connect)
		if err == nil {
			open = next
			stop.Watch(next)
		}
		return next, err
	}
	i := command.New(open, p.commands)
	if err := frontend.Serve(stop.Ctx, i, i.Start(stop.Ctx, p.journal), lines, shown); err != nil || f.json {
		return err
	}
	said := open.Summary()
	if term.IsTerminal(int(os.Stdin.Fd())) { // not for a script, whose output should not depend on time
		said = append(said, open.Bill()...)
	}
	for _, line := range said {
		if _, err := fmt.Println(cli.EscapeLines(line)); err != nil {
			return err
		}
	}
	return nil
}

// frontEnd returns the front end for --json or --plain, and a function that connects a session to it.
func (f *flags) frontEnd(lines *cli.Stdin, ticks <-chan time.Time) (shown frontend.UI, connect func(*session.Config)) {
	if f.json {
		shown = frontend.NewJSON(os.Stdout)
		return shown, func(cfg *session.Config) {
			cfg.Input, cfg.Interrupted = frontend.Input(lines, shown), lines.Interrupted
		}
	}
	plain := frontend.NewPlain(os.Stdout, term.IsTerminal(int(os.Stdin.Fd())))
	return plain, func(cfg *session.Config) {
		cfg.Input, cfg.Interrupted = frontend.Input(lines, plain), lines.Interrupted
		cfg.Ticks = ticks
		// Stream can ignore an error in writing, because the front end returns it again when it
		// shows the move's answer.
		cfg.Stream = func(a *session.Answer) { _ = plain.Show(a) }
		if hasScreen() {
			cfg.Draws = drawsUTF8(os.Getenv)
			cfg.Pace = func(p *session.Pace) {
				if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
					_ = plain.Pace(p, columns)
				}
			}
		}
	}
}
