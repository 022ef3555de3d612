package session

import (
	"context"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// putBack has the model stand where the recording does, since no action led there.
func (s *bothWalk) putBack() {
	s.stand = s.onTruth(s.pos)
	if s.shown >= 0 {
		s.places[s.shown] = s.stand
	}
}

// onTruth is a place of the model's at a position of the recording, on a new text.
func (s *bothWalk) onTruth(pos trace.Position) besidePlace {
	if pos.PostMortem {
		s.fatal = pos.Event
	}
	node, err := s.textAt(pos, s.model.program(), s.format())
	if err != nil {
		if s.stand.truth != nil || s.stand.pair < 0 && s.stand.said >= 0 {
			s.notice("The model is not asked from here: %v", err)
		}
		return besidePlace{said: -1, pair: -1}
	}
	return besidePlace{truth: node, own: node, said: s.told(node, pos), pair: -1, died: pos.End || pos.PostMortem}
}

// told is a true state as one that the model was told.
func (s *bothWalk) told(node *dsl.Node, pos trace.Position) int {
	p := prediction{node: node, before: -1, origin: dsl.Real}
	if pos.End || pos.Event < 0 {
		p.exit = s.exit(pos)
	} else {
		p.stop = s.stopAt(pos.Event)
	}
	return s.model.add(p)
}

// The ways to a place that no action leads to put the model back on the truth.

func (s *bothWalk) moved(err error) error {
	if err == nil {
		s.putBack()
	}
	return err
}

func (s *bothWalk) gotoState(ctx context.Context, arg string) error {
	return s.moved(s.reference.gotoState(ctx, arg))
}

func (s *bothWalk) find(ctx context.Context, expr string, inverse bool) error {
	return s.moved(s.reference.find(ctx, expr, inverse))
}

func (s *bothWalk) jump(ctx context.Context, arg string) error {
	return s.moved(s.reference.jump(ctx, arg))
}

func (s *bothWalk) displaced() { s.putBack() }

// edited tells the model of a value that the user changed.
func (s *bothWalk) edited() {
	if s.stand.truth == nil {
		return
	}
	stop := s.stopAt(s.pos.Event)
	node, err := s.stand.truth.Append(dsl.Step{Edit: true, Reply: dsl.Reply{Outcome: dsl.Landed, Stop: stop}})
	if err != nil {
		s.notice("The model is not told of the edit: %v", err)
		return
	}
	s.stand.truth, s.stand.own, s.stand.drifted, s.stand.pair = node, node, false, -1
	s.stand.said = s.model.add(prediction{node: node, stop: stop, before: s.stand.said, origin: dsl.Edited})
	s.places[s.shown] = s.stand
}
