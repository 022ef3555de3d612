package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
)

// Run shows the screen until the user quits. What the program's session could not
// be opened for is its error. options are for tests.
func Run(ctx context.Context, c Config, options ...tea.ProgramOption) (*Summary, error) {
	m, err := New(ctx, c)
	if err != nil {
		return nil, err
	}
	// Signals are the caller's; Ctrl-C is a key here.
	p := tea.NewProgram(m, append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}, options...)...)
	m.engine.send = p.Send
	_, err = p.Run()
	err = errors.Join(err, m.engine.close())
	m.line.file.save() // what the last command could not any more
	if m.failed != nil {
		return nil, m.failed
	}
	if errors.Is(err, context.Canceled) {
		err = nil // a signal ends npdb, and is told by who took it
	}
	return m.summary(), err
}

// Summary is what a session came to.
type Summary struct {
	Program string
	Shown   int // states
	Events  int // recorded; 0 in neural mode
	Place   string
	// Score says how a model did beside CPython, in a line or two; "" where nothing
	// was compared.
	Score string
}

func (m *Model) summary() *Summary {
	if m.view == nil {
		return &Summary{}
	}
	s := &Summary{Program: m.config.Program, Shown: len(m.view.History), Place: m.where(0)}
	if m.view.Place.End {
		s.Place = "the end"
	}
	if m.view.Mode != session.Predicted {
		s.Events = m.view.Place.Events
	}
	if b := m.view.Beside; b != nil && b.Score.Moves() > 0 {
		s.Score = m.modelName() + ": " + b.Score.Summary()
		if b.First != "" {
			s.Score += "\n" + b.First
		}
	}
	return s
}
