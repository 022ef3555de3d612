package cwm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

// Trace is a parsed trace.
type Trace struct {
	Source string // the program, without the start-of-trace marker
	Start  int    // the line with the marker, from 1
	Frames []Frame
	Ended  bool // the text contains the end token, after the end of the outermost scope
}

// Frame is one state. Calls and lines have Locals, with unchanged values filled in; returns and
// exceptions have a Value. Told locates them in the text.
type Frame struct {
	Event  dsl.Event
	Locals []dsl.Local
	Source string
	Value  string
	Told   Told
}

// Read parses the text of a whole trace. The error is a *dsl.DecodeError.
func Read(text string) (*Trace, error) {
	r := &reader{rest: text, length: len(text)}
	t, err := r.trace()
	if err != nil {
		return nil, err
	}
	return t, nil
}

type reader struct {
	rest   string
	length int // bytes of the whole text, including those already read
	given  int // length of the forced event, which was not passed to Feed
	lines  map[string]bool
	scopes []map[string]string
}

func (r *reader) fault(kind dsl.FaultKind, format string, a ...any) *dsl.DecodeError {
	return &dsl.DecodeError{Kind: kind, Offset: max(r.at(), 0), Message: fmt.Sprintf(format, a...)}
}

// wants returns the error for a text that does not continue with what.
func (r *reader) wants(what string) error {
	if strings.HasPrefix(what, r.rest) {
		return r.fault(dsl.Truncated, "the text ends where it should have %s", what)
	}
	return r.fault(dsl.Malformed, "want %s", what)
}

func (r *reader) skip(text string) bool {
	rest, ok := strings.CutPrefix(r.rest, text)
	if ok {
		r.rest = rest
	}
	return ok
}

// until reads the text before the next token, and that token, which must be the given one.
func (r *reader) until(token string) (string, error) {
	i := strings.Index(r.rest, "<|")
	if i < 0 {
		i = len(r.rest)
	}
	before := r.rest[:i]
	r.rest = r.rest[i:]
	if !r.skip(token) {
		return "", r.wants(token)
	}
	return before, nil
}

func (r *reader) trace() (*Trace, error) {
	for i, c := range r.rest {
		if c == utf8.RuneError && !strings.HasPrefix(r.rest[i:], string(utf8.RuneError)) {
			r.rest = r.rest[i:]
			return nil, r.fault(dsl.Malformed, "this is not UTF-8")
		}
	}
	if !r.skip(beginOfText + contextStart) {
		return nil, r.wants(beginOfText + contextStart)
	}
	source, err := r.until(frameSep)
	if err != nil {
		return nil, err
	}
	t := &Trace{}
	if err := r.context(t, source); err != nil {
		return nil, err
	}
	for r.rest != "" {
		if r.skip(endOfText) {
			if len(t.Frames) == 0 || len(r.scopes) > 0 || r.rest != "" {
				return nil, r.fault(dsl.Impossible, "the text ends before the outermost scope is left, or goes on after its end")
			}
			t.Ended = true
			return t, nil
		}
		f, err := r.frame(len(t.Frames) == 0)
		if err != nil {
			return nil, err
		}
		t.Frames = append(t.Frames, f)
	}
	if len(t.Frames) == 0 {
		return nil, r.wants(separators[dsl.Call])
	}
	return t, nil
}

// context parses the source, and removes the start-of-trace marker from it.
func (r *reader) context(t *Trace, source string) error {
	r.lines = map[string]bool{}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(source) {
		n++
		text, ends := strings.CutSuffix(line, "\n")
		if !ends {
			return r.fault(dsl.Malformed, "the source does not end with a line's end")
		}
		text, marked := strings.CutSuffix(text, marker)
		switch {
		case marked && t.Start > 0:
			return r.fault(dsl.Impossible, "two lines have the mark of the trace's start: %d and %d", t.Start, n)
		case strings.Contains(text, strings.TrimSpace(marker)):
			return r.fault(dsl.Malformed, "the mark of the trace's start stands within line %d", n)
		case marked:
			t.Start = n
		}
		r.lines[text] = true
		b.WriteString(text)
		b.WriteByte('\n')
	}
	if t.Start == 0 {
		return r.fault(dsl.Malformed, "no line has the mark of the trace's start")
	}
	t.Source = b.String()
	return nil
}

func (r *reader) frame(first bool) (Frame, error) {
	var f Frame
	from := r.at()
	for event := dsl.Call; event <= dsl.Exception; event++ {
		if r.skip(separators[event]) {
			f.Event = event
			f.Told.toldEvent(from, r.at())
			break
		}
	}
	switch {
	case f.Event == 0:
		for _, token := range separators[dsl.Call:] {
			if strings.HasPrefix(token, r.rest) {
				return f, r.wants(token)
			}
		}
		return f, r.wants(separators[dsl.Line])
	case f.Event == dsl.Call || first && f.Event == dsl.Line:
		r.scopes = append(r.scopes, map[string]string{})
	}
	if len(r.scopes) == 0 {
		return f, r.fault(dsl.Impossible, "a frame of no scope: the outermost one was left, or none was entered")
	}
	if f.Event == dsl.Call || f.Event == dsl.Line {
		from := r.at()
		raw, err := r.until(actionSep)
		if err != nil {
			return f, err
		}
		if f.Locals, err = r.locals(raw, from, &f.Told); err != nil {
			return f, err
		}
	} else if !r.skip(actionSep) {
		return f, r.wants(actionSep)
	}
	returns := f.Event == dsl.Return || f.Event == dsl.Exception
	token := frameSep
	if returns {
		token = argSep
	}
	from = r.at()
	line, err := r.until(token)
	if err != nil {
		return f, err
	}
	f.Told.Line = []dsl.Span{{From: from, To: from + len(line)}} // line end included: x = 1 is not x = 12
	source, ends := strings.CutSuffix(line, "\n")
	if !ends || !r.lines[source] {
		fault := r.fault(dsl.Impossible, "the program has no line %q", line)
		fault.Outside = ends
		return f, fault
	}
	f.Source = source
	f.Told.End = r.at()
	if !returns {
		return f, nil
	}
	from = r.at()
	if line, err = r.until(frameSep); err != nil {
		return f, err
	}
	var at dsl.Span
	if f.Value, at, err = r.value(line, from); err != nil {
		return f, err
	}
	f.Told.Value, f.Told.End = []dsl.Span{at}, r.at()
	if f.Event == dsl.Return {
		r.scopes = r.scopes[:len(r.scopes)-1]
	}
	return f, nil
}

// locals parses the locals of the innermost scope from raw, the text at offset from.
func (r *reader) locals(raw string, from int, told *Told) ([]dsl.Local, error) {
	if halfPair(raw) {
		return nil, r.fault(dsl.Malformed, "half of a surrogate pair stands alone in %q", raw)
	}
	d := json.NewDecoder(strings.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, r.fault(dsl.Malformed, "want a JSON object of locals, have %q", raw)
	}
	known := r.scopes[len(r.scopes)-1]
	shown := map[string]string{}
	locals := []dsl.Local{}
	for d.More() {
		name, at, err := r.str(d, raw)
		if err != nil {
			return nil, err
		}
		value, end, err := r.str(d, raw)
		if err != nil {
			return nil, err
		}
		if _, twice := shown[name]; twice {
			return nil, r.fault(dsl.Impossible, "the local %q comes twice", name)
		}
		told.toldLocal(name, dsl.Span{From: from + at.From, To: from + end.To}, value == unchanged)
		if value == unchanged {
			old, ok := known[name]
			if !ok {
				return nil, r.fault(dsl.Impossible, "the local %q is unchanged, but was not shown in its scope's latest frame", name)
			}
			value = old
		}
		shown[name] = value
		locals = append(locals, dsl.Local{Name: name, Value: value})
	}
	if _, err := d.Token(); err != nil {
		return nil, r.fault(dsl.Malformed, "the locals do not end: %v", err)
	}
	if err := r.over(d); err != nil {
		return nil, err
	}
	r.scopes[len(r.scopes)-1] = shown
	return locals, nil
}

// value parses a single JSON string from raw, the text at offset from, and returns its span too.
func (r *reader) value(raw string, from int) (text string, at dsl.Span, err error) {
	if halfPair(raw) {
		return "", at, r.fault(dsl.Malformed, "half of a surrogate pair stands alone in %q", raw)
	}
	d := json.NewDecoder(strings.NewReader(raw))
	if text, at, err = r.str(d, raw); err != nil {
		return "", at, err
	}
	return text, dsl.Span{From: from + at.From, To: from + at.To}, r.over(d)
}

// str parses the next JSON string and returns its span in raw.
func (r *reader) str(d *json.Decoder, raw string) (text string, at dsl.Span, err error) {
	before := int(d.InputOffset())
	token, err := d.Token()
	text, ok := token.(string)
	if err != nil || !ok {
		return "", at, r.fault(dsl.Malformed, "want a JSON string, have %v (%v)", token, err)
	}
	return text, dsl.Span{From: before + strings.IndexByte(raw[before:], '"'), To: int(d.InputOffset())}, nil
}

// halfPair reports whether JSON has half of a surrogate pair, which encoding/json would replace.
func halfPair(raw string) bool {
	high := false
	for i := 0; i < len(raw); i++ {
		c, escape := rune(0), raw[i] == '\\' && i+1 < len(raw)
		if escape && raw[i+1] == 'u' && i+6 <= len(raw) {
			if n, err := strconv.ParseUint(raw[i+2:i+6], 16, 16); err == nil {
				c = rune(n)
				i += 4
			}
		}
		if escape {
			i++
		}
		low := c >= 0xdc00 && c <= 0xdfff
		if high != low {
			return true
		}
		high = c >= 0xd800 && c <= 0xdbff
	}
	return high
}

func (r *reader) over(d *json.Decoder) error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		rest, _ := io.ReadAll(d.Buffered())
		return r.fault(dsl.Malformed, "behind the JSON stands %q", bytes.TrimSpace(rest))
	}
	return nil
}
