package embedded

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// form says how a reply writes its state's stack. A reply need not repeat the parts that are known
// from the state before it.
type form uint8

const (
	formSame  form = iota // nothing
	formPush              // the function name of a new frame
	formWhole             // the whole stack
)

// scene holds what the replies to one question may contain.
type scene struct {
	at     *dsl.Node
	action dsl.Action
	landings
	naming
	forms  [dsl.Exception + 1]form
	places [dsl.Exception + 1]places // possible lines of the state, by event
	frames places                    // possible lines of the other frames
	asked  map[dsl.Location]bool     // whether each breakpoint line exists; nil for other actions
	owned  map[string]places         // cached results of own, by function
	whole  bool                      // a return is not a yield
	known  map[string]bool           // cached results of shown
}

// newScene returns the scene of a question. It finds the rules of nd/1 for its replies by decoding
// prefixes of replies.
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

// reachable reports whether the program has at least one of the breakpoint lines.
func (s *scene) reachable() bool {
	for _, has := range s.asked {
		if has {
			return true
		}
	}
	return false
}

// begun returns a decoder that has read a prefix of a reply, or nil if the prefix is invalid.
func (s *scene) begun(text string) *dsl.Decoder {
	d := s.at.Decode(s.action)
	if d.Feed(text) != nil {
		return nil
	}
	return d
}

// look determines how a state with event e must write its stack, and at which lines it can be.
func (s *scene) look(e dsl.Event) {
	mark := dsl.ND1.Name(e.Token())
	s.forms[e], s.places[e] = formWhole, s.frames
	if d := s.begun(mark + "{"); d != nil {
		s.forms[e] = formSame
		reply, _ := d.Partial()
		if stack := reply.Stop.Stack; len(stack) > 0 {
			top := stack[len(stack)-1]
			s.within(e, top.File)
			s.places[e] = s.places[e].of(top.Function)
			if from := s.at.Current(); e == dsl.Call && s.action.Move == dsl.InvStepReturn && from != nil && from.Event != dsl.Call {
				s.places[e] = s.places[e].begin(top.Function, from.Line)
			}
		}
	} else if s.begun(mark+dsl.ND1.Name(dsl.StackSep)+`"`) != nil {
		s.forms[e] = formPush
	}
}

// within restricts states with event e to one file, if there are several.
func (s *scene) within(e dsl.Event, file string) {
	files := s.at.Program().Files
	for i := range files {
		if files[i].Name == file && len(files) > 1 {
			s.places[e] = s.frames.within(i)
		}
	}
}

// own returns the places in the functions with this name. If none of the breakpoint lines is there,
// it returns all places: a reply with a wrong function name must be able to end too.
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

// shown reports whether the latest state of the top frame had a local, so that ".." can stand for
// the local's value.
func (s *scene) shown(e dsl.Event, name string) bool {
	key := string(rune(e)) + name
	has, ok := s.known[key]
	if !ok {
		has = s.begun(dsl.ND1.Name(e.Token())+`{"`+name+`": ".."`) != nil
		s.known[key] = has
	}
	return has
}

// source returns a source line as nd/1 writes it after the line number.
func (s *scene) source(l dsl.Location) string {
	return escaped.Replace(s.at.Program().Files[l.File].Lines[l.Line-1]) + "\n"
}
