package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/align"
	"github.com/npdb/npdb/trace"
)

// Predicting contains the arguments of predict: a state and an action, for the model.
type Predicting struct {
	File   string            `json:"file,omitempty" jsonschema:"path of the program; or give code"`
	Code   string            `json:"code,omitempty" jsonschema:"the program as text"`
	Line   int               `json:"line" jsonschema:"the line about to run"`
	Locals map[string]string `json:"locals,omitempty" jsonschema:"the locals there: names and reprs of values. Without it they are unknown"`
	Action string            `json:"action" jsonschema:"step_into, step_over, step_return, step_block, step_function, continue, or one of them with inv_ in front"`
	Count  int               `json:"count,omitempty" jsonschema:"how often, 1 by default"`
}

func (s *Server) predict(ctx context.Context, _ *sdk.CallToolRequest, in Predicting) (*sdk.CallToolResult, *Stop, error) {
	if in.Line < 1 {
		return nil, nil, errors.New("line is missing: give the line about to run, from 1")
	}
	f, err := Moving{Action: in.Action, Count: in.Count}.commands()
	if err != nil {
		return nil, nil, err
	}
	frame := trace.BeginningFrame{Line: in.Line, Complete: in.Locals != nil}
	for name, value := range in.Locals {
		frame.Locals = append(frame.Locals, trace.BeginningLocal{Name: name, Value: value})
	}
	d, err := s.open(ctx, Program{
		File: in.File, Code: in.Code, Mode: string(session.Predicted), begin: &trace.Beginning{Frames: []trace.BeginningFrame{frame}},
	})
	if err != nil {
		return nil, nil, err
	}
	_, _, stop, err := s.do(ctx, At{Session: d.id, Seconds: longest}, in.Action, f)
	if err := errors.Join(err, s.end(d)); err != nil {
		return nil, nil, err
	}
	stop.Session = "" // it has ended
	return nil, stop, nil
}

// longest is how long predict waits for the model, in seconds.
const longest = 300

// Inferring contains the arguments of infer: the backward step to take.
type Inferring struct {
	At
	Action string `json:"action" jsonschema:"inv_step_into, inv_step_over, inv_step_return, inv_step_block or inv_step_function"`
}

// Past is a state that may have come before.
type Past struct {
	Place       *Place   `json:"place,omitempty"`
	Event       string   `json:"event,omitempty"`
	Locals      []Name   `json:"locals,omitempty"`
	MoreLocals  int      `json:"more_locals,omitempty"`
	Probability *float64 `json:"probability"`
	Verdict     string   `json:"verdict,omitempty" jsonschema:"leads_here, leads_elsewhere, undecided or cannot_run: where the program goes from this state"`
	Difference  string   `json:"difference,omitempty" jsonschema:"how the state that it leads to differs"`
}

// Pasts is the answer of infer: the states that may have come before, the most likely first.
type Pasts struct {
	Session string `json:"session"`
	Running string `json:"running,omitempty"`
	Stop    *Stop  `json:"stop,omitempty" jsonschema:"where the session is now: at the first candidate"`
	Pasts   []Past `json:"candidates"`
}

func (s *Server) infer(ctx context.Context, _ *sdk.CallToolRequest, in Inferring) (*sdk.CallToolResult, *Pasts, error) {
	m := steps[in.Action]
	if m == 0 || !m.Inverse() {
		return nil, nil, fmt.Errorf("action %q is none of inv_step_into, inv_step_over, inv_step_return, inv_step_block, inv_step_function", in.Action)
	}
	d, answers, stop, err := s.do(ctx, in.At, "infer "+in.Action, one(session.Infer{Move: m}))
	if err != nil {
		return nil, nil, err
	}
	p := &Pasts{Session: d.id, Running: stop.Running, Pasts: []Past{}}
	if stop.Running != "" {
		return nil, p, nil
	}
	p.Stop = stop
	for _, a := range answers {
		if a.Candidates == nil {
			continue
		}
		for _, c := range a.Candidates.List {
			one := Past{Probability: c.Probability, Difference: c.Verification.Difference}
			if c.Verification.By != 0 {
				one.Verdict = c.Verification.Verdict.String()
			}
			if st := c.Reply.Stop; st != nil {
				one.Place, one.Event = &Place{st.File, st.Line, st.Function, st.Source}, st.Event.String()
				one.Locals, one.MoreLocals = namesOf(st.Locals)
			}
			p.Pasts = append(p.Pasts, one)
		}
		break
	}
	return nil, p, nil
}

// Comparing contains the arguments of compare: two recordings, or a session in mode both.
type Comparing struct {
	At
	Recordings []string `json:"recordings,omitempty" jsonschema:"paths of two recordings (.npdb) to compare; no session is needed"`
}

// Comparison is the answer of compare: where two runs first differ.
type Comparison struct {
	Same   bool          `json:"same"`
	Report *align.Report `json:"report,omitempty" jsonschema:"of two recordings"`
	Stop   *Stop         `json:"stop,omitempty" jsonschema:"of a session: the divergence"`
	Lines  []string      `json:"text" jsonschema:"the comparison in words"`
}

func (s *Server) compare(ctx context.Context, _ *sdk.CallToolRequest, in Comparing) (*sdk.CallToolResult, *Comparison, error) {
	if in.Recordings != nil {
		c, err := compareFiles(ctx, in.Recordings)
		return nil, c, err
	}
	d, err := s.desks.find(in.Session)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; or give two recordings", err)
	}
	if d.opened.Session.Mode() != session.Both {
		return nil, nil, fmt.Errorf("%s has one source of states: open the program with mode both (sessions, op open), or give two recordings", d.id)
	}
	_, _, stop, err := s.do(ctx, in.At, "compare", one(session.ToDivergence{Which: "onward"}))
	if err != nil {
		return nil, nil, err
	}
	return nil, &Comparison{Same: stop.Running == "" && len(stop.Divergence) == 0, Stop: stop, Lines: strings.Split(stop.Said, "\n")}, nil
}

// compareFiles compares two recording files.
func compareFiles(ctx context.Context, paths []string) (*Comparison, error) {
	if len(paths) != 2 {
		return nil, fmt.Errorf("recordings has %d paths: give two", len(paths))
	}
	var runs [2]session.OtherRun
	for k, path := range paths {
		var err error
		if runs[k], err = session.ReadRun(path, trace.Limits{}); err != nil {
			return nil, err
		}
	}
	al, err := align.Align(ctx, runs[0].Run, runs[1].Run)
	if err != nil {
		return nil, err
	}
	r := al.Report([2]align.About{runs[0].About, runs[1].About})
	return &Comparison{Same: r.Same, Report: r, Lines: r.Lines()}, nil
}
