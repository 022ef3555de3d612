// Package shared lets several users take turns in one session: agents, and a person on a screen.
package shared

import (
	"context"
	"errors"
	"sync"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
)

// Session is a session that several users share. Only one user can use the session at a time. Several
// goroutines may call its methods.
type Session struct {
	turn chan struct{} // holds a value while nobody uses the session
	ends chan struct{} // closed when the session ends

	mu    sync.Mutex
	debug *command.Interpreter // nil until Open
	guest *Guest               // nil if nobody has joined
	did   []string             // commands that guests have run since the last call of Did
	ended bool
}

// Guest is a person who has joined a session. The session calls Guest's functions while somebody uses the
// session, except Ended, which End calls at any time.
type Guest struct {
	// Calls holds the functions that receive the progress of running commands and ask for the program's
	// input. Of its fields only Progress, Landed, Input and Interrupted are used.
	Calls session.Config
	// Began receives each command of another user when the command begins.
	Began func(words string)
	// Done receives the answers of each command of another user.
	Done func(answers []*session.Answer)
	// Ended is called when the session ends.
	Ended func()
	// Alone excludes the other users until the guest leaves. Callers of Use must check Kept.
	Alone bool
}

// ErrEnded reports that a session has ended.
var ErrEnded = errors.New("this session has ended")

// ErrJoined reports that another guest has joined the session.
var ErrJoined = errors.New("another person has joined this session already: only one person can join a session")

// ErrKept reports that a guest has taken the session over.
var ErrKept = errors.New("a person has taken this session over")

// New returns a session that users can use after Open.
func New() *Session {
	return &Session{turn: make(chan struct{}, 1), ends: make(chan struct{})}
}

// Connect sets the functions in c so that the session that c opens calls the functions of the guest.
func (s *Session) Connect(c *session.Config) {
	c.Progress = func(u backend.Update) {
		if g := s.joined(); g != nil {
			g.Calls.Progress(u)
		}
	}
	c.Landed = func(v *session.View) {
		if g := s.joined(); g != nil {
			g.Calls.Landed(v)
		}
	}
	c.Input = func(ctx context.Context, a *session.Answer) session.InputLine {
		if g := s.joined(); g != nil {
			return g.Calls.Input(ctx, a)
		}
		return session.InputLine{EOF: true}
	}
	c.Interrupted = func() bool {
		g := s.joined()
		return g != nil && g.Calls.Interrupted()
	}
}

func (s *Session) joined() *Guest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.guest
}

// Open allows users to use the session. i runs their commands.
func (s *Session) Open(i *command.Interpreter) {
	s.mu.Lock()
	s.debug = i
	s.mu.Unlock()
	s.turn <- struct{}{}
}

// Use waits until nobody else uses the session, and then runs f. by is the guest who calls Use, or nil for
// another user. words describes the command to the other users. If words is "", the command changes nothing
// and the other users are not notified. If the session has ended, or ctx ends before f has begun, Use
// returns an error and does not run f.
func (s *Session) Use(ctx context.Context, by *Guest, words string, f func(i *command.Interpreter) []*session.Answer) ([]*session.Answer, error) {
	select {
	case <-s.turn:
	case <-s.ends:
		return nil, ErrEnded
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { s.turn <- struct{}{} }()
	if ctx.Err() != nil { // if both channels are ready, select chooses at random
		return nil, ctx.Err()
	}
	i, other, err := s.begin(by, words)
	if err != nil {
		return nil, err
	}
	if other != nil {
		other.Began(words)
	}
	answers := f(i)
	// A guest who joined while f ran has seen the state before f, or no state.
	if g := s.joined(); words != "" && g != nil && g != by {
		g.Done(answers)
	}
	return answers, nil
}

// begin records a guest's command for Did. It returns the guest to notify of another user's command, or nil.
func (s *Session) begin(by *Guest, words string) (*command.Interpreter, *Guest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
		return nil, nil, ErrEnded
	case by == nil && s.guest != nil && s.guest.Alone: // the guest may have joined meanwhile
		return nil, nil, ErrKept
	case words == "":
		return s.debug, nil, nil
	case by != nil:
		const most = 100
		if s.did = append(s.did, words); len(s.did) > most {
			s.did = s.did[1:]
		}
		return s.debug, nil, nil
	}
	return s.debug, s.guest, nil
}

// Join adds a guest. The guest must call leave to leave the session.
func (s *Session) Join(g *Guest) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
		return nil, ErrEnded
	case s.guest != nil:
		return nil, ErrJoined
	}
	s.guest = g
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.guest = nil
	}, nil
}

// Joined reports whether the session has a guest.
func (s *Session) Joined() bool { return s.joined() != nil }

// Interpreter returns the session's interpreter, for methods that may be called while a command runs.
func (s *Session) Interpreter() *command.Interpreter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.debug
}

// Did returns the commands that guests have run since the last call, at most the latest 100.
func (s *Session) Did() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	did := s.did
	s.did = nil
	return did
}

// End ends the session: from then on Use returns ErrEnded. A running command continues. If the session has
// already ended, End does nothing.
func (s *Session) End() {
	s.mu.Lock()
	g, before := s.guest, s.ended
	s.ended = true
	s.mu.Unlock()
	if before {
		return
	}
	close(s.ends)
	if g != nil {
		g.Ended()
	}
}

// Wait waits until nobody uses the session.
func (s *Session) Wait() {
	<-s.turn
	s.turn <- struct{}{}
}
