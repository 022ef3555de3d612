package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/draw"
)

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// drawHeader is the first row: what is debugged and by whom, where it stands, and
// what is under way.
func (m *Model) drawHeader(a *draw.Area) {
	w, _ := a.Size()
	bar := m.style(themes.StatusBar)
	a.Fill(draw.Rect{W: w, H: 1}, " ", bar)
	right := m.headerRight()
	free := w
	if n := m.spansWidth(right); n < w/2+w/4 {
		free = w - n - 1
		a.Spans(free, 0, right, 0)
	}
	left := []draw.Span{
		{Text: " npdb ", Style: m.style(themes.StatusName)},
		{Text: " ", Style: bar},
	}
	if m.config.Program != "" {
		left = append(left, draw.Span{Text: m.config.Program + " · ", Style: bar})
	}
	left = append(left, m.headerMode()...)
	a.Spans(0, 0, m.measure.CutSpans(left, max(free-1, 0)), 0)
}

// headerMode says where states come from, and the shown one.
func (m *Model) headerMode() []draw.Span {
	bar := m.style(themes.StatusBar)
	switch {
	case m.atStart():
		return []draw.Span{{Text: m.start.config.Mode, Style: bar}}
	case m.view == nil && m.config.Session.Neural != nil:
		return []draw.Span{{Text: string(m.config.Session.Mode), Style: bar}}
	case m.view == nil || m.view.Mode == session.Real:
		spans := []draw.Span{{Text: "real CPython", Style: bar}}
		if m.view != nil && m.view.Origin == dsl.Edited {
			spans = append(spans, draw.Span{Text: " · edited", Style: m.style(themes.Edited).Over(bar)})
		}
		return spans
	}
	if b := m.view.Beside; b != nil {
		return m.headerBoth(b)
	}
	text := m.view.Origin.String()
	if c := m.view.Confidence; c != nil {
		text += fmt.Sprintf(" %.2f", *c)
	}
	return []draw.Span{
		{Text: "neural " + m.modelName() + " · ", Style: bar},
		{Text: text, Style: m.origin(m.view.Origin).Over(bar)},
	}
}

// headerBoth says who walks beside whom.
func (m *Model) headerBoth(b *session.Beside) []draw.Span {
	bar := m.style(themes.StatusBar)
	how := "free"
	if b.Guided {
		how = "guided"
	}
	return []draw.Span{
		{Text: b.Referee + " beside " + m.modelName(), Style: bar},
		{Text: ", " + how, Style: bar},
	}
}

// modelName is the model's name, which is known when it has answered.
func (m *Model) modelName() string {
	if name := m.view.Model.Name; name != "" {
		return name
	}
	return "model"
}

// origin is how a state of an origin is marked.
func (m *Model) origin(o dsl.Origin) draw.Style {
	switch o {
	case dsl.Predicted:
		return m.style(themes.Predicted)
	case dsl.Inferred:
		return m.style(themes.Inferred)
	case dsl.Edited:
		return m.style(themes.Edited)
	case dsl.Given:
		return m.style(themes.Given)
	}
	return m.style(themes.Text)
}

func (m *Model) headerRight() []draw.Span {
	bar := m.style(themes.StatusBar)
	var spans []draw.Span
	if m.view != nil {
		spans = append(spans, draw.Span{Text: m.where() + "   " + m.position() + "   ", Style: bar})
	}
	state, style := "idle ", bar
	if m.atStart() {
		state = ""
	}
	if r := m.running; r != nil {
		state = fmt.Sprintf("%s %s ", m.working(), elapsed(m.config.Now().Sub(r.since)))
		style = m.style(themes.Running).Over(bar)
	}
	return append(spans, draw.Span{Text: state, Style: style})
}

// working says what is under way.
func (m *Model) working() string {
	r := m.running
	switch {
	case r.waits:
		return "waits for input"
	case r.asked:
		return "stopping"
	case len(m.queue) > 0:
		return fmt.Sprintf("%s %s, then %d more", spinner[r.spinning%len(spinner)], m.measure.Cut(r.what, 20), len(m.queue))
	case r.what == "":
		return spinner[r.spinning%len(spinner)]
	}
	return spinner[r.spinning%len(spinner)] + " " + m.measure.Cut(r.what, 20)
}

func elapsed(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Truncate(time.Second).String()
}

// where is the function and line of the stop.
func (m *Model) where() string {
	v := m.view
	switch {
	case v.Exit != nil && v.State == nil:
		return fmt.Sprintf("ended, exit code %d", v.Exit.Code)
	case v.State == nil:
		return "the end"
	case v.PostMortem:
		return fmt.Sprintf("post mortem %s:%d", v.State.Function, v.State.Line)
	}
	event := ""
	if v.State.Event != dsl.Line {
		event = v.State.Event.String() + " "
		switch v.State.Kind {
		case dsl.Yielded:
			event = "yield "
		case dsl.Unwound:
			event = "unwind "
		}
	}
	return fmt.Sprintf("%s%s:%d", event, v.State.Function, v.State.Line)
}

// position is which event is shown and which is the last, as goto counts them; in
// neural mode which state of how many.
func (m *Model) position() string {
	p := m.view.Place
	at, last := p.Event, max(p.Events-1, 0)
	if m.view.Mode == session.Predicted {
		at, last = at+1, p.Events
	}
	n := humanize.Comma(int64(at))
	if p.End {
		n = "end"
	}
	text := n + " of " + humanize.Comma(int64(last))
	if p.Live == p.Event && !p.End && m.view.Mode != session.Predicted {
		text += " live"
	}
	return text
}

func (m *Model) spansWidth(spans []draw.Span) int {
	n := 0
	for _, s := range spans {
		n += m.measure.Width(s.Text)
	}
	return n
}

// drawFooter is the last row: what is typed, a word to the user, or the keys that
// matter here. It returns where the terminal's cursor is.
func (m *Model) drawFooter(a *draw.Area) *tea.Cursor {
	w, h := a.Size()
	if h == 0 {
		return nil // a screen of one row
	}
	if m.question != nil {
		m.question.draw(m, a)
		return nil
	}
	if m.line.open {
		return m.line.draw(m, a)
	}
	style := m.style(themes.Dim)
	if m.flash != "" {
		text := strings.ReplaceAll(m.flash, "\n", " ")
		a.Text(0, 0, " "+m.measure.Cut(text, w-2), m.style(themes.Notice))
		return nil
	}
	x := 1
	for _, h := range m.hints(w - 2) {
		x += a.Text(x, 0, strings.Join(h.Keys, " "), m.style(themes.HintKey))
		x += a.Text(x, 0, " "+h.Word+"  ", style)
	}
	return nil
}
