package mcp

import (
	"context"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/shared"
)

// Managing contains the arguments of the tool sessions.
type Managing struct {
	Op      string  `json:"op" jsonschema:"open, list, end or bookmark"`
	Program Program `json:"program,omitzero" jsonschema:"for open"`
	At
	Name string `json:"name,omitempty" jsonschema:"for bookmark: a word"`
	Note string `json:"note,omitempty" jsonschema:"for bookmark: what is remarkable"`
}

// Listed describes an open session.
type Listed struct {
	Session string `json:"session"`
	Program string `json:"program"`
	Mode    string `json:"mode"`
	Runs    string `json:"runs,omitempty" jsonschema:"the command that runs; empty if nothing does"`
	Running string `json:"running,omitempty" jsonschema:"the command that is still running"`
	Joined  bool   `json:"joined,omitempty" jsonschema:"a person has joined the session on a screen"`
}

// Managed is the answer of the tool sessions.
type Managed struct {
	Sessions []Listed `json:"sessions"`
	Stop     *Stop    `json:"stop,omitempty" jsonschema:"for open and bookmark: where the session is"`
}

func (s *Server) sessions(ctx context.Context, _ *sdk.CallToolRequest, in Managing) (*sdk.CallToolResult, *Managed, error) {
	var stop *Stop
	var err error
	switch in.Op {
	case "list":
	case "open":
		stop, err = s.openAt(ctx, in)
	case "end":
		err = s.endNamed(in.Session)
	case "bookmark":
		if in.Name == "" {
			err = errors.New("name is missing: give the bookmark a word, and a note")
			break
		}
		_, _, stop, err = s.do(ctx, in.At, "bookmark", one(session.Mark{Name: in.Name, Note: in.Note}))
	default:
		err = fmt.Errorf("op %q is none of open, list, end, bookmark", in.Op)
	}
	if err != nil {
		return nil, nil, err
	}
	return nil, &Managed{Sessions: append([]Listed{}, s.Sessions()...), Stop: stop}, nil
}

func (s *Server) openAt(ctx context.Context, in Managing) (*Stop, error) {
	d, err := s.open(ctx, in.Program)
	if err != nil {
		return nil, err
	}
	stop := d.stop([]*session.Answer{d.opened.First})
	stop.Number = d.opened.Commands.Event()
	return stop, nil
}

func (d *desk) listed() Listed {
	l := Listed{Session: d.id, Program: d.program, Mode: string(d.opened.Session.Mode()), Runs: d.runs, Joined: d.shared.Joined()}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current != nil && !d.current.over() {
		l.Running = d.current.words
	}
	return l
}

func (s *Server) endNamed(id string) error {
	if id == "" {
		return errors.New("session is missing: name the session to end")
	}
	d, err := s.desks.find(id)
	if err != nil {
		return err
	}
	return s.end(d)
}

func (s *Server) end(d *desk) error {
	s.desks.remove(d)
	return d.close()
}

// Sessions lists the open sessions, the oldest first.
func (s *Server) Sessions() (list []Listed) {
	for _, d := range s.desks.all() {
		list = append(list, d.listed())
	}
	return list
}

// Shared returns the session with this id, which a person can join, and its program's name.
func (s *Server) Shared(id string) (_ *shared.Session, program string, err error) {
	d, err := s.desks.find(id)
	if err != nil {
		return nil, "", err
	}
	return d.shared, d.program, nil
}
