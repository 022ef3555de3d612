package computed

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// timeLimit bounds the computation of one answer; after it the other predictor is asked.
const timeLimit = 2 * time.Second

// Predictor computes what the text of a program decides, and asks another predictor for the rest.
// It computes forward moves in programs of one file whose history begins with the program or the
// call of a function. In a longer move it computes what it can and asks for the steps between.
type Predictor struct {
	backend.Predictor // asked for the rest
	version           python.Version
	steps             int

	mu     sync.Mutex
	course *course // of the last question, while no question uses it
	closed bool
}

// New returns a predictor that computes the states of a version of Python, and asks another one
// for what the text does not decide: for at most so many steps of one move, else for the whole
// move.
func New(rest backend.Predictor, v python.Version, steps int) *Predictor {
	return &Predictor{Predictor: rest, version: v, steps: steps}
}

// Predict computes where an action leads, or asks.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	made, discarded := p.compute(ctx, q)
	if made != nil {
		return made, nil
	}
	made, err := p.Predictor.Predict(ctx, q, show)
	return made, backend.TakeDown(made, err, discarded)
}

// Keeps reports whether the other predictor has an answer already.
func (p *Predictor) Keeps(q backend.Question) bool { return backend.Keeps(p.Predictor, q) }

// Close ends both predictors.
func (p *Predictor) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.put(nil)
	return p.Predictor.Close()
}

// take returns the course of the last question, nil if another question uses it.
func (p *Predictor) take() *course {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.course
	p.course = nil
	return c
}

// put keeps a course for the next question, in place of another one.
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

// compute answers as far as the text decides where an action leads; made is nil if it decides
// nothing of it. discarded holds replies that were asked for and are of no use.
func (p *Predictor) compute(ctx context.Context, q backend.Question) (made *backend.Prediction, discarded []backend.Discarded) {
	if q.Action.Move.Inverse() || len(q.At.Program().Files) != 1 {
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

// reach returns a course at the place of a question: the last one, unless it has left the place by
// another action, or a new one.
func (p *Predictor) reach(ctx context.Context, q backend.Question) (*course, error) {
	c, to := p.take(), q.At
	if c != nil && c.advance(ctx, to) && (!c.moved() || c.asked.String() == q.Action.String()) {
		return c, nil
	}
	c.close()
	t := to.Trajectory()
	if t.Compacted || len(t.Steps) == 0 || t.Steps[0].Reply.Stop == nil {
		return nil, errElsewhere
	}
	file := t.Program.Files[0]
	in, err := python.NewInterpreter([]byte(strings.Join(file.Lines, "\n")+"\n"), t.Steps[0].Reply.Stop.File, p.version)
	if err != nil {
		return nil, err
	}
	c = &course{in: in}
	if first := t.Steps[0].Reply.Stop; first.Function != "<module>" {
		in.Begin(first)
		c.begun = true
	}
	if !c.advance(ctx, to) {
		c.close()
		return nil, errElsewhere
	}
	return c, nil
}
