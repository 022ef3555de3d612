package tui

import (
	"errors"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/tui/chooser"
	"github.com/npdb/npdb/tui/pane"
	"github.com/npdb/npdb/tui/source"
)

// begin starts the program and shows its source meanwhile. If consent is needed, begin only asks
// for it.
func (m *Model) begin() tea.Cmd {
	if m.config.Consent != nil {
		m.askConsent()
		return source.Read(m.script())
	}
	m.screen.Running = &pane.Running{What: "starting", Since: m.config.Now()}
	return tea.Batch(m.engine.open(m.w), source.Read(m.script()), tick())
}

// script returns the path of the program, "" if it is not a file.
func (m *Model) script() string {
	o := m.config.Session.Options
	if o.Script == "" || filepath.IsAbs(o.Script) {
		return o.Script
	}
	return filepath.Join(o.Dir, o.Script)
}

// prepared starts the program that was chosen on the start screen, or shows why it cannot be
// debugged.
func (m *Model) prepared(msg chooser.Prepared) tea.Cmd {
	if msg.Err != nil {
		return m.failToStart(msg.Err)
	}
	if m.start != nil {
		m.start.Leave()
	}
	p := msg.Program
	m.config.Session, m.config.Commands, m.config.Journal, m.config.Program, m.config.Consent = p.Session, p.Commands, p.Journal, p.Name, p.Consent
	m.tour, m.config.Tour, m.config.Instead = p.Tour, p.Tour, p.Instead
	m.engine.use(m.config.Session, m.config.Commands, m.config.Journal)
	m.source.Forget()
	m.arrange() // a tour takes rows
	return m.begin()
}

// replaced clears the panes after the session of another program has replaced the last one. program is
// the name of that program, "" if there is none.
func (m *Model) replaced(program string) {
	if program != "" {
		m.config.Program, m.config.FirstRun, m.screen.View = program, false, nil
		m.source.Forget()
		m.history.Forget()
	}
}

// failToStart handles the error of a program that cannot be started. A tour continues with its second
// half. Otherwise the start screen shows the error; without a start screen npdb ends.
func (m *Model) failToStart(err error) tea.Cmd {
	switch instead := m.config.Instead; {
	case instead != nil && !errors.Is(err, errStartGivenUp):
		m.config.Instead = nil
		return func() tea.Msg {
			p, failed := instead(err)
			return chooser.Prepared{Program: p, Err: failed}
		}
	case m.start == nil:
		m.failed = err
		return tea.Quit
	}
	m.config.Program, m.tour = "", nil
	m.start.Fail(err)
	return nil
}
