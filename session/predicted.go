package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// unknownHorizon is the horizon of a prediction, which tells where an action
// leads but not over how many events.
const unknownHorizon = -1

// predictedWalk walks from prediction to prediction. Positions number its
// predictions. Nothing of the program runs.
type predictedWalk struct {
	*Session
	*predictions
	*asker
	drawn      backend.Options // how answers are drawn; a retry draws otherwise
	unanswered *backend.Error  // the last question, when it failed and nothing else was shown since
}

// newPredictedWalk walks by what a model says; progress is shown it as it streams.
func newPredictedWalk(s *Session, n *Neural, progress func(backend.Update)) *predictedWalk {
	return &predictedWalk{Session: s, predictions: &predictions{}, asker: newAsker(n, progress)}
}

func (s *predictedWalk) states() states { return s.predictions }

func (s *predictedWalk) addFile(path string) (int, error) {
	if i := sameFile(s.files, path); i >= 0 {
		return i, nil
	}
	return -1, fmt.Errorf("%s is no file of the program that is predicted", path)
}

// admit refuses files that a model is not told of.
func (s *predictedWalk) admit(_ context.Context, path string) (string, error) {
	if _, err := s.addFile(path); err != nil {
		return "", errorf(Refused, "%v: a breakpoint in it would never be hit", err)
	}
	return "", nil
}

func (s *predictedWalk) liveAt(int) bool { return false }

func (s *predictedWalk) origin(p trace.Position) dsl.Origin {
	if p.Event < 0 || p.Event >= len(s.list) {
		return dsl.Given
	}
	return s.list[p.Event].origin
}

func (s *predictedWalk) exit(p trace.Position) *dsl.Exit {
	if p.Event < 0 || p.Event >= len(s.list) {
		return nil
	}
	return s.list[p.Event].exit
}

func (s *predictedWalk) interrupted() string {
	return "The question was given up. (" + s.key("retry") + " asks it again.)"
}

func (s *predictedWalk) confidence(p trace.Position) *float64 {
	if p.Event < 0 || p.Event >= len(s.list) || s.list[p.Event].made == nil {
		return nil
	}
	return s.list[p.Event].made.Confidence
}

// start makes the first state from the program's text.
func (s *predictedWalk) start(ctx context.Context) error {
	*s.predictions = predictions{}
	s.unanswered = nil
	s.begin()
	if err := s.load(s.cfg.Options); err != nil {
		return err
	}
	s.tell()
	node, err := s.format().Begin(s.program())
	if err != nil {
		return &trace.StartError{Kind: trace.StartFailed, Message: fmt.Sprintf("the program cannot be shown to a model: %v", err)}
	}
	first, err := s.first(ctx, node)
	if err != nil {
		return err
	}
	made := prediction{stop: first, before: -1, origin: dsl.Given}
	step := dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}}
	if first == nil {
		made.exit = &dsl.Exit{}
		step.Reply = dsl.Reply{Outcome: dsl.Ended, Exit: made.exit}
	} else {
		first.Activations = s.activations(made)
	}
	if made.node, err = node.Append(step); err != nil {
		return &trace.StartError{Kind: trace.StartFailed, Message: fmt.Sprintf("the first state cannot be shown to a model: %v", err)}
	}
	i := s.add(made)
	s.arrive(trace.Landing{Position: trace.Position{Event: i, End: first == nil}}, nil)
	return nil
}

// first is the state that the program begins with, nil if it has none.
func (s *predictedWalk) first(ctx context.Context, node *dsl.Node) (*dsl.Stop, error) {
	if s.cfg.Options.Entry == "" {
		return s.firstLine(), nil
	}
	first, missing, err := s.firstCall(s.cfg.Options.Entry)
	if err != nil {
		return nil, err
	}
	for i := range first.Locals {
		first.Locals[i].Value = s.redact(first.Locals[i].Value)
	}
	if len(missing) > 0 {
		return s.Neural.fill(ctx, node, first, missing)
	}
	return first, nil
}

// tell says what neural mode leaves out, and where the program's text goes.
func (s *predictedWalk) tell() {
	if m := s.Predictor.Model(); m.Away {
		s.notice("The program's source and values are sent to %s, which is not this machine.", m.Place)
	}
	if len(s.cfg.Options.Args) > 0 {
		s.notice("A model is not told the program's arguments; what depends on them it can only guess.")
	}
}

// move asks the model what one action leads to.
func (s *predictedWalk) move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	word := a.String()
	s.answer.Action = &word
	at := s.list[from.Event]
	switch {
	case from.End && !a.Move.Inverse():
		return trace.Landing{Position: from, Reason: trace.Ended, Boundary: trace.AtEnd}, nil
	case a.Move.Inverse() && at.before < 0: // what is given needs no model
		return trace.Landing{Position: from, Boundary: trace.AtStart}, nil
	}
	if i := s.mirrored(from, a); i >= 0 && s.recalls() {
		s.unanswered = nil
		s.recalled()
		return s.landing(i, a), nil
	}
	got := s.ask(ctx, at.node, a)
	if got.err != nil {
		if errors.Is(got.err, context.Canceled) && s.stopping.Load() {
			return trace.Landing{Position: from, Reason: trace.Interrupted}, nil
		}
		return trace.Landing{}, s.failed(got.err)
	}
	if got.again {
		s.recalled()
	} else {
		s.journal.Reply(journal.Reply{Raw: got.made.Raw, Confidence: got.made.Confidence, Model: s.called("")})
		s.heed(got)
		s.keepAnswer(s.Neural, at.node, a, got)
	}
	return s.reach(from, a, got)
}

// reach makes a prediction a state of the walk.
func (s *predictedWalk) reach(from trace.Position, a dsl.Action, got reply) (trace.Landing, error) {
	if i := s.placeOf(from, got); i >= 0 {
		return s.landing(i, a), nil
	}
	made := got.made
	p := prediction{before: from.Event, origin: dsl.Predicted, made: made, again: got.again}
	if a.Move.Inverse() {
		p.origin = dsl.Inferred
	}
	reply := made.Step.Reply
	switch reply.Outcome {
	case dsl.AtStart:
		return trace.Landing{Position: from, Boundary: trace.AtStart}, nil
	case dsl.Unknown:
		s.unanswered = &backend.Error{Kind: backend.NoState, Raw: made.Raw}
		return trace.Landing{}, errorf(NoPrediction, "The model says that the text does not tell where %s leads. (retry draws another answer)", a)
	case dsl.Ended:
		p.exit = reply.Exit
	default:
		stop := *reply.Stop
		p.stop = &stop
		p.postMortem = isPostMortem(s.list[from.Event].stop, &stop, a.Move)
	}
	// The numbers of activations are the walk's own: the text is as it was read.
	next, err := got.node.Append(made.Step)
	if err != nil {
		return trace.Landing{}, errorf(NoPrediction, "The predicted state cannot be kept: %v", err)
	}
	p.node = next
	if s.walk == walk(s) && !got.again { // else it is the reference of a model whose answers are kept
		s.ledger.add(entry{node: next, made: made}, s.replaying != nil)
	}
	return s.landing(s.add(p), a), nil
}

// ask asks one question, or takes its answer from what is known or from the journal
// that is replayed.
func (s *predictedWalk) ask(ctx context.Context, node *dsl.Node, a dsl.Action) reply {
	s.unanswered = nil
	if r, ok := s.recall(s.Neural, node, a); ok {
		return r
	}
	if s.replaying != nil {
		return s.replaying.answer(s.Neural, node, a)
	}
	return s.asker.ask(ctx, node, a, s.drawn, &s.stopping)
}

// failed remembers what failed, for raw and retry.
func (s *predictedWalk) failed(err error) error {
	var failed *backend.Error
	if errors.As(err, &failed) {
		s.unanswered = failed
	}
	return s.predictionError(err)
}

func (s *predictedWalk) cont(ctx context.Context) error {
	return s.toBreakpoint(ctx, dsl.Breakpoint, dsl.Continue)
}

func (s *predictedWalk) reverseContinue(ctx context.Context) error {
	return s.toBreakpoint(ctx, dsl.InvBreakpoint, dsl.InvContinue)
}

func (s *predictedWalk) until(ctx context.Context, line int) error {
	return s.stepTowards(ctx, line, dsl.StepOver)
}

func (s *predictedWalk) reverseUntil(ctx context.Context, line int) error {
	return s.stepTowards(ctx, line, dsl.InvStepOver)
}

// rewind shows the first state again; no model is asked.
func (s *predictedWalk) rewind(context.Context) error {
	s.unanswered = nil
	s.arrive(trace.Landing{Position: s.positionOf(0), Horizon: unknownHorizon}, nil)
	return nil
}

// positionOf is the position of a prediction.
func (s *predictedWalk) positionOf(i int) trace.Position {
	return trace.Position{Event: i, End: s.list[i].stop == nil, PostMortem: s.list[i].postMortem}
}

func (s *predictedWalk) text() string { return "predicted text" }

func (s *predictedWalk) place() Place {
	return Place{Event: s.shown, Events: len(s.history), Live: -1, End: s.pos.End}
}

func (s *predictedWalk) output(int, int) []trace.Output { return nil }

func (s *predictedWalk) interrupt() { s.giveUp() }

func (s *predictedWalk) kill() { s.interrupt() }

func (s *predictedWalk) close() error {
	s.interrupt()
	return nil
}

func (s *predictedWalk) remembered(int) {}

func (s *predictedWalk) revisited(int) { s.unanswered = nil }

func (s *predictedWalk) edited() { s.unanswered = nil }

func (s *predictedWalk) displaced() {}

func (s *predictedWalk) beside() *Beside { return nil }
