package rollout

import (
	"errors"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/python"
)

// Trail is a trace up to a state. It is never changed: what follows makes another.
type Trail struct {
	subject *subject
	prev    *Trail    // the state before; nil for the first one
	node    *dsl.Node // the same states as nd/1
	writer  *cwm.Writer
	added   string // what its state added to the text; of the first one the context, too
	// scopes are the activations after its state, outermost first: one that returns is gone.
	scopes []scope
	own    scope   // that of its state
	paused []scope // generators that have yielded
	next   int     // number of the next activation
	doubt  string
	exited bool // the trace has ended here, within functions
	forced bool // its state is a return that was forced
	mortem bool // the program has died of its exception
	lost   bool // it does not begin where the program does, or passes over what ran
}

// subject is the program, which all trails of it share.
type subject struct {
	program *dsl.Program
	flow    *python.Flow
	lines   map[string][]int // where a text stands
}

// scope is an activation.
type scope struct {
	id      int
	code    *python.Code // nil if the text has none of its name
	name    string
	line    int // of its latest state
	event   dsl.Event
	raised  bool // an exception is on its way that was not caught yet
	resumed bool // its latest call was a generator's return to where it had yielded
}

// Node returns the trace as nd/1 has it, state by state.
func (t *Trail) Node() *dsl.Node { return t.node }

// State returns the one that the trail stands at.
func (t *Trail) State() *dsl.Stop {
	s, _ := t.node.Step()
	return s.Reply.Stop
}

// Doubt describes in words what of the state the trace leaves open, "" for nothing.
func (t *Trail) Doubt() string { return t.doubt }

// Lost reports whether the trace tells less than what has happened.
func (t *Trail) Lost() bool { return t.lost }

// Over reports whether the outermost activation has been left.
func (t *Trail) Over() bool { return len(t.scopes) == 0 }

// Exit returns the trail where the model ends the trace after its state.
func (t *Trail) Exit() *Trail {
	end := *t
	end.exited = !t.Over()
	return &end
}

// Pieces returns the text, one for each state.
func (t *Trail) Pieces() []string {
	var pieces []string
	for ; t != nil; t = t.prev {
		pieces = append(pieces, t.added)
	}
	slices.Reverse(pieces)
	return pieces
}

// Added returns what its own state added to the text; of a first one all.
func (t *Trail) Added() string { return t.added }

// Decode reads what a model writes next.
func (t *Trail) Decode(forced bool) *cwm.Decoder {
	return t.writer.Decode(t.subject.program.Files[0].Lines, forced)
}

func (t *Trail) depth() int { return t.State().Depth }

// start returns the trail of a first state.
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
	own := scope{id: 1, code: s.code(&stop), name: stop.Function, line: stop.Line, event: stop.Event}
	return &Trail{subject: s, node: node, writer: w, added: string(text), scopes: []scope{own}, own: own, next: 2}, nil
}

// code returns the code object of a state's function.
func (s *subject) code(stop *dsl.Stop) *python.Code {
	if stop.Function == "<module>" {
		return s.flow.Codes[0]
	}
	var found *python.Code
	for _, c := range s.flow.Codes {
		if c.Name == stop.Function && (c.Line == stop.Line || c.Has(stop.Line)) {
			found = c // the innermost
		}
	}
	return found
}

// errApart is a state that does not follow from the one before it by a trace's own rules.
var errApart = errors.New("the state is not in the activations that the trace has")

// append returns the trail after one more state, whose event was forced or not.
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

// enter keeps the activations.
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
	own.line, own.event = stop.Line, stop.Event
	t.own = *own
	if stop.Event == dsl.Return {
		t.scopes = t.scopes[:len(t.scopes)-1]
		if stop.Kind == dsl.Yielded {
			t.paused = append(slices.Clip(t.paused), t.own)
		}
	}
}
