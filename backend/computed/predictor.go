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
// It computes forward moves in programs of one file whose history begins with the program.
type Predictor struct {
	backend.Predictor // asked for the rest
	version           python.Version

	mu     sync.Mutex
	course *course // of the last question
}

// New returns a predictor that computes the states of a version of Python, and asks another one
// for what the text does not decide.
func New(rest backend.Predictor, v python.Version) *Predictor {
	return &Predictor{Predictor: rest, version: v}
}

// Predict computes where an action leads, or asks.
func (p *Predictor) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	began := time.Now()
	if reply, ok := p.compute(ctx, q); ok {
		if raw, err := q.At.Reply(q.Action, reply); err == nil {
			took := time.Since(began)
			return &backend.Prediction{
				Step: dsl.Step{Action: q.Action, Reply: reply}, Raw: raw, Computed: true, Took: took, First: took,
			}, nil
		}
	}
	return p.Predictor.Predict(ctx, q, show)
}

// Keeps reports whether the other predictor has an answer already.
func (p *Predictor) Keeps(q backend.Question) bool { return backend.Keeps(p.Predictor, q) }

// Close ends both predictors.
func (p *Predictor) Close() error {
	p.mu.Lock()
	p.leave()
	p.mu.Unlock()
	return p.Predictor.Close()
}

func (p *Predictor) leave() {
	if p.course != nil {
		p.course.in.Close()
		p.course = nil
	}
}

// compute returns where an action leads. ok is false if the text does not decide it.
func (p *Predictor) compute(ctx context.Context, q backend.Question) (reply dsl.Reply, ok bool) {
	if q.Action.Move.Inverse() || len(q.At.Program().Files) != 1 {
		return dsl.Reply{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.reach(ctx, q.At); err != nil {
		p.leave()
		return dsl.Reply{}, false
	}
	reply, err := p.course.move(ctx, q.Action)
	return reply, err == nil
}

var errElsewhere = errors.New("the history does not begin with the program")

// reach brings the course to a place in a history.
func (p *Predictor) reach(ctx context.Context, to *dsl.Node) error {
	if p.course != nil && p.course.advance(ctx, to) {
		return nil
	}
	p.leave()
	t := to.Trajectory()
	if t.Compacted || len(t.Steps) == 0 || t.Steps[0].Reply.Stop == nil {
		return errElsewhere
	}
	file := t.Program.Files[0]
	in, err := python.NewInterpreter([]byte(strings.Join(file.Lines, "\n")+"\n"), t.Steps[0].Reply.Stop.File, p.version)
	if err != nil {
		return err
	}
	p.course = &course{in: in}
	if first := t.Steps[0].Reply.Stop; first.Function != "<module>" {
		in.Begin(first)
		p.course.begun = true
	}
	if !p.course.advance(ctx, to) {
		return errElsewhere
	}
	return nil
}
