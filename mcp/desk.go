package mcp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/shared"
)

// desk holds a session and runs its commands one at a time.
type desk struct {
	id      string
	program string // the program's short name, such as bank.py
	runs    string // the command line of the program, "" if nothing runs
	opened  *Opened
	shared  *shared.Session

	mu         sync.Mutex
	current    *job // the last command; nil before the first
	taken      bool // the result of current was returned
	closed     bool
	hypotheses int // number of calls with a hypothesis
}

// job is a command that runs or has run.
type job struct {
	words  string
	giveUp context.CancelFunc // stops waiting for a person's command to end
	began  atomic.Bool
	done   chan struct{}

	// Valid once done is closed.
	answers []*session.Answer
	event   int   // number of the event at which the command ended, -1 for none
	err     error // why the command did not begin
}

// busyError reports that an earlier command of the session is still running.
type busyError struct{ id, words string }

func (e *busyError) Error() string {
	return fmt.Sprintf("%s is still running %q: call move with action wait to wait for it, or with action interrupt to stop it", e.id, e.words)
}

// keptError reports that a person has taken a session over.
type keptError struct{ id string }

func (e *keptError) Error() string {
	return "a person has taken " + e.id + " over: ask the person to leave it, or open the program again with sessions, op open"
}

// endedError reports that a session has ended.
type endedError struct{ id string }

func (e *endedError) Error() string {
	return e.id + " has ended: call sessions with op list for the open ones, or diagnose to open a program"
}

// run starts a command of the session and waits for its answers, at most for patience. If the command
// takes longer, finished is false and the command goes on; goOn then waits for it. words names the command
// in messages. If ctx ends during the wait, the command is interrupted.
func (d *desk) run(ctx context.Context, words string, patience time.Duration, f func(ctx context.Context, i *command.Interpreter) []*session.Answer) (_ *job, finished bool, err error) {
	d.mu.Lock()
	switch {
	case d.closed:
		d.mu.Unlock()
		return nil, false, &endedError{d.id}
	case d.current != nil && !d.current.over():
		d.mu.Unlock()
		return nil, false, &busyError{d.id, d.current.words}
	}
	// The command may outlive the call, so it does not end with ctx.
	ctxOf := context.WithoutCancel(ctx)
	waits, giveUp := context.WithCancel(ctxOf)
	j := &job{words: words, giveUp: giveUp, done: make(chan struct{})}
	d.current, d.taken = j, false
	d.mu.Unlock()
	go func() {
		defer close(j.done)
		defer giveUp()
		j.answers, j.err = d.shared.Use(waits, nil, words, func(i *command.Interpreter) []*session.Answer {
			j.began.Store(true)
			answers := f(ctxOf, i)
			j.event = i.Event()
			return answers
		})
	}()
	return d.wait(ctx, j, patience)
}

// wait waits for a command as run does. If ctx ends, it interrupts the command.
func (d *desk) wait(ctx context.Context, j *job, patience time.Duration) (_ *job, finished bool, err error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-j.done:
	case <-late.C:
		return nil, false, nil
	case <-ctx.Done():
		d.interrupt(j)
		return nil, true, ctx.Err()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken = true
	return j, true, nil
}

// interrupt stops a command and waits for its end. A session forgets an interrupt that comes before its
// command has begun, so interrupt repeats it. If the command waits for a person's command, interrupt prevents
// its start.
func (d *desk) interrupt(j *job) {
	j.giveUp()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for !j.over() {
		if j.began.Load() {
			d.opened.Session.Interrupt()
		}
		select {
		case <-j.done:
		case <-again.C:
		}
	}
}

// goOn waits for the command that an earlier call started. stop interrupts it first.
func (d *desk) goOn(ctx context.Context, stop bool, patience time.Duration) (_ *job, finished bool, err error) {
	d.mu.Lock()
	j, taken, closed := d.current, d.taken, d.closed
	d.mu.Unlock()
	switch {
	case closed:
		return nil, false, &endedError{d.id}
	case j == nil || taken:
		return nil, false, fmt.Errorf("%s: nothing is running: call move with another action", d.id)
	}
	if stop {
		d.interrupt(j)
	}
	return d.wait(ctx, j, patience)
}

func (j *job) over() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// progress describes a command that still runs.
func (d *desk) progress() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.current.began.Load() {
		return fmt.Sprintf("%q waits until the command of the person who joined %s has ended: call move with action wait, or with action interrupt", d.current.words, d.id)
	}
	events := 0
	if r := d.opened.Session.Recording(); r != nil {
		events = r.Tree().Len()
	}
	return fmt.Sprintf("%q is still running, with %d events recorded so far: call move with action wait, or with action interrupt", d.current.words, events)
}

// close kills the program, waits for the running command and ends the session.
func (d *desk) close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil
	}
	d.closed = true
	d.mu.Unlock()
	d.shared.End()
	d.opened.Session.Kill()
	idle := make(chan struct{})
	go func() {
		d.shared.Wait()
		close(idle)
	}()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-idle:
			return d.opened.Close()
		case <-again.C: // Kill does not end a running prediction
			d.opened.Session.Interrupt()
		}
	}
}
