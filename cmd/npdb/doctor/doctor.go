// Package doctor finds out what npdb has to work with here: its own build, the
// configuration, the Python, the terminal, what contains programs, and the model. Each
// is a section of facts; sections are found side by side, each in a time of its own.
package doctor

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/python"
)

// Given is what the doctor is told.
type Given struct {
	Version string         // npdb's own
	Path    string         // of the configuration's file
	Config  *config.Loaded // nil where it cannot be read
	Fault   error          // why
	UTF8    bool           // the terminal's encoding has more than ASCII
	In, Out *os.File       // standard input and output

	// Dialects is the file that remembers how models are asked, "" where nothing does.
	Dialects string

	// Endpoint makes a model on a server, as it is configured.
	Endpoint func(config.Model) (Server, error)
	// Second is how the model is asked that stands in CPython's place.
	Second func() (config.Model, error)
	// Own makes the model that npdb carries.
	Own func() (backend.Predictor, error)

	// Frames is the version of Python whose frames a model predicts.
	Frames python.Version

	patience time.Duration // for a terminal's answers; 0 is patient
}

// Server is a model on an endpoint.
type Server interface {
	Probe(ctx context.Context) (*openai.Capabilities, error)
	Model() backend.Model
	Close() error
}

// check finds the facts of one section.
type check struct {
	name  string
	limit time.Duration
	find  func(ctx context.Context) []Fact
	// quiet has nothing be shown before it is over: the terminal is being asked.
	quiet bool
	vital bool // npdb fails where it comes to nothing
}

const (
	usual = 30 * time.Second
	grace = 2 * time.Second // for a check to end that was told to
)

// checks returns all sections in their order. The models, which may take longest, are last.
func (g *Given) checks() []check {
	return []check{
		{name: "npdb", limit: usual, find: g.build},
		{name: "configuration", limit: usual, find: g.configuration},
		{name: "python", limit: usual, find: g.python, vital: true},
		{name: "terminal", limit: 5 * patient, find: g.terminal, quiet: true},
		{name: "containment", limit: usual, find: g.containment},
		{name: "model", limit: g.modelLimit(), find: g.model, vital: true},
		{name: secondSection, limit: g.modelLimit(), find: g.second, vital: true},
	}
}

// Sections returns the names of the sections in their order.
func Sections() []string {
	var names []string
	for _, c := range (&Given{}).checks() {
		names = append(names, c.name)
	}
	return names
}

// Examine finds the sections of some names, all where there are none, but for that of a
// second model where none is configured. Each is shown as
// soon as those before it were.
func Examine(ctx context.Context, g *Given, names []string, show func(Section) error) (*Report, error) {
	return examine(ctx, g.wanted(names), show)
}

// wanted returns the checks of some names.
func (g *Given) wanted(names []string) []check {
	return slices.DeleteFunc(g.checks(), func(c check) bool {
		if len(names) > 0 {
			return !slices.Contains(names, c.name)
		}
		return c.name == secondSection && (g.Config == nil || !g.Config.TwoModels())
	})
}

func examine(ctx context.Context, checks []check, show func(Section) error) (*Report, error) {
	found := make([]chan Section, len(checks))
	for i, c := range checks {
		found[i] = make(chan Section, 1)
		go func() { found[i] <- c.run(ctx) }()
	}
	for i, c := range checks {
		if c.quiet {
			found[i] <- <-found[i] // it is there, and is shown in its turn
		}
	}
	tidy := tidier()
	r := &Report{Format: 1, Sections: []Section{}}
	var failed error
	for _, one := range found {
		s := <-one // also when all is lost: what it has made it takes away
		if failed == nil {
			failed = ctx.Err()
		}
		if failed != nil {
			continue
		}
		for i := range s.Facts {
			tidy(&s.Facts[i])
		}
		r.Sections = append(r.Sections, s)
		failed = show(s)
	}
	r.Works = failed == nil && r.Err() == nil
	return r, failed
}

// run finds the facts within the section's time. What comes later is nobody's.
func (c check) run(ctx context.Context) Section {
	start := time.Now()
	bounded, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	came := make(chan []Fact, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				came <- c.unfinished(fmt.Sprint("npdb failed to find this out: ", fault), "please report it")
			}
		}()
		came <- c.find(bounded)
	}()
	s := Section{Name: c.name}
	select {
	case s.Facts = <-came:
	case <-bounded.Done():
		select { // it has been told to end, and may say what it found
		case s.Facts = <-came:
		case <-time.After(min(grace, c.limit)):
			s.Facts = c.unfinished(fmt.Sprintf("no answer within %v", c.limit), "")
		}
	}
	s.Took = time.Since(start).Milliseconds()
	return s
}

// unfinished returns the one fact of a section that came to nothing.
func (c check) unfinished(why, do string) []Fact {
	return []Fact{{Name: Unfinished, Mark: Wrong, Text: why, Do: do, Fails: c.vital}}
}
