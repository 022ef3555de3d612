package traceback

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	richHeader  = regexp.MustCompile(`^(.*?)[╭┌┏+][─━-]+ (?:\S.* )?Traceback \(most recent call last\) [─━-]+[╮┐┓+]$`)
	boxOpen     = regexp.MustCompile(`^ ?[╭┌┏+][─━-]{3,}(?: locals [─━-]+)?[─━-]*[╮┐┓+]$`)
	boxClose    = regexp.MustCompile(`^ ?[╰└┗+][─━-]{3,}[╯┘┛+]$`)
	richPlace   = regexp.MustCompile(`^(.+?):(\d+)(?: in (.+))?$`)
	richPointer = regexp.MustCompile(`^ ?(?:❱|>|\?) *(\d+)(?: (.*))?$`)
	richCode    = regexp.MustCompile(`^ {2,}\d+(?: .*)?$`)
	richGuide   = regexp.MustCompile(`^(?:[│|]? {3,}|[│|] +)+`)
	richValue   = regexp.MustCompile(`^( *)([\pL_][\pL\pN_]*) = (.*)$`)
)

// backslashed undoes what Python writes for characters that the output's encoding lacks.
var backslashed = strings.NewReplacer(`\u2771`, "❱", `\u2026`, "…", `\u25b2`, "▲")

// rich reads a traceback in rich's boxes.
func (s *scanner) rich(i int) int {
	if !strings.Contains(s.lines[i], "Traceback (most recent call last) ") {
		return i
	}
	m := richHeader.FindStringSubmatch(strings.TrimRight(s.line(i), " \t"))
	if m == nil {
		return i
	}
	r := &richReader{view: s.view(margin(m[1])), trace: &Trace{Style: Rich}}
	end := r.boxes(i + 1)
	return s.add(block{r.trace, i, end, r.view})
}

// richReader reads the lines of one traceback of rich.
type richReader struct {
	view
	trace  *Trace
	place  string // the lines of a frame's place so far
	syntax bool   // inside the box of a SyntaxError
	values *richValues
}

// boxes reads the boxes of one exception from line i on, then its line, and returns the line after
// it.
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
		case closed && boxOpen.MatchString(text): // the place of a SyntaxError
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

// boxContent returns the text between the borders of a box.
func boxContent(text string) (inner string, ok bool) {
	for _, border := range []string{"│", "|", "┃"} {
		if rest, found := strings.CutPrefix(text, border); found {
			return backslashed.Replace(strings.TrimSuffix(rest, border)), true
		}
	}
	return "", false
}

// content reads one line of the outer box.
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
		f.Line, _ = strconv.Atoi(m[1])
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

// frame reads a line of a frame's place, which may be wrapped.
func (r *richReader) frame(text string) {
	joined := text
	if r.place != "" {
		glue := " "
		if !strings.HasSuffix(r.place, " in") && !strings.HasPrefix(text, "in ") {
			glue = "" // a long path
		}
		joined = r.place + glue + text
	}
	m := richPlace.FindStringSubmatch(joined)
	if m == nil || m[3] == "" && !r.syntax {
		r.place = joined
		return
	}
	r.place = ""
	number, _ := strconv.Atoi(m[2])
	r.trace.Frames = append(r.trace.Frames, Frame{File: m[1], Line: number, Function: m[3], Syntax: r.syntax && m[3] == ""})
}

// richValues reads a box of values, in which the names are aligned at the right.
type richValues struct {
	column int // of " = "
	locals []Local
	folded bool // the value so far was wrapped where no element of a container ends
	cut    int  // the part of the value so far that ends with a string whose end rich cut
}

// line reads one line of the box.
func (v *richValues) line(text string) {
	text = strings.TrimRight(text, " ")
	m := richValue.FindStringSubmatch(text)
	if m != nil {
		column := len([]rune(m[1])) + len([]rune(m[2]))
		if v.column < 0 {
			v.column = column
		}
		if column == v.column {
			v.end()
			v.locals = append(v.locals, Local{Name: m[2], Repr: m[3]})
			return
		}
	}
	if len(v.locals) > 0 {
		v.join(text)
	}
}

// join adds a further line to the last value.
func (v *richValues) join(text string) {
	l := &v.locals[len(v.locals)-1]
	rest := strings.TrimLeft(richGuide.ReplaceAllString(strings.TrimLeft(text, " "), ""), " │")
	if strings.HasSuffix(l.Repr, "…") {
		v.cut = len(l.Repr)
	}
	state, _ := scanRepr(l.Repr[v.cut:], nil)
	switch {
	case rest == "":
	case state.quote == 0 && strings.HasSuffix(l.Repr, ","):
		if strings.ContainsRune(")]}", rune(rest[0])) && !strings.HasSuffix(l.Repr, "(,") && !oneTuple(l.Repr, rest) {
			l.Repr = strings.TrimSuffix(l.Repr, ",") + rest
			return
		}
		l.Repr += " " + rest
	case state.quote == 0 && strings.ContainsAny(l.Repr[len(l.Repr)-min(1, len(l.Repr)):]+rest[:1], "([{)]}"):
		l.Repr += rest
	default:
		l.Repr += " " + rest
		v.folded = true
	}
}

// oneTuple reports whether the closing bracket ends a tuple of one element, which needs its comma.
func oneTuple(repr, rest string) bool {
	if rest[0] != ')' {
		return false
	}
	depth, commas := 0, 0
	for i := len(repr) - 1; i >= 0; i-- {
		switch c := repr[i]; {
		case strings.IndexByte(")]}", c) >= 0:
			depth++
		case c == '(' && depth == 0:
			return commas == 1
		case strings.IndexByte("([{", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			commas++
		}
	}
	return false
}

// end completes the value read so far.
func (v *richValues) end() {
	if len(v.locals) == 0 {
		return
	}
	l := &v.locals[len(v.locals)-1]
	l.Cut = v.folded || v.cut > 0 || isCut(l.Repr)
	v.folded, v.cut = false, 0
}

// finish returns the values of the box.
func (v *richValues) finish() []Local {
	v.end()
	return v.locals
}
