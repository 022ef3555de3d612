package session

import (
	"fmt"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/statetree"
)

// valueShown is how many characters of a returned value a location shows.
const valueShown = 80

// frames returns the stack at the position, from the outermost in; nil at the end, and where
// a start has failed.
func (s *Session) frames() []statetree.StackFrame {
	if s.pos.End || s.pos.Event < 0 {
		return nil
	}
	return s.states().Stack(s.pos.Event)
}

// frame returns the selected frame.
func (s *Session) frame() (statetree.StackFrame, error) {
	if b := s.selectedBelow(); b != nil {
		return b.StackFrame, nil
	}
	stack := s.frames()
	i := len(stack) - 1 - max(s.selected, 0)
	if i < 0 {
		return statetree.StackFrame{}, errorf(ProgramOver, "The program is over, so there is no frame here; rs goes back to its last event")
	}
	return stack[i], nil
}

// fileOf returns the place of a frame's file among the tree's files, -1 if unknown.
func (s *Session) fileOf(f statetree.StackFrame) int {
	return nav.FileOf(s.states(), f)
}

// stopText returns what pdb prints when it stops, and what a model predicted of it.
func (s *Session) stopText() string {
	text := s.placeText()
	if w := s.beside(); w != nil {
		if b := w.Beside(); b.Compared {
			text += "\n" + b.Sentence
		}
	}
	return text
}

// placeText returns what pdb prints when it stops: the kind of event, then the place.
func (s *Session) placeText() string {
	if s.pos.End {
		return s.endText(s.nav.Mark(s.pos).Exit)
	}
	frame, err := s.frame()
	if err != nil {
		return err.Error()
	}
	st := s.states().State(s.pos.Event)
	entry := s.marked(s.stackEntry(frame, true))
	if s.selected != 0 {
		return entry
	}
	switch st.Event {
	case dsl.Call:
		return "--Call--\n" + entry
	case dsl.Return:
		return "--Return--\n" + entry
	case dsl.Exception:
		if st.Value != nil {
			return s.raisedText(s.pos.Event, *st.Value) + "\n" + entry
		}
	}
	return entry
}

// marked describes behind a place where the state comes from, unless that is CPython,
// and how sure a model was.
func (s *Session) marked(entry string) string {
	if s.rec != nil {
		return entry
	}
	known := s.nav.Mark(s.pos)
	mark := known.Origin.String()
	if c := known.Confidence; c != nil {
		mark += fmt.Sprintf(" %.2f", *c)
	}
	if s := known.Sureness; s != nil && s.Whole != nil {
		mark += ", " + s.Told(*s.Whole)
	}
	place, source, _ := strings.Cut(entry, "\n")
	return place + "  [" + mark + "]\n" + source + madeUp(known) + doubted(known)
}

// madeUp returns a line with the names of the arguments that a model made up, "" if there are
// none.
func madeUp(known nav.Mark) string {
	if len(known.MadeUp) == 0 {
		return ""
	}
	return "\nmade up by the model: " + escape.Line(strings.Join(known.MadeUp, ", "))
}

// doubted describes which part of a prediction the model was the least sure of, on a line of its
// own; "" where it was sure of all, or that is not known.
func doubted(known nav.Mark) string {
	part, p := known.Sureness.Least()
	if p == nil || *p >= backend.Sure {
		return ""
	}
	words := known.Sureness.Words(*p)
	if known.Sureness.By == backend.Agreement {
		return fmt.Sprintf("\nthe answers agree the least on %s (%s)", escape.Line(part), words)
	}
	least := fmt.Sprintf("least sure of %s (%s)", escape.Line(part), words)
	if known.Confidence == nil {
		return "\n" + least
	}
	return fmt.Sprintf("\nconfidence %.0f%%: %s", 100**known.Confidence, least)
}

// pathWord returns a path as the user is told of it.
func (s *Session) pathWord(path string) string {
	if s.cfg.ShortPaths {
		return s.cfg.Options.ShownName(path)
	}
	return path
}

// stackEntry returns a frame as pdb writes it: "> FILE(LINE)FUNCTION()->VALUE" and
// the line's source after an arrow.
func (s *Session) stackEntry(f statetree.StackFrame, current bool) string {
	t := s.states()
	file := s.fileOf(f)
	path := f.File
	if file >= 0 {
		path = t.Files()[file].Path
	}
	path = s.pathWord(path)
	prefix := "  "
	if current {
		prefix = "> "
	}
	line := "?"
	if f.Line > 0 {
		line = fmt.Sprint(f.Line)
	}
	text := fmt.Sprintf("%s%s(%s)%s()", prefix, escape.Line(path), line, f.Function)
	if f.Event == s.pos.Event {
		if st := t.At(f.Event); st.Event == dsl.Return && st.HasValue {
			text += "->" + shorten(*t.State(f.Event).Value, valueShown)
		}
	}
	if source, ok := t.SourceLine(file, f.Line); file >= 0 && ok {
		text += "\n-> " + strings.TrimSpace(source)
	}
	return text
}

// raisedText returns how an interpreter tells what was raised at an event, whose repr is
// known.
func (s *Session) raisedText(event int, repr string) string {
	if words, ok := s.states().Words(event); ok {
		return words
	}
	return exceptionText(repr)
}

// exceptionText turns an exception's repr into the words of a traceback's last
// line, as traceback.format_exception_only writes the built-in exceptions:
// "ZeroDivisionError('x')" is "ZeroDivisionError: x". What it cannot take apart
// stays a repr.
func exceptionText(repr string) string {
	open := strings.IndexByte(repr, '(')
	if open <= 0 || !strings.HasSuffix(repr, ")") || !python.IsDottedName(repr[:open]) {
		return repr
	}
	name, args := repr[:open], repr[open+1:len(repr)-1]
	if args == "" {
		return name
	}
	if name == "KeyError" {
		return name + ": " + args
	}
	if text, ok := unquote(args); ok {
		if text == "" {
			return name
		}
		return name + ": " + text
	}
	if comma := strings.Index(args, ", "); comma > 0 && isNumber(args[:comma]) {
		if text, ok := unquote(args[comma+2:]); ok && osErrors[name] {
			return fmt.Sprintf("%s: [Errno %s] %s", name, args[:comma], text)
		}
	}
	if strings.Contains(args, ", ") {
		return fmt.Sprintf("%s: (%s)", name, args)
	}
	return name + ": " + args
}

// osErrors is OSError and its subclasses, whose text begins with the errno.
var osErrors = map[string]bool{
	"OSError": true, "BlockingIOError": true, "BrokenPipeError": true, "ChildProcessError": true,
	"ConnectionAbortedError": true, "ConnectionError": true, "ConnectionRefusedError": true,
	"ConnectionResetError": true, "FileExistsError": true, "FileNotFoundError": true,
	"InterruptedError": true, "IsADirectoryError": true, "NotADirectoryError": true,
	"PermissionError": true, "ProcessLookupError": true, "TimeoutError": true,
}
