package tui

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// scripted is a model that gives its replies in order. With a gate, each answer waits for
// a value from the gate.
type scripted struct {
	replies []string
	gate    chan struct{}
	began   func() // it is called when an answer begins to wait
	shown   int    // how many bytes of the reply stream before the gate
	name    string // "" means nd-32b
	deaf    bool   // it also answers when nobody waits any more
	of      *backend.Sureness
	filled  []string // values for the arguments that --entry leaves open

	mu    sync.Mutex
	asked []dsl.Action
}

// These are the replies of a model that is right about double.py.
const (
	atCall   = `<|line_sep|>{}<|action_sep|>6|a = f(2)` + "\n<|frame_sep|>"
	inF      = `<|call_sep|><|stack_sep|>"f"{"x": "2"}<|action_sep|>1|def f(x):` + "\n<|frame_sep|>"
	atY      = `<|line_sep|>{"x": ".."}<|action_sep|>2|    y = x + 1` + "\n<|frame_sep|>"
	atReturn = `<|line_sep|>{"x": "..", "y": "3"}<|action_sep|>3|    return y` + "\n<|frame_sep|>"
	returnsY = `<|return_sep|>{"x": "..", "y": ".."}<|action_sep|>3|    return y` + "\n<|arg_sep|>\"3\"<|frame_sep|>"
)

func (p *scripted) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	p.mu.Lock()
	raw := p.replies[min(len(p.asked), len(p.replies)-1)]
	p.asked = append(p.asked, q.Action)
	p.mu.Unlock()
	d := q.At.Decode(q.Action)
	err := d.Feed(raw[:p.shown])
	if err == nil && p.shown > 0 && show != nil {
		reply, known := d.Partial()
		show(backend.Update{Reply: reply, Known: known, Raw: raw[:p.shown]})
	}
	if p.gate != nil {
		p.began()
		end := ctx.Done()
		if p.deaf {
			end = nil
		}
		select {
		case <-p.gate:
		case <-end:
			return nil, ctx.Err()
		}
	}
	if err == nil {
		err = d.Feed(raw[p.shown:])
	}
	if err == nil {
		err = d.Close(true)
	}
	if err != nil {
		return nil, &backend.Error{Kind: backend.NoState, Message: "The reply is no state: " + err.Error(), Raw: raw, Err: err}
	}
	step, _ := d.Step()
	sure := 0.93
	return &backend.Prediction{Step: step, Raw: raw, Confidence: &sure, Sureness: p.of}, nil
}

func (p *scripted) Fill(_ context.Context, _ *dsl.Node, first *dsl.Stop, missing []int, _ backend.Options) (*backend.Filled, error) {
	if p.filled == nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: "nothing is filled in here"}
	}
	out := *first
	out.Locals = slices.Clone(first.Locals)
	for k, i := range missing {
		out.Locals[i].Value = p.filled[k]
	}
	sure := 0.93
	return &backend.Filled{First: &out, Confidence: &sure, Sureness: p.of}, nil
}

func (p *scripted) Model() backend.Model {
	return backend.Model{Name: cmp.Or(p.name, "nd-32b"), Place: "http://127.0.0.1:8000/v1"}
}

func (p *scripted) Close() error { return nil }

// questions returns how many questions the model was asked.
func (p *scripted) questions() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

// shut makes the answers wait from now on, and wakes the driver at each.
func (p *scripted) shut(d *driver) {
	p.gate = make(chan struct{})
	p.began = func() { d.inbox <- nil }
}

// asks waits until the model has been asked n times in total.
func (d *driver) asks(p *scripted, n int) {
	d.t.Helper()
	d.until(func() bool { return p.questions() == n })
}

// predicted returns a session in which a model predicts a program.
func predicted(t testing.TB, program string, p *scripted) session.Config {
	t.Helper()
	return session.Config{
		Options: trace.Options{Script: programPath(program)}, StateDir: t.TempDir(),
		Neural: &nav.Neural{Predictor: p},
	}
}
