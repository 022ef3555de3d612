package dsl

import (
	"strconv"
	"unicode/utf8"
)

var eventTokens = [...]Token{Call: CallSep, Line: LineSep, Return: ReturnSep, Exception: ExceptionSep}

// Token returns the token that begins a state with this event.
func (e Event) Token() Token { return eventTokens[e] }

const editName = "set"

// write returns the text that step s adds, and the reader's knowledge after it. If p is not nil,
// write sets it to the positions of the text's parts.
func (n *Node) write(s Step, p *Parts) ([]byte, reader, error) {
	var dst []byte
	var err error
	switch {
	case s.given():
		if !n.open() {
			return nil, reader{}, cannotWrite("a state that no action led to, after the first one")
		}
		if s.Reply.Outcome != Landed && s.Reply.Outcome != Ended {
			return nil, reader{}, cannotWrite("a text that begins with the reply %q", s.Reply.Outcome)
		}
	case n.isContext() || n.marker:
		return nil, reader{}, cannotWrite("an action before the first state")
	case s.Edit:
		if s.Action.Move != 0 || s.Reply.Outcome != Landed {
			return nil, reader{}, cannotWrite("an edit that leads to no state, or that is an action too")
		}
		dst = append(dst, n.book.Name(DebugSep)+editName+n.book.Name(FrameSep)...)
	default:
		if dst, err = n.book.appendAction(dst, s.Action); err != nil {
			return nil, reader{}, err
		}
	}
	after, asked := n.reader, len(dst)
	switch s.Reply.Outcome {
	case Landed:
		if dst, after, err = n.book.appendStop(dst, n.reader, &s, p); err != nil {
			return nil, reader{}, err
		}
	case Ended:
		if dst, err = n.book.appendExit(dst, s.Reply.Exit, p); err != nil {
			return nil, reader{}, err
		}
		after = reader{}
	case AtStart:
		dst = append(dst, n.book.Name(StartSep)...)
	case Unknown:
		dst = append(dst, n.book.Name(UnknownSep)...)
	default:
		return nil, reader{}, cannotWrite("a step without a reply")
	}
	dst = append(dst, n.book.Name(FrameSep)...)
	if s.Action.Move != 0 {
		p.reply(asked, len(dst))
	}
	return dst, after, nil
}

func (b *book) appendAction(dst []byte, a Action) ([]byte, error) {
	if !a.Move.valid() {
		return nil, cannotWrite("an action that is none: %v", a.Move)
	}
	dst = append(dst, b.Name(DebugSep)+a.Move.String()...)
	if a.Move.TakesLines() {
		if len(a.Lines) == 0 {
			return nil, cannotWrite("%v without a line", a.Move)
		}
		for i, l := range a.Lines {
			if l.File < 0 || l.File >= len(b.program.Files) || l.Line < 1 || l.Line > maxNumber {
				return nil, notInContext("%v names line %d of file %d, which the context lacks", a.Move, l.Line, l.File)
			}
			if i == 0 {
				dst = append(dst, ' ')
			} else {
				dst = append(dst, ',')
			}
			dst = b.appendPlace(dst, l)
		}
	}
	return append(dst, b.Name(FrameSep)...), nil
}

func (b *book) appendExit(dst []byte, e *Exit, p *Parts) ([]byte, error) {
	if e == nil {
		return nil, cannotWrite("an end without an exit")
	}
	if e.Code > maxNumber || e.Code < -maxNumber {
		return nil, cannotWrite("the exit code %d", e.Code)
	}
	dst = append(dst, b.Name(EndSep)...)
	from := len(dst)
	dst = append(dst, `{"code": `...)
	dst = strconv.AppendInt(dst, int64(e.Code), 10)
	if e.Exception != nil {
		if !utf8.ValidString(*e.Exception) {
			return nil, cannotWrite("the exception's text is not UTF-8")
		}
		dst = appendValue(append(dst, `, "exception": `...), *e.Exception)
	}
	dst = append(dst, '}')
	p.worked(from, len(dst))
	return dst, nil
}

// check returns the location of a state. It returns an error if the state could not be decoded
// again.
func (b *book) check(s *Stop) (Location, error) {
	var none Location
	last := len(s.Stack) - 1
	switch {
	case s.Event < Call || s.Event > Exception:
		return none, cannotWrite("a state without an event")
	case (s.Event == Return) != (s.Kind != NoReturn) || s.Kind > Unwound:
		return none, cannotWrite("the event %v of the kind %q", s.Event, s.Kind)
	case (s.Value != nil) != (s.Event == Exception || s.Kind == Returned || s.Kind == Yielded):
		return none, cannotWrite("the event %v of the kind %q, with a value: %v", s.Event, s.Kind, s.Value != nil)
	case s.Value != nil && !utf8.ValidString(*s.Value):
		return none, cannotWrite("the text of a value is not UTF-8")
	case last < 0 || s.Activations != nil && len(s.Activations) != len(s.Stack):
		return none, cannotWrite("a state without its stack")
	case s.Depth != last || s.Stack[last] != Frame{Function: s.Function, File: s.File, Line: s.Line}:
		return none, cannotWrite("a state at line %d of %s that is not on top of its stack", s.Line, s.Function)
	}
	for _, f := range s.Stack {
		if !utf8.ValidString(f.Function) {
			return none, cannotWrite("a function's name is not UTF-8: %q", f.Function)
		}
	}
	at, err := b.location(s.File, s.Line)
	if err != nil {
		return none, err
	}
	source, ok := b.line(at)
	if !ok {
		return none, notInContext("%s has no line %d", s.File, s.Line)
	}
	if s.Source != source {
		return none, notInContext("line %d of %s reads otherwise in the context", s.Line, s.File)
	}
	return at, nil
}

// appendStop writes a state up to its <|frame_sep|>, and returns the reader's knowledge after it.
func (b *book) appendStop(dst []byte, r reader, s *Step, p *Parts) ([]byte, reader, error) {
	stop := s.Reply.Stop
	if stop == nil {
		return nil, reader{}, cannotWrite("a landing without a state")
	}
	place, err := b.check(stop)
	if err != nil {
		return nil, reader{}, err
	}
	kind, frames := r.choose(s)
	dst = append(dst, b.Name(eventTokens[stop.Event])...)
	var latest *Stop
	switch kind {
	case formWhole:
		if dst, err = b.appendStack(append(dst, b.Name(StackSep)...), stop.Stack); err != nil {
			return nil, reader{}, err
		}
	case formPush:
		dst = appendString(append(dst, b.Name(StackSep)...), stop.Function)
	case formSame:
		latest = frames.latest
	}
	if dst, err = appendLocals(dst, stop.Locals, latest, p); err != nil {
		return nil, reader{}, err
	}
	dst = append(dst, b.Name(ActionSep)...)
	from := len(dst)
	dst = b.appendPlace(dst, place)
	p.worked(from, len(dst))
	dst = append(appendSource(append(dst, '|'), stop.Source), '\n')
	if stop.Event == Return || stop.Event == Exception {
		dst = append(dst, b.Name(ArgSep)...)
		from = len(dst)
		switch stop.Kind {
		case Unwound:
			dst = append(dst, "null"...)
		case Yielded:
			dst = append(appendValue(append(dst, `{"yield": `...), *stop.Value), '}')
		default:
			dst = appendValue(dst, *stop.Value)
		}
		p.worked(from, len(dst))
	}
	return dst, r.land(stop, kind, frames), nil
}

// appendStack writes a whole stack: [["<module>", 9], ["f", null]]. In a program of several files a
// line is a string, "b:4".
func (b *book) appendStack(dst []byte, stack []Frame) ([]byte, error) {
	for i, f := range stack {
		dst = append(dst, ", ["...)
		if i == 0 {
			dst = append(dst[:len(dst)-3], "[["...)
		}
		dst = append(appendString(dst, f.Function), ", "...)
		if f.Line == 0 {
			dst = append(dst, "null]"...)
			continue
		}
		at, err := b.location(f.File, f.Line)
		if err != nil {
			return nil, err
		}
		if _, ok := b.line(at); !ok {
			return nil, notInContext("%s has no line %d", f.File, f.Line)
		}
		if b.several() {
			dst = append(b.appendPlace(append(dst, '"'), at), '"')
		} else {
			dst = b.appendPlace(dst, at)
		}
		dst = append(dst, ']')
	}
	return append(dst, ']'), nil
}

// appendLocals writes the locals that are not hidden, with ".." for a value that equals the value
// in latest.
func appendLocals(dst []byte, locals []Local, latest *Stop, p *Parts) ([]byte, error) {
	known := visible(latest)
	seen := make(map[string]bool, len(locals))
	dst = append(dst, '{')
	for _, l := range locals {
		if l.Hidden {
			continue
		}
		if !utf8.ValidString(l.Name) || !utf8.ValidString(l.Value) {
			return nil, cannotWrite("the local %q or its value is not UTF-8", l.Name)
		}
		if seen[l.Name] {
			return nil, cannotWrite("two locals named %q", l.Name)
		}
		if len(seen) > 0 {
			dst = append(dst, ", "...)
		}
		seen[l.Name] = true
		from := len(dst)
		dst = append(appendString(dst, l.Name), ": "...)
		old, ok := known[l.Name]
		if ok && old == l.Value {
			dst = append(dst, `".."`...)
			continue
		}
		if ok { // the name follows from the text before
			from = len(dst)
		}
		dst = appendValue(dst, l.Value)
		p.worked(from, len(dst))
	}
	return append(dst, '}'), nil
}

// visible returns the values of a state's locals that are not hidden, by name.
func visible(s *Stop) map[string]string {
	if s == nil {
		return nil
	}
	m := make(map[string]string, len(s.Locals))
	for _, l := range s.Locals {
		if !l.Hidden {
			m[l.Name] = l.Value
		}
	}
	return m
}
