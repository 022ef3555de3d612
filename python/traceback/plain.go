package traceback

import (
	"slices"
	"strings"
)

const (
	lastHeader = "Traceback (most recent call last):"
	groupMark  = "Exception Group "
)

var (
	frameForm    = newForm(`^(\s*)File "(.+)", line (\d+|\?\?\?)(?:,? in ([^\\]+))?$`)
	repeatForm   = newForm(`^\s*\[Previous line repeated (\d+) more times?\]$`)
	caretForm    = newForm(`^\s*[~^]+(?:\s*[~^]+)*$`)
	valueForm    = newForm(`^([\pL_][\pL\pN_]*) = (.*)$`)
	exceptForm   = newForm(`^([\pL_][\pL\pN_]*(?:\.(?:[\pL_][\pL\pN_]*|<locals>))*)(?::(?: (.*)|$))?$`)
	logLineForm  = newForm(`^(?:\[?\d{4}-\d\d-\d\d[ T]|\[?\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL)\b|[=*_-]{5}|"""|'''|\$ |>>>(?: |$)|` + "```" + `)`)
	upperInitial = newForm(`^(?:[\pL\pN_.<>]*\.)?_*\p{Lu}`)
)

// plain parses an ordinary Python traceback that begins with its header.
func (s *scanner) plain(i int) int {
	line := s.line(i)
	at := strings.Index(line, lastHeader)
	if at < 0 || !blank(line[at+len(lastHeader):]) {
		return i
	}
	prefix := line[:at]
	t := &Trace{}
	if own, ok := strings.CutSuffix(prefix, "+ "+groupMark); ok {
		outer := strings.TrimRight(own, " ")
		r := &tree{scanner: s, margin: margin(outer)}
		end := r.exception(len(own)-len(outer), i+1, t)
		return s.add(block{t, i, end, s.view(margin(outer))})
	}
	v := s.view(s.marginBelow(i, strings.TrimSuffix(prefix, groupMark)))
	end := v.body(i+1, t)
	return s.add(block{t, i, end, v})
}

// marginBelow returns the margin of the lines below a header. It can be shorter than the header's
// prefix, because many loggers put their prefix only before the first line.
func (s *scanner) marginBelow(i int, prefix string) margin {
	for j := i + 1; j < len(s.lines) && j <= i+maxForeign; j++ {
		line := s.line(j)
		at := frameStart(line)
		if at < 0 {
			continue
		}
		before := line[:at]
		if rest, ok := margin(prefix).cut(line); ok && indent(rest) == len(rest)-len(line[at:]) {
			return margin(prefix)
		}
		return margin(strings.TrimSuffix(before, "  "))
	}
	return margin(prefix)
}

// frameStart returns the index at which the text of a frame begins in a line, after margin and
// indentation, or -1 if the line is not that of a frame.
func frameStart(line string) int {
	at := strings.Index(line, `File "`)
	if at < 0 {
		if at = placeStart(line); at < 0 {
			return -1
		}
	}
	if _, _, ok := readFrame(strings.TrimRight(line[at:], " \t")); !ok {
		return -1
	}
	return at
}

// readFrame parses the first line of a frame. ok is false for any other line.
func readFrame(line string) (f Frame, indented int, ok bool) {
	m := frameForm.FindStringSubmatch(line)
	if m == nil {
		return placeFrame(line)
	}
	f = Frame{File: m[2], Function: strings.TrimSpace(m[4])}
	f.Line = number(m[3])
	return f, len(m[1]), true
}

// body parses the frames and the exception's line, from line i on, and returns the line after them.
func (v view) body(i int, t *Trace) int {
	b := bodyReader{view: v, trace: t, frameIndent: -1}
	defer b.close()
	for {
		text, at, ok := v.next(i)
		if !ok {
			break
		}
		text = strings.TrimRight(text, " \t")
		if text == "" {
			if !b.goesOn(at + 1) {
				break
			}
			i = at + 1
			continue
		}
		end, done := b.read(text, at)
		if done {
			return end
		}
		i = at + 1
	}
	t.NoEnd = true
	b.cutFrame(i)
	return i
}

// bodyReader parses the body of one traceback.
type bodyReader struct {
	view
	trace       *Trace
	frameIndent int // indentation of the last frame's line; -1 before the first frame
	sources     int // number of source lines below the last frame's line
	value       *openValue
}

// read parses one line. done reports whether the traceback ends; it ends before line end.
func (b *bodyReader) read(text string, at int) (end int, done bool) {
	if f, indented, ok := readFrame(text); ok && b.place(indented) {
		if !strings.Contains(text, `File "`) {
			b.trace.Style = IPython
		}
		b.close()
		b.trace.Frames = append(b.trace.Frames, f)
		b.frameIndent, b.sources = indented, 0
		return 0, false
	}
	f := b.trace.last()
	if m := repeatForm.FindStringSubmatch(text); m != nil && f != nil {
		f.Repeated = number(m[1])
		return 0, false
	}
	if f != nil && (indent(text) > b.frameIndent || b.flatSource(text, at)) {
		b.detail(f, text)
		return 0, false
	}
	if indent(text) > 0 && b.frameIndent != 0 || !b.trace.exception(strings.TrimLeft(text, " ")) {
		if b.frameIndent >= 0 && (b.value != nil || indent(text) > 0) {
			b.detail(f, text) // a value over several lines
			return 0, false
		}
		b.trace.NoEnd = true
		return at, true
	}
	b.trace.syntaxPlace()
	return b.notes(at+1, b.trace), true
}

// place reports whether a line with this indentation can be a frame's: it is indented like the
// first frame's, or like that of a SyntaxError's location.
func (b *bodyReader) place(indented int) bool {
	return b.frameIndent < 0 || indented <= b.frameIndent+1
}

// flatSource reports whether a line without indentation is the source of the frame above it, in a
// text whose lines have lost their indentation.
func (b *bodyReader) flatSource(text string, at int) bool {
	if b.frameIndent != 0 || indent(text) > 0 {
		return false
	}
	if caretForm.MatchString(text) {
		return true
	}
	if b.sources > 0 {
		return false
	}
	next, _, ok := b.next(at + 1)
	if !ok {
		return false
	}
	next = strings.TrimRight(next, " \t")
	_, _, frame := readFrame(next)
	return frame || caretForm.MatchString(next) || repeatForm.MatchString(next) || (&Trace{}).exception(next)
}

// detail parses a line below a frame's line: source, carets or a value.
func (b *bodyReader) detail(f *Frame, text string) {
	body := strings.TrimLeft(text, " \t")
	switch {
	case caretForm.MatchString(text):
		if b.sources == 1 {
			f.Marked = marked(f.Source, text, b.frameIndent+2)
		}
	case b.sources == 0:
		f.Source = body
		b.sources = 1
	default:
		b.further(f, text, body)
	}
}

// further parses a line below a frame's header: a local, as traceback.TracebackException prints it with
// capture_locals, or another line of a value or of the source.
func (b *bodyReader) further(f *Frame, text, body string) {
	m := valueForm.FindStringSubmatch(body)
	switch {
	case m != nil && indent(text) == b.frameIndent+2:
		b.close()
		f.set(Local{m[1], m[2], isCut(m[2])})
		b.value = f.open(m[1], isCut)
	case b.value != nil:
		b.value.lines = append(b.value.lines, text)
	default:
		b.sources++
	}
}

// close completes the last value of the frame.
func (b *bodyReader) close() {
	b.value.close()
	b.value = nil
}

// marked returns the part of the source above the carets. column is the column at which the source
// begins in its line.
func marked(source, carets string, column int) string {
	from, to := strings.IndexAny(carets, "~^")-column, len(carets)-column
	runes := []rune(source)
	if from < 0 || to > len(runes) || slices.ContainsFunc(runes[:to], wide) {
		return ""
	}
	return string(runes[from:to])
}

// wide reports whether a character may take two columns, like a Chinese one. To place the carets,
// some versions of Python count columns, others characters.
func wide(r rune) bool { return r >= 0x1100 }

// goesOn reports whether the traceback continues after a blank line, as one printed by loguru or in
// IPython's plain mode does.
func (b *bodyReader) goesOn(i int) bool {
	text, _, ok := b.next(i)
	if !ok {
		return false
	}
	text = strings.TrimRight(text, " \t")
	if b.sources == 0 && caretForm.MatchString(text) {
		return true // the location of a SyntaxError on a blank line
	}
	if _, indented, ok := readFrame(text); ok {
		return b.place(indented) && indented > 0
	}
	return b.frameIndent > 0 && indent(text) == 0 && strings.Contains(text, "Error") && (&Trace{}).exception(text)
}

// notes adds the lines below the exception's line, up to a blank line, to Notes. It returns the
// line after them.
func (v view) notes(i int, t *Trace) int {
	for len(t.Notes) < maxMessage {
		text, at, ok := v.next(i)
		if !ok || blank(text) {
			break
		}
		text = strings.TrimRight(text, " \t")
		if strings.Contains(text, "Traceback (most recent") || logLineForm.MatchString(text) || frameStart(text) >= 0 {
			break
		}
		if relationIn(text) != noRelation {
			break
		}
		t.Notes = append(t.Notes, strings.TrimPrefix(text, "[NOTE] ")) // rich's mark for notes
		i = at + 1
	}
	return i
}

// exception parses the exception's line. It returns false for any other line.
func (t *Trace) exception(line string) bool {
	m := exceptForm.FindStringSubmatch(strings.TrimRight(line, " \t"))
	if len(m) == 0 || !strings.Contains(line, ":") && !upperInitial.MatchString(m[1]) {
		return false
	}
	t.Type, t.Message = m[1], m[2]
	return true
}

// syntaxTypes are the exceptions whose traceback ends with the location of the invalid source.
var syntaxTypes = map[string]bool{"SyntaxError": true, "IndentationError": true, "TabError": true}

// syntaxPlace sets Syntax in the last frame if the exception is a SyntaxError: that frame is only a
// location.
func (t *Trace) syntaxPlace() {
	f := t.last()
	if f != nil && f.Function == "" && (syntaxTypes[t.Type] || f.Marked != "" && strings.HasSuffix(t.Type, "Error")) {
		f.Syntax = true
	}
}

// cutFrame resets the line number of the last frame if the text ends with that frame's line,
// because the text may end in the middle of the number.
func (b *bodyReader) cutFrame(i int) {
	f := b.trace.last()
	if f != nil && b.sources == 0 && f.Function == "" && i >= len(b.lines) {
		f.Line = 0
	}
}
