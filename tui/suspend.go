package tui

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"
)

// suspension stops npdb as a job of the shell's, which has the terminal meanwhile.
type suspension struct{ ctx context.Context }

var _ tea.ExecCommand = suspension{}

// SetStdin is for commands that read.
func (suspension) SetStdin(io.Reader) {}

// SetStdout is for commands that write.
func (suspension) SetStdout(io.Writer) {}

// SetStderr is for commands that write errors.
func (suspension) SetStderr(io.Writer) {}

// suspendedMsg says that npdb goes on.
type suspendedMsg struct{ err error }

// suspend stops npdb, or says why it cannot. Then the terminal is not let go at all:
// Bubble Tea, let go and taken back within a moment, may stay on the main screen.
func (m *Model) suspend() tea.Cmd {
	if err := stoppable(); err != nil {
		m.complain(err)
		return nil
	}
	return tea.Exec(suspension{m.engine.ctx}, func(err error) tea.Msg { return suspendedMsg{err} })
}

// resumed draws the screen anew: the shell has written over it.
func (m *Model) resumed(msg suspendedMsg) tea.Cmd {
	m.complain(msg.err)
	return tea.ClearScreen
}
