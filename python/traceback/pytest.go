package traceback

import (
	"strings"
)

var (
	sectionForm  = newForm(`^(.*?)_{3,} (\S.*) _{3,}$`)
	endForm      = newForm(`^(?:={3,} .* ={3,}|-{3,} Captured .* -{3,})$`)
	entryForm    = newForm(`^(?:_ ){8,}_?$`)
	locationForm = newForm(`^(\S.*?):(\d+): ?(?:in (\S.*)|([\pL_][\pL\pN_.]*)(?:: (.*))?)?$`)
	errorForm    = newForm(`^E(?: (.*))?$`)
	pointForm    = newForm(`^>(?: {3}\s*(.*))?$`)
	defForm      = newForm(`^ {4}\s*(?:async )?def ([\pL_][\pL\pN_]*)`)
	localForm    = newForm(`^( {8})?([\pL_][\pL\pN_]*) * = (.*)$`)
	fragmentForm = newForm(`^(.*?)(\S+\.pyw?|<[^<>]+>):\d+: (?:in \S.*|\p{Lu}[\pL\pN_]*)?$|^(.*?)E {3,}\S`)
)

// maxBack limits how many lines before the first recognizable line a partial pytest failure may
// begin.
const maxBack = 300

// pytest parses one failure in pytest's output (--tb=long, auto, short or line).
func (s *scanner) pytest(i int) int {
	line := strings.TrimRight(s.line(i), " \t")
	if !strings.Contains(line, ".py") && !strings.Contains(line, ">:") && !strings.Contains(line, "E   ") && !strings.HasSuffix(line, "___") {
		return i
	}
	if m := sectionForm.FindStringSubmatch(line); m != nil && !entryForm.MatchString(line) {
		return s.failure(i+1, margin(m[1]))
	}
	if m := lineForm.FindStringSubmatch(line); m != nil {
		t := &Trace{Style: Pytest, Type: m[4], Message: m[5]}
		t.Frames = []Frame{{File: m[2], Line: number(m[3])}}
		return s.add(block{t, i, i + 1, s.view(margin(m[1]))})
	}
	if m := fragmentForm.FindStringSubmatch(s.lines[i]); m != nil {
		prefix := margin(m[1] + m[3])
		if !prefix.empty() && !logPrefix(prefix) {
			return i
		}
		known, first := len(s.blocks), s.fragmentStart(i, prefix)
		s.taken = i + 1 // so that the search backward reads no line twice
		end := s.failure(first, prefix)
		goesOn := s.native > 0 && len(s.marks) > 0 && s.marks[len(s.marks)-1].line > s.native
		if known < len(s.blocks) && !goesOn {
			s.blocks[known].trace.NoStart = true
		}
		return end
	}
	return i
}

// lineForm matches the output of --tb=line.
var lineForm = newForm(`^(.*?)((?:/|[A-Za-z]:\\)\S*\.pyw?):(\d+): ([\pL_][\pL\pN_.]*(?:Error|Exception|Exit|Interrupt)): (.*)$`)

// logPrefix reports whether a margin looks like the prefix of a logger, or a quotation mark.
func logPrefix(m margin) bool { return strings.ContainsAny(string(m), "|>:]") }

// fragmentStart returns the line at which a partial failure begins. Line i is the line by which it
// was recognized.
func (s *scanner) fragmentStart(i int, prefix margin) int {
	first := i
	for first > max(s.taken, i-maxBack) {
		if _, ok := prefix.cut(s.line(first - 1)); !ok {
			break
		}
		first--
	}
	return first
}

// failureReader parses one failure.
type failureReader struct {
	view
	trace  *Trace
	entry  Frame    // the current frame of the long form, whose last line is its location
	short  bool     // the last frame has the short form
	errors []string // lines marked with E
	kind   string   // the exception's type, from the location of the innermost frame
	value  *openValue
	column int // column at which the entry's source begins
	start  int
}

// failure parses a failure from line i on, and returns the line after it.
func (s *scanner) failure(i int, prefix margin) int {
	r := &failureReader{view: s.view(prefix), trace: &Trace{Style: Pytest}, start: i}
	first := i
	for i < len(s.lines) {
		text, at, ok := r.next(i)
		if !ok {
			break
		}
		text = strings.TrimRight(text, " \t")
		if endForm.MatchString(text) || sectionForm.MatchString(text) && !entryForm.MatchString(text) {
			i = at
			break
		}
		if otherForm(text) {
			r.finish(at)
			s.native = at
			return max(at, first)
		}
		if lineForm.MatchString(text) {
			i = at
			break
		}
		if relation := relationIn(text); relation != noRelation {
			r.finish(at)
			s.marks = append(s.marks, mark{relation, at})
			r = &failureReader{view: r.view, trace: &Trace{Style: Pytest}, start: at + 1}
		} else {
			r.read(text)
		}
		i = at + 1
	}
	r.finish(i)
	return i
}

// otherForm reports whether a line begins a traceback in another form: the output of --tb=native,
// or an exception of another process.
func otherForm(text string) bool {
	inMessage := errorForm.MatchString(text)
	return !inMessage && (strings.Contains(text, "(most recent call ") || strings.HasPrefix(strings.TrimSpace(text), `File "`))
}

// finish adds the exception that was parsed.
func (r *failureReader) finish(end int) {
	t := r.trace
	r.closeValue()
	if r.entry.Source != "" { // the text ends before the entry's location
		t.Frames = append(t.Frames, r.entry)
	}
	r.exception()
	t.NoEnd = t.Type == ""
	if refused := t.Type == "DocTestFailure" || t.Type == "" && len(r.errors) > 0; len(t.Frames) > 0 && !refused {
		r.add(block{t, r.start, end, r.view})
	}
}

// read parses one line of the failure.
func (r *failureReader) read(text string) {
	if m := errorForm.FindStringSubmatch(text); m != nil {
		r.errors = append(r.errors, m[1])
		r.closeValue()
		return
	}
	if entryForm.MatchString(text) {
		r.closeValue()
		r.entry, r.short = Frame{}, false
		return
	}
	if m := locationForm.FindStringSubmatch(text); len(m) > 0 && (m[3] != "" || m[5] == "") {
		r.location(m)
		return
	}
	switch m := pointForm.FindStringSubmatch(text); {
	case m != nil && !r.short:
		if m[1] != "???" {
			r.entry.Source, r.column = m[1], len(text)-len(m[1])
		}
	case r.short:
		r.shortLine(text)
	default:
		r.longLine(text)
	}
}

// location parses "FILE:LINE: in FUNCTION", which begins a short entry, or "FILE:LINE: TYPE", which
// ends a long one.
func (r *failureReader) location(m []string) {
	r.closeValue()
	if m[3] != "" {
		r.trace.Frames = append(r.trace.Frames, Frame{File: m[1], Line: number(m[2]), Function: m[3]})
		r.entry, r.short = Frame{}, true
		return
	}
	f := r.entry
	f.File, f.Line = m[1], number(m[2])
	r.trace.Frames = append(r.trace.Frames, f)
	r.kind = m[4]
	r.entry, r.short = Frame{}, false
}

func (r *failureReader) shortLine(text string) {
	f := r.trace.last()
	if m := localForm.FindStringSubmatch(text); len(m) > 0 && m[1] != "" && padded(m) && f.Source != "" {
		r.closeValue()
		f.set(Local{m[2], m[3], pytestCut(m[3])})
		r.value = f.open(m[2], pytestCut)
		return
	}
	switch {
	case text == "":
		r.short = false
		r.closeValue()
	case r.value != nil:
		r.value.lines = append(r.value.lines, text)
	case f.Source != "" && f.Marked == "" && caretForm.MatchString(text):
		f.Marked = marked(f.Source, text, 4)
	case f.Source == "" && indent(text) > 0 && strings.TrimSpace(text) != "???":
		f.Source = strings.TrimSpace(text)
	}
}

// padded reports whether a name is padded to ten columns, as in pytest's list of values.
func padded(m []string) bool {
	return len([]rune(m[0]))-len([]rune(m[1]))-len([]rune(m[3]))-len(" = ") >= max(10, len([]rune(m[2])))
}

func (r *failureReader) longLine(text string) {
	m := localForm.FindStringSubmatch(text)
	switch {
	case len(m) > 0 && m[1] == "" && padded(m) && r.entry.Source != "":
		r.closeValue()
		r.entry.set(Local{m[2], m[3], pytestCut(m[3])})
		r.value = r.entry.open(m[2], pytestCut)
	case r.value != nil && text != "":
		r.value.lines = append(r.value.lines, text)
	case text == "":
		r.closeValue()
	case r.entry.Source != "" && r.entry.Marked == "" && caretForm.MatchString(text):
		r.entry.Marked = marked(r.entry.Source, text, r.column)
	case r.entry.Function == "" && r.entry.Source == "":
		if m := defForm.FindStringSubmatch(text); m != nil {
			r.entry.Function = m[1]
		} else if locals, ok := arguments(text); ok && indent(text) == 0 {
			for i := range locals {
				locals[i].Cut = pytestCut(locals[i].Repr)
			}
			r.entry.set(locals...)
		}
	}
}

// closeValue completes the last value, and closes it.
func (r *failureReader) closeValue() {
	r.value.close()
	r.value = nil
}

// exception sets the exception from the lines marked with E.
func (r *failureReader) exception() {
	t := r.trace
	at := -1
	for i, line := range r.errors {
		if f, _, ok := readFrame(strings.TrimRight(line, " ")); ok && f.Function == "" {
			r.syntax(f, i)
		}
		one := &Trace{}
		if !one.exception(strings.TrimSpace(line)) || at >= 0 && (t.last() == nil || !t.last().Syntax) {
			continue
		}
		if r.kind == "" || one.Type == r.kind || strings.HasSuffix(one.Type, "."+r.kind) {
			t.Type, t.Message, at = one.Type, one.Message, i
		}
	}
	if at < 0 {
		t.Type = r.kind
		if len(r.errors) > 0 && strings.HasPrefix(strings.TrimSpace(r.errors[0]), "assert ") {
			// pytest omits the type AssertionError if it explains the assertion.
			t.Type, t.Message, at = "AssertionError", strings.TrimSpace(r.errors[0]), 0
		}
	}
	for _, line := range r.errors[at+1:] {
		t.Notes = append(t.Notes, strings.TrimSpace(line))
	}
}

// syntax adds the location of a SyntaxError as a frame.
func (r *failureReader) syntax(f Frame, i int) {
	f.Syntax = true
	if i+1 < len(r.errors) {
		f.Source = strings.TrimSpace(r.errors[i+1])
	}
	r.trace.Frames = append(r.trace.Frames, f)
}
