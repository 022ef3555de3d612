package tui

import (
	"fmt"
	"slices"
	"time"

	"github.com/npdb/npdb/tui/keys"
)

// hints returns the most important keys at the moment, as many as fit. At the end of a program
// these are the keys that still work.
func (m *Model) hints(columns int) []keys.Hint {
	atPane := !m.atStart() && !m.screen.Typing && m.help == nil && m.screen.View != nil
	switch {
	case m.atStart():
		return m.startHints(columns)
	case m.busy():
		return m.runningHints(columns)
	case atPane && m.screen.View.PostMortem:
		return m.overHints(columns,
			hinted{"frames", []string{"frame-up", "frame-down"}},
			hinted{"back", []string{"step-back", "next-back"}},
			hinted{"to the end", []string{"continue"}})
	case atPane && m.screen.View.Place.End:
		return m.overHints(columns,
			hinted{"go back", []string{"step-back", "next-back"}},
			hinted{"last breakpoint", []string{"continue-back"}})
	case atPane && m.besides() && (m.shape.focus == sourcePane || m.shape.focus == localsPane):
		return m.besideHints(columns)
	case atPane && m.shape.candidates > 0 && (m.shape.focus == sourcePane || m.shape.focus == localsPane):
		return m.candidateHints(columns)
	}
	return m.screen.Keys.Hints(m.context(), columns)
}

// overHints returns the keys at a place where the program is over: some of that place, then those
// of the session.
func (m *Model) overHints(columns int, list ...hinted) []keys.Hint {
	if m.config.Session.File == "" {
		list = append(list, hinted{"restart", []string{"restart"}})
	}
	return m.hintsOf(columns, append(list,
		hinted{"command", []string{"command-line"}}, hinted{"quit", []string{"quit"}}, hinted{"help", []string{"help"}}))
}

// startHints returns the keys for the row of the start screen under the cursor.
func (m *Model) startHints(columns int) []keys.Hint {
	does, resumes := m.start.Does()
	list := []hinted{{does, []string{"open-program"}}}
	if resumes {
		list = append(list, hinted{"resume", []string{"resume-program"}})
	}
	return m.hintsOf(columns, append(list, hinted{"at a line", []string{"begin-at"}},
		hinted{"open a file", []string{"type-path"}}, hinted{"quit", []string{"quit"}}, hinted{"help", []string{"help"}}))
}

// besideHints returns the keys of the side-by-side view.
func (m *Model) besideHints(columns int) []keys.Hint {
	if m.differs {
		return m.hintsOf(columns, []hinted{
			{"open", []string{"expand"}},
			{"close", []string{"compare"}},
			{"step", []string{"step"}},
			{"next", []string{"next"}},
			{"back", []string{"step-back", "next-back"}},
			{"history", []string{"focus-history"}},
			{"command", []string{"command-line"}},
			{"quit", []string{"quit"}},
			{"help", []string{"help"}},
		})
	}
	var list []hinted
	if m.shape.focus == localsPane && !m.beside.Scored {
		list = append(list, hinted{"open", []string{"expand"}}, hinted{"set", []string{"set"}})
	}
	list = append(list,
		hinted{"step", []string{"step"}},
		hinted{"next", []string{"next"}},
		hinted{"back", []string{"step-back", "next-back"}},
		hinted{"divergence", []string{"next-divergence", "previous-divergence"}},
	)
	if m.beside.Scored {
		list = append(list, hinted{"side by side", []string{"score"}})
	} else {
		list = append(list, hinted{"close", []string{"compare"}}, hinted{"raw", []string{"raw-reply"}}, hinted{"score", []string{"score"}})
	}
	return m.hintsOf(columns, append(list,
		hinted{"continue", []string{"continue"}},
		hinted{"command", []string{"command-line"}},
		hinted{"quit", []string{"quit"}},
		hinted{"help", []string{"help"}},
	), "raw-reply", "score", "continue", "next-divergence", "set", "expand")
}

// hinted is a hint in the making: a word, and the actions whose first keys stand before it.
type hinted struct {
	word    string
	actions []string
}

// busyAfter is the time after which the screen shows that something runs.
const busyAfter = 250 * time.Millisecond

// busy reports whether the header and the hints show the running command: once it has run for
// busyAfter, was asked to stop or waits for input, or if others are queued.
func (m *Model) busy() bool {
	r := m.screen.Running
	return r != nil && (r.Asked || r.Waits || len(m.queue) > 0 || m.config.Now().Sub(r.Since) >= busyAfter)
}

// runningHints returns the keys while something runs.
func (m *Model) runningHints(columns int) []keys.Hint {
	help := hinted{"help", []string{"help"}}
	switch r := m.screen.Running; {
	case r.Waits:
		return m.hintsOf(columns, []hinted{{"type the program's input", []string{"program-input"}}, {"interrupt", []string{"cancel"}}, help})
	case r.Asked && m.engine.mortal():
		return m.hintsOf(columns, []hinted{{"end the program", []string{"cancel"}}, help})
	case r.Asked:
		return m.hintsOf(columns, []hinted{help})
	}
	stop, note := "cancel the question", "what you type is run next"
	answers := m.screen.View != nil && m.screen.View.Beside != nil && m.screen.View.Beside.Awaited
	if m.engine.mortal() && !answers {
		stop = "stop the program, again to end it"
	}
	if m.screen.View == nil || m.config.Join != nil { // only the start, or the command
		stop = "stop"
	}
	if n := len(m.queue); n > 0 {
		stop, note = stop+fmt.Sprintf(", drops %d more", n), "what you type is run then"
	}
	hints := m.hintsOf(columns, []hinted{{stop, []string{"cancel"}}, help})
	for _, h := range hints {
		columns -= m.screen.Measure.Width(h.String()) + keys.HintGap
	}
	if said := (keys.Hint{Word: note}); m.screen.Measure.Width(said.String()) <= columns {
		hints = append(hints, said)
	}
	return hints
}

// searchHints returns the keys of a search.
func (m *Model) searchHints(columns int) []keys.Hint {
	return m.hintsOf(columns, []hinted{
		{"next", []string{"search-next"}}, {"previous", []string{"search-previous"}}, {"clear", []string{"cancel"}},
	})
}

// hintsOf returns the hints of a list that fit, in its order. The last one has precedence, then the
// others in order; those whose first action is in late are omitted first.
func (m *Model) hintsOf(columns int, list []hinted, late ...string) []keys.Hint {
	columns += keys.HintGap
	hints, fit := make([]keys.Hint, len(list)), make([]bool, len(list))
	take := func(i int) {
		h := keys.Hint{Word: list[i].word}
		for _, a := range list[i].actions {
			if k := m.screen.Keys.Keys(a); len(k) > 0 {
				h.Keys = append(h.Keys, k[0])
			}
		}
		n := m.screen.Measure.Width(h.String()) + keys.HintGap
		if hints[i], fit[i] = h, len(h.Keys) > 0 && n <= columns; fit[i] {
			columns -= n
		}
	}
	last := len(list) - 1
	take(last)
	for _, turn := range []bool{false, true} {
		for i, l := range list[:last] {
			if slices.Contains(late, l.actions[0]) == turn {
				take(i)
			}
		}
	}
	var kept []keys.Hint
	for i, h := range hints {
		if fit[i] {
			kept = append(kept, h)
		}
	}
	return kept
}

// mortalWords returns the message at a post-mortem stop: the exception and the useful keys.
func (m *Model) mortalWords() string {
	what := "exception"
	if v := m.screen.View.Raised; v != "" {
		what = m.screen.Measure.Cut(v, max(m.w-40, 20))
	}
	return fmt.Sprintf("Uncaught %s; %s %s frames, %s back", what, m.screen.KeyFor("frame-up"), m.screen.KeyFor("frame-down"), m.screen.KeyFor("step-back"))
}

// Sizes of the terminal, in columns and rows: the intended one, and the least.
const (
	goodColumns, goodRows   = 60, 20
	leastColumns, leastRows = 40, 10
)

// tooSmall reports whether the screen is too small to draw npdb on.
func (m *Model) tooSmall() bool { return m.w < leastColumns || m.h < leastRows }

// sizeWords returns the message that the terminal is too small, "" if it is not.
func (m *Model) sizeWords() string {
	switch {
	case m.tooSmall():
		return fmt.Sprintf("npdb needs %d×%d, here are %d×%d", leastColumns, leastRows, m.w, m.h)
	case m.w < goodColumns || m.h < goodRows:
		return fmt.Sprintf("%d×%d is small; %d×%d shows all.", m.w, m.h, goodColumns, goodRows)
	}
	return ""
}
