package rollout

import (
	"errors"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/python"
)

// Trail is a trace up to its last state. It is immutable: appending returns a new trail.
type Trail struct {
	subject *subject
	prev    *Trail    // the trail without the last state; nil if there is only one
	node    *dsl.Node // the same states in nd/1
	writer  *cwm.Writer
	added   string // the trace text of the last state, and for a first state the context
	// scopes holds the activations that are running after the last state, outermost first. An activation
	// that has returned is not included.
	scopes []scope
	own    scope   // the activation of the last state
	paused []scope // generators that are suspended at a yield
	next   int     // id of the next new activation
	doubt  string  // see Doubt
	exited bool    // the trace ends here although functions are still running
	forced bool    // the last state is a return whose event was forced
	mortem bool    // the last state is the exception that ended the program
	lost   bool    // states are missing at the start of the program or in skipped code
}

// subject is the program of a trail. All trails of one history share it.
type subject struct {
	program *dsl.Program
	flow    *python.Flow
	blocks  *python.Blocks
	lines   map[string][]int // line numbers by source text
}

// scope is an activation, with what is known about it at its latest state.
type scope struct {
	id      int
	code    *python.Code // nil if no code object fits
	name    string
	line    int // the line of its latest state
	place   int // the line of its latest line event, 0 if an exception was raised since
	event   dsl.Event
	raised  bool // an exception is being raised through it
	resumed bool // its latest call event resumed it after a yield

	straight bool // its latest event is a line that continues a block
}

// reach sets the line and the event of the latest state.
func (s *scope) reach(stop *dsl.Stop) {
	s.line, s.event = stop.Line, stop.Event
	switch stop.Event {
	case dsl.Line:
		s.place = stop.Line
	case dsl.Exception:
		s.place = 0
	}
}

// Node returns the states of the trace as an nd/1 node.
func (t *Trail) Node() *dsl.Node { return t.node }

// State returns the last state.
func (t *Trail) State() *dsl.Stop {
	s, _ := t.node.Step()
	return s.Reply.Stop
}

// Doubt describes what is uncertain about the last state, or returns "" if nothing is.
func (t *Trail) Doubt() string { return t.doubt }

// Lost reports whether states of the history are missing in the trace.
func (t *Trail) Lost() bool { return t.lost }

// Over reports whether the outermost activation has returned.
func (t *Trail) Over() bool { return len(t.scopes) == 0 }

// Exit returns the trail with the information that the model ended the trace after the last state.
func (t *Trail) Exit() *Trail {
	end := *t
	end.exited = !t.Over()
	return &end
}

// Pieces returns the trace text in pieces, one for each state.
func (t *Trail) Pieces() []string {
	var pieces []string
	for ; t != nil; t = t.prev {
		pieces = append(pieces, t.added)
	}
	slices.Reverse(pieces)
	return pieces
}

// Added returns the trace text of the last state; for a first state also the context.
func (t *Trail) Added() string { return t.added }

// Decode returns a decoder for the model's continuation of the trace.
func (t *Trail) Decode(forced bool) *cwm.Decoder {
	return t.writer.Decode(t.subject.program.Files[0].Lines, forced)
}

func (t *Trail) depth() int { return t.State().Depth }

// start returns a trail that begins with its first state.
func start(s *subject, first *dsl.Stop) (*Trail, error) {
	node, err := dsl.ND1.Begin(s.program)
	if err != nil {
		return nil, err
	}
	stop := *first
	stop.Activations = nil
	if node, err = node.Append(dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: &stop}}); err != nil {
		return nil, err
	}
	w, text, err := cwm.Begin(s.program, "", &stop)
	if err != nil {
		return nil, err
	}
	own := scope{id: 1, code: s.code(&stop), name: stop.Function}
	own.reach(&stop)
	return &Trail{subject: s, node: node, writer: w, added: string(text), scopes: []scope{own}, own: own, next: 2}, nil
}

// code returns the code object of the function that a state is in, or nil.
func (s *subject) code(stop *dsl.Stop) *python.Code {
	if stop.Function == "<module>" {
		return s.flow.Codes[0]
	}
	var found *python.Code
	for _, c := range s.flow.Codes {
		if c.Name == stop.Function && (c.Line == stop.Line || c.Has(stop.Line)) {
			found = c // overwritten by inner ones
		}
	}
	return found
}

// errApart reports a state that is not in the activations of the trace so far.
var errApart = errors.New("the state is not in the activations that the trace has")

// append returns the trail after one more state. forced reports that the prompt contains the
// state's event.
func (t *Trail) append(stop *dsl.Stop, forced bool) (*Trail, error) {
	depth := len(t.scopes) - 1
	if stop.Event == dsl.Call {
		depth++
	}
	if len(t.scopes) == 0 || stop.Depth != depth || stop.Event != dsl.Call && stop.Function != t.scopes[depth].name {
		return nil, errApart
	}
	action := dsl.Action{Move: dsl.StepInto}
	if forced {
		action.Move = dsl.StepReturn
	}
	step := dsl.Step{Action: action, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}}
	next := &Trail{subject: t.subject, prev: t, writer: t.writer.Clone(), paused: t.paused, next: t.next, lost: t.lost}
	var err error
	if next.node, err = t.node.Append(step); err != nil {
		return nil, err
	}
	text, _, err := next.writer.Append(nil, step)
	if err != nil {
		return nil, err
	}
	next.added, next.forced = string(text), forced
	next.enter(t, stop)
	return next, nil
}

// enter sets the activations of t, which ends with the state stop, from those of the trail before.
func (t *Trail) enter(before *Trail, stop *dsl.Stop) {
	t.scopes = slices.Clone(before.scopes)
	if stop.Event == dsl.Call {
		own := scope{id: t.next, code: t.subject.code(stop), name: stop.Function}
		for i := len(t.paused) - 1; i >= 0; i-- {
			if p := t.paused[i]; p.name == own.name && p.line == stop.Line && (p.code == nil || p.code.Plain || p.code.Line != stop.Line) {
				own = p
				own.resumed = true
				t.paused = slices.Delete(slices.Clone(t.paused), i, i+1)
				break
			}
		}
		if own.id == t.next {
			t.next++
		}
		t.scopes = append(t.scopes, own)
	}
	own := &t.scopes[len(t.scopes)-1]
	switch {
	case stop.Event == dsl.Exception:
		own.raised = true
	case stop.Event == dsl.Line && own.raised && (own.code == nil || !own.code.Finally(stop.Line)):
		own.raised = false
	}
	if stop.Event == dsl.Line {
		own.resumed = false
	}
	own.straight = stop.Event == dsl.Line && own.place > 0 && t.subject.blocks.Straight(own.place, stop.Line)
	own.reach(stop)
	t.own = *own
	if stop.Event == dsl.Return {
		t.scopes = t.scopes[:len(t.scopes)-1]
		if stop.Kind == dsl.Yielded {
			t.paused = append(slices.Clip(t.paused), t.own)
		}
	}
}
