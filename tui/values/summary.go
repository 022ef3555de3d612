package values

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/internal/draw"
)

// Line returns the value on one line, if it fits the columns.
func (n *Node) Line(columns int, m draw.Measure) (line string, ok bool) {
	return fitting(n.Text, columns, m)
}

// Summary returns one line of at most a number of columns: the whole value if it fits, else its
// beginning and how much is missing in elements ("[1, 2, … +98]"), characters ("'abc… +1,234
// chars") or bytes. Without room for the unit there is no number.
func (n *Node) Summary(columns int, m draw.Measure) string {
	if line, ok := fitting(n.Text, columns, m); ok {
		return line
	}
	if n.Cut == "" && n.Len() > 0 {
		// Widths add up except for characters that combine with their neighbours.
		if line, ok := n.some(columns, m); ok && m.Width(line) <= columns {
			return line
		}
	}
	return n.beginning(columns, m)
}

// fitting returns a text on one line, if that fits. It reads no more of a long text than can fit.
func fitting(text string, columns int, m draw.Measure) (string, bool) {
	if len(text) > most(columns) {
		return "", false
	}
	line := oneLine(text)
	return line, m.Width(line) <= columns
}

// most returns a number of bytes that no readable text of so many columns reaches.
func most(columns int) int { return 16*max(columns, 0) + 256 }

// oneLine joins the lines of a text, such as a numpy array.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// enough is the least number of columns for showing the beginning of an element.
const enough = 12

// some shows as many children as fit. ok is false if even the brackets do not.
func (n *Node) some(columns int, m draw.Measure) (line string, ok bool) {
	stored, missing := n.Len(), 0
	if last := n.Child(stored - 1); last.Note {
		stored, missing = stored-1, left(last.Node.Text)
	}
	head, tail := oneLine(n.Open()), oneLine(n.Close())
	// after returns the end of the line after the i-th child.
	after := func(i int) string {
		if rest := stored - i - 1 + missing; rest > 0 {
			return ", … +" + thousands(rest) + tail
		}
		return tail
	}
	line = strings.TrimSuffix(head, " ")
	used, best := m.Width(line), ""
	for i := range stored {
		e := n.spans[i]
		lead, end := n.Text[e.start:e.value], ""
		if n.paired {
			lead, end = "("+lead, ")"
		}
		if i > 0 {
			lead = ", " + lead
		}
		room := columns - used - m.Width(after(i))
		text, whole := fitting(lead+n.Text[e.value:e.end]+end, room, m)
		if !whole {
			// The last one may be cut.
			if len(lead) <= most(room) {
				if room -= m.Width(lead + end); room >= enough {
					return line + oneLine(lead) + n.Child(i).Node.Summary(room, m) + end + after(i), true
				}
			}
			break
		}
		line += text
		used += m.Width(text)
		best = line + after(i)
	}
	if best != "" {
		return best, true
	}
	none := line + strings.TrimPrefix(after(-1), ", ")
	return none, m.Width(none) <= columns
}

// beginning shows as many characters as fit.
func (n *Node) beginning(columns int, m draw.Measure) string {
	body := n.body()
	start := body
	if limit := most(columns); len(start) > limit {
		for limit > 0 && !utf8.RuneStart(start[limit]) {
			limit--
		}
		start = start[:limit]
	}
	start = oneLine(start)
	room := columns - m.Width(n.missing(""))
	if room < enough/2 {
		return m.Cut(start+"…", columns)
	}
	head := start
	if m.Width(start) > room {
		head = strings.TrimSuffix(m.Cut(start, room+1), "…")
	}
	head = head[:whole(start, len(head))]
	return head + n.missing(head)
}

// whole returns the last position up to i that is not within an escape such as \x1b.
func whole(text string, i int) int {
	for i > 0 && !between(text, i) {
		i--
	}
	return i
}

// Beginning returns how many of the first bytes of the text can be shown without cutting an escape,
// and the note that follows them: "… +260 chars", "… +49 bytes".
func (n *Node) Beginning(bytes int) (shown int, missing string) {
	shown = whole(n.Text, min(bytes, len(n.body())))
	return shown, n.missing(n.Text[:shown])
}

// thousands writes 1234567 as 1,234,567.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
