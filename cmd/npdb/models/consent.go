package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
)

// Permission holds the user's answer: may the programs of a project be sent to a server on
// another machine? It implements nav.Consent.
type Permission struct {
	endpoint, project string
	stateDir          string
	Contents          func() string // what is sent, in words
	Model             string        // its name, "" where the server is to be asked for it
	asks              bool          // there is somebody to ask

	mu       sync.Mutex
	given    bool
	answered bool
	refusal  string
}

var _ nav.Consent = (*Permission)(nil)

// Asking is how leave is asked for.
type Asking struct {
	Somebody bool // there is a terminal
	Again    bool // what was answered before is asked for again
}

// NewPermission returns what is known so far of a project and an endpoint. An error is one of what
// was kept, which allows nothing.
func NewPermission(m config.Model, place, project, stateDir string, ask Asking) (*Permission, error) {
	l := &Permission{endpoint: place, project: project, stateDir: stateDir, asks: ask.Somebody}
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
	case err != nil || !ok || ask.Again && ask.Somebody:
		l.refusal = fmt.Sprintf("%s is not this machine, and nobody was asked whether the program's source and values may be sent there: --send always (or model.send = \"always\" in the configuration, or NPDB_SEND) allows it", place)
	case kept.Allowed:
		l.given, l.answered = true, true
	default:
		l.refuse()
	}
	return l, err
}

// refuse takes down that the user has said no.
func (l *Permission) refuse() {
	l.answered = true
	l.refusal = fmt.Sprintf("Nothing of %s is sent to %s, as you answered (--send ask asks again, --send always sends it)", cli.ShortPath(l.project), l.endpoint)
}

// Given reports whether it may be sent.
func (l *Permission) Given() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.given
}

// Refusal explains why nothing is sent.
func (l *Permission) Refusal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.given {
		return ""
	}
	return l.refusal
}

// Question returns what the user is to be asked.
func (l *Permission) Question() string {
	l.mu.Lock()
	answered := l.answered || !l.asks
	l.mu.Unlock()
	if answered {
		return ""
	}
	return fmt.Sprintf("%s at %s predicts, which is not this machine. Sent there: %s. This is asked once for this server and %s. Send it?",
		cmp.Or(l.Model, "A model"), l.endpoint, l.Contents(), cli.ShortPath(l.project))
}

// Answer takes and keeps the answer.
func (l *Permission) Answer(yes bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.given, l.answered = yes, true; !yes {
		l.refuse()
	}
	return journal.KeepConsent(l.stateDir, journal.Consent{Endpoint: l.endpoint, Project: l.project, Allowed: yes, When: time.Now().UTC()})
}

// Gate lets a model be asked only while the user allows it.
func Gate(n *nav.Neural, l *Permission) {
	n.Consent = l
	l.Model = n.Predictor.Model().Name
	n.Predictor = &backend.Gated{Predictor: n.Predictor, Refusal: l.Refusal}
}

// ProjectOf returns the folder of the project that a folder is in: the nearest one upwards that
// looks like a project's, else the folder itself.
func ProjectOf(dir string) string {
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

// FilesSent returns the files of a program in words.
func FilesSent(files []string) string {
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

// AskLine asks for leave until it is answered.
func AskLine(ctx context.Context, w io.Writer, lines frontend.Lines, l nav.Consent) error {
	for l.Question() != "" {
		yes, err := cli.AskYesNo(ctx, w, lines, l.Question(), errUnanswered)
		if err != nil {
			return err
		}
		if err := l.Answer(yes); err != nil {
			fmt.Fprintln(w, "npdb: "+cli.EscapeLines(err.Error()))
		}
	}
	return nil
}
