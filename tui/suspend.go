package tui

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspension stops npdb as a job of the shell.
type suspension struct {
	ctx  context.Context
	stop func(context.Context) error // returns when the terminal is npdb's again
}

var _ tea.ExecCommand = suspension{}

// SetStdin does nothing: it is for commands that read.
func (suspension) SetStdin(io.Reader) {}

// SetStdout does nothing: it is for commands that write.
func (suspension) SetStdout(io.Writer) {}

// SetStderr does nothing: it is for commands that write errors.
func (suspension) SetStderr(io.Writer) {}

// suspendedMsg reports that npdb continues.
type suspendedMsg struct{ err error }

// rendererEnds is the time that Bubble Tea's renderer gets to end. Bubble Tea waits for the
// renderer, but the renderer stops its ticker only after that (v2.0.9, startRenderer). If this is
// late, it stops the ticker of the renderer that starts when npdb continues, and nothing is drawn
// any more.
const rendererEnds = 20 * time.Millisecond

// Run stops npdb after the renderer has ended.
func (s suspension) Run() error {
	select {
	case <-time.After(rendererEnds):
	case <-s.ctx.Done():
	}
	return s.stop(s.ctx)
}

// errElsewhere refuses to suspend npdb on the screen of a joined session. The process that draws
// this screen is the agent's npdb mcp, which must not stop.
var errElsewhere = errors.New("this cannot be done in a session of others, because their npdb draws this screen: quit, and join again later")

// suspend stops npdb, or says why it cannot. In that case the terminal is not released at all:
// Bubble Tea may stay on the main screen if it is released and restored at once.
func (m *Model) suspend() tea.Cmd {
	err := stoppable()
	if m.config.Join != nil {
		err = errElsewhere
	}
	if err != nil {
		m.complain(err)
		return nil
	}
	return tea.Exec(suspension{m.engine.ctx, stopJob}, func(err error) tea.Msg { return suspendedMsg{err} })
}

// resumed redraws the screen, over which the shell has written.
func (m *Model) resumed(msg suspendedMsg) tea.Cmd {
	m.complain(msg.err)
	return tea.ClearScreen
}
