package tui

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/shared"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// Join describes another user's session that the screen joins. The session continues after the screen exits.
type Join struct {
	Session *shared.Session
	// Alone excludes the other users while the screen has joined.
	Alone bool
	// Who is the name of the other users on the screen, such as "agent".
	Who string
	// Sizes receives the sizes of the terminal if the terminal is not this process's own; otherwise it is nil.
	Sizes <-chan tea.WindowSizeMsg
}

// forward sends the sizes of the terminal to the screen until the screen exits.
func (j *Join) forward(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case size := <-j.Sizes:
			send(size)
		case <-ctx.Done():
			return
		}
	}
}

// guest connects the engine to a shared session that the screen has joined.
type guest struct {
	shared.Guest
	of      *shared.Session
	who     string
	left    func()       // leaves the session; nil before the screen has joined
	columns atomic.Int32 // width of the last timeline
}

// beganMsg reports that another user's command begins.
type beganMsg struct{ words string }

// endedMsg reports that another user has ended the session.
type endedMsg struct{}

func (e *engine) newGuest(j *Join) *guest {
	g := &guest{of: j.Session, who: j.Who}
	e.connect(&g.Calls)
	g.Alone = j.Alone
	g.Began = func(words string) { e.send(beganMsg{g.who + ": " + words}) }
	g.Done = func(answers []*session.Answer) {
		msg := e.stopped(answers, int(g.columns.Load()))
		msg.others = true
		e.send(msg)
	}
	g.Ended = func() { e.send(endedMsg{}) }
	return g
}

// join joins the session and shows its current state.
func (e *engine) join(columns int) tea.Cmd {
	return func() tea.Msg {
		e.turn.Lock()
		e.session.Store(e.shared.of.Interpreter()) // must precede Join: after it, other users' commands call the guest
		left, err := e.shared.of.Join(&e.shared.Guest)
		e.shared.left = left
		e.turn.Unlock()
		if err != nil {
			return failedMsg{err}
		}
		return e.work("", func() tea.Msg {
			so := &session.Answer{Chunks: e.session.Load().Printed()}
			return e.stopped([]*session.Answer{so}, columns)
		})()
	}
}

// use waits until nobody else uses the session, runs f, and returns f's message.
func (g *guest) use(ctx context.Context, words string, f func() tea.Msg) (msg tea.Msg) {
	// The error is not needed: endedMsg reports the end of the session, and if ctx has ended, so has the screen.
	_, _ = g.of.Use(ctx, &g.Guest, words, func(*command.Interpreter) []*session.Answer {
		msg = f()
		return nil
	})
	return msg
}

// leave interrupts the screen's own command and leaves the session. A session ignores an interrupt that
// comes before the command has begun, so leave repeats the interrupt.
func (e *engine) leave() {
	e.giveUp()
	e.cancel() // ends a command that waits for another user's command or for the program's input
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for !e.turn.TryLock() {
		if s := e.session.Load(); s != nil {
			s.Interrupt()
		}
		<-again.C
	}
	defer e.turn.Unlock()
	e.closed = true
	if e.shared.left != nil {
		e.shared.left()
	}
}

// othersBegan shows another user's command that has begun. If a command of the screen waits for it, the screen
// still shows its own command as the running one.
func (m *Model) othersBegan(msg beganMsg) tea.Cmd {
	m.output.Say(themes.Notice, msg.words)
	if m.screen.Running != nil {
		return nil
	}
	m.screen.Running = &pane.Running{What: msg.words, Since: m.config.Now(), Others: true}
	return tick()
}

// othersEnded exits the screen after another user has ended the session.
func (m *Model) othersEnded() tea.Cmd {
	m.failed = shared.ErrEnded
	return tea.Quit
}
