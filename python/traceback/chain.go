package traceback

import (
	"strings"
)

// maxMessage limits the number of lines in the message of an exception in a chain.
const maxMessage = 200

// chains links the tracebacks of each chain, and returns the last one of each.
func (s *scanner) chains() []*Trace {
	var ends []*Trace
	before := 0 // the line after the previous block
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

// markAbove returns the mark directly above a block, or the zero mark.
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

// link stores the earlier exception as the cause or the context of t.
func (t *Trace) link(r relation, earlier *Trace) {
	if r == cause {
		t.Cause = earlier
	} else {
		t.Context = earlier
	}
}

// close adds the further lines of an exception's message, up to line to.
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

// unraised parses an exception without a traceback, above the mark in line to: an exception in
// "raise … from" that was not raised itself. It returns nil if there is none.
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
