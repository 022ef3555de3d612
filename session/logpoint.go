package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

const (
	logPage = 20      // hits shown at a time
	logMost = 100_000 // hits in one answer at most
)

// Log prints a text at a line after the fact: for every recorded event of the line, and from then
// on for those that a forward move passes. The program does not stop there. Given again, it shows later
// hits.
type Log struct {
	At   Target `json:"at"`
	Text string `json:"text,omitempty"` // with {EXPR} for values; "" shows the events only
}

func (c Log) String() string {
	text := words("logpoint", c.At)
	if c.Text != "" {
		text += ", " + c.Text
	}
	return text
}

// Logs lists the logpoints.
type Logs struct{}

func (Logs) String() string { return "logpoint" }

// DropLog removes a logpoint. If Number is 0, it removes all.
type DropLog struct {
	Number int `json:"number,omitempty"`
}

func (c DropLog) String() string {
	if c.Number == 0 {
		return "logpoint -d"
	}
	return words("logpoint -d", c.Number)
}

// Hit is an event at which a logpoint printed.
type Hit struct {
	Event  int
	Text   string
	Values []Logged
}

// Logged is a value in the text of a logpoint.
type Logged struct {
	Expression string
	Value      string
	Error      string // why there is no value; "" if there is one
}

// logpoint is a line at which a text is printed.
type logpoint struct {
	number int
	at     breakpoint.Breakpoint // only its place
	text   string
	parts  logText
}

func (l *logpoint) String() string {
	text := fmt.Sprintf("logpoint %d at %s:%d", l.number, l.at.File, l.at.Line)
	if l.text != "" {
		text += ": " + l.text
	}
	return text
}

func (l *logpoint) title() string { return "L" + l.String()[1:] }

// logging holds the logpoints.
type logging struct {
	program  *program
	draft    *draft
	position *position
	files    *files

	list []*logpoint
	last int // the highest number given so far
}

func (c Log) run(ctx context.Context, s *Session) error {
	p := s.program.past()
	if p == nil {
		return errorf(Refused, "logpoint: nothing is recorded in neural mode; display and watch show values as you step")
	}
	l := &logpoint{text: c.Text}
	if err := s.files.place(ctx, &l.at, c.At); err != nil {
		return err
	}
	var err error
	if l.parts, err = parseLogText(c.Text); err != nil {
		return err
	}
	if err := l.parts.check(p); err != nil {
		return err
	}
	same := func(o *logpoint) bool { return o.at.File == l.at.File && o.at.Line == l.at.Line && o.text == l.text }
	if known := slices.IndexFunc(s.logging.list, same); known >= 0 {
		l = s.logging.list[known]
	} else {
		s.logging.last++
		l.number = s.logging.last
		s.logging.list = append(s.logging.list, l)
	}
	return s.logging.show(ctx, l, c.String())
}

func (Logs) run(_ context.Context, s *Session) error {
	if len(s.logging.list) == 0 {
		s.draft.say("There are no logpoints.")
	}
	for _, l := range s.logging.list {
		s.draft.say(l.title())
	}
	return nil
}

func (c DropLog) run(_ context.Context, s *Session) error {
	gone := func(l *logpoint) bool { return c.Number == 0 || l.number == c.Number }
	for _, l := range s.logging.list {
		if gone(l) {
			s.draft.say("Deleted " + l.String())
		}
	}
	left := slices.DeleteFunc(slices.Clone(s.logging.list), gone)
	switch {
	case len(s.logging.list) == 0:
		return errorf(NotFound, "There are no logpoints.")
	case len(left) == len(s.logging.list):
		return errorf(NotFound, "There is no logpoint %d (logpoint lists them)", c.Number)
	}
	s.logging.list = left
	return nil
}

// LastLogpoint returns the highest number given to a logpoint so far, 0 if there was none.
func (lg *logging) LastLogpoint() int { return lg.last }

// show adds the recorded hits of a logpoint to the answer, and prints one page of them.
func (lg *logging) show(ctx context.Context, l *logpoint, command string) error {
	t := lg.program.past().Tree()
	hits, more := lg.hits(ctx, l, -1, t.Len()-1)
	if len(hits) == 0 {
		lg.draft.sayf("%s: no event of this line is recorded; a move that passes it prints it.", l.title())
		return nil
	}
	lg.draft.answer.Hits = hits
	count := plural(len(hits), "hit", "hits")
	if more {
		count = "the first " + count
	}
	return lg.pages("logpoint", command, fmt.Sprintf("%s, %s", l.title(), count), "hits", hits)
}

// pages prints a page of events with texts: the page around the position or, if the command was given
// again, the next one.
func (lg *logging) pages(name, command, title, what string, hits []Hit) error {
	begin, again := lg.draft.goOn(name, command, 0)
	if !again {
		// The page around the position: what came before is in sight, and so is what follows.
		here, _ := slices.BinarySearchFunc(hits, lg.position.here(), func(h Hit, event int) int { return h.Event - event })
		begin = min(max(here-logPage/2, 0), max(len(hits)-logPage, 0))
	}
	if begin >= len(hits) {
		return errorf(NotFound, "%s: there are no later %s", title, what)
	}
	end := min(begin+logPage, len(hits))
	lg.draft.page = page{name, command, 0, lg.draft.seq, end}
	if begin > 0 || end < len(hits) {
		title += fmt.Sprintf(", %s to %s", thousands(begin+1), thousands(end))
	}
	lg.draft.say(title + ":\n" + lg.rows(hits[begin:end]))
	if end < len(hits) {
		lg.draft.sayf("  … %s later: an empty line shows some", thousands(len(hits)-end))
	}
	return nil
}

// rows returns a line for each hit: its event, marked if it is the current one, and its text.
func (lg *logging) rows(hits []Hit) string {
	width := len(thousands(hits[len(hits)-1].Event))
	lines := make([]string, len(hits))
	for i, h := range hits {
		mark := " "
		if h.Event == lg.position.here() && !lg.position.pos.End {
			mark = ">"
		}
		lines[i] = strings.TrimRight(fmt.Sprintf("%s %*s  %s", mark, width, thousands(h.Event), h.Text), " ")
	}
	return strings.Join(lines, "\n")
}

// hits returns the hits of a logpoint after event from and up to event to. more reports that there
// are others, which a limit or an interrupt cut off.
func (lg *logging) hits(ctx context.Context, l *logpoint, from, to int) (hits []Hit, more bool) {
	p := lg.program.past()
	t := p.Tree()
	var at []dsl.Location
	for n, f := range t.Files() {
		if f.Path == l.at.File {
			at = append(at, dsl.Location{File: n, Line: l.at.Line})
		}
	}
	var scope query.Scope
	last := ^uint32(0)
	for event, ok := lineAt(t, from, at); ok && event <= to; event, ok = t.NextLine(event, at) {
		if len(hits) == logMost || lg.program.mustEnd() {
			return hits, true
		}
		r := t.At(event)
		if r.Activation != last {
			scope, last = p.ScopeOf(r.Activation), r.Activation
		}
		text, values := l.parts.at(ctx, p, scope, event)
		hits = append(hits, Hit{event, text, values})
	}
	return hits, false
}

// lineAt returns the first event after from, which may be -1, that is on one of some lines.
func lineAt(t *statetree.Tree, from int, at []dsl.Location) (int, bool) {
	if from >= 0 || t.Len() == 0 {
		return t.NextLine(max(from, 0), at)
	}
	if r := t.At(0); r.Event == dsl.Line && slices.Contains(at, dsl.Location{File: r.File, Line: r.Line}) {
		return 0, true
	}
	return t.NextLine(0, at)
}

// passed prints the hits of all logpoints after event from and up to event to, in their order.
func (lg *logging) passed(from, to int) {
	if len(lg.list) == 0 || lg.program.past() == nil {
		return
	}
	type printed struct {
		Hit
		number int
	}
	var all []printed
	for _, l := range lg.list {
		hits, _ := lg.hits(context.Background(), l, from, to)
		for _, h := range hits {
			all = append(all, printed{h, l.number})
		}
	}
	slices.SortStableFunc(all, func(a, b printed) int { return a.Event - b.Event })
	for _, h := range all {
		lg.draft.answer.Passed = append(lg.draft.answer.Passed, h.Hit)
	}
	for _, h := range all[:min(len(all), logPage)] {
		lg.draft.notice("Logpoint %d, event %s: %s", h.number, thousands(h.Event), h.Text)
	}
	if more := len(all) - logPage; more > 0 {
		lg.draft.notice("%s of logpoints: logpoint with the same arguments lists all.", plural(more, "more hit", "more hits"))
	}
}
