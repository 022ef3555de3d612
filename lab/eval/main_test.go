package eval

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace/contain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// contained returns an oracle that runs programs in a containment, like npdb eval.
func contained(t testing.TB) *cpython.Predictor {
	t.Helper()
	python := pythons.Any(t)
	c, err := contain.New(t.Context(), python, contain.Auto, contain.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p := cpython.New(cpython.Config{Python: c.Python(), Prepare: c.Prepare, Timeout: time.Minute})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		c.Close()
	})
	return p
}

// problems returns the problems in testdata.
func problems(t testing.TB) *Source {
	t.Helper()
	s, err := Load(filepath.Join("testdata", "problems.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fake is a predictor with predefined answers that counts the questions.
type fake struct {
	answer    func(q backend.Question) (dsl.Reply, error)
	sure      *float64
	name      string
	discarded func(q backend.Question) []backend.Discarded // nil: none

	mu    sync.Mutex
	asked int
}

func (f *fake) Predict(ctx context.Context, q backend.Question, _ func(backend.Update)) (*backend.Prediction, error) {
	f.mu.Lock()
	f.asked++
	f.mu.Unlock()
	var discarded []backend.Discarded
	if f.discarded != nil {
		discarded = f.discarded(q)
	}
	reply, err := f.answer(q)
	if err != nil {
		if failure, ok := errors.AsType[*backend.Error](err); ok {
			failure.Discarded = discarded
		}
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &backend.Prediction{Step: dsl.Step{Action: q.Action, Reply: reply}, Confidence: f.sure, Discarded: discarded}, nil
}

func (f *fake) Fill(context.Context, *dsl.Node, *dsl.Stop, []int, backend.Options) (*backend.Filled, error) {
	return nil, errors.New("a fake fills nothing")
}

func (f *fake) Model() backend.Model { return backend.Model{Name: f.name} }

func (f *fake) Close() error { return nil }

// returns returns the reply that the current function returns a value.
func returns(at *dsl.Node, value string) dsl.Reply {
	s := *at.Current()
	s.Event, s.Kind, s.Value = dsl.Return, dsl.Returned, &value
	return dsl.Reply{Outcome: dsl.Landed, Stop: &s}
}

// repeated returns n problems whose function returns its argument.
func repeated(n int) *Source {
	s := &Source{}
	for i := range n {
		s.Programs = append(s.Programs, Program{
			Name: fmt.Sprint("problem ", i), Text: programOf("def f(x):\n    return x\n"), Function: "f", Input: fmt.Sprint(i), Output: fmt.Sprint(i),
		})
	}
	return s
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if d := got - want; !(d < 1e-9 && d > -1e-9) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}
