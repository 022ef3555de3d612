package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
)

// showListed lists the places of the last answer that has some in place of the history, and focuses the
// list: the hops of a value, the claims of an explanation, the hits of a logpoint, lines of output, or runs of blocks.
func (m *Model) showListed(answers []*session.Answer) tea.Cmd {
	for i := len(answers) - 1; i >= 0; i-- {
		a := answers[i]
		if a.Command == nil {
			continue
		}
		name, of, _ := strings.Cut(*a.Command, " ")
		switch {
		case len(a.Provenance) > 0:
			m.history.ShowOrigins(of, a.Provenance)
		case a.Explanation != nil && len(a.Explanation.Claims) > 0:
			m.history.ShowClaims(a.Explanation.Claims)
			m.say(themes.Notice, m.screen.KeyFor("focus-history")+" lists the claims; there Enter goes to the event of one.")
			return nil // the explanation stays visible
		case len(a.Hits) > 0:
			m.history.ShowHits(english.Plural(len(a.Hits), "hit", "")+" of "+name+" "+of, a.Hits)
		case len(a.Printed) > 0:
			m.history.ShowHits(session.PrintedHits(a.Printed, of))
		case a.Blocks != nil && !a.Blocks.Predicted:
			m.history.ShowHits(a.Blocks.Hits())
		default:
			continue
		}
		return m.focus(historyPane)
	}
	return nil
}
