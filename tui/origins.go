package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/session"
)

// showOrigins lists the hops of the last answer that has some in place of the history, and focuses
// the list.
func (m *Model) showOrigins(answers []*session.Answer) tea.Cmd {
	for i := len(answers) - 1; i >= 0; i-- {
		a := answers[i]
		if len(a.Provenance) == 0 || a.Command == nil {
			continue
		}
		_, of, _ := strings.Cut(*a.Command, " ")
		m.history.ShowOrigins(of, a.Provenance)
		return m.focus(historyPane)
	}
	return nil
}
