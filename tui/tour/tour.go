// Package tour is an interactive introduction to npdb. A panel on the screen asks for one move after
// another, with the user's own keys, and reports what happened.
//
// A step ends when the session shows what the step asked for, whatever key or command was used. What
// the panel reports is read from the session too.
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

// Tour is a running tour.
type Tour struct {
	steps     []step
	traceback string // with which the second half begins
	remark    string // what the panel adds at the end, "" for nothing
	at        int    // index of the current step, len(steps) at the end
	began     moment // the moment at which the current step began
	now       moment
	result    string // of the last step, as the panel reports it; "" for none
	helped    bool   // the user asked npdb to make the move of the current step
	Made      int    // number of steps whose moves were made
}

// moment is what the session shows after a command, and the answers to that command.
type moment struct {
	view    *session.View
	answers []*session.Answer
}

// stop holds what a step judges: the moment at which the step began, and the current one.
type stop struct{ began, now moment }

// step is a move that the tour asks for.
type step struct {
	title string
	// ask tells the user what to do and why. {NAME} stands for the key of an action.
	ask string
	// done reports whether the session shows what was asked for, and result describes it.
	done   func(s stop) bool
	result func(s stop) string
	// lines returns the commands that make the move, "" if none can.
	lines func(t *Tour) string
	// predicts reports that the step needs a model.
	predicts bool
}

// New returns a tour that begins with the recorded program, which is at path. Without a model it leaves
// out the steps that need one.
func New(path string, model bool) *Tour {
	t := &Tour{traceback: Report(path), steps: script}
	if !model {
		t.steps, t.remark = nil, "This build of npdb carries no model: the steps that need one were left out. "
		for _, s := range script {
			if !s.predicts {
				t.steps = append(t.steps, s)
			}
		}
	}
	return t
}

// Inferred returns a tour of the second half alone, which runs nothing. why is the reason why the
// program could not be started.
func Inferred(path, why string) *Tour {
	t := New(path, true)
	begins := slices.IndexFunc(t.steps, func(s step) bool { return s.title == secondHalf })
	t.steps = t.steps[begins+1:] // without the step that opens the traceback
	t.result = "Python did not start, so nothing is recorded: " + strings.TrimRight(why, ".") + "."
	t.remark = "The first half runs Python: npdb doctor shows what is missing. "
	return t
}

// Steps returns the number of steps.
func (t *Tour) Steps() int { return len(t.steps) }

// See takes what the session shows after a command, and goes to the next step if the current one is
// done.
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
		if result := step.result(s); result != "" {
			t.result = result
		}
		t.at, t.began, t.helped = t.at+1, now, false
		t.Made++
		now.answers = nil // they belong to the step that is done
	}
	t.now = now
	if t.helped && len(now.answers) > 0 {
		t.result = "npdb made the move, but it did not lead there. {tour-next} skips this step."
	}
}

// Next returns the commands that make the move of the current step. If it has returned them before, or
// if there are none, it skips the step and returns "".
func (t *Tour) Next() (lines string) {
	if t.at == len(t.steps) {
		return ""
	}
	if !t.helped {
		lines = t.steps[t.at].lines(t)
	}
	if t.helped = lines != ""; !t.helped {
		t.at, t.result, t.began = t.at+1, "", t.now
	}
	return lines
}

// named matches the name of an action in a text.
var named = regexp.MustCompile(`\{[a-z-]+\}`)

// text returns the contents of the panel, wrapped to a number of columns.
func (t *Tour) text(s *pane.Screen, columns int) string {
	var ask string
	if t.at < len(t.steps) {
		ask = t.steps[t.at].ask
	} else {
		ask = t.remark + atEnd
	}
	keyed := func(text string) string {
		return named.ReplaceAllStringFunc(text, func(name string) string {
			return s.Lip(themes.HintKey).Render(s.KeyFor(name[1 : len(name)-1]))
		})
	}
	var parts []string
	if t.result != "" {
		parts = append(parts, s.Lip(themes.Notice).Width(columns).Render(keyed(escape.Line(t.result))))
	}
	parts = append(parts, lipgloss.NewStyle().Width(columns).Render(keyed(ask)))
	return lipgloss.JoinVertical(lipgloss.Left, parts...)
}

// The least number of rows of the panel, and its largest share of the screen.
const (
	leastRows = 4
	mostShare = 3 // a third
)

// Rows returns the height of the panel on a screen of this size.
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
		title = t.title(s, false) // leave room for the keys
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
		hint("tour-next", "skips it")
	default:
		hint("tour-next", "does it for you")
	}
	hint("tour-leave", "closes")
	return hints
}
