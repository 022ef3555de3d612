package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dap"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

const dapAbout = `npdb dap lets an editor debug through the Debug Adapter Protocol, forwards and backwards. The
editor starts it and talks to it on standard input and output; docs/editors.md has the settings
of editors.

With --listen it waits for editors on an address instead. Each connection is a session of its
own. A client runs programs with your permissions, so npdb listens on this machine only, unless
--remote is given.`

// dapFlags contains the values of npdb dap's command line.
type dapFlags struct {
	listen string
	remote bool
}

func newDAPCommand(stop *cli.Stopper) *cobra.Command {
	var f dapFlags
	cmd := &cobra.Command{
		Use:   "dap [flags]",
		Short: "Let an editor debug (Debug Adapter Protocol)",
		Long:  dapAbout,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.run(cmd, stop) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.listen, "listen", "", "`address` to listen on, such as 127.0.0.1:5678; without it npdb uses standard input and output")
	fs.BoolVar(&f.remote, "remote", false, "allow --listen on an address that other machines reach: whoever reaches it can run programs")
	config.AddFlags(fs)
	return cmd
}

// run serves editors until the editor closes standard input or a signal ends npdb.
func (f *dapFlags) run(cmd *cobra.Command, stop *cli.Stopper) error {
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	s := dap.New(dap.Config{Open: (&editorPrograms{loaded: c}).open})
	if f.listen == "" {
		return s.Serve(stop.Ctx, os.Stdin, os.Stdout)
	}
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: give an address and a port, such as 127.0.0.1:0", f.listen)
	}
	if ip := net.ParseIP(host); !f.remote && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("--listen %s: npdb dap runs programs for whoever reaches it, so it listens on this machine only: give 127.0.0.1, or allow it with --remote", f.listen)
	}
	l, err := (&net.ListenConfig{}).Listen(stop.Ctx, "tcp", f.listen)
	if err != nil {
		return fmt.Errorf("npdb dap cannot listen on %s: %w", f.listen, err)
	}
	fmt.Printf("npdb dap listens on %s\n", l.Addr())
	return s.Listen(stop.Ctx, l)
}

// editorPrograms opens sessions on the programs of editors.
type editorPrograms struct{ loaded *config.Loaded }

// open opens a session on an editor's program. It implements dap.Opener.
func (e *editorPrograms) open(ctx context.Context, l dap.Target, connect func(*session.Config)) (_ *dap.Opened, err error) {
	f := flags{json: true, noRC: true}
	c := e.loaded.Config
	if c.Mode = l.Mode; c.Mode == "" {
		c.Mode = config.ModeReal
	}
	if l.Python != "" {
		c.Python = l.Python
	}
	o, err := f.anyProgram(c)
	if err != nil {
		return nil, err
	}
	if err := launched(&o, l.Launch); err != nil {
		return nil, err
	}
	if l.Recording != "" {
		path := l.Recording
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.Dir, path)
		}
		if err := f.recorded(&o, path); err != nil {
			return nil, err
		}
	}
	var closing []func() error
	ends := func() (err error) {
		for k := len(closing) - 1; k >= 0; k-- {
			err = errors.Join(err, closing[k]())
		}
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ends())
		}
	}()
	if l.Process > 0 {
		conn, err := reach(ctx, l.Process)
		if err != nil {
			return nil, fmt.Errorf("npdb cannot attach to process %d: %w", l.Process, err)
		}
		closing = append(closing, conn.Close)
		attached, err := f.enter(ctx, visit{conn: conn, leaving: trace.Detach, output: copyOutput}, &o)
		if err != nil {
			return nil, err
		}
		closing = append(closing, attached.Close)
		c.Record = "always" // the program cannot run again
	}
	p, err := f.prepare(ctx, c, o, nil)
	if err != nil {
		return nil, err
	}
	closing = append(closing, p.close)
	if w := p.pending(); w != nil {
		return nil, fmt.Errorf("%s", w.Refusal())
	}
	if f.file == "" { // the editor keeps the breakpoints
		dir, err := os.MkdirTemp("", "npdb-dap-")
		if err != nil {
			return nil, err
		}
		p.session.StateDir = dir
		closing = append(closing, func() error { return os.RemoveAll(dir) })
	}
	ticks, ended := every(streamEvery)
	closing = append(closing, func() error { ended(); return nil })
	p.session.Ticks = ticks
	connect(&p.session)
	s, err := session.Open(ctx, p.session)
	if err != nil {
		return nil, err
	}
	closing = append(closing, s.Close)
	return &dap.Opened{
		Session: s, Commands: command.New(s, p.commands), Close: ends,
		Backward: c.Mode == config.ModeReal || c.Model.Dialect != "cwm",
	}, nil
}

// launched copies the program, its arguments and its surroundings to the options.
func launched(o *trace.Options, l dap.Launch) error {
	o.Script, o.Module, o.Args, o.From = l.Program, l.Module, l.Args, l.From
	if l.Cwd != "" {
		dir, err := filepath.Abs(l.Cwd)
		if err != nil {
			return err
		}
		if about, err := os.Stat(dir); err != nil || !about.IsDir() {
			return fmt.Errorf("cwd %s is not a folder", l.Cwd)
		}
		o.Dir = dir
	}
	if l.JustMyCode != nil && !*l.JustMyCode {
		o.UserCode = append(o.UserCode, "**")
	}
	if l.Env == nil {
		return nil
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if _, set := l.Env[name]; !set {
			o.Env = append(o.Env, v)
		}
	}
	for name, value := range l.Env {
		if value != nil {
			o.Env = append(o.Env, name+"="+*value)
		}
	}
	return nil
}
