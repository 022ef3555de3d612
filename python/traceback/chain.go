package traceback

import (
	"regexp"
	"strings"
)

// maxMessage bounds the lines that belong to the message of an exception in a chain.
const maxMessage = 200

// chains links the tracebacks that belong together and returns the last of each chain.
func (s *scanner) chains() []*Trace {
	var ends []*Trace
	marks := s.marks
	for k, b := range s.blocks {
		before := 0
		if k > 0 {
			before = s.blocks[k-1].end
		}
		for len(marks) > 0 && marks[0].line < before {
			marks = marks[1:]
		}
		var link *mark
		for len(marks) > 0 && marks[0].line < b.start { // the last one before the block counts
			link, marks = &marks[0], marks[1:]
		}
		if link == nil || !s.blankBetween(link.line+1, b.start) {
			ends = append(ends, b.trace)
			continue
		}
		earlier := s.unraised(b.view, b.trace.Style, before, link.line)
		if k > 0 && earlier == nil {
			earlier = s.blocks[k-1].trace
			s.close(s.blocks[k-1], link.line)
			ends = ends[:len(ends)-1]
		}
		if earlier == nil {
			earlier = &Trace{Style: b.trace.Style, NoStart: true, NoEnd: true}
		}
		b.trace.link(link.relation, earlier)
		ends = append(ends, b.trace)
	}
	return ends
}

// link sets the exception that led to this one.
func (t *Trace) link(r relation, earlier *Trace) {
	if r == cause {
		t.Cause = earlier
	} else {
		t.Context = earlier
	}
}

// blankBetween reports whether only blank lines, or lines of dashes, stand in [from, to).
func (s *scanner) blankBetween(from, to int) bool {
	for i := from; i < to; i++ {
		if strings.Trim(s.line(i), "- \t|>") != "" && i+3 < to {
			return false
		}
	}
	return true
}

// close gives the exception all lines of its message up to a sentence of the chain.
func (s *scanner) close(b block, to int) {
	var rest []string
	for i := b.end; i < to && len(rest) < maxMessage; i++ {
		line, ok := b.view.at(i)
		if !ok {
			continue
		}
		if quotes := strings.TrimSpace(line); quotes == `"""` || quotes == `'''` {
			b.trace.Remote = true
			continue
		}
		rest = append(rest, strings.TrimRight(line, " \t"))
	}
	for len(rest) > 0 && rest[len(rest)-1] == "" {
		rest = rest[:len(rest)-1]
	}
	b.trace.Notes = append(b.trace.Notes, rest...)
}

// errorName matches a line that begins with a usual name of an exception.
var errorName = regexp.MustCompile(`^[\pL\pN_.]*(?:Error|Exception|Exit|Interrupt|Warning|Iteration|Group)\b`)

// unraised reads an exception without a traceback above the line of a mark: it was named as a cause,
// but not raised. It returns nil if a traceback stands there.
func (s *scanner) unraised(v view, style Style, from, to int) *Trace {
	first := -1
	for i, empty := to-1, true; i >= from && i > to-maxMessage; i-- {
		line, ok := v.at(i)
		if ok && blank(line) && empty {
			continue
		}
		if ok && blank(line) {
			break
		}
		if empty = false; ok && (&Trace{}).exception(line) && (first < 0 || errorName.MatchString(line)) {
			first = i
		}
	}
	if first < 0 || first == from && from > 0 {
		return nil
	}
	t := &Trace{Style: style}
	line, _ := v.at(first)
	t.exception(line)
	for i := first + 1; i < to; i++ {
		if line, ok := v.at(i); ok && !blank(line) {
			t.Notes = append(t.Notes, line)
		}
	}
	return t
}
