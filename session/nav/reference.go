package nav

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// reference is the source that a model's predictions are compared with. Its states are called the
// true ones, even if another model made them.
type reference interface {
	Source
	// isFirst reports whether a position is that of the first state.
	isFirst(pos trace.Position) bool
	// reply returns the true result of an action that led to l, as a model would reply.
	reply(l trace.Landing) dsl.Reply
	// stopAt returns the state of an event, as a model would predict it.
	stopAt(event int) *dsl.Stop
	// textAt returns a text of the program that ends in the state at a position.
	textAt(pos trace.Position, p *dsl.Program, f *dsl.Format) (*dsl.Node, error)
	// between returns the positions of the breakpoints that a passage crossed before it was
	// stopped.
	between(from trace.Position, p *Passage) []trace.Position
	// referee returns the name of the source, for example "CPython".
	referee() string
}

var (
	_ reference = (*Recorded)(nil)
	_ reference = (*Predicted)(nil)
)

// isFirst reports whether a position is that of the first state.
func (r *Recorded) isFirst(p trace.Position) bool { return p.Event == 0 && !p.End }

// reply returns the true result of an action that led to l, as a model would reply.
func (r *Recorded) reply(l trace.Landing) dsl.Reply {
	switch {
	case l.Boundary == trace.AtStart:
		return dsl.Reply{Outcome: dsl.AtStart}
	case l.End:
		exit := r.rec.Exit()
		if exit == nil {
			exit = &dsl.Exit{}
		}
		return dsl.Reply{Outcome: dsl.Ended, Exit: exit}
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: r.stopAt(l.Event)}
}

// stopAt returns the state of an event, as a model would predict it.
func (r *Recorded) stopAt(event int) *dsl.Stop {
	t := r.rec.Tree()
	stop := &dsl.Stop{State: *t.State(event)}
	for _, f := range t.Stack(event) {
		stop.Stack = append(stop.Stack, f.Frame)
		stop.Activations = append(stop.Activations, f.Activation)
	}
	return stop
}

// textAt returns a text with the state at a position only. Unless that is the first state, the text
// begins with the last known state of each activation on the stack.
func (r *Recorded) textAt(pos trace.Position, p *dsl.Program, f *dsl.Format) (*dsl.Node, error) {
	text := dsl.Trajectory{Program: p, Compacted: pos.Event != 0 || pos.End}
	given := func(r dsl.Reply) { text.Steps = append(text.Steps, dsl.Step{Reply: r}) }
	if pos.End || pos.Event < 0 {
		given(r.reply(trace.Landing{Position: trace.Position{End: true}}))
		return f.Encode(text)
	}
	for _, frame := range r.rec.Tree().Stack(pos.Event) {
		if frame.Event >= 0 && frame.Event != pos.Event {
			given(dsl.Reply{Outcome: dsl.Landed, Stop: r.stopAt(frame.Event)})
		}
	}
	given(dsl.Reply{Outcome: dsl.Landed, Stop: r.stopAt(pos.Event)})
	return f.Encode(text)
}

// referee returns the name of the source.
func (*Recorded) referee() string { return "CPython" }

// between returns the positions of the breakpoints' lines that a passage crossed before it was
// stopped.
func (r *Recorded) between(from trace.Position, p *Passage) []trace.Position {
	var out []trace.Position
	tree := r.rec.Tree()
	at := r.eventOf(from)
	for len(out) < mostTreads {
		next, ok := tree.NextLine(at, p.By.Lines)
		if p.By.Move.Inverse() {
			next, ok = tree.PrevLine(at, p.By.Lines)
		}
		if !ok || next == p.Event {
			break
		}
		out = append(out, trace.Position{Event: next})
		at = next
	}
	return out
}

// referee returns the name of the model that stands in for CPython.
func (s *Predicted) referee() string { return s.Called(OtherModel) }

func (s *Predicted) isFirst(pos trace.Position) bool { return s.list[pos.Event].before < 0 }

func (s *Predicted) reply(l trace.Landing) dsl.Reply {
	switch {
	case l.Boundary == trace.AtStart:
		return dsl.Reply{Outcome: dsl.AtStart}
	case l.End:
		return dsl.Reply{Outcome: dsl.Ended, Exit: s.list[l.Event].exit}
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: s.stopAt(l.Event)}
}

func (s *Predicted) stopAt(event int) *dsl.Stop {
	stop := *s.list[event].stop
	return &stop
}

// textAt returns the text from which the reference model was asked, in the format f of the other
// model.
func (s *Predicted) textAt(pos trace.Position, _ *dsl.Program, f *dsl.Format) (*dsl.Node, error) {
	node := s.list[pos.Event].node
	if f == s.Spelling() {
		return node, nil
	}
	return f.Encode(node.Trajectory())
}

func (s *Predicted) between(_ trace.Position, p *Passage) []trace.Position { return p.crossed }
