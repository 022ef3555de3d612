package export

import "fmt"

// mostHits limits the hits of a logpoint in a report.
const mostHits = 200

// Marked is a state that the user gave a name.
type Marked struct {
	Name, Note string
	State      int    // its number in the history
	Event      int    // in the recording, -1 for a predicted state
	Place      string // "prog.py:14 in f"
	Source     string // the text of the line
	Detail     string // what is new there
}

// Logged is a logpoint with its hits.
type Logged struct {
	Title string
	Hits  []LoggedHit
	More  bool // there are others
}

// LoggedHit is what a logpoint printed at an event.
type LoggedHit struct {
	Event int
	Text  string
}

// findings writes the marks and the logpoints.
func (r *Report) findings(line func(string, ...any)) {
	if len(r.Marks) > 0 {
		line("\n## Marks")
	}
	for _, m := range r.Marks {
		line("\n### %s\n", r.plain(m.Name))
		if m.Note != "" {
			line("%s\n", r.plain(m.Note))
		}
		at := fmt.Sprintf("state #%d", m.State)
		if m.Event >= 0 {
			at += fmt.Sprintf(", event %d", m.Event)
		}
		line("- at: %s (%s)", r.code(m.Place), at)
		if m.Source != "" {
			line("- line: %s", r.code(m.Source))
		}
		if m.Detail != "" {
			line("- new: %s", r.code(m.Detail))
		}
	}
	if len(r.Logs) > 0 {
		line("\n## Logpoints")
	}
	for _, l := range r.Logs {
		line("\n### %s\n", r.plain(l.Title))
		if len(l.Hits) == 0 {
			line("No event of the line is recorded.")
			continue
		}
		line("| event | printed |\n|---|---|")
		for _, h := range l.Hits[:min(len(l.Hits), mostHits)] {
			line("| %d | %s |", h.Event, r.code(h.Text))
		}
		switch more := len(l.Hits) - mostHits; {
		case l.More:
			line("\nFurther hits are left out.")
		case more > 0:
			line("\n%d more hits are left out.", more)
		}
	}
}
