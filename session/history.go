package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"
)

// LastChange shows where the value of an expression changed last, and which line changed it. Given
// again, it shows the change before that.
type LastChange struct {
	Expression string `json:"expression"`
}

func (cmd LastChange) String() string { return words("last", cmd.Expression) }

func (cmd LastChange) run(ctx context.Context, s *Session) error {
	expr := cmd.Expression
	f, frame, err := s.values.follow(ctx, expr)
	if err != nil {
		return err
	}
	here := s.position.here()
	from, again := s.draft.goOn("last", expr, frame.Activation)
	if !again || from > here {
		from = here
	}
	c, ok := f.last(from)
	if !ok {
		return s.values.neverChanged(f, expr, frame.Function, from, here)
	}
	s.draft.page = page{"last", expr, frame.Activation, s.draft.seq, c.Event - 1}
	s.draft.answer.Changes = []Change{c}
	s.draft.say(s.values.lastText(expr, c) + f.among())
	return nil
}

// neverChanged returns the error for an expression that has no change before event from.
func (vs *values) neverChanged(f follower, expr, function string, from, here int) error {
	now := f.at(from)
	switch {
	case vs.program.mustEnd():
		return errorf(Stopped, "Interrupted: the search for changes of %s was stopped", expr)
	case from < here:
		return errorf(NotFound, "%s has no change before that%s%s", expr, f.scope(), f.among())
	case now.Unknown != "":
		return errorf(Refused, "%s: %s", expr, now.Unknown)
	case !now.OK:
		return errorf(NotFound, "%s has no value here, and had none before in %s%s", expr, function, f.among())
	}
	return errorf(NotFound, "%s is %s here and was never anything else in %s%s", expr, shorten(now.Text, valueAlone), function, f.among())
}

// lastText describes a change: the old and new value, the line, and the commands that go there.
func (vs *values) lastText(expr string, c Change) string {
	text := changeText(expr, c)
	switch {
	case c.By.Event < 0 && (c.Event > 0 || vs.program.holeAt(0)):
		return text + fmt.Sprintf("\nwhere nothing was recorded, before event %d (%s goes there)", c.Event, vs.draft.key(fmt.Sprintf("goto %d", c.Event)))
	case c.By.Event < 0:
		return text + fmt.Sprintf("\nat event %d, before any line of the program", c.Event)
	}
	if c.Set != nil {
		if !c.Old.OK { // the name had no value before, but its object had one
			text = fmt.Sprintf("%s = %s, set by", expr, valueText(c.New, valueAlone))
		}
		return text + "\n" + vs.position.stackEntry(*c.Set, true) + fmt.Sprintf("\n%s goes to that line, %s after it; %s began to hold this object by %s (%s)",
			vs.draft.key(fmt.Sprintf("goto %d", c.Set.Event)), vs.draft.key(fmt.Sprintf("goto %d", c.SetAt)), holderOf(expr), placeLine(c.By), vs.draft.key(fmt.Sprintf("goto %d", c.By.Event)))
	}
	text += "\n" + vs.position.stackEntry(c.By, true)
	if vs.program.past() == nil {
		return text
	}
	return text + fmt.Sprintf("\n%s goes to that line, %s after it", vs.draft.key(fmt.Sprintf("goto %d", c.By.Event)), vs.draft.key(fmt.Sprintf("goto %d", c.Event)))
}

// holderOf returns an attribute or element expression without its last step: "a.b" for "a.b[0]".
func holderOf(expr string) string {
	if at := strings.LastIndexAny(expr, ".["); at > 0 {
		return expr[:at]
	}
	return expr
}

const (
	historyPage  = 20       // values shown at a time
	historyMost  = 100_000  // values searched for at most
	historyBytes = 16 << 20 // bytes of values searched for at most
	historyShown = 26       // characters shown of each value
)

// ValueHistory lists the last values of an expression, with the lines that set them. Given again,
// it lists earlier ones; with All it lists all.
type ValueHistory struct {
	Expression string `json:"expression"`
	All        bool   `json:"all,omitempty"`
}

func (c ValueHistory) String() string {
	if c.All {
		return words("history -a", c.Expression)
	}
	return words("history", c.Expression)
}

func (c ValueHistory) run(ctx context.Context, s *Session) error {
	expr, all := c.Expression, c.All
	f, frame, err := s.values.follow(ctx, expr)
	if err != nil {
		return err
	}
	found, more := s.values.collect(f)
	if len(found) == 0 {
		return s.values.neverChanged(f, expr, frame.Function, s.position.here(), s.position.here())
	}
	begin, end := 0, len(found)
	if !all {
		if next, again := s.draft.goOn("history", expr, frame.Activation); again {
			end = min(next, len(found)) // this search may have found fewer values than the last one
		}
		if end == 0 {
			return errorf(NotFound, "%s has no earlier values", expr)
		}
		begin = max(end-historyPage, 0)
	}
	s.draft.answer.Changes = found
	s.draft.page = page{"history", expr, frame.Activation, s.draft.seq, begin}
	s.draft.say(s.values.historyText(expr+f.scope(), expr, found, begin, end, more) + f.among())
	return nil
}

// collect returns all known changes of an expression, the earliest first. more reports that there
// are earlier ones, which a limit or an interrupt cut off.
func (vs *values) collect(f follower) (found []Change, more bool) {
	size := 0
	for at := f.until(); ; {
		c, ok := f.last(at)
		if !ok {
			break
		}
		size += len(c.New.Text)
		if len(found) == historyMost || len(found) > 0 && size > historyBytes {
			more = true
			break
		}
		found = append(found, c)
		at = c.Event - 1
	}
	slices.Reverse(found)
	return found, more || vs.program.mustEnd()
}

// historyText formats changes with their lines, and marks the value at the current event.
func (vs *values) historyText(subject, expr string, found []Change, begin, end int, more bool) string {
	lines := []string{fmt.Sprintf("%s has had %s", subject, plural(len(found), "value", "values"))}
	if more {
		lines[0] = fmt.Sprintf("%s: the last %s values (there are more before)", subject, thousands(len(found)))
	}
	if spark := vs.sparkline(found); spark != "" {
		lines = append(lines, spark)
	}
	if begin > 0 {
		lines = append(lines, fmt.Sprintf("  … %s earlier: an empty line shows some, %s all", thousands(begin), vs.draft.key("history -a "+expr)))
	}
	current := -1
	for i, c := range found {
		if c.Event <= vs.position.here() {
			current = i
		}
	}
	values, width := make([]string, end-begin), 0
	digits := len(strconv.Itoa(found[end-1].Event))
	for i, c := range found[begin:end] {
		_, values[i] = changedTexts(c, historyShown)
		width = max(width, ansi.StringWidth(values[i]))
	}
	for i, c := range found[begin:end] {
		mark := "  "
		if begin+i == current {
			mark = "> "
		}
		by := "nothing that was recorded"
		if c.By.Event >= 0 {
			by = placeLine(c.By)
			if c.Set != nil {
				by = placeLine(*c.Set) + ", held since " + by
			}
		}
		pad := strings.Repeat(" ", width-ansi.StringWidth(values[i]))
		lines = append(lines, fmt.Sprintf("%s%*d  %s%s  by %s", mark, digits, c.Event, values[i], pad, by))
	}
	if end < len(found) {
		lines = append(lines, fmt.Sprintf("  … %s later", thousands(len(found)-end)))
	}
	return strings.Join(lines, "\n")
}

// sparks are the characters of a sparkline, in ascending height.
var sparks = []rune("▁▂▃▄▅▆▇█")

// sparkWidth is the maximum number of columns of a sparkline.
const sparkWidth = 60

// sparkline draws numeric values as a row of bars. It returns "" if the front end cannot show bars,
// if a value is not a number, or if there are fewer than three. Where several values share a
// column, it draws their mean.
func (vs *values) sparkline(found []Change) string {
	if !vs.cfg.Draws {
		return ""
	}
	var numbers []float64
	for _, c := range found {
		n, err := strconv.ParseFloat(c.New.Text, 64)
		switch {
		case !c.New.OK:
			continue // the name had no value at this time
		case err != nil && !math.IsInf(n, 0) || math.IsNaN(n):
			return ""
		}
		numbers = append(numbers, n)
	}
	return spark(numbers, sparkWidth)
}

// spark draws at least three numbers in at most width columns.
func spark(numbers []float64, width int) string {
	if len(numbers) < 3 {
		return ""
	}
	columns := make([]float64, min(len(numbers), width))
	for i := range columns {
		from, to := i*len(numbers)/len(columns), (i+1)*len(numbers)/len(columns)
		for _, n := range numbers[from:to] {
			columns[i] += n / float64(to-from)
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, n := range columns {
		low, high = min(low, n), max(high, n)
	}
	var b strings.Builder
	for _, n := range columns {
		at := 0.0
		if high > low && !math.IsInf(low, 0) && !math.IsInf(high, 0) {
			// Halve both, because the difference of two floats may exceed their range.
			at = (n/2 - low/2) / (high/2 - low/2) * float64(len(sparks)-1)
		}
		b.WriteRune(sparks[int(math.Round(at))])
	}
	return b.String()
}

// shorten cuts a text to room characters and appends how many are missing.
func shorten(text string, room int) string {
	n := utf8.RuneCountInString(text)
	if n <= room {
		return text
	}
	cut := 0
	for range room {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	return fmt.Sprintf("%s… +%s chars", text[:cut], thousands(n-room))
}

// shortenBoth cuts two texts to room characters so that their difference is visible. If one of them
// is too long, both begin shortly before the first difference.
func shortenBoth(a, b string, room int) (string, string) {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) <= room {
		return a, b
	}
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	begin := before(x[:same], room)
	rest := 0 // length of their common end
	for rest < min(len(x), len(y))-same && x[len(x)-1-rest] == y[len(y)-1-rest] {
		rest++
	}
	return cutFrom(x, begin, len(x)-rest, room), cutFrom(y, begin, len(y)-rest, room)
}

// before returns where a cut text begins. alike is the part before the first difference. The text
// begins at its start if there is room, else after a space at about a third of the room before the
// difference.
func before(alike []rune, room int) int {
	begin := len(alike) - room/3
	if begin <= 0 {
		return 0
	}
	if part := strings.IndexByte(string(alike[begin:]), ' '); part >= 0 {
		begin += utf8.RuneCountInString(string(alike[begin:])[:part]) + 1
	}
	return begin
}

// cutFrom cuts a text from begin on to at most room characters. It ends shortly after differs,
// where the differences end.
func cutFrom(text []rune, begin, differs, room int) string {
	end := min(len(text), begin+room, max(differs, begin)+room/3)
	cut := string(text[begin:end])
	if begin > 0 {
		cut = "…" + cut
	}
	if end < len(text) {
		cut += "…"
	}
	if hidden := len(text) - (end - begin); hidden > 0 {
		cut += fmt.Sprintf(" +%s chars", thousands(hidden))
	}
	return cut
}

// thousands formats 1234567 as 1,234,567.
func thousands(n int) string { return humanize.Comma(int64(n)) }
