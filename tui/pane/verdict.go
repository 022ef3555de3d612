package pane

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
)

// Verdict returns a glyph, a few words and a style for the verdict of a verification.
func (s *Screen) Verdict(v backend.Verification) (glyph, words string, style draw.Style) {
	words = session.VerdictWords(v)
	switch {
	case v.By == 0:
		return "·", words, s.Style(themes.Dim)
	case v.By == backend.ByModel && v.Verdict != backend.Undecided:
		return "≈", words, s.Style(themes.Text)
	case v.Verdict == backend.LeadsHere:
		return "✓", words, s.Style(themes.Here)
	case v.Verdict == backend.LeadsElsewhere:
		return "✗", words, s.Style(themes.Error)
	case v.Verdict == backend.CannotRun:
		return "!", words, s.Style(themes.Text)
	}
	return "?", words, s.Style(themes.Text)
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
