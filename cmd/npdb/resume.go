package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/tui/chooser"
)

// errNotResumed reports that the user declined to resume a session.
var errNotResumed = errors.New("the program was not run; the session can still be resumed")

// rerunQuestion returns the question whether to run the program again to resume a session. It
// returns "" if nothing is resumed, no program runs, or confirm is off.
func (p *prepared) rerunQuestion() string {
	if p.journal == nil || p.session.Mode == session.Predicted || !p.config.Confirm {
		return ""
	}
	return fmt.Sprintf("Resuming runs %s again from the start. Run it?", shownProgram(p.session.Options))
}

// rerunConsent returns rerunQuestion's question for the screen, or nil if there is none.
func (p *prepared) rerunConsent() *chooser.Consent {
	text := p.rerunQuestion()
	if text == "" {
		return nil
	}
	return &chooser.Consent{Question: text, Answer: func(yes bool) (session.Config, *chooser.Consent, error) {
		if !yes {
			return p.session, nil, errNotResumed
		}
		return p.session, nil, nil
	}}
}

// askRerun asks rerunQuestion's question on a terminal. It returns errNotResumed if the user
// declines.
func (p *prepared) askRerun(ctx context.Context, w io.Writer, lines frontend.Lines) error {
	text := p.rerunQuestion()
	if text == "" {
		return nil
	}
	yes, err := cli.AskYesNo(ctx, w, lines, text, errNotResumed)
	if err == nil && !yes {
		err = errNotResumed
	}
	return err
}
