package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/tui/chooser"
)

// modelToJoin returns the model for a session in the given mode. In real mode the model predicts
// nothing until the user adds it to the session. So if npdb must not connect to the model's server,
// that is not an error in real mode: the model in the binary replaces it.
func modelToJoin(c config.Config, mode string) (*nav.Neural, error) {
	n, err := models.ForSession(c)
	var failed *backend.Error
	if mode == config.ModeReal && errors.As(err, &failed) && failed.Kind == backend.Withheld && embedded.HasModel() {
		c.Model.BaseURL, c.Model.Name = "", ""
		return models.ForSession(c)
	}
	return n, err
}

// askConsent makes requests to models on other machines depend on the user's consent. Models on one
// server share one consent.
func (f *flags) askConsent(cfg *session.Config, c config.Config) {
	known := map[string]*models.Permission{}
	permission := func(place string) *models.Permission {
		l := known[place]
		if l == nil {
			var err error
			if l, err = models.NewPermission(c.Model, place, models.ProjectOf(programDir(cfg.Options)), cfg.StateDir, f.asking); err != nil {
				cfg.Notices = append(cfg.Notices, sentence(err.Error()))
			}
			l.Contents = func() string { return contents(cfg.Options, c) }
			known[place] = l
		}
		return l
	}
	for _, n := range []*nav.Neural{cfg.Neural, cfg.Against} {
		if n != nil && n.Predictor.Model().Away {
			models.Gate(n, permission(n.Predictor.Model().Place))
		}
	}
	if t := cfg.Explain.Talker; t != nil && t.Model().Away {
		m := t.Model()
		l := permission(m.Place)
		if l.Model == "" {
			l.Model, l.Does = m.Name, "explains"
		}
		cfg.Explain.Consent = l
	}
}

// contents describes, for the question to the user, what would be sent of a program to a model.
func contents(o trace.Options, c config.Config) string {
	var r *redact.Redactor
	if c.RedactFor != "none" {
		rules, err := c.Redaction()
		if err != nil {
			return err.Error() // the configuration was already refused for this
		}
		r = redact.New(rules)
	}
	files, literals, err := nav.Outgoing(o, r)
	if err != nil {
		files = nil // opening the program reports the reason
	}
	text := models.FilesSent(files) + ", and values of its variables"
	switch {
	case r == nil:
		return text + ", with nothing redacted"
	case literals > 0:
		return text + fmt.Sprintf("; what looks like a secret is redacted (%s of the source)", cli.Count(literals, "literal"))
	}
	return text + "; what looks like a secret is redacted"
}

// programDir returns the folder of the program's script, the script itself if it is a folder, or
// the current folder if there is no script.
func programDir(o trace.Options) string {
	if o.Script == "" {
		return o.Dir
	}
	path := o.Script
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Dir, path)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Clean(path)
	}
	return filepath.Dir(path)
}

// sentence returns a text that begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}

// withheld returns the missing consents: those of models to which nothing may be sent yet.
func (p *prepared) withheld() []nav.Consent {
	var out []nav.Consent
	if p.session.Mode == session.Real {
		return nil // npdb asks when the user adds the model to the session
	}
	for _, n := range []*nav.Neural{p.session.Neural, p.session.Against} {
		if n != nil && n.Consent != nil && !n.Consent.Given() {
			out = append(out, n.Consent)
		}
	}
	return out
}

// pending returns the first missing consent that the user can be asked for, or nil.
func (p *prepared) pending() nav.Consent {
	for _, l := range p.withheld() {
		if l.Question() != "" {
			return l
		}
	}
	return nil
}

// settle replaces the models without consent by the model in the binary. It returns an error
// instead if asked is false or the binary has no model.
func (p *prepared) settle(asked bool) error {
	cfg := &p.session
	withheld := p.withheld()
	if len(withheld) == 0 {
		return nil
	}
	if !asked || !embedded.HasModel() {
		return errors.New(withheld[0].Refusal())
	}
	for _, l := range withheld {
		cfg.Notices = append(cfg.Notices, l.Refusal()+". The model that npdb carries predicts in its place.")
	}
	for _, n := range []**nav.Neural{&cfg.Neural, &cfg.Against} {
		if *n == nil || (*n).Consent == nil || (*n).Consent.Given() {
			continue
		}
		c := p.config
		c.Model.BaseURL, c.Model.Name = "", ""
		carried, err := models.ForSession(c)
		if err != nil {
			return err
		}
		carried.Filled = (*n).Filled
		err = (*n).Predictor.Close()
		if *n = carried; err != nil {
			return err
		}
	}
	if len(withheld) == 2 { // both would be the same model: do not compare it with itself
		err := cfg.Against.Predictor.Close()
		cfg.Against, cfg.Mode = nil, session.Predicted
		return err
	}
	return nil
}

// askOn asks for the missing consents on a terminal, applies the answers, and then asks askRerun's
// question.
func (p *prepared) askOn(ctx context.Context, w io.Writer, lines frontend.Lines, ask models.Asking) error {
	for l := p.pending(); l != nil; l = p.pending() {
		if err := models.AskLine(ctx, w, lines, l); err != nil {
			return err
		}
	}
	if err := p.settle(ask.Somebody); err != nil || !ask.Somebody {
		return err
	}
	return p.askRerun(ctx, w, lines)
}

// consent returns the next question that the screen asks before the session begins, or nil. When no
// consent is pending, it applies the answers.
func (p *prepared) consent() (*chooser.Consent, error) {
	l := p.pending()
	if l == nil {
		return p.rerunConsent(), p.settle(true)
	}
	return &chooser.Consent{Question: l.Question(), Answer: func(yes bool) (session.Config, *chooser.Consent, error) {
		if err := l.Answer(yes); err != nil {
			p.session.Notices = append(p.session.Notices, sentence(err.Error()))
		}
		next, err := p.consent()
		return p.session, next, err
	}}, nil
}
