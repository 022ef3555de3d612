package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/mcp"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/contain"
)

// agentPrograms opens sessions on the programs of agents.
type agentPrograms struct {
	loaded    *config.Loaded
	sandboxes *sandboxes // nil if programs run with the user's permissions
}

// open opens a session on an agent's program. It implements mcp.Opener.
func (a *agentPrograms) open(ctx context.Context, program mcp.Program, connect func(*session.Config)) (_ *mcp.Opened, err error) {
	f := flags{json: true, noRC: true}
	c := a.loaded.Config
	c.Mode = program.Mode
	if c.Mode == "" {
		c.Mode = config.ModeReal
	}
	if program.Python != "" {
		c.Python = program.Python
	}
	o, err := f.anyProgram(c)
	if err != nil {
		return nil, err
	}
	if err := place(&o, program); err != nil {
		return nil, err
	}
	if strings.HasSuffix(program.File, ".npdb") {
		path := program.File
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.Dir, path)
		}
		if err := f.recorded(&o, path); err != nil {
			return nil, err
		}
	}
	p, err := f.prepare(ctx, c, o, nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	if l := p.pending(); l != nil {
		return nil, fmt.Errorf("%s", l.Refusal())
	}
	if dir := p.session.StateDir; dir != "" {
		p.session.StateDir = filepath.Join(dir, "agents") // the user's breakpoints are not the agent's
	}
	connect(&p.session)
	runs := f.runs(p)
	if a.sandboxes != nil && runs != "" {
		if err := a.sandboxes.contain(ctx, &p.session.Options); err != nil {
			return nil, err
		}
		runs = "in a sandbox: " + runs
	}
	if program.Input != "" {
		p.session.Options.Stdin = strings.NewReader(program.Input)
	}
	s, err := session.Open(ctx, p.session)
	if err != nil {
		return nil, err
	}
	i := command.New(s, p.commands)
	return &mcp.Opened{
		Session: s, Commands: i, First: i.Start(ctx, nil), Program: shownProgram(p.session.Options), Runs: runs,
		Close: func() error { return errors.Join(s.Close(), p.close()) },
	}, nil
}

// place copies the program, its arguments and its folder to the options.
func place(o *trace.Options, program mcp.Program) error {
	o.Script, o.Module, o.Code, o.Args, o.Begin = program.File, program.Module, program.Code, program.Args, program.Begin()
	if program.Dir == "" {
		return nil
	}
	dir, err := filepath.Abs(program.Dir)
	if err != nil {
		return err
	}
	if about, err := os.Stat(dir); err != nil || !about.IsDir() {
		return fmt.Errorf("dir %s is no folder", program.Dir)
	}
	o.Dir = dir
	return nil
}

// runs returns the command line of the program that a session runs, "" if it runs nothing.
func (f *flags) runs(p *prepared) string {
	if f.file != "" || p.session.Mode == session.Predicted {
		return ""
	}
	o := p.session.Options
	python, err := trace.FindPython(o.Python, os.Environ())
	if err != nil {
		return ""
	}
	return strings.Join(append([]string{python, shownProgram(o)}, o.Args...), " ")
}

// sandboxes holds the sandboxes for programs of agents, one for each Python interpreter.
type sandboxes struct {
	mu    sync.Mutex
	ready map[string]*contain.Containment
}

// agentLimits limits the resources of agents' programs. The configuration limits the size of recordings.
var agentLimits = contain.Limits{
	CPU: 10 * time.Minute, Memory: 8 << 30, FileSize: 1 << 30, Scratch: 1 << 30, Files: 1024, Processes: 256,
}

// contain makes a program run in a sandbox.
func (b *sandboxes) contain(ctx context.Context, o *trace.Options) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.ready[o.Python]
	if c == nil {
		var err error
		if c, err = contain.New(ctx, o.Python, contain.Bubblewrap, agentLimits); err != nil {
			return fmt.Errorf("--contain: %w", err)
		}
		if b.ready == nil {
			b.ready = map[string]*contain.Containment{}
		}
		b.ready[o.Python] = c
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return err
	}
	o.Dir = dir
	folders := []string{dir}
	if o.Script != "" {
		script := o.Script
		if !filepath.IsAbs(script) {
			script = filepath.Join(dir, script)
		}
		folders = append(folders, filepath.Dir(script))
	}
	return c.PrepareInPlace(o, folders)
}

// close ends the sandboxes. No program may be running.
func (b *sandboxes) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.ready {
		c.Close()
	}
}
