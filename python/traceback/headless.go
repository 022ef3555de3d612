package traceback

import (
	"strings"
)

// headless reads a traceback whose first lines are missing, and the place of a SyntaxError, which
// has no header.
func (s *scanner) headless(i int) int {
	line := s.line(i)
	at := frameStart(line)
	if at < 0 {
		return i
	}
	v := s.view(margin(strings.TrimSuffix(line[:at], "  ")))
	if next, _, ok := v.next(i + 1); ok && strings.TrimSpace(next) == "Failed example:" {
		return i + 1 // doctest names the example's place
	}
	t := &Trace{NoStart: true}
	end := v.body(i, t)
	if len(t.Frames) == 1 && t.Frames[0].Syntax {
		t.NoStart = false
	}
	if rest, ok := strings.CutSuffix(string(v.margin), "| "); ok {
		outer := strings.TrimRight(rest, " ")
		r := &tree{scanner: s, margin: margin(outer)}
		end = r.leaves(len(rest)-len(outer), end, t)
	}
	return s.add(block{t, i, end, v})
}
