package values

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/internal/draw"
)

// Line returns the value on one line, if it fits into so many columns.
func (n *Node) Line(columns int, m draw.Measure) (line string, ok bool) {
	return fitting(n.Text, columns, m)
}

// Summary returns one line of at most so many columns that says most of the value:
// all of it if that fits, else the beginning, and how much is missing in elements
// ("[1, 2, … +98]"), characters ("'abc… +1,234 chars") or bytes. The unit is said,
// or the number is not.
func (n *Node) Summary(columns int, m draw.Measure) string {
	if line, ok := fitting(n.Text, columns, m); ok {
		return line
	}
	if n.Cut == "" && n.Len() > 0 {
		// Widths add up but for characters that join what is beside them.
		if line, ok := n.some(columns, m); ok && m.Width(line) <= columns {
			return line
		}
	}
	return n.beginning(columns, m)
}

// fitting returns a text on one line, if that fits. It does not look at more of a long
// one than can fit.
func fitting(text string, columns int, m draw.Measure) (string, bool) {
	if len(text) > most(columns) {
		return "", false
	}
	line := oneLine(text)
	return line, m.Width(line) <= columns
}

// most returns a number of bytes that is larger than any readable text of so many columns.
func most(columns int) int { return 16*max(columns, 0) + 256 }

// oneLine puts a text on one line, as numpy's arrays are not.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// enough columns make it worth while to show the beginning of an element.
const enough = 12

// some shows as many children as fit. ok is false where not even the brackets do.
func (n *Node) some(columns int, m draw.Measure) (line string, ok bool) {
	stored, missing := n.Len(), 0
	if last := n.Child(stored - 1); last.Note {
		stored, missing = stored-1, left(last.Node.Text)
	}
	head, tail := oneLine(n.Open()), oneLine(n.Close())
	// after is the end of the line behind the i-th child.
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
			// The last one may be shown in part.
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

// whole returns the last place up to i that is in no escape such as \x1b.
func whole(text string, i int) int {
	for i > 0 && !between(text, i) {
		i--
	}
	return i
}

// Beginning returns how much of the text, in bytes, can be shown where there is room for
// that much of it, and what to write behind it: "… +260 chars", "… +49 bytes".
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
