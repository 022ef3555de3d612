package tui

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspension stops npdb as a job of the shell's, which has the terminal meanwhile.
type suspension struct {
	ctx  context.Context
	stop func(context.Context) error // until the terminal is npdb's again
}

var _ tea.ExecCommand = suspension{}

// SetStdin does nothing: it is for commands that read.
func (suspension) SetStdin(io.Reader) {}

// SetStdout does nothing: it is for commands that write.
func (suspension) SetStdout(io.Writer) {}

// SetStderr does nothing: it is for commands that write errors.
func (suspension) SetStderr(io.Writer) {}

// suspendedMsg says that npdb goes on.
type suspendedMsg struct{ err error }

// rendererEnds is how long Bubble Tea's renderer, told to, may take to end. It stops
// its ticker after it was waited for (v2.0.9, startRenderer): late, that is the ticker
// of the renderer that is started when npdb goes on, and nothing is drawn any more.
const rendererEnds = 20 * time.Millisecond

// Run stops npdb once nothing draws.
func (s suspension) Run() error {
	select {
	case <-time.After(rendererEnds):
	case <-s.ctx.Done():
	}
	return s.stop(s.ctx)
}

// suspend stops npdb, or says why it cannot. Then the terminal is not let go at all:
// Bubble Tea, let go and taken back within a moment, may stay on the main screen.
func (m *Model) suspend() tea.Cmd {
	if err := stoppable(); err != nil {
		m.complain(err)
		return nil
	}
	return tea.Exec(suspension{m.engine.ctx, stopJob}, func(err error) tea.Msg { return suspendedMsg{err} })
}

// resumed draws the screen anew: the shell has written over it.
func (m *Model) resumed(msg suspendedMsg) tea.Cmd {
	m.complain(msg.err)
	return tea.ClearScreen
}
