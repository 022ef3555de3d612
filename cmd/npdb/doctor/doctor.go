// Package doctor examines the environment of npdb: its own build, the configuration, the
// Python, the terminal, the containment of programs, and the model. Each is a section of
// facts. The sections are examined concurrently, each with its own time limit.
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

// Given contains what npdb doctor examines: the configuration, the terminal, and access to models.
type Given struct {
	Version string         // npdb's own
	Path    string         // of the configuration file
	Config  *config.Loaded // nil if it cannot be read
	Fault   error          // the reason why Config is nil
	UTF8    bool           // the terminal's encoding is UTF-8
	In, Out *os.File       // standard input and output

	// Dialects is the file that stores the detected dialects of models, or "" if there is
	// none.
	Dialects string

	// Endpoint returns the client for a model on a server.
	Endpoint func(config.Model) (Server, error)
	// Second returns the configuration of the second model, which replaces CPython.
	Second func() (config.Model, error)
	// Own returns the predictor that computes the model in the binary.
	Own func() (backend.Predictor, error)

	// Frames is the version of Python whose frames the model in the binary predicts.
	Frames python.Version

	patience time.Duration // time limit for the terminal's answers; 0 for the default
}

// Server is a model on an endpoint.
type Server interface {
	Probe(ctx context.Context) (*openai.Capabilities, error)
	Model() backend.Model
	Close() error
}

// check examines one section.
type check struct {
	name  string
	limit time.Duration
	find  func(ctx context.Context) []Fact
	// quiet delays all output until the check has ended, because the check reads answers from the
	// terminal.
	quiet bool
	vital bool // npdb fails if the check does not finish
}

const (
	usual = 30 * time.Second
	grace = 2 * time.Second // time for a cancelled check to end
)

// checks returns all checks in the order of their sections. The models may take longest
// and are last.
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

// Examine examines the named sections, or all. It omits the section of the second model if none is
// configured. It calls show for each section, in their order, as soon as the section and those before it
// are ready.
func Examine(ctx context.Context, g *Given, names []string, show func(Section) error) (*Report, error) {
	return examine(ctx, g.wanted(names), show)
}

// wanted returns the checks of the named sections.
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
			found[i] <- <-found[i] // wait for the section, then put it back until its turn
		}
	}
	tidy := tidier()
	r := &Report{Format: 1, Sections: []Section{}}
	var failed error
	for _, one := range found {
		s := <-one // wait also after cancellation, so that the check removes what it created
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

// run examines the section within the check's time limit, and discards results that come later.
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
		select { // the check was cancelled, and may still return results
		case s.Facts = <-came:
		case <-time.After(min(grace, c.limit)):
			s.Facts = c.unfinished(fmt.Sprintf("no answer within %v", c.limit), "")
		}
	}
	s.Took = time.Since(start).Milliseconds()
	return s
}

// unfinished returns the only fact of a section that did not finish.
func (c check) unfinished(why, do string) []Fact {
	return []Fact{{Name: Unfinished, Mark: Wrong, Text: why, Do: do, Fails: c.vital}}
}
