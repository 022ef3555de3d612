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

// valueShown is the maximum number of characters of a return value in a location.
const valueShown = 80

// fileOf returns the index of a frame's file among the files of the states, -1 if unknown.
func (ps *position) fileOf(f statetree.StackFrame) int {
	return nav.FileOf(ps.program.states(), f)
}

// stopText returns the location as pdb prints it at a stop. In side-by-side mode it adds how the
// prediction compares.
func (ps *position) stopText() string {
	text := ps.placeText()
	if w := ps.program.beside(); w != nil {
		if b := w.Beside(); b.Compared {
			text += "\n" + b.Sentence
		}
	}
	return text
}

// placeText returns the location as pdb prints it at a stop: the kind of event, then the frame.
func (ps *position) placeText() string {
	if ps.pos.End {
		return ps.endText(ps.program.nav.Mark(ps.pos).Exit)
	}
	frame, err := ps.frame()
	if err != nil {
		return err.Error()
	}
	st := ps.program.states().State(ps.pos.Event)
	entry := ps.marked(ps.stackEntry(frame, true))
	if ps.selected != 0 {
		return entry
	}
	switch st.Event {
	case dsl.Call:
		return "--Call--\n" + entry
	case dsl.Return:
		return "--Return--\n" + entry
	case dsl.Exception:
		if st.Value != nil {
			return ps.raisedText(ps.pos.Event, *st.Value) + "\n" + entry
		}
	}
	return entry
}

// marked adds the origin of a predicted state and the model's confidence to its location. If
// CPython runs, the location is returned unchanged.
func (ps *position) marked(entry string) string {
	if ps.program.rec != nil {
		return entry
	}
	return markedAs(entry, ps.program.nav.Mark(ps.pos))
}

// markedAs adds the origin of a predicted state and the model's confidence to its location.
func markedAs(entry string, known nav.Mark) string {
	mark := known.Origin.String()
	if c := known.Confidence; c != nil {
		mark += fmt.Sprintf(" %.2f", *c)
	}
	if s := known.Sureness; s != nil && s.Whole != nil {
		mark += ", " + s.Told(*s.Whole)
	}
	place, source, below := strings.Cut(entry, "\n")
	place += "  [" + mark + "]"
	if below {
		place += "\n" + source
	}
	return place + madeUp(known) + doubted(known) + contradicted(known)
}

// madeUp returns a line that names the arguments that a model filled in, "" if there are none.
func madeUp(known nav.Mark) string {
	if len(known.MadeUp) == 0 {
		return ""
	}
	return "\nmade up by the model: " + escape.Line(strings.Join(known.MadeUp, ", "))
}

// doubted returns a line about the part of a prediction with the lowest confidence. It returns ""
// if that is high or unknown.
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

// contradicted returns a line about those parts of a prediction that contradict the program's
// source, "" if there are none.
func contradicted(known nav.Mark) string {
	words := known.Checks.Contradictions()
	if len(words) == 0 {
		return ""
	}
	return "\ncontradicts the text: " + escape.Line(strings.Join(words, ", "))
}

// pathWord returns a path in the form that is shown to the user: short if Config.ShortPaths is set.
func (ps *position) pathWord(path string) string {
	if ps.cfg.ShortPaths {
		return ps.cfg.Options.ShownName(path)
	}
	return path
}

// stackEntry formats a frame as pdb does: "> FILE(LINE)FUNCTION()->VALUE", and on the next line "->
// " with the source line. current selects the leading ">".
func (ps *position) stackEntry(f statetree.StackFrame, current bool) string {
	t := ps.program.states()
	file := ps.fileOf(f)
	path := f.File
	if file >= 0 {
		path = t.Files()[file].Path
	}
	path = ps.pathWord(path)
	prefix := "  "
	if current {
		prefix = "> "
	}
	line := "?"
	if f.Line > 0 {
		line = fmt.Sprint(f.Line)
	}
	text := fmt.Sprintf("%s%s(%s)%s()", prefix, escape.Line(path), line, f.Function)
	if f.Event == ps.pos.Event {
		if st := t.At(f.Event); st.Event == dsl.Return && st.HasValue {
			text += "->" + shorten(*t.State(f.Event).Value, valueShown)
		}
	}
	if source, ok := t.SourceLine(file, f.Line); file >= 0 && ok {
		text += "\n-> " + strings.TrimSpace(source)
	}
	return text
}

// raisedText returns the exception raised at an event in the form of the last line of a traceback.
// repr is the exception's repr.
func (ps *position) raisedText(event int, repr string) string {
	if words, ok := ps.program.states().Words(event); ok {
		return words
	}
	return exceptionText(repr)
}

// exceptionText converts the repr of an exception to the last line of a traceback, as
// traceback.format_exception_only does for built-in exceptions: "ZeroDivisionError('x')" becomes
// "ZeroDivisionError: x". A repr that cannot be parsed is returned unchanged.
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
	if text, ok := python.StringOf(args); ok {
		if text == "" {
			return name
		}
		return name + ": " + text
	}
	if comma := strings.Index(args, ", "); comma > 0 && isNumber(args[:comma]) {
		if text, ok := python.StringOf(args[comma+2:]); ok && osErrors[name] {
			return fmt.Sprintf("%s: [Errno %s] %s", name, args[:comma], text)
		}
	}
	if strings.Contains(args, ", ") {
		return fmt.Sprintf("%s: (%s)", name, args)
	}
	return name + ": " + args
}

// osErrors holds OSError and its subclasses, whose message begins with the errno.
var osErrors = map[string]bool{
	"OSError": true, "BlockingIOError": true, "BrokenPipeError": true, "ChildProcessError": true,
	"ConnectionAbortedError": true, "ConnectionError": true, "ConnectionRefusedError": true,
	"ConnectionResetError": true, "FileExistsError": true, "FileNotFoundError": true,
	"InterruptedError": true, "IsADirectoryError": true, "NotADirectoryError": true,
	"PermissionError": true, "ProcessLookupError": true, "TimeoutError": true,
}

// endText returns the message for the end of the program.
func (ps *position) endText(exit *dsl.Exit) string {
	switch {
	case exit == nil && ps.cfg.File != "":
		return "The recording ends here."
	case exit == nil && ps.cfg.Attached:
		return "The recording ends here; q leaves npdb.\nBackward moves (rs, rn, rf, rc) still work."
	case exit == nil:
		return "The program is over."
	}
	text := fmt.Sprintf("The program finished. Exit code: %d", exit.Code)
	child := ps.program.shownChild()
	if child > 0 { // its exit code is its parent's to know
		text = fmt.Sprintf("Child %d has ended", child)
	}
	if ps.cfg.Attached { // the process runs until npdb has left
		text = "The recording ends here"
	}
	if exit.Code < 0 {
		text = fmt.Sprintf("The program was killed by signal %d", -exit.Code)
	}
	if exit.Exception != nil {
		text += ", after " + ps.fatalText(*exit.Exception)
	}
	text += "\nBackward moves (rs, rn, rf, rc) still work"
	switch {
	case child > 0:
		return text + "; parent shows the program again."
	case ps.cfg.foreign():
		return text + "."
	}
	return text + "; restart runs it again."
}

// fatalText returns the exception that ended the program in the form of the last line of its
// traceback.
func (ps *position) fatalText(repr string) string {
	if t := ps.program.states(); t.Len() > 0 && ps.program.rec != nil {
		if e := t.FatalException(t.At(0).Activation); e >= 0 {
			if st := t.State(e); st.Value != nil && *st.Value == repr {
				return ps.raisedText(e, repr)
			}
		}
	}
	return exceptionText(repr)
}

// raisedLine returns the line of a frame at which the current exception was raised, 0 if no
// exception is propagating.
func (ps *position) raisedLine(frame statetree.StackFrame) int {
	t := ps.program.states()
	if frame.Event < 0 {
		return 0
	}
	if r := t.At(frame.Event); r.Event != dsl.Exception && r.Kind != dsl.Unwound && !ps.pos.PostMortem {
		return 0
	}
	if e := t.FatalException(frame.Activation); e >= 0 && e <= ps.pos.Event {
		return t.At(e).Line
	}
	return 0
}

// pathOf returns the path of a frame's file.
func (ps *position) pathOf(frame statetree.StackFrame) string {
	if i := ps.fileOf(frame); i >= 0 {
		return ps.program.states().Files()[i].Path
	}
	return frame.File
}
