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

// Permission stores whether the user allows the programs of a project to be sent to a server on
// another machine. It implements nav.Consent.
type Permission struct {
	endpoint, project string
	stateDir          string
	Contents          func() string // describes what is sent
	Model             string        // its name, or "" if only the server knows it
	Does              string        // a verb in the question: what the model does; "" means "predicts"
	asks              bool          // there is a terminal to ask on

	mu       sync.Mutex
	given    bool
	answered bool
	refusal  string
}

var _ nav.Consent = (*Permission)(nil)

// Asking controls how the user is asked for consent.
type Asking struct {
	Somebody bool // there is a terminal
	Again    bool // ask again even if there is an earlier answer
}

// NewPermission returns the stored consent for a project and an endpoint. If it cannot be read,
// NewPermission returns the error and a Permission that allows nothing.
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

// refuse records that the user has declined.
func (l *Permission) refuse() {
	l.answered = true
	l.refusal = fmt.Sprintf("Nothing of %s is sent to %s, as you answered (--send ask asks again, --send always sends it)", cli.ShortPath(l.project), l.endpoint)
}

// Given reports whether the user has consented.
func (l *Permission) Given() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.given
}

// Refusal returns the reason why nothing is sent.
func (l *Permission) Refusal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.given {
		return ""
	}
	return l.refusal
}

// Question returns the question for the user, or "" if there is none.
func (l *Permission) Question() string {
	l.mu.Lock()
	answered := l.answered || !l.asks
	l.mu.Unlock()
	if answered {
		return ""
	}
	return fmt.Sprintf("%s %s on another machine, %s. Sent there: %s. This is asked once for this server and %s. Send it?",
		cmp.Or(l.Model, "A model"), cmp.Or(l.Does, "predicts"), l.endpoint, l.Contents(), cli.ShortPath(l.project))
}

// Answer stores the answer.
func (l *Permission) Answer(yes bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.given, l.answered = yes, true; !yes {
		l.refuse()
	}
	return journal.KeepConsent(l.stateDir, journal.Consent{Endpoint: l.endpoint, Project: l.project, Allowed: yes, When: time.Now().UTC()})
}

// Gate blocks requests to a model unless the user has consented.
func Gate(n *nav.Neural, l *Permission) {
	n.Consent = l
	l.Model = n.Predictor.Model().Name
	n.Predictor = &backend.Gated{Predictor: n.Predictor, Refusal: l.Refusal}
}

// ProjectOf returns the project folder that contains a folder: the nearest one upwards
// with a sign of a project, or the folder itself.
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

// mostNamed is the largest number of files that the question names.
const mostNamed = 4

// FilesSent describes the files of a program, for the question.
func FilesSent(files []string) string {
	switch more := len(files) - mostNamed; {
	case len(files) == 0:
		return "the program's source"
	case more > 1:
		return "the source of " + strings.Join(files[:mostNamed], ", ") + fmt.Sprintf(" and %d more files", more)
	}
	return "the source of " + strings.Join(files, ", ")
}

// errUnanswered reports that the input ended before the question was answered.
var errUnanswered = errors.New("the question whether the program may be sent was not answered: allow it with --send always, or forbid it with --send never")

// AskLine asks for consent until the user answers.
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
