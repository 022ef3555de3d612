package session

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// reference is the walk that a model's predictions are laid beside. What it comes
// to is called the truth, whether CPython made it or another model.
type reference interface {
	walk
	// isFirst reports whether a position is the first state's.
	isFirst(pos trace.Position) bool
	// reply is what an action really led to, as the wire has it.
	reply(l trace.Landing) dsl.Reply
	// stopAt is an event as the wire has it, without what must not leave npdb.
	stopAt(event int) *dsl.Stop
	// textAt is a text of the program that stands at a position.
	textAt(pos trace.Position, p *dsl.Program, f *dsl.Format) (*dsl.Node, error)
	// referee names who says what is true: "CPython".
	referee() string
}

func (*recordedWalk) referee() string { return "CPython" }

func (s *recordedWalk) isFirst(pos trace.Position) bool { return pos.Event == 0 && !pos.End }

func (s *recordedWalk) reply(l trace.Landing) dsl.Reply {
	switch {
	case l.Boundary == trace.AtStart:
		return dsl.Reply{Outcome: dsl.AtStart}
	case l.End:
		exit := s.rec.Exit()
		if exit == nil {
			exit = &dsl.Exit{}
		}
		return dsl.Reply{Outcome: dsl.Ended, Exit: exit}
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: s.stopAt(l.Event)}
}

func (s *recordedWalk) stopAt(event int) *dsl.Stop {
	t := s.rec.Tree()
	redact := s.cfg.Neural.redact
	stop := &dsl.Stop{State: *t.State(event)}
	for i := range stop.Locals {
		stop.Locals[i].Value = redact(stop.Locals[i].Value)
	}
	if stop.Value != nil {
		value := redact(*stop.Value)
		stop.Value = &value
	}
	for _, f := range t.Stack(event) {
		stop.Stack = append(stop.Stack, f.Frame)
		stop.Activations = append(stop.Activations, f.Activation)
	}
	return stop
}

// textAt is a text of its own for the first state, and for another one what is
// known of each activation on its stack.
func (s *recordedWalk) textAt(pos trace.Position, p *dsl.Program, f *dsl.Format) (*dsl.Node, error) {
	text := dsl.Trajectory{Program: p, Compacted: pos.Event != 0 || pos.End}
	given := func(r dsl.Reply) { text.Steps = append(text.Steps, dsl.Step{Reply: r}) }
	if pos.End || pos.Event < 0 {
		given(s.reply(trace.Landing{Position: trace.Position{End: true}}))
		return f.Encode(text)
	}
	for _, frame := range s.states().Stack(pos.Event) {
		if frame.Event >= 0 && frame.Event != pos.Event {
			given(dsl.Reply{Outcome: dsl.Landed, Stop: s.stopAt(frame.Event)})
		}
	}
	given(dsl.Reply{Outcome: dsl.Landed, Stop: s.stopAt(pos.Event)})
	return f.Encode(text)
}

// otherModel is what the second model is called where it has no name.
const otherModel = "another model"

func (s *predictedWalk) referee() string { return s.called(otherModel) }

func (s *predictedWalk) isFirst(pos trace.Position) bool { return s.list[pos.Event].before < 0 }

func (s *predictedWalk) reply(l trace.Landing) dsl.Reply {
	switch {
	case l.Boundary == trace.AtStart:
		return dsl.Reply{Outcome: dsl.AtStart}
	case l.End:
		return dsl.Reply{Outcome: dsl.Ended, Exit: s.list[l.Event].exit}
	}
	return dsl.Reply{Outcome: dsl.Landed, Stop: s.stopAt(l.Event)}
}

func (s *predictedWalk) stopAt(event int) *dsl.Stop {
	stop := *s.list[event].stop
	return &stop
}

// textAt is what the model was asked on, in the other one's spelling.
func (s *predictedWalk) textAt(pos trace.Position, _ *dsl.Program, f *dsl.Format) (*dsl.Node, error) {
	node := s.list[pos.Event].node
	if f == s.format() {
		return node, nil
	}
	return f.Encode(node.Trajectory())
}
