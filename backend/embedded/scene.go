package embedded

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// form is how the stack of a state has to be written at least.
type form uint8

const (
	formSame  form = iota // not at all
	formPush              // the name of a new frame
	formWhole             // all of it
)

// scene is what bounds the replies to a question.
type scene struct {
	at     *dsl.Node
	action dsl.Action
	landings
	naming
	forms  [dsl.Exception + 1]form
	places [dsl.Exception + 1]places // of the state's line, by its event
	frames places                    // of the lines of other frames
	asked  map[dsl.Location]bool     // lines of a breakpoint; nil for other actions
	owned  map[string]places         // by function, as far as they were asked for
	whole  bool                      // a return event returns, and does not yield
	known  map[string]bool           // what the latest state of the frame on top had, as far as it was looked up
}

// newScene returns that of a question. dsl itself tells what the text requires: it is given
// beginnings of replies.
func newScene(at *dsl.Node, a dsl.Action, v python.Version) *scene {
	s := &scene{at: at, action: a, landings: possible(a, at.Current()), naming: names(at), known: map[string]bool{}, owned: map[string]places{}}
	s.frames = newPlaces(at.Program())
	if a.Move.TakesLines() {
		s.asked = map[dsl.Location]bool{}
		for _, l := range a.Lines {
			s.asked[l] = s.frames.counts(l)
		}
	}
	for e := dsl.Call; e <= dsl.Exception; e++ {
		s.events[e] = s.events[e] && !s.frames.none() && (e != dsl.Line || s.asked == nil || s.reachable())
		if s.events[e] {
			s.look(e)
		}
	}
	if !v.Inlines() {
		s.oldFrames()
	}
	return s
}

// reachable reports whether one of the lines asked for is the program's.
func (s *scene) reachable() bool {
	for _, has := range s.asked {
		if has {
			return true
		}
	}
	return false
}

// begun decodes a beginning of a reply; nil where it is none.
func (s *scene) begun(text string) *dsl.Decoder {
	d := s.at.Decode(s.action)
	if d.Feed(text) != nil {
		return nil
	}
	return d
}

// look finds out how a state of an event is written.
func (s *scene) look(e dsl.Event) {
	mark := dsl.ND1.Name(eventTokens[e])
	s.forms[e], s.places[e] = formWhole, s.frames
	if d := s.begun(mark + "{"); d != nil {
		s.forms[e] = formSame
		reply, _ := d.Partial()
		if stack := reply.Stop.Stack; len(stack) > 0 {
			top := stack[len(stack)-1]
			s.within(e, top.File)
			s.places[e] = s.places[e].of(top.Function)
		}
	} else if s.begun(mark+dsl.ND1.Name(dsl.StackSep)+`"`) != nil {
		s.forms[e] = formPush
	}
}

// within keeps a state of an event to the file of the frame on top, if that is known.
func (s *scene) within(e dsl.Event, file string) {
	files := s.at.Program().Files
	for i := range files {
		if files[i].Name == file && len(files) > 1 {
			s.places[e] = s.frames.within(i)
		}
	}
}

// own returns the places of a frame, by its function's name. Where a breakpoint's lines lie
// elsewhere, none is ruled out: who has named a frame wrongly has to come to one of them.
func (s *scene) own(function string) places {
	own, ok := s.owned[function]
	if !ok {
		own = s.frames.of(function)
		if s.asked != nil && !own.any(s.asked) {
			own = s.frames
		}
		s.owned[function] = own
	}
	return own
}

// shown reports whether the latest state of the frame on top had a name, so that ".."
// may stand for its value.
func (s *scene) shown(e dsl.Event, name string) bool {
	key := string(rune(e)) + name
	has, ok := s.known[key]
	if !ok {
		has = s.begun(dsl.ND1.Name(eventTokens[e])+`{"`+name+`": ".."`) != nil
		s.known[key] = has
	}
	return has
}

// source returns the text of a line, as it is written after its number.
func (s *scene) source(l dsl.Location) string {
	return escaped.Replace(s.at.Program().Files[l.File].Lines[l.Line-1]) + "\n"
}

var eventTokens = [...]dsl.Token{dsl.Call: dsl.CallSep, dsl.Line: dsl.LineSep, dsl.Return: dsl.ReturnSep, dsl.Exception: dsl.ExceptionSep}
