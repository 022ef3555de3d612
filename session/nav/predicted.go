package nav

import (
	"context"
	"errors"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// Predicted is a source of states that a model predicts, each from an earlier one. A position's
// event is the state's number. Nothing of the program runs.
type Predicted struct {
	*predictions
	*asker
	unanswered *backend.Error // the error of the last question, until another state is shown
	anyExit    bool           // the session begins where a function is left, at a line that the user did not give
	edge       *edge          // the true state at which inferred states begin, nil in neural mode
}

// NewPredicted returns a source of a model's predictions; progress receives them as they stream. If
// the base has no ledger, the questions are not listed.
func NewPredicted(b *Base, n *Neural, progress func(backend.Update)) *Predicted {
	return &Predicted{predictions: &predictions{}, asker: newAsker(b, n, progress)}
}

// States returns the predicted states.
func (s *Predicted) States() States { return s.predictions }

// AddFile returns the index of a file of the predicted program. Other files are an error.
func (s *Predicted) AddFile(path string) (int, error) {
	if i := SameFile(s.files, path); i >= 0 {
		return i, nil
	}
	return -1, fmt.Errorf("%s is no file of the program that is predicted", path)
}

// Admit returns an error for files that are not sent to the model.
func (s *Predicted) Admit(_ context.Context, path string) (string, error) {
	if _, err := s.AddFile(path); err != nil {
		return "", errorf(Refused, "%v: a breakpoint in it would never be hit", err)
	}
	return "", nil
}

// Holds returns asked as false, because there is no running program that could evaluate the
// condition.
func (s *Predicted) Holds(context.Context, int, string) (holds, asked bool, err error) {
	return false, false, nil
}

// Mark returns the origin of a state and the model's confidence in it.
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
		m.Checks = at.made.Checks
	}
	return m
}

// Start creates the first state from the program's source. If it cannot, the previous predictions
// are kept.
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
	node, first, madeUp, err := s.first(ctx, node)
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

// first returns the first state of the program, nil if the program is empty, and the text before
// it. madeUp names the arguments that the model filled in.
func (s *Predicted) first(ctx context.Context, node *dsl.Node) (before *dsl.Node, first *dsl.Stop, madeUp []string, err error) {
	entry := s.base.Options.Entry
	if s.base.Options.Begin != nil {
		before, first, err = s.given(node)
		return before, first, nil, err
	}
	if entry == "" {
		return node, s.Redact.Stop(s.firstLine()), nil, nil
	}
	first, missing, err := s.firstCall(entry)
	if err != nil {
		return nil, nil, nil, err
	}
	first = s.Redact.Stop(first)
	if len(missing) == 0 {
		return node, first, nil, nil
	}
	for _, i := range missing {
		madeUp = append(madeUp, first.Locals[i].Name)
	}
	first, err = s.fill(ctx, node, first, missing)
	return node, first, madeUp, err
}

// Move asks the model for the result of one action.
func (s *Predicted) Move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	s.base.Making(a)
	return s.move(ctx, from, a)
}

func (s *Predicted) move(ctx context.Context, from trace.Position, a dsl.Action) (trace.Landing, error) {
	at := s.list[from.Event]
	switch {
	case from.End && !a.Move.Inverse():
		return trace.Landing{Position: from, Reason: trace.Ended, Boundary: trace.AtEnd}, nil
	// Nothing comes before the program's first state.
	case a.Move.Inverse() && at.before < 0 && !s.beginsLater():
		return trace.Landing{Position: from, Boundary: trace.AtStart}, nil
	}
	if i := s.mirrored(from, a); i >= 0 && s.recalls() {
		s.unanswered = nil
		s.recalled()
		return s.landing(i, a), nil
	}
	got := s.weigh(ctx, &at, a, s.question(ctx, at.node, a))
	if got.err != nil {
		if errors.Is(got.err, context.Canceled) && s.base.Stopping() {
			return trace.Landing{Position: s.positionOf(from.Event), Reason: trace.Interrupted}, nil
		}
		return trace.Landing{}, s.failed(got.err)
	}
	if got.again {
		s.recalled()
	} else {
		s.journal(at.node, got.made)
		s.heed(got)
		s.keep(at.node, a, got)
	}
	return s.reach(from, a, got)
}

// originOf returns the origin of the state that a prediction leads to.
func originOf(a dsl.Action, made *backend.Prediction) dsl.Origin {
	switch {
	case made.Computed:
		return dsl.Computed
	case a.Move.Inverse():
		return dsl.Inferred
	}
	return dsl.Predicted
}

// reach appends the predicted state to the list and returns its landing. A cached answer may lead
// to a state of the list.
func (s *Predicted) reach(from trace.Position, a dsl.Action, got reply) (trace.Landing, error) {
	if i := s.placeOf(from, got); i >= 0 {
		return s.landing(i, a), nil
	}
	made := got.made
	p := prediction{before: from.Event, origin: originOf(a, made), made: made, again: got.again}
	step := made.Step
	reply := step.Reply
	switch reply.Outcome {
	case dsl.AtStart:
		return trace.Landing{Position: s.positionOf(from.Event), Boundary: trace.AtStart}, nil
	case dsl.Unknown:
		s.unanswered = &backend.Error{Kind: backend.NoState, Raw: made.Raw, Thoughts: made.Thoughts}
		return trace.Landing{}, errorf(NoPrediction, "The model says that the text does not tell where %s leads. (retry draws another answer)", a)
	case dsl.Ended:
		p.exit = reply.Exit
	default:
		stop := *reply.Stop
		stop.Locals = stillUnknown(s.list[from.Event].stop, &stop)
		p.stop = &stop
		shown := stop
		step.Reply.Stop = &shown // without the numbers of activations, which belong to this source
		p.postMortem = a.Move.Dies(s.list[from.Event].stop, &stop)
	}
	next, err := got.node.Append(step)
	if err != nil {
		return trace.Landing{}, errorf(NoPrediction, "The predicted state cannot be kept: %v", err)
	}
	p.node = next
	if s.base.Ledger != nil && !got.again {
		s.base.Ledger.add(Entry{Node: next, Made: made}, s.base.Replaying() != nil)
	}
	return s.landing(s.add(p), a), nil
}

// question asks one question, or takes its answer from the cache or from the replayed journal.
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

// failed stores the error of a failed question, for raw and retry, and converts it for the user.
func (s *Predicted) failed(err error) error {
	var failed *backend.Error
	if errors.As(err, &failed) {
		s.unanswered = failed
	}
	return predictionError(err, s.base.Key)
}

// Shown forgets the failed question when an earlier state is shown again.
func (s *Predicted) Shown(_ int, _ trace.Position, again bool) {
	if again {
		s.unanswered = nil
	}
}

// Edited forgets the failed question: the state has changed, so retry must not ask it again.
func (s *Predicted) Edited(trace.Position) { s.unanswered = nil }

// Displaced forgets the failed question: the position has changed without an action, so retry must
// not ask it again.
func (s *Predicted) Displaced(trace.Position) { s.unanswered = nil }

// cameBefore introduces the reply for a state that came with the reply to an earlier question.
const cameBefore = "It came with the reply to an earlier question, which has this:\n"

// Raw returns the model's reply to the last question if that failed, else the reply for state at.
// ok is false if there is none.
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

// Failed reports whether the last question failed.
func (s *Predicted) Failed() bool { return s.unanswered != nil }

// Redraw makes the model sample another answer until done is called, if its last answer was a
// reply.
func (s *Predicted) Redraw() (done func()) {
	if s.unanswered != nil && s.unanswered.Kind != backend.NoState {
		return func() {}
	}
	return s.redraw(len(s.list))
}

// Asked returns the number of requested predictions, of the tokens in their prompts, and of those
// prompt tokens that the server had cached. States that came with another reply are not counted.
func (s *Predicted) Asked() (asked, prompt, cached int) {
	for _, p := range s.list {
		if p.made != nil && !p.again && !p.made.Kept && !p.made.Computed {
			asked++
			prompt += max(p.made.Usage.Prompt, 0)
			cached += max(p.made.Usage.Cached, 0)
		}
	}
	return asked, prompt, cached
}

// TextLen returns the length of the text that ends in a state, in bytes.
func (s *Predicted) TextLen(at int) int { return s.list[at].node.Len() }

var _ Source = (*Predicted)(nil)

// mirrored returns the state before the last action, if action a undoes that action by the
// definition of the moves; -1 if the model has to be asked.
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
	// If next is true, no event lies between the two states.
	next := step.Action.Move == dsl.StepInto || step.Action.Move == dsl.InvStepInto
	over := step.Action.Move == dsl.StepOver || step.Action.Move == dsl.InvStepOver
	switch a.Move {
	case dsl.StepInto, dsl.InvStepInto:
		if next {
			return at.before
		}
	case dsl.StepOver, dsl.InvStepOver:
		// In generators, a step over passes yields, which are events of the same depth.
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
	return code.Generator || code.FirstLine == 0 // no def has this name: for example <genexpr>
}
