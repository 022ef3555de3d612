package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
)

// askEvalConsent asks whether the programs of a file may be sent to the measured model. Without
// consent it returns an error, because no other model can replace the measured one.
func askEvalConsent(ctx context.Context, c *config.Loaded, n *nav.Neural, path string, lines frontend.Lines) error {
	dir, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	ask := models.Asking{Somebody: cli.HasDialogue(), Again: c.From("model.send") == "--send"}
	l, err := models.NewPermission(c.Model, n.Predictor.Model().Place, models.ProjectOf(dir), journal.StateDir(), ask)
	if err != nil {
		fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(err.Error()))
	}
	what := "; what looks like a secret is redacted"
	if n.Redact == nil {
		what = ", with nothing redacted"
	}
	l.Model = n.Predictor.Model().Name
	l.Contents = func() string {
		return "the programs of " + filepath.Base(path) + ", and values of their variables" + what
	}
	if err := models.AskLine(ctx, os.Stderr, lines, l); err != nil {
		return err
	}
	if !l.Given() {
		return errors.New(l.Refusal())
	}
	return nil
}

// redactSource removes secrets from the programs before they run, so that the program that runs, the
// expected values and the program in the prompt are the same. It returns the number of redacted literals
// and values.
func redactSource(s *eval.Source, rules redact.Rules) (found int, err error) {
	for i := range s.Programs {
		p, r := &s.Programs[i], redact.New(rules)
		p.Text = r.Program(p.Text)
		if p.Function != "" {
			call := r.Text(p.Call())
			if call != p.Call() {
				found++
			}
			p.Input = strings.TrimSuffix(strings.TrimPrefix(call, p.Function+"("), ")")
		}
		p.Output = r.Value("", p.Output)
		literals, values := r.Told()
		found += literals + values
	}
	for i := range s.Walks {
		w, r := &s.Walks[i], redact.New(rules)
		if w.Last, err = dsl.ND1.Encode(r.Trajectory(w.Last.Trajectory())); err != nil {
			return found, fmt.Errorf("%s: %w", w.Name, err)
		}
		literals, values := r.Told()
		found += literals + values
	}
	return found, nil
}
