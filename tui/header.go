package tui

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/draw"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/score"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/pane"
)

// shed is how much the header omits for lack of room: each step omits what the steps before it
// omit, and more. The origin and the place of the state are never omitted, only cut.
type shed int

const (
	shedIdle     shed = iota + 1 // the word "idle"
	shedMeasured                 // the model's measured accuracy
	shedMoney                    // what the session cost
	shedInvalid                  // how many answers were not states
	shedTook                     // the time of the last answer, and in mode both the confidence
	shedGaps                     // one column of each gap
	shedTail                     // the end of the program's name
	shedQueue                    // long words about queued commands and awaited input
	shedOf                       // the number of all events
	shedWork                     // all words about the running command
	shedModel                    // the end of the model's name
	shedProgram                  // the program
	shedEvent                    // the event
	shedName                     // npdb's name, and CPython's where there is no model
	shedAll
)

// leastHeaderName is the number of columns that a cut name keeps.
const leastHeaderName = 8

// drawHeader draws the first row: the program, the source of its states, the position, and what
// runs.
func (m *Model) drawHeader(a *draw.Area) {
	w, _ := a.Size()
	a.Fill(draw.Rect{W: w, H: 1}, " ", m.screen.Style(themes.StatusBar))
	for s := range shedAll + 1 {
		program := m.config.Program
		left, right := m.headerLeft(s, program), m.headerRight(s, w)
		r := m.screen.Measure.SpansWidth(right)
		over := m.screen.Measure.SpansWidth(left) + r - w
		if s >= shedTail && over > 0 {
			program = m.screen.Measure.Cut(program, max(m.screen.Measure.Width(program)-over, leastHeaderName))
			left = m.headerLeft(s, program)
			over = m.screen.Measure.SpansWidth(left) + r - w
		}
		if over <= 0 || s == shedAll {
			a.Spans(w-r, 0, right, 0)
			a.Spans(0, 0, m.screen.Measure.CutSpans(left, max(w-r, 0)), 0)
			return
		}
	}
}

// headerLeft returns the program and the source of its states.
func (m *Model) headerLeft(s shed, program string) []draw.Span {
	bar := m.screen.Style(themes.StatusBar)
	var left []draw.Span
	if s < shedName {
		left = append(left, draw.Span{Text: " npdb ", Style: m.screen.Style(themes.StatusName)})
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

// headerMode describes the mode and the origin of the state shown.
func (m *Model) headerMode(s shed) []draw.Span {
	bar := m.screen.Style(themes.StatusBar)
	switch {
	case m.atStart():
		return []draw.Span{{Text: m.start.Mode(), Style: bar}}
	case m.screen.View == nil && m.config.Session.Neural != nil && m.config.Session.Mode != session.Real:
		return []draw.Span{{Text: string(m.config.Session.Mode), Style: bar}}
	case m.screen.View == nil || m.screen.View.Mode == session.Real:
		text := "real CPython"
		switch {
		case m.config.Session.File != "":
			text = "recording"
		case s >= shedName:
			text = "real"
		}
		spans := []draw.Span{{Text: text, Style: bar}}
		if m.screen.View != nil && m.screen.View.Origin == dsl.Edited {
			spans = append(spans, draw.Span{Text: " · edited", Style: m.screen.Style(themes.Edited).Over(bar)})
		}
		if m.screen.View != nil && m.screen.View.Unrecorded {
			spans = append(spans, draw.Span{Text: " · record off", Style: m.screen.Style(themes.Edited).Over(bar)})
		}
		return spans
	}
	model := m.modelName()
	if s >= shedModel {
		model = m.screen.Measure.Cut(model, leastHeaderName)
	}
	if b := m.screen.View.Beside; b != nil {
		who, how := b.Referee+" beside "+model, ", free"
		if other := m.screen.View.Against; other != "" {
			if s >= shedModel {
				other = m.screen.Measure.Cut(other, leastHeaderName)
			}
			who = model + " beside " + other
		}
		if b.Guided {
			how = ", guided"
		}
		if s == shedAll {
			who = "both"
		}
		sure := ""
		switch {
		case s >= shedTook:
		case b.Sureness != nil && b.Sureness.Whole != nil:
			sure = " · " + b.Sureness.Told(*b.Sureness.Whole)
		case b.Confidence != nil:
			sure = fmt.Sprintf(" · %.2f sure", *b.Confidence)
		}
		sure += pane.Checks(b.Checks)
		return []draw.Span{{Text: who + how + sure + m.headerMeasured(s, b.Move) + m.headerSpent(s), Style: bar}}
	}
	text := m.screen.View.Origin.String() + pane.Stated(m.screen.View.Confidence, m.screen.View.Sureness) + pane.Checks(m.screen.View.Checks) + m.headerCandidate()
	who := "neural " + model + " · "
	if s == shedAll {
		who = ""
	}
	return []draw.Span{
		{Text: who, Style: bar},
		{Text: text, Style: m.screen.Origin(m.screen.View.Origin).Over(bar)},
		{Text: m.headerMeasured(s, m.screen.View.Move) + m.headerSpent(s), Style: bar},
	}
}

// headerMeasured returns the model's measured accuracy for the last kind of move, "" for a state
// that was computed.
func (m *Model) headerMeasured(s shed, move dsl.Move) string {
	if s >= shedMeasured || m.screen.View.Model == nil || m.screen.View.Origin == dsl.Computed {
		return ""
	}
	if text := score.MeasuredShort(m.screen.View.Model.Measured, move); text != "" {
		return " · " + text
	}
	return ""
}

// headerSpent returns the time of the last answer, or that it was prefetched or came with an
// earlier reply, the number of invalid replies, and the session's cost.
func (m *Model) headerSpent(s shed) string {
	a, text := m.screen.View.Account, ""
	switch {
	case a == nil || s >= shedTook:
		return ""
	case a.WasKept:
		text = " · kept"
	case a.Prefetched:
		text = " · prefetched"
	case a.Last() > 0:
		text = " · " + score.Seconds(a.Last())
	}
	if n := a.Invalid.Answers; n > 0 && s < shedInvalid {
		text += fmt.Sprintf(" · %d invalid", n)
	}
	if money := a.Money(); money != "" && s < shedMoney {
		text += " · " + money
	}
	return text
}

// modelName returns the model's name, or "model" before its first answer.
func (m *Model) modelName() string {
	if name := m.screen.View.Model.Name; name != "" {
		return name
	}
	return "model"
}

// headerRight returns the place of the state shown, or of the running program, and the running
// command.
func (m *Model) headerRight(s shed, w int) []draw.Span {
	bar := m.screen.Style(themes.StatusBar)
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
	if p := m.pace(); p != nil {
		add(fmt.Sprintf("%s:%d", m.screen.Measure.Cut(p.Function, max(w/4, leastHeaderName)), p.Line), bar)
		if s < shedEvent {
			text := humanize.Comma(int64(p.Events))
			if s < shedOf {
				text += " " + english.PluralWord(p.Events, "event", "")
			}
			add(text, bar)
		}
	} else if m.screen.View != nil {
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
		add(m.working(s)+elapsed(m.config.Now().Sub(m.screen.Running.Since)), m.screen.Style(themes.Running).Over(bar))
	case s < shedIdle && !m.atStart():
		add("idle", bar)
	}
	return append(spans, draw.Span{Text: gap[1:], Style: bar})
}

// pace returns the position of the running program; nil if it is unknown or unrecorded, or if the
// program waits for input.
func (m *Model) pace() *session.Pace {
	if r := m.screen.Running; r != nil && r.Pace != nil && r.Pace.File != "" && !r.Pace.Unrecorded && !r.Waits {
		return r.Pace
	}
	return nil
}

// working describes the running command, followed by a space.
func (m *Model) working(s shed) string {
	r := m.screen.Running
	spins := r.Spinner() + " "
	switch {
	case r.Waits && s >= shedWork:
		return "input "
	case r.Waits && r.Reads != nil && s < shedQueue:
		return fmt.Sprintf("%s:%d waits for input ", m.screen.Measure.Cut(r.Reads.Function, 20), r.Reads.Line)
	case r.Waits:
		return "waits for input "
	case r.Asked:
		return "stopping "
	case r.What == "" || s >= shedWork:
		return spins
	case len(m.queue) > 0 && s >= shedQueue:
		return fmt.Sprintf("%s%s +%d ", spins, m.screen.Measure.Cut(r.What, leastHeaderName), len(m.queue))
	case len(m.queue) > 0:
		return fmt.Sprintf("%s%s, then %d more ", spins, m.screen.Measure.Cut(r.What, 20), len(m.queue))
	}
	return spins + m.screen.Measure.Cut(r.What, 20) + " "
}

func elapsed(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Truncate(time.Second).String()
}

// where returns the function and line of the stop. It cuts the function's name to some columns,
// unless they are 0.
func (m *Model) where(columns int) string {
	v := m.screen.View
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
		function = m.screen.Measure.Cut(function, columns)
	}
	return fmt.Sprintf("%s%s:%d", event, function, v.State.Line)
}

// position returns the event shown and the last one, as goto counts them; in neural mode the
// number of the state and of all states.
func (m *Model) position(s shed) string {
	p := m.screen.View.Place
	at, last := p.Event, max(p.Events-1, 0)
	if m.screen.View.Mode == session.Predicted {
		at, last = at+1, p.Events
	}
	text := humanize.Comma(int64(at))
	if p.End {
		text = "end"
	}
	if s < shedOf {
		text += " of " + humanize.Comma(int64(last))
	}
	if p.Live == p.Event && !p.End && m.screen.View.Mode != session.Predicted {
		text += " live"
	}
	if p.Run > 0 {
		text += fmt.Sprintf(" run %d", p.Run)
	}
	return text
}
