package traceback

import (
	"strings"
)

var (
	richHeader  = newForm(`^(.*?)[╭┌┏+][─━-]+ (?:\S.* )?Traceback \(most recent call last\) [─━-]+[╮┐┓+]$`)
	richInner   = newForm(`^([^│|]*)[│|] \S.*:\d+ in \S+ +[│|]$`)
	boxOpen     = newForm(`^ ?[╭┌┏+][─━-]{3,}(?: locals [─━-]+)?[─━-]*[╮┐┓+]$`)
	boxClose    = newForm(`^ ?[╰└┗+][─━-]{3,}[╯┘┛+]$`)
	richPlace   = newForm(`^(.+?):(\d+)(?: in (.+))?$`)
	richPointer = newForm(`^ ?(?:❱|>|\?) *(\d+)(?: (.*))?$`)
	richCode    = newForm(`^ {2,}\d+(?: .*)?$`)
	richGuide   = newForm(`^(?:[│|]? {3,}|[│|] +)+`)
	richValue   = newForm(`^( *)([\pL_][\pL\pN_]*) = (.*)$`)
)

// backslashed reverts the escapes that Python writes for characters missing in the output's
// encoding.
var backslashed = strings.NewReplacer(`\u2771`, "❱", `\u2026`, "…", `\u25b2`, "▲")

// rich parses a traceback in rich's boxes.
func (s *scanner) rich(i int) int {
	line := strings.TrimRight(s.line(i), " \t")
	if !strings.HasSuffix(line, "│") && !strings.HasSuffix(line, "|") && !strings.Contains(line, "Traceback (most") {
		return i
	}
	t, first := &Trace{Style: Rich}, i+1
	m := richHeader.FindStringSubmatch(line)
	if m == nil {
		if m = richInner.FindStringSubmatch(line); m == nil {
			return i
		}
		t.NoStart, first = true, i
	}
	r := &richReader{view: s.view(margin(m[1])), trace: t}
	end := r.leaves(r.boxes(first))
	return s.add(block{r.trace, i, end, r.view})
}

// richReader parses one traceback of rich.
type richReader struct {
	view
	trace  *Trace
	place  string // the lines of a frame's location so far
	syntax bool   // inside the box of a SyntaxError
	values *richValues
}

// boxes parses the boxes of one exception from line i on, and the exception's line. It returns the
// line after it.
func (r *richReader) boxes(i int) int {
	closed := false
	for {
		text, at, ok := r.next(i)
		if !ok {
			break
		}
		text = strings.TrimRight(text, " \t")
		switch inner, inside := boxContent(text); {
		case inside && !closed:
			r.content(inner)
		case !closed && boxClose.MatchString(text):
			closed = true
		case closed && boxOpen.MatchString(text): // the location of a SyntaxError
			closed, r.syntax = false, true
		case closed && r.trace.exception(text):
			return r.notes(at+1, r.trace)
		default:
			r.trace.NoEnd = true
			return at
		}
		i = at + 1
	}
	r.trace.NoEnd = true
	return i
}

// boxContent returns the text between the borders of a box. ok is false if the line has no border.
func boxContent(text string) (inner string, ok bool) {
	for _, border := range []string{"│", "|", "┃"} {
		if rest, found := strings.CutPrefix(text, border); found {
			return backslashed.Replace(strings.TrimSuffix(rest, border)), true
		}
	}
	return "", false
}

// content parses one line of the outer box.
func (r *richReader) content(text string) {
	trimmed := strings.TrimRight(text, " ")
	if inner, ok := boxContent(strings.TrimLeft(trimmed, " ")); ok && r.values != nil {
		r.values.line(inner)
		return
	}
	switch m := richPointer.FindStringSubmatch(trimmed); {
	case boxClose.MatchString(trimmed) && r.values != nil:
		if f := r.trace.last(); f != nil {
			f.set(r.values.finish()...)
		}
		r.values = nil
	case boxOpen.MatchString(trimmed):
		r.values = &richValues{column: -1}
	case m != nil && r.trace.last() != nil:
		f := r.trace.last()
		f.Line = number(m[1])
		f.Source = richGuide.ReplaceAllString(m[2], "")
		f.SourceCut = len([]rune(trimmed)) >= len([]rune(text))-1
	case trimmed == "":
		r.place = ""
	case r.syntax && r.trace.last() != nil && r.trace.last().Syntax && r.trace.last().Source == "":
		r.trace.last().Source = strings.TrimSpace(trimmed)
	case !richCode.MatchString(trimmed):
		r.frame(strings.TrimSpace(trimmed))
	}
}

// maxPlace limits the length of a frame's location that rich wraps.
const maxPlace = 1000

// frame parses a line of a frame's location, which may be wrapped.
func (r *richReader) frame(text string) {
	joined := text
	if r.place != "" {
		glue := " "
		if !strings.HasSuffix(r.place, " in") && !strings.HasPrefix(text, "in ") {
			glue = "" // a long path was wrapped
		}
		joined = r.place + glue + text
	}
	if len(joined) > maxPlace {
		joined = text
	}
	m := richPlace.FindStringSubmatch(joined)
	if len(m) == 0 || m[3] == "" && !r.syntax {
		r.place = joined
		return
	}
	r.place = ""
	r.trace.Frames = append(r.trace.Frames, Frame{File: m[1], Line: number(m[2]), Function: m[3], Syntax: r.syntax && m[3] == ""})
}
