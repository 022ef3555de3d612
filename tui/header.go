package tui

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/themes"
)

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// shed is what the first row leaves out where it has no room: each step leaves out
// what the steps before it do, too. How the shown state came about, and where it is,
// go last.
type shed int

const (
	shedIdle    shed = iota + 1 // the word idle
	shedGaps                    // a column of the gaps
	shedTail                    // the end of the program's name
	shedQueue                   // words about what is to come
	shedOf                      // of how many events
	shedWork                    // all words for what is under way
	shedModel                   // the end of the model's name
	shedProgram                 // the program
	shedEvent                   // the event
	shedName                    // npdb's name, and CPython's where there is no model
	shedAll
)

// Columns that a name keeps whose end is left out.
const leastHeaderName = 8

// drawHeader is the first row: what is debugged and by whom, where it stands, and
// what is under way.
func (m *Model) drawHeader(a *draw.Area) {
	w, _ := a.Size()
	a.Fill(draw.Rect{W: w, H: 1}, " ", m.style(themes.StatusBar))
	for s := range shedAll + 1 {
		program := m.config.Program
		left, right := m.headerLeft(s, program), m.headerRight(s, w)
		r := m.spansWidth(right)
		over := m.spansWidth(left) + r - w
		if s >= shedTail && over > 0 {
			program = m.measure.Cut(program, max(m.measure.Width(program)-over, leastHeaderName))
			left = m.headerLeft(s, program)
			over = m.spansWidth(left) + r - w
		}
		if over <= 0 || s == shedAll {
			a.Spans(w-r, 0, right, 0)
			a.Spans(0, 0, m.measure.CutSpans(left, max(w-r, 0)), 0)
			return
		}
	}
}

// headerLeft is what is debugged, and who says so.
func (m *Model) headerLeft(s shed, program string) []draw.Span {
	bar := m.style(themes.StatusBar)
	var left []draw.Span
	if s < shedName {
		left = append(left, draw.Span{Text: " npdb ", Style: m.style(themes.StatusName)})
	}
	left = append(left, draw.Span{Text: " ", Style: bar})
	if program != "" && s < shedProgram {
		left = append(left, draw.Span{Text: program + " · ", Style: bar})
	}
	left = append(left, m.headerMode(s)...)
	gap := "  "
	if s >= shedGaps {
		gap = " "
	}
	return append(left, draw.Span{Text: gap, Style: bar})
}

// headerMode says where states come from, and the shown one.
func (m *Model) headerMode(s shed) []draw.Span {
	bar := m.style(themes.StatusBar)
	switch {
	case m.atStart():
		return []draw.Span{{Text: m.start.config.Mode, Style: bar}}
	case m.view == nil && m.config.Session.Neural != nil && m.config.Session.Mode != session.Real:
		return []draw.Span{{Text: string(m.config.Session.Mode), Style: bar}}
	case m.view == nil || m.view.Mode == session.Real:
		text := "real CPython"
		if s >= shedName {
			text = "real"
		}
		spans := []draw.Span{{Text: text, Style: bar}}
		if m.view != nil && m.view.Origin == dsl.Edited {
			spans = append(spans, draw.Span{Text: " · edited", Style: m.style(themes.Edited).Over(bar)})
		}
		if m.view != nil && m.view.Unrecorded {
			spans = append(spans, draw.Span{Text: " · record off", Style: m.style(themes.Edited).Over(bar)})
		}
		return spans
	}
	model := m.modelName()
	if s >= shedModel {
		model = m.measure.Cut(model, leastHeaderName)
	}
	if b := m.view.Beside; b != nil {
		who, how := b.Referee+" beside "+model, ", free"
		if b.Guided {
			how = ", guided"
		}
		if s == shedAll {
			who = "both"
		}
		return []draw.Span{{Text: who + how, Style: bar}}
	}
	text := m.view.Origin.String()
	if c := m.view.Confidence; c != nil {
		text += fmt.Sprintf(" %.2f", *c)
	}
	who := "neural " + model + " · "
	if s == shedAll {
		who = ""
	}
	return []draw.Span{{Text: who, Style: bar}, {Text: text, Style: m.origin(m.view.Origin).Over(bar)}}
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

// headerRight is where the shown state is, and what is under way.
func (m *Model) headerRight(s shed, w int) []draw.Span {
	bar := m.style(themes.StatusBar)
	gap := "   "
	if s >= shedGaps {
		gap = "  "
	}
	var spans []draw.Span
	add := func(text string, style draw.Style) {
		if len(spans) > 0 && text != "" {
			spans = append(spans, draw.Span{Text: gap, Style: bar})
		}
		spans = append(spans, draw.Span{Text: text, Style: style})
	}
	if m.view != nil {
		columns := 0
		if s == shedAll {
			columns = max(w/2, leastHeaderName)
		}
		add(m.where(columns), bar)
		if s < shedEvent {
			add(m.position(s), bar)
		}
	}
	switch {
	case m.busy():
		add(m.working(s)+elapsed(m.config.Now().Sub(m.running.since)), m.style(themes.Running).Over(bar))
	case s < shedIdle && !m.atStart():
		add("idle", bar)
	}
	return append(spans, draw.Span{Text: gap[1:], Style: bar})
}

// working says what is under way, and ends with a space if it says something.
func (m *Model) working(s shed) string {
	r := m.running
	spins := spinner[r.spinning%len(spinner)] + " "
	switch {
	case r.waits && s >= shedWork:
		return "input "
	case r.waits && r.reads != nil && s < shedQueue:
		return fmt.Sprintf("%s:%d waits for input ", m.measure.Cut(r.reads.Function, 20), r.reads.Line)
	case r.waits:
		return "waits for input "
	case r.asked:
		return "stopping "
	case r.what == "" || s >= shedWork:
		return spins
	case len(m.queue) > 0 && s >= shedQueue:
		return fmt.Sprintf("%s%s +%d ", spins, m.measure.Cut(r.what, leastHeaderName), len(m.queue))
	case len(m.queue) > 0:
		return fmt.Sprintf("%s%s, then %d more ", spins, m.measure.Cut(r.what, 20), len(m.queue))
	}
	return spins + m.measure.Cut(r.what, 20) + " "
}

func elapsed(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Truncate(time.Second).String()
}

// where is the function and line of the stop. The function's name is cut to some
// columns, unless they are 0.
func (m *Model) where(columns int) string {
	v := m.view
	switch {
	case v.Exit != nil && v.State == nil:
		return fmt.Sprintf("ended, exit code %d", v.Exit.Code)
	case v.State == nil:
		return "the end"
	}
	event := ""
	switch {
	case v.PostMortem:
		event = "post mortem "
	case v.State.Event == dsl.Line:
	case v.State.Kind == dsl.Yielded:
		event = "yield "
	case v.State.Kind == dsl.Unwound:
		event = "unwind "
	default:
		event = v.State.Event.String() + " "
	}
	function := v.State.Function
	if columns > 0 {
		function = m.measure.Cut(function, columns)
	}
	return fmt.Sprintf("%s%s:%d", event, function, v.State.Line)
}

// position is which event is shown and which is the last, as goto counts them; in
// neural mode which state of how many.
func (m *Model) position(s shed) string {
	p := m.view.Place
	at, last := p.Event, max(p.Events-1, 0)
	if m.view.Mode == session.Predicted {
		at, last = at+1, p.Events
	}
	text := humanize.Comma(int64(at))
	if p.End {
		text = "end"
	}
	if s < shedOf {
		text += " of " + humanize.Comma(int64(last))
	}
	if p.Live == p.Event && !p.End && m.view.Mode != session.Predicted {
		text += " live"
	}
	return text
}
