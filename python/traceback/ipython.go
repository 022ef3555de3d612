package traceback

import (
	"fmt"
	"strings"
)

var (
	ipyHeader  = newForm(`^(.*?)([\pL_][\pL\pN_]*) {2,}Traceback \(most recent call last\)$`)
	cellForm   = newForm(`^(\s*)((?:Cell |Input )?In ?\[\d+\])(?:, line (\d+))?(?:,? in (.+))?$`)
	fileForm   = newForm(`^(\s*)File (\S.*?):(\d+)(?:,? in (.+))?$`)
	oldForm    = newForm(`^(\S.*\.pyx?|<[^<>]+>) in (\S.*)$`) // IPython 7
	arrowForm  = newForm(`^-*> ?(\d+)(?: (.*))?$`)
	numberForm = newForm(`^ {2,}\d+(?: .*)?$`)
	shownForm  = newForm(`^ {8}(?:global )?([\pL_][\pL\pN_.]*) = (.*)$`)
	callForm   = newForm(`^([^(]+)\((.*)\)$`)
)

// placeFrame parses the first line of a frame in IPython's form. ok is false for any other line.
func placeFrame(line string) (f Frame, indented int, ok bool) {
	m := fileForm.FindStringSubmatch(line)
	if m == nil {
		if m = cellForm.FindStringSubmatch(line); m == nil {
			return f, 0, false
		}
	}
	f = Frame{File: m[2]}
	f.Line = number(m[3])
	f.call(m[4])
	return f, len(m[1]), true
}

// placeStart returns the index at which IPython's first line of a frame begins, or -1.
func placeStart(line string) int {
	for _, word := range []string{"File ", "Cell In", "Input In"} {
		if at := strings.Index(line, word); at >= 0 {
			return at
		}
	}
	return -1
}

// call sets the frame's function, and its arguments if the text shows their values.
func (f *Frame) call(text string) {
	text = strings.TrimSpace(text)
	m := callForm.FindStringSubmatch(text)
	if m == nil {
		f.Function = text
		return
	}
	f.Function = m[1]
	if locals, ok := arguments(m[2]); ok {
		f.set(locals...)
	}
	if strings.HasPrefix(f.Function, "<cell line") {
		f.Function = "<module>"
	}
}

// ipython parses a traceback of IPython or Jupyter. Its header contains the exception's type.
func (s *scanner) ipython(i int) int {
	if !strings.Contains(s.lines[i], "Traceback (most recent call last)") {
		return i
	}
	m := ipyHeader.FindStringSubmatch(strings.TrimRight(s.line(i), " \t"))
	if m == nil {
		return i
	}
	r := ipyReader{view: s.view(margin(m[1])), trace: &Trace{Style: IPython}, kind: m[2]}
	end := r.read(i + 1)
	return s.add(block{r.trace, i, end, r.view})
}

// ipythonRest parses a traceback of IPython whose first lines are missing. Its first line is
// followed by numbered lines of code. It returns i if none begins there.
func (v view) ipythonRest(i int) int {
	text, _, ok := v.next(i + 1)
	if !ok || !numberForm.MatchString(text) && !arrowForm.MatchString(text) {
		return i
	}
	r := ipyReader{view: v, trace: &Trace{Style: IPython, NoStart: true}}
	end := r.read(i)
	return v.add(block{r.trace, i, end, v})
}

// ipyReader parses one traceback of IPython.
type ipyReader struct {
	view
	trace *Trace
	kind  string // the exception's type, without its module
}

// read parses the traceback from line i on, and returns the line after it.
func (r *ipyReader) read(i int) int {
	for {
		text, at, ok := r.next(i)
		if !ok {
			r.trace.NoEnd = true
			return i
		}
		text = strings.TrimRight(text, " \t")
		f, indented, isFrame := readFrame(text)
		switch {
		case r.ends(text):
			r.trace.exception(text)
			r.trace.syntaxPlace()
			return r.notes(at+1, r.trace)
		case strings.Contains(text, "Traceback (most recent call last)") || relationIn(text) != noRelation:
			r.trace.NoEnd = true
			return at
		case isFrame:
			f.Syntax = indented > 0
			r.trace.Frames = append(r.trace.Frames, f)
		case oldForm.MatchString(text):
			m := oldForm.FindStringSubmatch(text)
			f := Frame{File: m[1]}
			f.call(m[2])
			r.trace.Frames = append(r.trace.Frames, f)
		case len(r.trace.Frames) > 0:
			r.detail(r.trace.last(), text)
		}
		i = at + 1
	}
}

// ends reports whether a line is the exception's line, which ends the traceback.
func (r *ipyReader) ends(text string) bool {
	one := &Trace{}
	if r.kind == "" {
		return len(r.trace.Frames) > 0 && errorName.MatchString(text) && one.exception(text)
	}
	return one.exception(text) && (one.Type == r.kind || strings.HasSuffix(one.Type, "."+r.kind))
}

// detail parses a line of a frame. An arrow marks the frame's line of code.
func (r *ipyReader) detail(f *Frame, text string) {
	switch m := arrowForm.FindStringSubmatch(text); {
	case m != nil:
		f.Line = number(m[1])
		f.Source = strings.TrimSpace(m[2])
	case shownForm.MatchString(text) && !numberForm.MatchString(text):
		m := shownForm.FindStringSubmatch(text)
		m[2] = withoutCode(m[2], f.Line+1)
		if !strings.Contains(m[1], ".") && !strings.Contains(text[:strings.IndexByte(text, '=')], "global ") {
			f.set(Local{m[1], m[2], isCut(m[2])})
		}
	case f.Syntax && f.Source == "":
		f.Source = strings.TrimSpace(text)
	}
}

// withoutCode removes a line of code at the end of a value: IPython 9 prints the next line of code
// directly after the last value of a frame.
func withoutCode(value string, number int) string {
	if at := strings.Index(value, fmt.Sprintf("%7d ", number)); at >= 0 {
		return strings.TrimRight(value[:at], " ")
	}
	return value
}
