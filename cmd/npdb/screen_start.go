package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/examples"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/chooser"
)

// mostRecent is the maximum number of recent programs on the start screen.
const mostRecent = 6

// starter opens the programs that the user chooses on the start screen, one at a time.
type starter struct {
	ctx      context.Context
	flags    *flags
	config   config.Config
	options  trace.Options // options that apply to any program
	ticks    <-chan time.Time
	prepared *prepared // the program chosen last
}

// startScreen shows the start screen, and then the session of the chosen program.
func (f *flags) startScreen(loaded *config.Loaded, stop *cli.Stopper) (err error) {
	c := loaded.Config
	t, err := tuiConfig(loaded)
	if err != nil {
		return err
	}
	ticks, ended := every(streamEvery)
	defer ended()
	s := &starter{ctx: stop.Ctx, flags: f, config: c, ticks: ticks}
	if s.options, err = f.anyProgram(c); err != nil {
		return err
	}
	t.Start = &chooser.Config{Mode: "real CPython", Open: s.openPath, Recent: s.recent(), Examples: s.examples()}
	if mode := c.DefaultMode(); mode != config.ModeReal {
		t.Start.Mode = strings.TrimRight(mode+" "+models.Names(c), " ")
	}
	defer func() { err = errors.Join(err, s.close()) }()
	return showScreen(t, stop)
}

// close closes the files of the last program.
func (s *starter) close() error {
	if s.prepared == nil {
		return nil
	}
	p := s.prepared
	s.prepared = nil
	return p.close()
}

// recent returns recently debugged programs, for the start screen.
func (s *starter) recent() []chooser.Offer {
	var offers []chooser.Offer
	for _, r := range journal.Recents(journal.StateDir(), mostRecent) {
		o := chooser.Offer{Name: r.Program, About: cli.ShortPath(r.Dir), Note: cli.Count(r.Moves, "command") + ", " + humanize.Time(r.When), Resumes: r.Moves > 0}
		switch {
		case r.Script != "":
			o.Name, o.About = filepath.Base(r.Script), cli.ShortPath(filepath.Dir(r.Script))
		case r.Module != "":
			o.Name = "-m " + r.Module
		}
		switch {
		case r.Against != "":
			o.Note = cmp.Or(r.Model, "a model") + " beside " + r.Against + ", " + o.Note
		case r.Model != "":
			o.Note = r.Model + ", " + o.Note
		}
		o.Open = func(resume bool) (*chooser.Program, error) {
			from, err := journal.Read(r.Journal)
			if err != nil {
				return nil, err
			}
			o := from.Options(s.options)
			if !resume {
				o.Python = s.options.Python // not that of the old session
				from = nil
			}
			return s.open(o, from)
		}
		offers = append(offers, o)
	}
	return offers
}

// examples returns the example programs in the binary. A chosen one is first written to
// the user's cache folder.
func (s *starter) examples() []chooser.Offer {
	var offers []chooser.Offer
	for _, e := range examples.All() {
		offers = append(offers, chooser.Offer{Name: e.Name, About: e.About, Open: func(bool) (*chooser.Program, error) {
			cache, err := os.UserCacheDir()
			if err != nil {
				return nil, err
			}
			path, err := examples.Write(filepath.Join(cache, "npdb", "examples"), e.Name)
			if err != nil {
				return nil, err
			}
			return s.openPath(path)
		}})
	}
	return offers
}

// openPath prepares the program at a path.
func (s *starter) openPath(path string) (*chooser.Program, error) {
	o := s.options
	o.Script = path
	return s.open(o, nil)
}

// open prepares a program, and closes the files of the one before.
func (s *starter) open(o trace.Options, from *journal.Journal) (*chooser.Program, error) {
	if err := s.close(); err != nil {
		return nil, err
	}
	p, err := s.flags.prepare(s.ctx, s.config, o, from)
	if err != nil {
		return nil, err
	}
	p.session.Ticks = s.ticks
	onTerminal(&p.session.Options)
	s.prepared = p
	consent, err := p.consent()
	if err != nil {
		return nil, err
	}
	return &chooser.Program{Session: p.session, Commands: p.commands, Journal: from, Name: shownProgram(o), Consent: consent}, nil
}
