package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/provenance"
	"github.com/npdb/npdb/trace/statetree"
)

// Provenance shows where the value of an expression came from: the statements, arguments and
// returns that it passed through, the latest first. Given again, it shows earlier ones.
type Provenance struct {
	Expression string `json:"expression"`
	// Via names the inputs to follow where a value was computed from several.
	Via []string `json:"via,omitempty"`
}

func (c Provenance) String() string {
	text := words("provenance", c.Expression)
	for _, input := range c.Via {
		text += " via " + input
	}
	return text
}

// hopSource finds the chain of hops of an expression's value in a frame, the latest first. via
// names the inputs to follow; missing are those that no hop has.
type hopSource interface {
	hops(expr string, via []string, frame statetree.StackFrame) (found []Hop, missing []string, err error)
}

// hopSource returns the source of hops of the session's mode. An interrupt ends the questions of a model
// when it cancels ctx.
func (vs *values) hopSource(ctx context.Context) hopSource {
	if vs.program.past() == nil {
		return predictedHops{values: vs, ctx: ctx}
	}
	return recordedHops{vs}
}

// knownHops returns the source of hops that asks no model.
func (vs *values) knownHops() hopSource {
	if vs.program.past() == nil {
		return predictedHops{values: vs, ctx: context.Background(), known: true}
	}
	return recordedHops{vs}
}

// recordedHops finds hops in a recording.
type recordedHops struct{ *values }

func (vs recordedHops) hops(expr string, via []string, frame statetree.StackFrame) (found []Hop, missing []string, err error) {
	p := vs.program.past()
	f := provenance.New(p, via, provenance.DefaultLimits, vs.program.mustEnd)
	list, err := f.Find(expr, nav.Scope(p, frame), vs.position.here())
	for _, h := range list {
		found = append(found, Hop{Hop: h})
	}
	return found, f.Missing(), err
}

func (c Provenance) run(ctx context.Context, s *Session) error {
	f, frame, err := s.values.follow(ctx, c.Expression)
	if err != nil {
		return err
	}
	switch now := f.at(s.position.here()); {
	case now.Unknown != "":
		return errorf(Refused, "%s: %s", c.Expression, now.Unknown)
	case !now.OK:
		if _, before := f.last(s.position.here()); !before {
			return s.values.neverChanged(f, c.Expression, frame.Function, s.position.here(), s.position.here())
		}
		return errorf(NotFound, "%s has no value here (last %s shows where it had one)", c.Expression, c.Expression)
	}
	asking, done := s.program.interruptible(ctx)
	defer done()
	found, missing, err := s.values.hopSource(asking).hops(c.Expression, c.Via, frame)
	s.draft.answer.Interrupted = s.program.stopping.Load()
	s.visits.branchOf(found)
	if err != nil {
		return errorf(BadArgument, "Cannot follow %s: %s", c.Expression, err)
	}
	if len(missing) > 0 {
		return errorf(NotFound, "No value on the way was computed from %s: the inputs are listed behind \"from\"", missing[0])
	}
	begin := 0
	if next, again := s.draft.goOn("provenance", c.String(), frame.Activation); again && next < len(found) {
		begin = next
	}
	end := min(begin+historyPage, len(found))
	next := end
	if end == len(found) {
		next = 0 // a chain of inferred states may go on, so that all of it is shown again
	}
	s.draft.page = page{"provenance", c.String(), frame.Activation, s.draft.seq, next}
	s.draft.answer.Provenance = found
	s.draft.say(s.values.provenanceText(c.Expression, found, begin, end) + f.among())
	return nil
}

// provenanceText formats the hops from begin to end as a numbered list.
func (vs *values) provenanceText(expr string, found []Hop, begin, end int) string {
	total := 0
	for _, h := range found {
		total += h.Times
	}
	lines := []string{fmt.Sprintf("%s: %s back to %s", expr, plural(total, "hop", "hops"), endText(found[len(found)-1].End))}
	var values, kinds, places, events []string
	for _, h := range found[begin:end] {
		values = append(values, h.Expression+" = "+valueText(h.Value, historyShown))
		kinds = append(kinds, kindText(h.Hop))
		places = append(places, hopPlace(h.Hop))
		events = append(events, vs.hopEvent(&h))
	}
	valueWidth, kindWidth, placeWidth := widest(values), widest(kinds), widest(places)
	digits := widest(events)
	for i, h := range found[begin:end] {
		event := events[i]
		line := fmt.Sprintf("%3d  %*s  %s  %s  %s", begin+i+1, digits, event, padded(values[i], valueWidth), padded(kinds[i], kindWidth), padded(places[i], placeWidth))
		lines = append(lines, strings.TrimRight(line+"  "+shorten(strings.TrimSpace(h.Source), valueChanged), " "))
		if from := inputsText(h.Hop); from != "" {
			lines = append(lines, strings.Repeat(" ", digits+7)+from)
		}
		if h.Note != "" {
			lines = append(lines, strings.Repeat(" ", digits+7)+h.Note)
		}
		if h.Inferred != nil {
			lines = append(lines, strings.Repeat(" ", digits+7)+h.Inferred.text())
		}
	}
	if end < len(found) {
		lines = append(lines, fmt.Sprintf("  … %s earlier: an empty line shows more", thousands(len(found)-end)))
	}
	if i := slices.IndexFunc(events, func(e string) bool { return e != "" }); i >= 0 {
		by := "event"
		if found[begin+i].Visit > 0 {
			by = "state"
		}
		lines = append(lines, fmt.Sprintf("%s goes to the line of a hop, by the number of its %s", vs.draft.key("goto "+events[i]), by))
	}
	return strings.Join(lines, "\n")
}

// hopEvent returns the argument of goto that leads to a hop, "" if none does.
func (vs *values) hopEvent(h *Hop) string {
	switch {
	case h.Visit > 0:
		return VisitName(h.Visit)
	case h.By.Event < 0 || vs.program.past() == nil:
		return ""
	}
	return fmt.Sprint(h.By.Event)
}

// endText describes the end of a chain.
func endText(e provenance.End) string {
	switch e {
	case provenance.Literal:
		return "a literal"
	case provenance.Construct:
		return "where the object was made"
	case provenance.Input:
		return "code that is not recorded"
	case provenance.Defined:
		return "a definition"
	case provenance.Raised:
		return "where it was raised"
	case provenance.Edited:
		return "an edit in the debugger"
	case provenance.Fork:
		return "a value computed from several (via NAME follows one)"
	case provenance.Edge:
		return "the edge of what was recorded"
	case provenance.Limit:
		return "the limit of the search"
	}
	return "a place where it is not known"
}

// kindText describes the kind of a hop.
func kindText(h provenance.Hop) string {
	text := string(h.Kind)
	if !h.Certain {
		text = "likely " + text
	}
	if h.Times > 1 {
		text += fmt.Sprintf(", %s times", thousands(h.Times))
	}
	return text
}

// hopPlace formats the location of a hop.
func hopPlace(h provenance.Hop) string {
	if h.By.Event < 0 {
		return ""
	}
	return placeLine(h.By)
}

// inputsText lists the inputs of a hop that the next hop does not show.
func inputsText(h provenance.Hop) string {
	if len(h.Inputs) < 2 && h.End == provenance.NoEnd {
		return ""
	}
	var parts []string
	for _, in := range h.Inputs {
		parts = append(parts, in.Expression+" = "+valueText(in.Value, historyShown))
	}
	if len(parts) == 0 {
		return ""
	}
	return "from " + strings.Join(parts, ", ")
}

func widest(texts []string) int {
	width := 0
	for _, t := range texts {
		width = max(width, ansi.StringWidth(t))
	}
	return width
}

func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(width-ansi.StringWidth(text), 0))
}
