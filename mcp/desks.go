package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/shared"
	"github.com/npdb/npdb/trace"
)

// mostDesks is the maximum number of open sessions: each may hold a running program.
const mostDesks = 16

// Program describes what a session debugs. Exactly one of File, Module and Code is set.
type Program struct {
	File   string   `json:"file,omitempty" jsonschema:"path of a Python script, or of a recording (.npdb)"`
	Module string   `json:"module,omitempty" jsonschema:"module to run as python -m does, for example pytest"`
	Code   string   `json:"code,omitempty" jsonschema:"program as text"`
	Args   []string `json:"args,omitempty" jsonschema:"the program's arguments"`
	Python string   `json:"python,omitempty" jsonschema:"interpreter; by default that of the active virtual environment, else python3"`
	Dir    string   `json:"dir,omitempty" jsonschema:"working directory"`
	Input  string   `json:"input,omitempty" jsonschema:"text of the program's standard input; without it the input is empty"`
	Mode   string   `json:"mode,omitempty" jsonschema:"real runs the program under CPython; neural runs nothing and asks the model; both compares them. The default is real"`

	begin *trace.Beginning // where a neural session begins, nil for the program's first line
}

// Begin returns the state at which a neural session begins, nil for the first line of the program.
func (p Program) Begin() *trace.Beginning { return p.begin }

// Opened is an open session.
type Opened struct {
	Session  *session.Session
	Commands *command.Interpreter
	First    *session.Answer
	Program  string       // the program's short name, such as bank.py
	Runs     string       // the command line of the program, "" if nothing runs
	Close    func() error // ends the session
}

// Opener opens a session on a program. It must call connect with the session's configuration before it opens
// the session.
type Opener func(ctx context.Context, p Program, connect func(*session.Config)) (*Opened, error)

// desks holds the open sessions.
type desks struct {
	mu     sync.Mutex
	list   []*desk
	opened int
	closed bool // the server ends
}

// add opens a session.
func (ds *desks) add(ctx context.Context, p Program, open Opener) (*desk, error) {
	ds.mu.Lock()
	if len(ds.list) >= mostDesks {
		ds.mu.Unlock()
		return nil, fmt.Errorf("%d sessions are open, which is the limit: end one with sessions, op end", mostDesks)
	}
	ds.opened++
	d := &desk{id: fmt.Sprintf("s%d", ds.opened), shared: shared.New()}
	ds.list = append(ds.list, d)
	ds.mu.Unlock()
	// The session outlives the call that opens it.
	o, err := open(context.WithoutCancel(ctx), p, d.shared.Connect)
	if err != nil {
		ds.remove(d)
		return nil, err
	}
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.closed {
		return nil, errors.Join(errors.New("the server is ending"), o.Close())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened, d.program, d.runs = o, o.Program, o.Runs
	d.shared.Open(o.Commands)
	return d, nil
}

func (ds *desks) remove(d *desk) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	ds.list = slices.DeleteFunc(ds.list, func(other *desk) bool { return other == d })
}

// find returns the session with an id, or for "" the only open one.
func (ds *desks) find(id string) (*desk, error) {
	list := ds.all()
	if id == "" {
		switch len(list) {
		case 0:
			return nil, errors.New("no session is open: call diagnose with a program, or sessions with op open")
		case 1:
			return list[0], nil
		}
		return nil, fmt.Errorf("%d sessions are open: name one in session (sessions, op list, shows them)", len(list))
	}
	for _, d := range list {
		if d.id == id {
			return d, nil
		}
	}
	return nil, fmt.Errorf("there is no session %q: sessions, op list, shows the open ones", id)
}

// ready reports whether the session is open already.
func (d *desk) ready() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opened != nil
}

// all returns the open sessions, the oldest first.
func (ds *desks) all() []*desk {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(ds.list), func(d *desk) bool { return !d.ready() })
}

// close ends all sessions.
func (ds *desks) close() (err error) {
	ds.mu.Lock()
	ds.closed = true
	ds.mu.Unlock()
	for _, d := range ds.all() {
		ds.remove(d)
		err = errors.Join(err, d.close())
	}
	return err
}

// patienceOf returns how long a call waits for its command: the call's seconds, or usual if it has none.
func patienceOf(seconds float64, usual time.Duration) time.Duration {
	const most = 10 * time.Minute
	if seconds <= 0 {
		return usual
	}
	return time.Duration(min(seconds, most.Seconds()) * float64(time.Second))
}
