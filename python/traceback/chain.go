package traceback

import (
	"strings"
)

// maxMessage bounds the lines that belong to the message of an exception in a chain.
const maxMessage = 200

// chains links the tracebacks that belong together and returns the last of each chain.
func (s *scanner) chains() []*Trace {
	var ends []*Trace
	before := 0 // the line after the block before
	for k, b := range s.blocks {
		link := s.markAbove(b)
		if link.relation != noRelation {
			earlier := s.unraised(b.view, b.trace.Style, before, link.line)
			if earlier == nil && k > 0 {
				earlier = s.blocks[k-1].trace
				s.close(s.blocks[k-1], link.line)
				ends = ends[:len(ends)-1]
			}
			if earlier == nil {
				earlier = &Trace{Style: b.trace.Style, NoStart: true, NoEnd: true}
			}
			b.trace.link(link.relation, earlier)
		}
		ends = append(ends, b.trace)
		before = b.end
	}
	return ends
}

// markAbove returns the mark right above the block.
func (s *scanner) markAbove(b block) mark {
	var last mark
	for len(s.marks) > 0 && s.marks[0].line < b.start {
		last, s.marks = s.marks[0], s.marks[1:]
	}
	for i := last.line + 1; last.relation != noRelation && i < b.start; i++ {
		if rest, ok := b.view.at(i); ok && strings.Trim(rest, "- \t") != "" {
			return mark{}
		}
	}
	return last
}

// link sets the exception that led to this one.
func (t *Trace) link(r relation, earlier *Trace) {
	if r == cause {
		t.Cause = earlier
	} else {
		t.Context = earlier
	}
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
var errorName = newForm(`^[\pL\pN_.]*(?:Error|Exception|Exit|Interrupt|Warning|Iteration|Group)\b`)

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
	if first < 0 {
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
