// Package tour plays the first minutes with npdb on the screen. A panel asks for one move after
// another, with the user's own keys, and says what happened.
//
// The panel knows nothing of keys: a step is over when the session shows what the step asked for, by
// whatever key or command, and what the panel reports is read from the session.
package tour

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// Tour is a tour that is being played.
type Tour struct {
	steps  []step
	report string // the traceback with which the second half begins
	ends   string // what the end says besides, "" for nothing
	at     int    // index of the current step, len(steps) at the end
	began  moment // when it began
	now    moment // the present one
	told   string // what happened before
	helped bool   // npdb was asked to make the move of the current step
	Made   int    // number of steps whose moves were made
}

// moment is what the session shows after a command, and the answers to that.
type moment struct {
	view    *session.View
	answers []*session.Answer
}

// stop is what a step judges: the moment at which it began, and the present one.
type stop struct{ began, now moment }

// step is a move that the tour asks for.
type step struct {
	title string
	// ask says what to do and why. {NAME} stands for the key of an action.
	ask string
	// done reports whether the session shows what was asked for, and told says what it shows.
	done func(s stop) bool
	told func(s stop) string
	// lines are the commands that make the move, "" if nothing can.
	lines func(t *Tour) string
	// predicts reports that the step needs a model.
	predicts bool
}

// New returns a tour that begins with the recorded program. path is the program's. Without a model
// the steps that need one are left out.
func New(path string, model bool) *Tour {
	t := &Tour{report: Report(path), steps: script}
	if !model {
		t.steps, t.ends = nil, "This build of npdb carries no model: the steps that need one were left out. "
		for _, s := range script {
			if !s.predicts {
				t.steps = append(t.steps, s)
			}
		}
	}
	return t
}

// Inferred returns a tour of the second half alone: nothing is run. why says why the program was not.
func Inferred(path, why string) *Tour {
	t := New(path, true)
	begins := slices.IndexFunc(t.steps, func(s step) bool { return s.title == secondHalf })
	t.steps = t.steps[begins+1:] // without the step that opens the traceback
	t.told = "Python did not start, so nothing is recorded: " + strings.TrimRight(why, ".") + "."
	t.ends = "The first half runs Python: npdb doctor shows what is missing. "
	return t
}

// Steps returns the number of steps.
func (t *Tour) Steps() int { return len(t.steps) }

// See judges what the session shows after a command.
func (t *Tour) See(v *session.View, answers []*session.Answer) {
	now := moment{v, answers}
	if t.began.view == nil {
		t.began = moment{view: v}
	}
	for t.at < len(t.steps) {
		step, s := &t.steps[t.at], stop{t.began, now}
		if !step.done(s) {
			break
		}
		if said := step.told(s); said != "" {
			t.told = said
		}
		t.at, t.began, t.helped = t.at+1, now, false
		t.Made++
		now.answers = nil // they were for that step
	}
	t.now = now
	if t.helped && len(now.answers) > 0 {
		t.told = "npdb made the move, and it did not lead there. {tour-next} passes over this step."
	}
}

// Next returns the commands that make the move of the current step. If they were given already, or if
// there are none, it passes over the step and returns "".
func (t *Tour) Next() (lines string) {
	if t.at == len(t.steps) {
		return ""
	}
	if !t.helped {
		lines = t.steps[t.at].lines(t)
	}
	if t.helped = lines != ""; !t.helped {
		t.at, t.told, t.began = t.at+1, "", t.now
	}
	return lines
}

// named matches the name of an action in a text.
var named = regexp.MustCompile(`\{[a-z-]+\}`)

// text returns the contents of the panel in some columns.
func (t *Tour) text(s *pane.Screen, columns int) string {
	var ask string
	if t.at < len(t.steps) {
		ask = t.steps[t.at].ask
	} else {
		ask = t.ends + atEnd
	}
	keyed := func(text string) string {
		return named.ReplaceAllStringFunc(text, func(name string) string {
			return s.Lip(themes.HintKey).Render(s.KeyFor(name[1 : len(name)-1]))
		})
	}
	var parts []string
	if t.told != "" {
		parts = append(parts, s.Lip(themes.Notice).Width(columns).Render(keyed(escape.Line(t.told))))
	}
	parts = append(parts, lipgloss.NewStyle().Width(columns).Render(keyed(ask)))
	return lipgloss.JoinVertical(lipgloss.Left, parts...)
}

// Rows the panel has at least, and the share of the screen that it has at most.
const (
	leastRows = 4
	mostShare = 3 // a third
)

// Rows returns how many rows of a screen the panel takes.
func (t *Tour) Rows(s *pane.Screen, columns, rows int) int {
	return min(max(1+lipgloss.Height(t.text(s, columns-2)), leastRows), rows/mostShare)
}

// Draw draws the panel.
func (t *Tour) Draw(a *draw.Area, s *pane.Screen) {
	w, h := a.Size()
	rule := s.Style(themes.Rule)
	a.Fill(draw.Rect{W: w, H: 1}, "─", rule)
	title, hints := t.title(s, true), t.hints(s)
	n := s.Measure.SpansWidth(hints) + 1
	if s.Measure.SpansWidth(title)+n > w {
		title = t.title(s, false) // the keys are worth more than the name of the step
	}
	if x := a.Spans(0, 0, title, 0); x+n <= w {
		a.Spans(w-n, 0, hints, 0)
	}
	a.Sub(draw.Rect{X: 1, Y: 1, W: w - 2, H: h - 1}).Styled(t.text(s, w-2))
}

// title returns the beginning of the first row, with or without the name of the step.
func (t *Tour) title(s *pane.Screen, named bool) []draw.Span {
	more := "the end"
	if t.at < len(t.steps) {
		more = fmt.Sprintf("%d of %d", t.at+1, len(t.steps))
		if named {
			more += ": " + t.steps[t.at].title
		}
	}
	return []draw.Span{{Text: " tour", Style: s.Style(themes.Title)}, {Text: " " + more + " ", Style: s.Style(themes.Dim)}}
}

// hints returns the end of the first row: the keys of the panel.
func (t *Tour) hints(s *pane.Screen) (hints []draw.Span) {
	hint := func(action, word string) {
		hints = append(hints, draw.Span{Text: " " + s.KeyFor(action), Style: s.Style(themes.HintKey)}, draw.Span{Text: " " + word + " ", Style: s.Style(themes.Dim)})
	}
	switch {
	case t.at == len(t.steps):
	case t.helped:
		hint("tour-next", "passes over it")
	default:
		hint("tour-next", "does it for you")
	}
	hint("tour-leave", "closes")
	return hints
}
