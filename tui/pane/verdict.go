package pane

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/themes"
)

// Verdict returns whether a past leads to the state that it was inferred from: a glyph, a few words,
// and their style.
func (s *Screen) Verdict(v backend.Verification) (glyph, words string, style draw.Style) {
	switch {
	case v.By == 0:
		return "·", "not verified", s.Style(themes.Dim)
	case v.Verdict == backend.LeadsHere:
		return "✓", "leads here", s.Style(themes.Here)
	case v.Verdict == backend.LeadsElsewhere:
		return "✗", "leads elsewhere", s.Style(themes.Error)
	case v.Verdict == backend.CannotRun:
		return "!", "cannot run", s.Style(themes.Text)
	}
	return "?", "undecided", s.Style(themes.Text)
}

// LineText describes the place of a state: the event unless it is a line, the line's number and its
// text. The file is named if another state is in another file.
func LineText(st, other *dsl.State) string {
	text := fmt.Sprintf("%d  %s", st.Line, strings.TrimSpace(st.Source))
	if other != nil && other.File != st.File {
		text = st.File + ":" + text
	}
	switch {
	case st.Event == dsl.Return && st.Kind != dsl.NoReturn:
		text = st.Kind.String() + " " + text
	case st.Event != dsl.Line:
		text = st.Event.String() + " " + text
	}
	return text
}
