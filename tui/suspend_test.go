package tui

import (
	"bytes"
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspending is a model that is suspended at once, resumed at once, and then draws until
// its output was seen.
type suspending struct {
	ctx   context.Context
	drawn bool
}

type drawnMsg struct{}

func (m suspending) Init() tea.Cmd {
	atOnce := func(context.Context) error { return nil }
	return tea.Exec(suspension{m.ctx, atOnce}, func(err error) tea.Msg { return suspendedMsg{err} })
}

func (m suspending) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case suspendedMsg:
		m.drawn = true
	case drawnMsg:
		return m, tea.Quit
	}
	return m, nil
}

func (m suspending) View() tea.View {
	if m.drawn {
		return tea.NewView("it goes on")
	}
	return tea.NewView("it runs")
}

// seen is a terminal that reports the first output after the suspension.
type seen struct {
	all  bytes.Buffer
	tell func()
}

func (s *seen) Write(p []byte) (int, error) {
	n, err := s.all.Write(p)
	if bytes.Contains(s.all.Bytes(), []byte("goes on")) {
		s.tell()
	}
	return n, err
}

// TestDrawnAfterSuspension checks that npdb is drawn however soon it resumes. The renderer
// that was asked to end does not do it.
func TestDrawnAfterSuspension(t *testing.T) {
	t.Parallel()
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		out := &seen{}
		p := tea.NewProgram(suspending{ctx: ctx}, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(out), tea.WithWindowSize(80, 24), tea.WithoutSignalHandler())
		out.tell = func() { go p.Send(drawnMsg{}) }
		_, err := p.Run()
		cancel()
		if err != nil {
			t.Fatal("after the suspension nothing was drawn: ", err)
		}
	}
}
