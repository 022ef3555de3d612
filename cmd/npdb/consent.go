package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
)

// leave is the user's word on whether the programs of a project may be sent to a server
// on another machine. It is a nav.Leave.
type leave struct {
	endpoint, project string
	stateDir          string
	contents          func() string // what is sent, in words
	model             string        // its name, "" where the server is to be asked for it
	asks              bool          // there is somebody to ask

	mu       sync.Mutex
	given    bool
	answered bool
	refusal  string
}

var _ nav.Consent = (*leave)(nil)

// asking is how leave is asked for.
type asking struct {
	somebody bool // there is a terminal
	again    bool // what was answered before is asked for again
}

// newConsent is what is known so far of a project and an endpoint. An error is one of what
// was kept, which allows nothing.
func newConsent(m config.Model, place, project, stateDir string, ask asking) (*leave, error) {
	l := &leave{endpoint: place, project: project, stateDir: stateDir, asks: ask.somebody}
	switch m.Send {
	case "always":
		l.given, l.answered = true, true
		return l, nil
	case "never":
		l.answered = true
		l.refusal = fmt.Sprintf("Nothing is sent to %s: model.send is never (--send ask or --send always changes that)", place)
		return l, nil
	}
	kept, ok, err := journal.FindConsent(stateDir, place, project)
	switch {
	case err != nil || !ok || ask.again && ask.somebody:
		l.refusal = fmt.Sprintf("%s is not this machine, and nobody was asked whether the program's source and values may be sent there: --send always (or model.send = \"always\" in the configuration, or NPDB_SEND) allows it", place)
	case kept.Allowed:
		l.given, l.answered = true, true
	default:
		l.refuse()
	}
	return l, err
}

// refuse takes down that the user has said no.
func (l *leave) refuse() {
	l.answered = true
	l.refusal = fmt.Sprintf("Nothing of %s is sent to %s, as you answered (--send ask asks again, --send always sends it)", shortPath(l.project), l.endpoint)
}

// Given reports whether it may be sent.
func (l *leave) Given() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.given
}

// Refusal says why nothing is sent.
func (l *leave) Refusal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.given {
		return ""
	}
	return l.refusal
}

// Question is what the user is to be asked.
func (l *leave) Question() string {
	l.mu.Lock()
	answered := l.answered || !l.asks
	l.mu.Unlock()
	if answered {
		return ""
	}
	return fmt.Sprintf("%s at %s predicts, which is not this machine. Sent there: %s. This is asked once for this server and %s. Send it?",
		cmp.Or(l.model, "A model"), l.endpoint, l.contents(), shortPath(l.project))
}

// Answer takes and keeps the answer.
func (l *leave) Answer(yes bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.given, l.answered = yes, true; !yes {
		l.refuse()
	}
	return journal.KeepConsent(l.stateDir, journal.Consent{Endpoint: l.endpoint, Project: l.project, Allowed: yes, When: time.Now().UTC()})
}

// gate has a model asked only while the user allows it.
func gate(n *nav.Neural, l *leave) {
	n.Consent = l
	l.model = n.Predictor.Model().Name
	n.Predictor = &backend.Gated{Predictor: n.Predictor, Refusal: l.Refusal}
}

// projectOf is the folder of the project that a folder is in: the nearest one upwards that
// looks like a project's, else the folder itself.
func projectOf(dir string) string {
	for at := dir; ; {
		for _, sign := range []string{".git", "pyproject.toml", "setup.py", "setup.cfg"} {
			if _, err := os.Stat(filepath.Join(at, sign)); err == nil {
				return at
			}
		}
		above := filepath.Dir(at)
		if above == at {
			return dir
		}
		at = above
	}
}

// mostNamed is how many files a question names.
const mostNamed = 4

// filesSent are the files of a program in words.
func filesSent(files []string) string {
	switch more := len(files) - mostNamed; {
	case len(files) == 0:
		return "the program's source"
	case more > 1:
		return "the source of " + strings.Join(files[:mostNamed], ", ") + fmt.Sprintf(" and %d more files", more)
	}
	return "the source of " + strings.Join(files, ", ")
}

// errUnanswered is a question that the input ended at.
var errUnanswered = errors.New("it was not answered whether the program may be sent: --send always allows it, --send never does not")
