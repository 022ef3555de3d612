package session

import (
	"context"

	"github.com/npdb/npdb/session/nav"
)

// VerifyMode selects how the pasts that backward moves infer are verified.
type VerifyMode string

// VerifyByText verifies by the program's source alone. If the source does not decide, VerifyByModel
// asks the model where the past leads, and VerifyByRun runs the program in a sandbox. Set after
// VerifyByModel, VerifyByRun keeps asking the model where the run does not decide either. VerifyOff
// verifies nothing.
const (
	VerifyByText  VerifyMode = "text"
	VerifyByModel VerifyMode = "model"
	VerifyByRun   VerifyMode = "run"
	VerifyOff     VerifyMode = "off"
)

// SetVerify selects how inferred states are verified. "" shows the current setting.
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
		s.draft.say(s.program.verifyText())
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
	s.draft.say(s.program.verifyText())
	return nil
}

// verifyText describes how pasts are verified.
func (pr *program) verifyText() string {
	by := pr.VerifyMode()
	text := map[VerifyMode]string{
		VerifyByText:  "Pasts are verified by the program's text; nothing is run.",
		VerifyByModel: "Pasts are verified by the program's text; nothing is run.",
		VerifyByRun:   "Pasts are verified by the program's text, and else by running it in a sandbox.",
		VerifyOff:     "Pasts are not verified.",
	}[by]
	if by != VerifyOff && pr.cfg.Neural.Verify.Model {
		text += " Where that does not decide, the model predicts where a past leads."
	}
	return text
}

// VerifyMode returns how pasts are verified.
func (pr *program) VerifyMode() VerifyMode {
	switch v := pr.cfg.Neural.Verify; {
	case v.Off || v.Text == nil && v.Run == nil:
		return VerifyOff
	case v.Run != nil:
		return VerifyByRun
	case v.Model:
		return VerifyByModel
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
	switch by {
	case VerifyByText:
		n.Verify.Model = false
	case VerifyByModel:
		n.Verify.Model = true
	}
	return nil
}
