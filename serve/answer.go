package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// answer is a model's answer to a prompt.
type answer struct {
	dialect
	node   *dsl.Node // the state at the end of the prompt; nil if the predictor was not asked for a reply
	action dsl.Action
	reply  dsl.Reply
	text   string
	reason string          // why the answer is unknown
	cut    bool            // text is truncated
	pieces []backend.Piece // the tokens of text, if their probabilities are known
}

// unknown returns the answer "unknown" with a reason.
func unknown(t dialect, why string) *answer {
	return &answer{dialect: t, reply: dsl.Reply{Outcome: dsl.Unknown}, text: t.declined(), reason: why}
}

// The exit codes of programs that were ended by a limit: minus SIGXCPU if the CPU time is used up,
// minus SIGKILL if the program ignores that signal or uses too much memory. A program may also send
// these signals to itself, which npdb cannot distinguish.
const (
	outOfTime = -24
	killed    = -9
)

// byContainment returns the reason if a limit of the sandbox has ended the program. It returns
// "" if the program ended by itself or has not ended.
func byContainment(r dsl.Reply) string {
	if r.Outcome != dsl.Ended || r.Exit == nil {
		return ""
	}
	switch r.Exit.Code {
	case outOfTime:
		return "the program used up its time"
	case killed:
		return "the program was killed: it took too much time or memory, or ended itself so"
	}
	return ""
}

// ask answers a request by asking the predictor. The error is an *apiError or the error of ctx. If
// the prompt does not determine the reply, or the predictor takes too long, the answer is unknown.
func (s *Server) ask(ctx context.Context, m *Model, t dialect, q *request) (a *answer, err error) {
	// Programs are malicious input, so a panic while answering must affect only this request.
	defer func() {
		if fault := recover(); fault != nil {
			s.config.Log.Error("fault over a question", "fault", fault, "stack", string(debug.Stack()))
			a, err = unknown(t, fmt.Sprintf("npdb failed over it: %v", fault)), nil
		}
	}()
	limited, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	late := "it took longer than " + s.config.Timeout.String()
	if err := t.find(limited, q, m); err != nil {
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case limited.Err() != nil:
			return unknown(t, late), nil
		}
		return unknown(t, err.Error()), nil
	}
	if a, err := m.filled(limited, t, q); err != nil {
		return failing(ctx, limited, m, t, late, err)
	} else if a != nil {
		return a, nil
	}
	node, asked, err := t.question(q)
	if refused := (*apiError)(nil); errors.As(err, &refused) {
		return nil, refused
	}
	if err != nil {
		return unknown(t, err.Error()), nil
	}
	p, err := m.Predictor.Predict(limited, backend.Question{At: node, Action: asked, Options: m.options(q)}, nil)
	if err != nil {
		return failing(ctx, limited, m, t, late, err)
	}
	reply := p.Step.Reply
	if why := byContainment(reply); why != "" && !m.Guesses {
		return unknown(t, why), nil
	}
	text, cut, err := t.all(limited, q, m, node, asked, reply)
	if err != nil {
		return unknown(t, "the answer cannot be written: "+err.Error()), nil
	}
	a = &answer{cut: cut, dialect: t, node: node, action: asked, reply: reply, text: text}
	if text == p.Raw {
		a.pieces = p.Pieces
	}
	if reply.Outcome == dsl.Unknown {
		a.reason = cmp.Or(strings.Join(p.Warnings, "; "), "the model declines")
	}
	return a, nil
}

// failing converts a predictor's error to an unknown answer, an *apiError, or the error of ctx.
// late is the reason of the unknown answer if limited has ended.
func failing(ctx, limited context.Context, m *Model, t dialect, late string, err error) (*answer, error) {
	var failed *backend.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return unknown(t, late), nil
	case !errors.As(err, &failed):
		return nil, internal("%v", err)
	case m.Guesses && failed.Kind == backend.TooLong:
		return nil, beyondModel(failed.Message)
	}
	switch failed.Kind {
	case backend.TimedOut, backend.Unwritable, backend.NoState, backend.Endless, backend.TooLong:
		return unknown(t, failed.Message), nil
	}
	return nil, internal("%s", failed.Message)
}
