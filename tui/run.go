package tui

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/tui/keys"
)

// Run shows the screen until the user quits. Its error says why the session could not be opened.
// options are for tests.
func Run(ctx context.Context, c Config, options ...tea.ProgramOption) (*Summary, error) {
	m, err := New(ctx, c)
	if err != nil {
		return nil, err
	}
	// Signals are handled by the caller; Ctrl-C is a key here.
	p := tea.NewProgram(m, append([]tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFilter(filter)}, options...)...)
	m.engine.send = p.Send
	if c.Join != nil {
		go c.Join.forward(m.engine.ctx, p.Send)
	}
	_, err = p.Run()
	err = errors.Join(err, m.engine.close())
	m.line.Save() // the command that saves it may not have run
	if m.failed != nil {
		return nil, m.failed
	}
	if errors.Is(err, context.Canceled) {
		err = nil // a signal ended npdb; the caller handles signals and reports it
	}
	return m.summary(), err
}

// mostCells limits the columns and rows that npdb draws: a larger terminal would take seconds for
// each key.
const mostCells = 1000

// bounded limits a terminal's size to what npdb draws.
func bounded(size tea.WindowSizeMsg) tea.WindowSizeMsg {
	return tea.WindowSizeMsg{Width: min(size.Width, mostCells), Height: min(size.Height, mostCells)}
}

// filter keeps Bubble Tea's renderer within the size that npdb draws.
func filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		return bounded(size)
	}
	return msg
}

// Summary is the result of a session.
type Summary struct {
	Program string
	Shown   int // number of states
	Events  int // number of recorded events; 0 in neural mode
	Place   string
	File    string // the recording file that was shown, "" if the program was run
	Foreign bool   // npdb did not start the program, so that it cannot be resumed
	// Score describes a model's accuracy in a line or two; "" if nothing was compared.
	Score string
	// Bill describes the cost of the models' answers in a few lines; "" if there were none.
	Bill string
	// TourSteps counts the steps of the tour, 0 without a tour. TourMade counts those that were made.
	TourSteps, TourMade int
}

func (m *Model) summary() *Summary {
	if m.screen.View == nil {
		return &Summary{}
	}
	s := &Summary{Program: m.config.Program, Shown: len(m.screen.View.History), Place: m.where(0), File: m.config.Session.File, Foreign: m.config.Session.Attached}
	if m.screen.View.Place.End {
		s.Place = "the end"
	}
	if m.screen.View.Mode != session.Predicted {
		s.Events = m.screen.View.Place.Events
	}
	if b := m.screen.View.Beside; b != nil && b.Score.Moves() > 0 {
		s.Score = m.modelName()
		if other := m.screen.View.Against; other != "" {
			s.Score += " beside " + other
		}
		s.Score += ": " + b.Score.Summary()
		if b.First != "" {
			s.Score += "\n" + b.First
		}
	}
	if t := m.config.Tour; t != nil { // it may be closed
		s.TourSteps, s.TourMade = t.Steps(), t.Made
	}
	s.Bill = strings.Join(m.screen.View.Bill, "\n")
	return s
}

// The size of a picture of the screen, in columns and rows.
const (
	pictureColumns = 110
	pictureRows    = 32
)

// picture returns a function that draws a session's view as text, for reports. It draws with a
// model of its own; bound returns the key bindings.
func picture(c Config, bound func() *keys.Map) func(*session.View) string {
	c.Session = session.Config{Options: c.Session.Options}
	c.Start, c.Join, c.Tour = nil, nil, nil
	return func(v *session.View) string {
		c := c
		c.Keys = bound()
		m, err := New(context.Background(), c)
		if err != nil {
			return "" // the screen itself could not be shown then
		}
		m.w, m.h, m.screen.View = pictureColumns, pictureRows, v
		m.showStop() // its command, which colors the source, is not run
		rows := strings.Split(ansi.Strip(m.View().Content), "\n")
		for i := range rows {
			rows[i] = strings.TrimRight(rows[i], " ")
		}
		return strings.Join(rows, "\n")
	}
}

// tickMsg turns the spinner.
type tickMsg struct{}

const spinEvery = 120 * time.Millisecond

func tick() tea.Cmd {
	return tea.Tick(spinEvery, func(time.Time) tea.Msg { return tickMsg{} })
}
