package computed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
	"github.com/npdb/npdb/python"
)

// timeLimit limits the computation of one state. If it is exceeded, the other predictor is asked.
const timeLimit = 2 * time.Second

// Predictor computes the states that a program's source determines, and asks another predictor for the
// rest. It computes forward moves from any first state. If only some steps of a longer move cannot be
// computed, it asks for these steps.
type Predictor struct {
	backend.Predictor // predicts what cannot be computed
	version           python.Version
	steps             int
	texts             texts

	mu     sync.Mutex
	course *course // at the state of the last question; nil while a question uses it
	closed bool
}

// New returns a predictor that computes states as Python version v does, and asks rest for the others.
// It asks for at most `steps` single steps in one move; if more are needed, it asks for the whole move.
func New(rest backend.Predictor, v python.Version, steps int) *Predictor {
	return &Predictor{Predictor: rest, version: v, steps: steps}
}

// Predict computes where an action leads, or asks the other predictor.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	made, discarded := p.compute(ctx, q)
	if made != nil {
		return made, nil
	}
	made, err := p.Predictor.Predict(ctx, q, show)
	return made, backend.TakeDown(made, err, discarded)
}

// Keeps reports whether the other predictor can answer q without a request.
func (p *Predictor) Keeps(q backend.Question) bool { return backend.Keeps(p.Predictor, q) }

// Close closes the other predictor too.
func (p *Predictor) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.put(nil)
	return p.Predictor.Close()
}

// take removes and returns the course of the last question; nil while another question uses it.
func (p *Predictor) take() *course {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.course
	p.course = nil
	return c
}

// put stores a course for the next question and closes the one that was stored.
func (p *Predictor) put(c *course) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.course, c = c, p.course
	if p.closed {
		p.course.close()
		p.course = nil
	}
	c.close()
}

// compute computes where an action leads, and asks for the single steps that the source does not
// determine. made is nil if it fails; then discarded holds the replies that were requested and are now
// unused.
func (p *Predictor) compute(ctx context.Context, q backend.Question) (made *backend.Prediction, discarded []backend.Discarded) {
	if q.Action.Move.Inverse() {
		return nil, nil
	}
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	c, err := p.reach(limited, q)
	if err != nil {
		return nil, nil
	}
	reply, err := c.move(limited, q.Action)
	if err == nil {
		p.put(c)
		if raw, err := q.At.Reply(q.Action, reply); err == nil {
			took := time.Since(began)
			return &backend.Prediction{
				Step: dsl.Step{Action: q.Action, Reply: reply}, Raw: raw, Computed: true, Took: took, First: took,
			}, nil
		}
		return nil, nil
	}
	if q.Action.Move == dsl.StepInto || q.Action.Move == dsl.StepOver && c.passed == 0 || p.steps == 0 {
		p.put(c)
		return nil, nil
	}
	c.close()
	if c, err = p.reach(limited, q); err != nil {
		return nil, nil
	}
	made, discarded, err = c.walk(ctx, q, p.Predictor, p.steps)
	if err != nil {
		c.close()
		return nil, discarded
	}
	p.put(c)
	return made, nil
}

var errElsewhere = errors.New("the history does not begin with the program")

// reach returns a course at q.At: the last one, if it can get there and has not computed another action
// from there, or else a new one.
func (p *Predictor) reach(ctx context.Context, q backend.Question) (*course, error) {
	c, to := p.take(), q.At
	if c != nil && c.advance(ctx, to) && (!c.moved() || c.asked.String() == q.Action.String()) {
		return c, nil
	}
	c.close()
	inferred := lastInferred(to)
	first := firstState(to)
	if inferred != nil {
		step, _ := inferred.Step()
		first = step.Reply.Stop
	}
	if first == nil {
		return nil, errElsewhere
	}
	program, err := p.texts.parse(to.Program(), p.version)
	if err != nil {
		return nil, err
	}
	in, err := python.NewInterpreter(program, python.MainFile(first))
	if err != nil {
		return nil, err
	}
	c = &course{in: in, at: inferred}
	if inferred != nil || !p.startsProgram(to.Program(), first) {
		in.Begin(first)
		c.begun = inferred == nil
	}
	if !c.advance(ctx, to) {
		c.close()
		return nil, errElsewhere
	}
	return c, nil
}

// lastInferred returns the node of the latest state from which the computation must start again. That is
// a state to which a backward move led, since the run before it is unknown, or a call whose arguments
// the user changed. It returns nil if there is none.
func lastInferred(at *dsl.Node) *dsl.Node {
	for n := at; n != nil; n = n.Parent() {
		step, ok := n.Step()
		if !ok || step.Reply.Outcome != dsl.Landed {
			continue
		}
		if step.Action.Move.Inverse() || step.Edit && step.Reply.Stop.Event == dsl.Call {
			return n
		}
	}
	return nil
}

// firstState returns the state at which the computation of a history starts: the first one, or the last
// of the given states of a compacted trajectory. It is nil if there is none.
func firstState(at *dsl.Node) *dsl.Stop {
	var first *dsl.Stop
	for _, s := range at.Trajectory().Steps {
		if !given(s) {
			break
		}
		first = s.Reply.Stop
	}
	return first
}

// given reports whether a step holds one of the states with which a trajectory begins.
func given(s dsl.Step) bool { return s.Action.Move == 0 && !s.Edit }

// startsProgram reports whether s is the first state of a program that runs from its beginning.
func (p *Predictor) startsProgram(program *dsl.Program, s *dsl.Stop) bool {
	if s.Function != "<module>" || s.Event != dsl.Line || len(s.Stack) > 1 || fileIndex(program, s.File) != 0 {
		return false
	}
	// The first state of a recording has hidden names only: __name__, __file__ and others.
	if slices.ContainsFunc(s.Locals, func(l dsl.Local) bool { return !l.Hidden || !strings.HasPrefix(l.Name, "__") }) {
		return false
	}
	return s.Line == p.texts.file(program, s.File).source.First()
}

// Judge asks the model of the wrapped predictor for a verdict.
func (p *Predictor) Judge(ctx context.Context, b *chat.Block) (*backend.Judgement, error) {
	return backend.Judged(ctx, p.Predictor, b)
}
