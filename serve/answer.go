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

// answer is what a model says to a prompt.
type answer struct {
	node   *dsl.Node // where the prompt stands; nil if it is no question
	action dsl.Action
	reply  dsl.Reply
	text   string // of nd/1, its <|frame_sep|> included
	reason string // why it is unknown
}

// unknown is the answer that declines.
func (s *Server) unknown(why string) *answer {
	f := s.config.Format
	return &answer{reply: dsl.Reply{Outcome: dsl.Unknown}, text: f.Name(dsl.UnknownSep) + f.Name(dsl.FrameSep), reason: why}
}

// The signals by which limits end a program: SIGXCPU when it has used its time,
// SIGKILL when it ignores that, or takes too much memory. Such an end is the
// containment's; that a program may also send them to itself is not told apart.
const (
	outOfTime = -24
	killed    = -9
)

// ask has the predictor answer a prompt. The error is an *apiError, or that of
// ctx. What the prompt does not determine, or takes too long, is unknown.
func (s *Server) ask(ctx context.Context, m *Model, prompt string) (a *answer, err error) {
	// A program is hostile input to all that looks at it: a fault over one is that
	// question's alone.
	defer func() {
		if fault := recover(); fault != nil {
			s.config.Log.Error("fault over a question", "fault", fault, "stack", string(debug.Stack()))
			a, err = s.unknown(fmt.Sprintf("npdb failed over it: %v", fault)), nil
		}
	}()
	node, asked, err := s.config.Format.Read(prompt)
	if err != nil {
		return s.unknown("the prompt is no nd/1: " + err.Error()), nil
	}
	if asked == nil {
		return s.unknown("the prompt asks nothing"), nil
	}
	limited, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	p, err := m.Predictor.Predict(limited, backend.Question{At: node, Action: *asked}, nil)
	var failed *backend.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil && err != nil:
		return s.unknown("it took longer than " + s.config.Timeout.String()), nil
	case errors.As(err, &failed):
		switch failed.Kind {
		case backend.TimedOut, backend.Unwritable, backend.NoState, backend.Endless, backend.TooLong:
			return s.unknown(failed.Message), nil
		}
		return nil, internal("%s", failed.Message)
	case err != nil:
		return nil, internal("%v", err)
	}
	reply := p.Step.Reply
	if reply.Outcome == dsl.Ended && reply.Exit != nil {
		switch reply.Exit.Code {
		case outOfTime:
			return s.unknown("the program used up its time"), nil
		case killed:
			return s.unknown("the program was killed: it took too much time or memory, or ended itself so"), nil
		}
	}
	text, err := node.Reply(*asked, reply)
	if err != nil {
		return s.unknown("the answer cannot be written: " + err.Error()), nil
	}
	a = &answer{node: node, action: *asked, reply: reply, text: text}
	if reply.Outcome == dsl.Unknown {
		a.reason = cmp.Or(strings.Join(p.Warnings, "; "), "the model declines")
	}
	return a, nil
}
