package nav

import (
	"context"
	"errors"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// Predicted is what a model says, from prediction to prediction. Positions number its
// predictions. Nothing of the program runs.
type Predicted struct {
	*predictions
	*asker
	unanswered *backend.Error // the last question, when it failed and nothing else was shown since
}

// NewPredicted goes by what a model says; progress is shown it as it streams. Without a
// ledger in the base its answers are not listed.
func NewPredicted(b *Base, n *Neural, progress func(backend.Update)) *Predicted {
	return &Predicted{predictions: &predictions{}, asker: newAsker(b, n, progress)}
}

// States returns what was predicted.
func (s *Predicted) States() States { return s.predictions }

// AddFile knows the files of the program that is predicted, and no others.
func (s *Predicted) AddFile(path string) (int, error) {
	if i := SameFile(s.files, path); i >= 0 {
		return i, nil
	}
	return -1, fmt.Errorf("%s is no file of the program that is predicted", path)
}

// Admit refuses files that a model is not told of.
func (s *Predicted) Admit(_ context.Context, path string) (string, error) {
	if _, err := s.AddFile(path); err != nil {
		return "", errorf(Refused, "%v: a breakpoint in it would never be hit", err)
	}
	return "", nil
}

// Holds knows of no program that waits.
func (s *Predicted) Holds(context.Context, int, string) (holds, asked bool, err error) {
	return false, false, nil
}

// Mark returns what a model said of a state beside it.
func (s *Predicted) Mark(p trace.Position) Mark {
	if p.Event < 0 || p.Event >= len(s.list) {
		return Mark{Origin: dsl.Given}
	}
	at := &s.list[p.Event]
	m := Mark{Origin: at.origin, Exit: at.exit}
	if len(at.madeUp) > 0 {
		m.MadeUp, m.Confidence, m.Sureness = at.madeUp, s.Filled.Confidence, s.Filled.Sureness
	}
	if at.made != nil {
		m.Confidence, m.Sureness, m.Move = at.made.Confidence, at.made.Sureness, at.made.Step.Action.Move
	}
	return m
}

// Start makes the first state from the program's text. Where there is none to be made,
// what was predicted stays.
func (s *Predicted) Start(ctx context.Context) (_ trace.Landing, err error) {
	before := *s.predictions
	defer func() {
		if err != nil {
			*s.predictions = before
		}
	}()
	*s.predictions = predictions{}
	if err := s.load(*s.base.Options); err != nil {
		return trace.Landing{}, err
	}
	program := s.Redact.Program(s.program())
	s.tellPlace()
	if len(s.base.Options.Args) > 0 {
		s.base.Notice("A model is not told the program's arguments; what depends on them it can only guess.")
	}
	node, err := s.Spelling().Begin(program)
	if err != nil {
		return trace.Landing{}, &trace.StartError{Kind: trace.StartFailed, Message: fmt.Sprintf("the program cannot be shown to a model: %v", err)}
	}
	first, madeUp, err := s.first(ctx, node)
	if err != nil {
		return trace.Landing{}, err
	}
	made := prediction{stop: first, before: -1, origin: dsl.Given, madeUp: madeUp}
	if len(madeUp) > 0 {
		made.origin = dsl.Inferred
	}
	step := dsl.Step{Reply: dsl.Reply{Outcome: dsl.Landed, Stop: first}}
	if first == nil {
		made.exit = &dsl.Exit{}
		step.Reply = dsl.Reply{Outcome: dsl.Ended, Exit: made.exit}
	} else {
		first.Activations = s.activations(made)
	}
	if made.node, err = node.Append(step); err != nil {
		return trace.Landing{}, &trace.StartError{Kind: trace.StartFailed, Message: fmt.Sprintf("the first state cannot be shown to a model: %v", err)}
	}
	s.unanswered = nil
	s.base.Begin()
	return trace.Landing{Position: trace.Position{Event: s.add(made), End: first == nil}}, nil
}

// first returns the first state of the program, or nil, and the names of the arguments that
// the model made up for it.
func (s *Predicted) first(ctx context.Context, node *dsl.Node) (first *dsl.Stop, madeUp []string, err error) {
	entry := s.base.Options.Entry
	if entry == "" {
		return s.Redact.Stop(s.firstLine()), nil, nil
	}
	first, missing, err := s.firstCall(entry)
	if err != nil {
		return nil, nil, err
	}
	first = s.Redact.Stop(first)
	if len(missing) == 0 {
		return first, nil, nil
	}
	for _, i := range missing {
		madeUp = append(madeUp, first.Locals[i].Name)
	}
	first, err = s.fill(ctx, node, first, missing)
	return first, madeUp, err
}

// Move asks the model what one action leads to.
func (s *Predicted) Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	s.base.Making(a)
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
	got := s.question(ctx, at.node, a)
	if got.err != nil {
		if errors.Is(got.err, context.Canceled) && s.base.Stopping() {
			return trace.Landing{Position: from, Reason: trace.Interrupted}, nil
		}
		return trace.Landing{}, s.failed(got.err)
	}
	if got.again {
		s.recalled()
	} else {
		s.base.Reply(journal.Reply{Raw: got.made.Written(), Confidence: got.made.Confidence, Sureness: got.made.Sureness, NoLocals: got.made.NoLocals, Model: s.Called("")})
		s.heed(got)
		s.keep(at.node, a, got)
	}
	return s.reach(from, a, got)
}

// reach makes a prediction one of the states.
func (s *Predicted) reach(from trace.Position, a dsl.Action, got reply) (trace.Landing, error) {
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
		s.unanswered = &backend.Error{Kind: backend.NoState, Raw: made.Raw, Thoughts: made.Thoughts}
		return trace.Landing{}, errorf(NoPrediction, "The model says that the text does not tell where %s leads. (retry draws another answer)", a)
	case dsl.Ended:
		p.exit = reply.Exit
	default:
		stop := *reply.Stop
		p.stop = &stop
		p.postMortem = a.Move.Dies(s.list[from.Event].stop, &stop)
	}
	// The numbers of activations are the source's own: the text is as it was read.
	next, err := got.node.Append(made.Step)
	if err != nil {
		return trace.Landing{}, errorf(NoPrediction, "The predicted state cannot be kept: %v", err)
	}
	p.node = next
	if s.base.Ledger != nil && !got.again {
		s.base.Ledger.add(Entry{Node: next, Made: made}, s.base.Replaying() != nil)
	}
	return s.landing(s.add(p), a), nil
}

// question asks one question, or takes its answer from what is known or from the journal
// that is replayed.
func (s *Predicted) question(ctx context.Context, node *dsl.Node, a dsl.Action) reply {
	s.unanswered = nil
	if r, ok := s.recall(node, a); ok {
		return r
	}
	if s.base.Replaying() != nil {
		return s.replayed(node, a)
	}
	return s.ask(ctx, node, a)
}

// failed remembers what failed, for raw and retry.
func (s *Predicted) failed(err error) error {
	var failed *backend.Error
	if errors.As(err, &failed) {
		s.unanswered = failed
	}
	return predictionError(err, s.base.Key)
}

// Shown forgets a question that failed where another state is shown again.
func (s *Predicted) Shown(_ int, _ trace.Position, again bool) {
	if again {
		s.unanswered = nil
	}
}

// Edited forgets a question that failed.
func (s *Predicted) Edited(trace.Position) { s.unanswered = nil }

// Displaced forgets a question that failed.
func (s *Predicted) Displaced(trace.Position) { s.unanswered = nil }

// First lands on the first state again; no model is asked.
func (s *Predicted) First() trace.Landing {
	s.unanswered = nil
	return trace.Landing{Position: s.positionOf(0), Horizon: UnknownHorizon}
}

// positionOf returns the position of a prediction.
func (s *Predicted) positionOf(i int) trace.Position {
	return trace.Position{Event: i, End: s.list[i].stop == nil, PostMortem: s.list[i].postMortem}
}

// landing returns how an action lands on one of the states.
func (s *Predicted) landing(i int, a dsl.Action) trace.Landing {
	l := trace.Landing{Position: s.positionOf(i), Horizon: UnknownHorizon}
	if a.Move == dsl.StepInto || a.Move == dsl.InvStepInto {
		l.Horizon = 1
	}
	switch {
	case l.End:
		l.Reason = trace.Ended
		if a.Move != dsl.Continue {
			l.Boundary = trace.AtEnd
		}
	case l.PostMortem:
		l.Reason = trace.DiedPostMortem
	}
	return l
}

// placeOf returns the place of an answer that is known, where it was made one here before;
// -1 where it was not.
func (s *Predicted) placeOf(from trace.Position, r reply) int {
	if !r.again {
		return -1
	}
	for i, p := range s.list {
		if p.before == from.Event && p.made == r.made {
			return i
		}
	}
	return -1
}

// cameBefore stands before what the model wrote of a state that nothing was asked for.
const cameBefore = "It came with the reply to an earlier question, which has this:\n"

// Raw returns what the model wrote: of the question that failed last, else of a state. ok is
// false where it wrote nothing.
func (s *Predicted) Raw(at int) (text string, ok bool) {
	switch failed, made := s.unanswered, s.list[at].made; {
	case failed != nil && failed.Said() != "":
		return failed.Said(), true
	case failed != nil:
		return "The question that failed last was answered with no text.", true
	case made != nil && made.Kept:
		return cameBefore + made.Said(), true
	case made != nil:
		return made.Said(), true
	case len(s.list[at].madeUp) > 0:
		text = "The model made up these arguments:"
		for i, name := range s.list[at].madeUp {
			text += "\n" + name + " = " + s.Filled.Values[i]
		}
		return text, true
	}
	return "", false
}

// Failed reports whether the last question failed, so that what led to its state need
// not be asked again.
func (s *Predicted) Failed() bool { return s.unanswered != nil }

// Redraw makes the model sample another answer, until done, if it gave one.
func (s *Predicted) Redraw() (done func()) {
	if s.unanswered != nil && s.unanswered.Kind != backend.NoState {
		return func() {}
	}
	return s.redraw(len(s.list))
}

// Asked returns how many predictions the model was asked for, how many tokens it read for
// that, and how many of them came from its cache. What came with them was not asked for.
func (s *Predicted) Asked() (asked, prompt, cached int) {
	for _, p := range s.list {
		if p.made != nil && !p.again && !p.made.Kept {
			asked++
			prompt += max(p.made.Usage.Prompt, 0)
			cached += max(p.made.Usage.Cached, 0)
		}
	}
	return asked, prompt, cached
}

// TextLen returns how long the text up to a state is, in bytes.
func (s *Predicted) TextLen(at int) int { return s.list[at].node.Len() }

var _ Source = (*Predicted)(nil)

// mirrored returns the state that an action leads back to by the table of moves alone: the
// one at which the last action was made, where this one is its mirror image. -1 where
// the model has to be asked.
func (s *Predicted) mirrored(from trace.Position, a dsl.Action) int {
	at := s.list[from.Event]
	if at.stop == nil || at.postMortem || at.before < 0 {
		return -1
	}
	was := s.list[at.before]
	step, ok := at.node.Step()
	if !ok || step.Edit || was.stop == nil || was.postMortem || at.node.Parent() != was.node || step.Action.Move.Inverse() == a.Move.Inverse() {
		return -1
	}
	next := step.Action.Move == dsl.StepInto || step.Action.Move == dsl.InvStepInto // there is no event between
	over := step.Action.Move == dsl.StepOver || step.Action.Move == dsl.InvStepOver
	switch a.Move {
	case dsl.StepInto, dsl.InvStepInto:
		if next {
			return at.before
		}
	case dsl.StepOver, dsl.InvStepOver:
		// In generators it passes over yields, which are events of the same depth.
		if s.suspends(at.stop) || s.suspends(was.stop) {
			return -1
		}
		if next && was.stop.Depth <= at.stop.Depth || over && was.stop.Depth == at.stop.Depth {
			return at.before
		}
	}
	return -1
}

// suspends reports whether a state may be in a generator or a coroutine.
func (s *Predicted) suspends(stop *dsl.Stop) bool {
	if stop.Function == "<module>" {
		return false
	}
	code := s.codes[s.codeAt(s.fileIndex(stop.File), stop.Line, stop.Function)]
	return code.Generator || code.FirstLine == 0 // what has no def of its name: <genexpr>, for one
}
