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
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui"
	"github.com/npdb/npdb/tui/chooser"
)

// mostRecent is the maximum number of recent programs on the start screen.
const mostRecent = 6

// starter opens programs, one at a time: the one of the command line, those that the user chooses on
// the start screen, and those of tracebacks.
type starter struct {
	ctx      context.Context
	flags    *flags
	config   config.Config
	options  trace.Options // options that apply to any program
	ticks    <-chan time.Time
	folder   string    // folder of the tour's program, "" before the tour
	prepared *prepared // the program opened last
	former   *prepared // the one before, which a traceback's replaces; its session may be open still
}

// startScreen shows the start screen, and then the session of the chosen program.
func (f *flags) startScreen(loaded *config.Loaded, stop *cli.Stopper) error {
	return f.withStarter(loaded, stop, func(s *starter, t *tui.Config) error {
		t.Start = &chooser.Config{Mode: "real CPython", Open: s.openPlace, Traceback: s.openTraceback, Tour: s.tourOffer(), Recent: s.recent(), Examples: s.examples()}
		if mode := s.config.DefaultMode(); mode != config.ModeReal {
			t.Start.Mode = strings.TrimRight(mode+" "+models.Names(s.config), " ")
		}
		return nil
	})
}

// withStarter shows the screen. begin completes the screen's configuration with the program to debug, or
// with the programs to choose from.
func (f *flags) withStarter(loaded *config.Loaded, stop *cli.Stopper, begin func(*starter, *tui.Config) error) (err error) {
	t, err := tuiConfig(loaded)
	if err != nil {
		return err
	}
	ticks, ended := every(streamEvery)
	defer ended()
	s := &starter{ctx: stop.Ctx, flags: f, config: loaded.Config, ticks: ticks}
	if s.options, err = f.anyProgram(s.config); err != nil {
		return err
	}
	t.Traceback = s.traceback
	defer func() { err = errors.Join(err, s.close(), s.clear()) }()
	if err := begin(s, &t); err != nil {
		return err
	}
	return showScreen(t, stop)
}

// clear removes the folder of the tour.
func (s *starter) clear() error {
	if s.folder == "" {
		return nil
	}
	return os.RemoveAll(s.folder)
}

// close closes the files of the programs.
func (s *starter) close() (err error) {
	for _, p := range []*prepared{s.former, s.prepared} {
		if p != nil {
			err = errors.Join(err, p.close())
		}
	}
	s.former, s.prepared = nil, nil
	return err
}

// traceback opens the session that begins where a traceback ends, in neural mode. connect connects the
// session to the front end. The session before stays open.
func (s *starter) traceback(ctx context.Context, text string, connect func(*session.Config)) (_ *session.Session, program string, err error) {
	f := *s.flags
	f.stdin = "" // nothing reads it in neural mode
	o, err := f.anyProgram(s.config)
	if err != nil {
		return nil, "", err
	}
	o.Entry, o.From = "", ""
	if f.notices, err = f.traceback.describe(&o, text); err != nil {
		return nil, "", err
	}
	c := s.config
	c.Mode = config.ModeNeural
	p, err := f.prepare(ctx, c, o, nil)
	if err != nil {
		return nil, "", err
	}
	p.session.Ticks = s.ticks
	connect(&p.session)
	opened, err := session.Open(ctx, p.session)
	if err != nil {
		return nil, "", errors.Join(err, p.close())
	}
	if s.former != nil {
		err = s.former.close() // its session was closed when that of prepared was opened
	}
	s.former, s.prepared = s.prepared, p
	return opened, shownProgram(o), err
}

// recent returns recently debugged programs, for the start screen.
func (s *starter) recent() []chooser.Offer {
	var offers []chooser.Offer
	for _, r := range journal.Recents(journal.StateDir(), mostRecent) {
		o := chooser.Offer{Name: r.Program, About: cli.ShortPath(r.Dir), Note: cli.Count(r.Moves, "command") + ", " + humanize.Time(r.When), Resumes: r.Moves > 0}
		switch {
		case r.Script != "":
			o.Name, o.About = filepath.Base(r.Script), cli.ShortPath(filepath.Dir(r.Script))
			o.Path = func() (string, error) { return r.Script, nil }
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
		path := func() (string, error) { return writeExample(e.Name) }
		offers = append(offers, chooser.Offer{Name: e.Name, About: e.About, Path: path, Open: func(bool) (*chooser.Program, error) {
			path, err := path()
			if err != nil {
				return nil, err
			}
			return s.openPlace(path, chooser.Place{})
		}})
	}
	return offers
}

// writeExample writes an example program to the user's cache folder, and returns its path.
func writeExample(name string) (path string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return examples.Write(filepath.Join(cache, "npdb", "examples"), name)
}

// openPlace prepares the program at a path, to begin at a place in it.
func (s *starter) openPlace(path string, at chooser.Place) (_ *chooser.Program, err error) {
	o := s.options
	o.Script = path
	if at.Line > 0 {
		if o.Begin, err = beginningAt(at.Line, at.Locals); err != nil {
			return nil, err
		}
	}
	return s.open(o, nil)
}

// openTraceback prepares the program and the state that a traceback describes.
func (s *starter) openTraceback(text string) (*chooser.Program, error) {
	o := s.options
	notices, err := s.flags.traceback.describe(&o, text)
	if err != nil {
		return nil, err
	}
	p, err := s.open(o, nil)
	if err == nil {
		p.Session.Notices = append(p.Session.Notices, notices...)
	}
	return p, err
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
