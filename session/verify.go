package session

import (
	"context"

	"github.com/npdb/npdb/session/nav"
)

// VerifyMode selects how the pasts that backward moves infer are verified.
type VerifyMode string

// VerifyByText verifies by the program's text alone. VerifyByRun also runs the program in a sandbox
// where the text does not decide. VerifyOff verifies nothing.
const (
	VerifyByText VerifyMode = "text"
	VerifyByRun  VerifyMode = "run"
	VerifyOff    VerifyMode = "off"
)

// SetVerify selects how pasts are verified. "" shows the setting.
type SetVerify struct {
	By VerifyMode `json:"by,omitempty"`
}

func (c SetVerify) String() string { return words("verify", string(c.By)) }

func (c SetVerify) run(ctx context.Context, s *Session) error {
	p, err := s.program.predicted("verify")
	if err != nil {
		return err
	}
	if c.By == "" {
		s.draft.say(s.VerifyMode().text())
		return nil
	}
	if c.By == VerifyByRun && s.journaling.replaying != nil {
		s.draft.notice("Pasts were verified by running the program; verify run allows that in this session too.")
		return nil
	}
	if err := s.SetVerifyMode(ctx, c.By); err != nil {
		return err
	}
	p.Reverify(ctx, s.position.pos.Event)
	s.draft.say(c.By.text())
	return nil
}

func (v VerifyMode) text() string {
	return map[VerifyMode]string{
		VerifyByText: "Pasts are verified by the program's text; nothing is run.",
		VerifyByRun:  "Pasts are verified by the program's text, and else by running it in a sandbox.",
		VerifyOff:    "Pasts are not verified.",
	}[v]
}

// VerifyMode returns how pasts are verified.
func (pr *program) VerifyMode() VerifyMode {
	switch v := pr.cfg.Neural.Verify; {
	case v.Off || v.Text == nil && v.Run == nil:
		return VerifyOff
	case v.Run != nil:
		return VerifyByRun
	}
	return VerifyByText
}

// SetVerifyMode selects how pasts are verified. For VerifyByRun it prepares the sandbox; it is an
// error if programs cannot be contained here.
func (pr *program) SetVerifyMode(ctx context.Context, by VerifyMode) error {
	n := pr.cfg.Neural
	var run *nav.Method
	if by == VerifyByRun {
		if pr.cfg.Contain == nil {
			return errorf(Refused, "verify run: no program can be run in this session")
		}
		var err error
		if run, err = pr.cfg.Contain(ctx); err != nil {
			return errorf(Refused, "verify run: %v", err)
		}
	}
	n.Verify.Run, n.Verify.Off = run, by == VerifyOff
	return nil
}
