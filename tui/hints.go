package tui

import (
	"fmt"

	"github.com/npdb/npdb/tui/keys"
)

// hints are the keys that matter here, as many as fit. Where a program has ended
// or is about to, they are those that lead on from there.
func (m *Model) hints(columns int) []keys.Hint {
	atPane := !m.atStart() && !m.line.open && m.help == nil && m.view != nil && m.running == nil
	switch {
	case atPane && m.view.PostMortem:
		return m.hintsOf(columns, []hinted{
			{"frames", []string{"frame-up", "frame-down"}},
			{"back", []string{"step-back", "next-back"}},
			{"to the end", []string{"continue"}},
			{"restart", []string{"restart"}},
			{"command", []string{"command-line"}},
			{"quit", []string{"quit"}},
			{"help", []string{"help"}},
		})
	case atPane && m.view.Place.End:
		return m.hintsOf(columns, []hinted{
			{"go back", []string{"step-back", "next-back"}},
			{"last breakpoint", []string{"continue-back"}},
			{"restart", []string{"restart"}},
			{"command", []string{"command-line"}},
			{"quit", []string{"quit"}},
			{"help", []string{"help"}},
		})
	}
	return m.config.Keys.Hints(m.context(), columns)
}

// hinted is a word for what some actions do.
type hinted struct {
	word    string
	actions []string
}

func (m *Model) hintsOf(columns int, list []hinted) []keys.Hint {
	var hints []keys.Hint
	for _, l := range list {
		h := keys.Hint{Word: l.word}
		for _, a := range l.actions {
			if k := m.config.Keys.Keys(a); len(k) > 0 {
				h.Keys = append(h.Keys, k[0])
			}
		}
		n := m.measure.Width(h.String()) + keys.HintGap
		if len(h.Keys) == 0 || n > columns+keys.HintGap {
			continue
		}
		columns -= n
		hints = append(hints, h)
	}
	return hints
}

// mortalWords say where a post-mortem stop is and what can be done there.
func (m *Model) mortalWords() string {
	what := "exception"
	if v := m.view.State.Value; v != nil {
		what = m.measure.Cut(*v, max(m.w-45, 20))
	}
	return fmt.Sprintf("Uncaught %s: %s %s walk the frames, %s goes back", what, m.keyFor("frame-up"), m.keyFor("frame-down"), m.keyFor("step-back"))
}

// Sizes of the terminal, in columns and rows: what npdb is made for, and what it
// needs.
const (
	goodColumns, goodRows   = 60, 20
	leastColumns, leastRows = 40, 10
)

// tooSmall reports whether the screen is too small to draw npdb on.
func (m *Model) tooSmall() bool { return m.w < leastColumns || m.h < leastRows }

// sizeWords say that the terminal is too small, "" if it is not.
func (m *Model) sizeWords() string {
	switch {
	case m.tooSmall():
		return fmt.Sprintf("npdb needs %d×%d, here are %d×%d", leastColumns, leastRows, m.w, m.h)
	case m.w < goodColumns || m.h < goodRows:
		return fmt.Sprintf("%d×%d is little room: from %d×%d on npdb shows all.", m.w, m.h, goodColumns, goodRows)
	}
	return ""
}
