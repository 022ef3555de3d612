package cwm

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

const (
	beginOfText = "<|begin_of_text|>"
	endOfText   = "<|end_of_text|>"
	marker      = "  # << START_OF_TRACE"
	mainHead    = "def main():"
	mainBody    = "    return "
	unchanged   = ".."
)

var separators = func() (list [dsl.Exception + 1]string) {
	for event, token := range map[dsl.Event]dsl.Token{
		dsl.Call: dsl.CallSep, dsl.Line: dsl.LineSep, dsl.Return: dsl.ReturnSep, dsl.Exception: dsl.ExceptionSep,
	} {
		list[event] = dsl.ND1.Name(token)
	}
	return list
}()

var (
	contextStart = dsl.ND1.Name(dsl.ContextStart)
	frameSep     = dsl.ND1.Name(dsl.FrameSep)
	actionSep    = dsl.ND1.Name(dsl.ActionSep)
	argSep       = dsl.ND1.Name(dsl.ArgSep)
)

// Beginning begins a trace. If ForcedReturn follows the frame of a call at the end of a prompt, the
// model writes the frame in which the call returns. StopOfFrame ends each frame, StopOfTrace the
// trace.
var (
	Beginning    = beginOfText
	ForcedReturn = separators[dsl.Return]
	StopOfFrame  = frameSep
	StopOfTrace  = endOfText
)

// Tokens returns the tokens of a trace.
func Tokens() []string {
	return append([]string{beginOfText, contextStart, frameSep, actionSep, argSep, endOfText}, separators[dsl.Call:]...)
}

// Marked reports whether a line of the text ends with the marker of a trace's start.
func Marked(text string) bool { return strings.Contains(text, marker+"\n") }

// Writer writes one trace.
type Writer struct {
	scopes []map[string]string // the latest locals of each scope, outermost scope first
	last   dsl.Event
	ended  bool
}

// Begin begins a trace, and returns its text: the context and the first state. If call is empty,
// the first state is the argument first: a module's first line, or a function's call. Otherwise
// call is a function call such as f('ab', 3), and the first state is the call of an added function
// main that makes it; append Main next, then the states of the program one level deeper. The error
// is an *UnsayableError.
func Begin(p *dsl.Program, call string, first *dsl.Stop) (*Writer, []byte, error) {
	lines, err := sayable(p)
	if err != nil {
		return nil, nil, err
	}
	w := &Writer{}
	dst := []byte(beginOfText + contextStart)
	if call != "" {
		if strings.ContainsAny(call, "\r\n") || strings.Contains(call, "<|") {
			return nil, nil, &UnsayableError{"a call of several lines, or one with <| in it"}
		}
		for _, line := range lines {
			if mainWord.MatchString(line) {
				return nil, nil, &UnsayableError{"a program with a main of its own"}
			}
		}
		dst = append(dst, '\n')
		for _, line := range lines {
			dst = append(append(dst, line...), '\n')
		}
		dst = append(dst, mainHead+marker+"\n"+mainBody...)
		dst = append(append(dst, call...), '\n')
		dst = append(dst, frameSep...)
		dst, _, err = w.frame(dst, &dsl.Stop{State: dsl.State{Event: dsl.Call, Source: mainHead}}, false)
		return w, dst, err
	}
	if first.Event != dsl.Line && first.Event != dsl.Call || first.Depth != 0 {
		return nil, nil, &UnsayableError{"a trace that begins neither with a call nor with a module's line"}
	}
	for i, line := range lines {
		if i == first.Line-1 {
			if strings.HasSuffix(line, `\`) || opensText(line) {
				return nil, nil, &UnsayableError{"a first line that no comment may follow"}
			}
			line += marker
		}
		dst = append(append(dst, line...), '\n')
	}
	dst = append(dst, frameSep...)
	if first.Event == dsl.Line {
		w.scopes = append(w.scopes, map[string]string{})
	}
	dst, _, err = w.frame(dst, first, false)
	return w, dst, err
}

// opensText reports whether a line appears to open a triple-quoted string that it does not close. A
// comment appended to such a line would become part of the string. It looks for triple quotes only.
func opensText(line string) bool {
	for {
		i := strings.Index(line, `"""`)
		if k := strings.Index(line, "'''"); i < 0 || k >= 0 && k < i {
			i = k
		}
		if i < 0 {
			return false
		}
		quotes := line[i : i+3]
		_, after, closed := strings.Cut(line[i+3:], quotes)
		if !closed {
			return true
		}
		line = after
	}
}

// sayable returns the program's lines if a trace can express the program: it must have one file and
// no token in its source.
func sayable(p *dsl.Program) ([]string, error) {
	if len(p.Files) != 1 {
		return nil, &UnsayableError{"a program of several files"}
	}
	lines := p.Files[0].Lines
	for _, line := range lines {
		switch {
		case strings.Contains(line, "<|"):
			return nil, &UnsayableError{"program text with <| in it"}
		case strings.Contains(line, strings.TrimSpace(marker)):
			return nil, &UnsayableError{"program text with the mark of a trace's start in it"}
		case !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n"):
			return nil, &UnsayableError{"a line that is not UTF-8, or has a line's end within it"}
		}
	}
	return lines, nil
}

// mainWord finds a name main in the program, which the added function main would hide.
var mainWord = regexp.MustCompile(`\bmain\b`)

// Main returns the state in which the added function main makes its call.
func Main(call string) *dsl.Stop {
	return &dsl.Stop{State: dsl.State{Event: dsl.Line, Source: mainBody + call}}
}

// Append appends a step to dst, and returns where its parts are in dst. A step is a step_into to
// the next state, or a step_return from a call to its return. For the latter, ForcedReturn belongs
// to the prompt and not to the reply. The end can only follow the outermost return. The error is an
// *UnsayableError.
func (w *Writer) Append(dst []byte, s dsl.Step) ([]byte, dsl.Parts, error) {
	forced := s.Action.Move == dsl.StepReturn && w.last == dsl.Call
	switch {
	case s.Edit:
		return nil, dsl.Parts{}, &UnsayableError{"an edit"}
	case s.Action.Move == 0:
		return nil, dsl.Parts{}, &UnsayableError{"a given state after the first"}
	case s.Action.Move != dsl.StepInto && !forced:
		return nil, dsl.Parts{}, &UnsayableError{s.Action.Move.String()}
	}
	switch s.Reply.Outcome {
	case dsl.Landed:
		return w.frame(dst, s.Reply.Stop, forced)
	case dsl.Ended:
		if len(w.scopes) > 0 || w.ended || forced {
			return nil, dsl.Parts{}, &UnsayableError{"a program that ends elsewhere than after its outermost return"}
		}
		w.ended = true
		from := len(dst)
		dst = append(dst, endOfText...)
		return dst, dsl.Parts{Reply: dsl.Span{From: from, To: len(dst)}}, nil
	}
	return nil, dsl.Parts{}, &UnsayableError{"the reply " + strconv.Quote(s.Reply.Outcome.String())}
}

// frame writes a state. The spans of its parts are counted from the beginning of dst.
func (w *Writer) frame(dst []byte, s *dsl.Stop, forced bool) ([]byte, dsl.Parts, error) {
	var p dsl.Parts
	if s.Event == dsl.Call {
		w.scopes = append(w.scopes, map[string]string{})
	}
	switch {
	case len(w.scopes) == 0 || s.Depth != len(w.scopes)-1:
		return nil, p, &UnsayableError{"a state whose calls and returns it has not all"}
	case forced && s.Event != dsl.Return:
		return nil, p, &UnsayableError{"a call that does not return"}
	case strings.Contains(s.Source, "<|"):
		return nil, p, &UnsayableError{"program text with <| in it"}
	}
	p.Reply.From = len(dst)
	dst = append(dst, separators[s.Event]...)
	if forced {
		p.Reply.From = len(dst)
	}
	var err error
	if s.Event == dsl.Call || s.Event == dsl.Line {
		if dst, err = w.locals(dst, s.Locals, &p); err != nil {
			return nil, p, err
		}
	}
	dst = append(dst, actionSep...)
	from := len(dst)
	dst = append(dst, s.Source...)
	p.Worked = append(p.Worked, dsl.Span{From: from, To: len(dst)})
	dst = append(dst, '\n')
	if s.Event == dsl.Return || s.Event == dsl.Exception {
		value := "None"
		if s.Value != nil {
			value = *s.Value
		}
		dst = append(dst, argSep...)
		from = len(dst)
		if dst, err = appendString(dst, value); err != nil {
			return nil, p, err
		}
		p.Worked = append(p.Worked, dsl.Span{From: from, To: len(dst)})
	}
	if s.Event == dsl.Return {
		w.scopes = w.scopes[:len(w.scopes)-1]
	}
	w.last = s.Event
	dst = append(dst, frameSep...)
	p.Reply.To = len(dst)
	return dst, p, nil
}

// locals writes the locals that are not hidden, and stores them as the latest ones of the innermost
// scope.
func (w *Writer) locals(dst []byte, locals []dsl.Local, p *dsl.Parts) ([]byte, error) {
	known := w.scopes[len(w.scopes)-1]
	shown := make(map[string]string, len(locals))
	dst = append(dst, '{')
	for _, l := range locals {
		if l.Hidden {
			continue
		}
		if _, twice := shown[l.Name]; twice || l.Value == unchanged {
			return nil, &UnsayableError{"a name that comes twice, or a value that is two dots"}
		}
		if len(shown) > 0 {
			dst = append(dst, ", "...)
		}
		shown[l.Name] = l.Value
		from := len(dst)
		var err error
		if dst, err = appendString(dst, l.Name); err != nil {
			return nil, err
		}
		dst = append(dst, ": "...)
		old, ok := known[l.Name]
		if ok && old == l.Value {
			dst = append(dst, `".."`...)
			continue
		}
		if ok { // the name follows from the text before
			from = len(dst)
		}
		if dst, err = appendString(dst, l.Value); err != nil {
			return nil, err
		}
		p.Worked = append(p.Worked, dsl.Span{From: from, To: len(dst)})
	}
	w.scopes[len(w.scopes)-1] = shown
	return append(dst, '}'), nil
}

// appendString writes a JSON string as Python's json.dumps does, and also escapes < before |.
func appendString(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, &UnsayableError{"a text that is not UTF-8"}
	}
	dst = append(dst, '"')
	for i, c := range s {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', byte(c))
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c > 0xffff:
			high, low := utf16.EncodeRune(c)
			dst = appendEscape(appendEscape(dst, high), low)
		case c < ' ' || c > '~' && c != 0x7f || c == '<' && strings.HasPrefix(s[i:], "<|"):
			dst = appendEscape(dst, c)
		default:
			dst = append(dst, byte(c))
		}
	}
	return append(dst, '"'), nil
}

func appendEscape(dst []byte, c rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[c>>12&15], digits[c>>8&15], digits[c>>4&15], digits[c&15])
}

// Clone returns a copy of the writer. Appending to one does not affect the other.
func (w *Writer) Clone() *Writer {
	c := *w
	c.scopes = slices.Clone(w.scopes) // each map is replaced, not changed
	return &c
}
