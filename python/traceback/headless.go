package traceback

import "strings"

// headless parses a traceback whose first lines are missing, or the location of a SyntaxError,
// which has no header.
func (s *scanner) headless(i int) int {
	line := s.line(i)
	at := frameStart(line)
	if at < 0 {
		return i
	}
	if i > 0 && strings.HasSuffix(strings.TrimRight(s.line(i-1), " \t"), "**********") {
		return i + 1 // doctest prints the location of the example
	}
	v := s.view(margin(strings.TrimSuffix(line[:at], "  ")))
	if next, _, ok := v.next(i + 1); ok && strings.TrimSpace(next) == "Failed example:" {
		return i + 1
	}
	if !strings.HasPrefix(line[at:], `File "`) && len(v.margin) == at {
		if end := v.ipythonRest(i); end > i {
			return end
		}
	}
	t := &Trace{NoStart: true}
	var end int
	if rest, ok := strings.CutSuffix(string(v.margin), "| "); ok { // may be a part of a group
		outer := strings.TrimRight(rest, " ")
		r := &tree{scanner: s, margin: margin(outer)}
		end = r.exception(len(rest)-len(outer), i, t)
	} else {
		end = v.body(i, t)
	}
	if len(t.Frames) == 1 && t.Type == "" && t.Style == IPython {
		return i + 1 // a location in other text
	}
	if len(t.Frames) == 1 && t.Frames[0].Syntax {
		t.NoStart = false
	}
	return s.add(block{t, i, end, v})
}
