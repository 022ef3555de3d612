package traceback

import (
	"strings"
)

var leafBox = newForm(`^[╭┌┏+][─━-]+ Sub-exception #\d+ [─━-]+[╮┐┓+]$`)

// leaves parses the boxes of a group's exceptions from line i on, if there are any, and returns the
// line after them.
func (r *richReader) leaves(i int) int {
	for {
		at := i
		text, at, ok := r.next(at)
		if ok && blank(text) {
			text, at, ok = r.next(at + 1)
		}
		if !ok || r.depth == maxDepth/4 || !leafBox.MatchString(strings.TrimRight(text, " \t")) {
			return i
		}
		var lines []string
		lines, i = r.inside(at + 1)
		if leaf := r.leaf(lines); leaf != nil {
			r.trace.Leaves = append(r.trace.Leaves, leaf)
		}
	}
}

// inside returns the lines inside a box that begins with line i, and the line after the box.
func (r *richReader) inside(i int) (lines []string, end int) {
	for {
		text, at, ok := r.next(i)
		if !ok {
			return lines, i
		}
		inner, inside := boxContent(strings.TrimRight(text, " \t"))
		if !inside {
			if boxClose.MatchString(strings.TrimRight(text, " \t")) {
				at++
			}
			return lines, at
		}
		lines = append(lines, strings.TrimPrefix(strings.TrimRight(inner, " "), " "))
		i = at + 1
	}
}

// leaf parses the exception inside a box.
func (r *richReader) leaf(lines []string) *Trace {
	s := &scanner{lines: lines, depth: r.depth + 1}
	s.scan()
	defer func() { r.steps += s.steps }()
	if len(s.blocks) > 0 {
		ends := s.chains()
		return ends[len(ends)-1]
	}
	t := &Trace{Style: Rich}
	for i, line := range lines { // an exception that was not raised has no inner box
		if t.exception(line) {
			s.view("").notes(i+1, t)
			return t
		}
	}
	return nil
}
