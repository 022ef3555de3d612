package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// Looking contains the arguments of state: a frame.
type Looking struct {
	At
	Frame int `json:"frame,omitempty" jsonschema:"0 is the innermost frame, 1 its caller, and so on"`
}

// framed returns a function that selects a frame, calls f, and selects the innermost frame again.
func framed(frame int, f func(ctx context.Context, i *command.Interpreter) []*session.Answer) func(ctx context.Context, i *command.Interpreter) []*session.Answer {
	return func(ctx context.Context, i *command.Interpreter) []*session.Answer {
		if frame != 0 {
			if v := i.View(); frame > v.Here {
				return []*session.Answer{{Err: session.Errorf(session.BadArgument, "frame is %d, and the stack has %d frames: 0 is the innermost one", frame, v.Here+1)}}
			}
			if a := i.Do(ctx, session.SelectFrame{By: frame}); a.Err != nil {
				return []*session.Answer{a}
			}
		}
		answers := f(ctx, i)
		if frame != 0 {
			i.Do(ctx, session.SelectFrame{By: -frame})
		}
		return answers
	}
}

func (in Looking) check() error {
	if in.Frame < 0 {
		return fmt.Errorf("frame is %d: 0 is the innermost frame, 1 its caller, and so on", in.Frame)
	}
	return nil
}

// Stating contains the arguments of the tool state: a frame, and a question about the state.
type Stating struct {
	Looking
	Why string `json:"why,omitempty" jsonschema:"a question about this state to the chat model that npdb is configured for (setting why). Its answer is in said, and what it claims about events and values is checked against the recording (claims): wrong claims are between ~~"`
}

func (s *Server) state(ctx context.Context, _ *sdk.CallToolRequest, in Stating) (*sdk.CallToolResult, *Stop, error) {
	if err := in.check(); err != nil {
		return nil, nil, err
	}
	var locals []dsl.Local
	_, _, stop, err := s.do(ctx, in.At, "state", framed(in.Frame, func(ctx context.Context, i *command.Interpreter) []*session.Answer {
		v := i.View()
		for _, l := range v.Locals {
			locals = append(locals, l.Local)
		}
		if in.Why != "" {
			return []*session.Answer{i.Do(ctx, session.Why{Question: in.Why})}
		}
		defer i.Work()() // otherwise an interrupt of an earlier command would stop this one
		return []*session.Answer{i.Answer(ctx, "state", func() error { return nil })}
	}))
	if err != nil {
		return nil, nil, err
	}
	if in.Frame > 0 && stop.Running == "" {
		stop.Locals, stop.MoreLocals = namesOf(locals)
		if k := len(stop.Stack) - 1 - in.Frame; k >= 0 {
			stop.Place = &stop.Stack[k]
		}
	}
	return nil, stop, nil
}

// Evaluating contains the arguments of evaluate: an expression and a frame.
type Evaluating struct {
	Looking
	Expression string `json:"expression" jsonschema:"Python expression"`
}

// Evaluated is the value of an expression.
type Evaluated struct {
	Session string `json:"session"`
	Running string `json:"running,omitempty"`
	Value   string `json:"value" jsonschema:"its repr"`
	Cut     int    `json:"cut,omitempty" jsonschema:"bytes left out: evaluate a slice of it"`
}

func (s *Server) evaluate(ctx context.Context, _ *sdk.CallToolRequest, in Evaluating) (*sdk.CallToolResult, *Evaluated, error) {
	if err := in.check(); err != nil {
		return nil, nil, err
	}
	if in.Expression == "" {
		return nil, nil, errNoExpression
	}
	d, answers, stop, err := s.do(ctx, in.At, "evaluate "+in.Expression, framed(in.Frame, one(session.Evaluate{Expression: in.Expression})))
	if err != nil {
		return nil, nil, err
	}
	out := &Evaluated{Session: d.id, Running: stop.Running}
	if len(answers) > 0 {
		text, _ := answers[0].Text(session.Said)
		out.Value = begin(text, mostSaid)
		out.Cut = max(len(text)-mostSaid, 0)
	}
	return nil, out, nil
}
