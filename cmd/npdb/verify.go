package main

import (
	"context"
	"fmt"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/pasts"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/contain"
)

// sandbox verifies pasts by running the program. It is prepared when it is first needed.
type sandbox struct {
	python  string // the interpreter, as in trace.Options
	version python.Version
	ready   *contain.Containment
	means   *nav.Method
}

// open prepares the sandbox, and checks that programs are contained in it.
func (b *sandbox) open(ctx context.Context) (*nav.Method, error) {
	if b.means != nil {
		return b.means, nil
	}
	c, err := contain.New(ctx, b.python, contain.Auto, contain.Limits{})
	if err != nil {
		return nil, err
	}
	verifier, err := cpython.NewVerifier(c)
	if err != nil {
		c.Close()
		return nil, err
	}
	b.ready = c
	b.means = &nav.Method{Verifier: verifier, Searcher: pasts.Searcher{Version: b.version, Contained: c}}
	return b.means, nil
}

func (b *sandbox) close() {
	if b.ready != nil {
		b.ready.Close()
	}
}

// verify selects how pasts are verified, by --verify. A user who asks for running there has consented.
// Without the flag, the model is asked too if it is on this machine.
func (f *flags) verify(ctx context.Context, p *prepared, c config.Config) error {
	n := p.session.Neural
	if n == nil {
		return nil
	}
	p.sandbox = &sandbox{python: c.Python, version: n.Python}
	p.session.Contain = p.sandbox.open
	switch by := session.VerifyMode(f.verifyBy); by {
	case "":
	case session.VerifyByText, session.VerifyByModel:
		n.Verify.Model = by == session.VerifyByModel
	case session.VerifyOff:
		n.Verify.Off = true
	case session.VerifyByRun:
		run, err := p.sandbox.open(ctx)
		if err != nil {
			return fmt.Errorf("--verify run: %w", err)
		}
		n.Verify.Run = run
	default:
		return fmt.Errorf("--verify %s: use text, model, run or off", by)
	}
	return nil
}
