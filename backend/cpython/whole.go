package cpython

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// Whole is one run of a program from its first state to its end, as the reference for measuring
// predictions. It need not be the only possible run. Its methods must not be called concurrently.
type Whole struct{ r *run }

// Record runs a program, or a call of one of its functions such as "f([1, 2])", to its end, under
// the same conditions as for a question. It fails if the program does not start, reads its standard
// input, or does not end within the limits.
func (p *Predictor) Record(ctx context.Context, program *dsl.Program, call string) (*Whole, error) {
	if !p.begin() {
		return nil, errClosed
	}
	defer p.questions.Done()
	running, cancel := context.WithTimeout(ctx, p.config.Timeout)
	defer cancel()
	defer context.AfterFunc(p.closing, cancel)()
	r, err := p.start(running, &subject{of: p, program: program, origin: origin{call: call}})
	if err == nil {
		if err = r.seek(running, trace.Position{End: true}); err != nil {
			r.close()
		}
	}
	var why *undeterminedError
	switch {
	case errors.As(programsFault(err), &why):
		return nil, fmt.Errorf("there is no whole run of it: %w", why)
	case err != nil:
		return nil, p.failure(ctx, err)
	}
	return &Whole{r: r}, nil
}

// Close discards the run.
func (w *Whole) Close() { w.r.close() }

// Len returns the number of events. They are numbered from 0.
func (w *Whole) Len() int { return w.r.rec.Tree().Len() }

// Stop returns the state at an event.
func (w *Whole) Stop(event int) (*dsl.Stop, error) { return w.r.stop(event) }

// Given returns the states with which a text begins if it omits the steps before an event: the latest
// state of each caller, outermost first, and the state at the event.
func (w *Whole) Given(event int) ([]*dsl.Stop, error) {
	var states []*dsl.Stop
	for _, f := range w.r.rec.Tree().Stack(event) {
		if f.Event < 0 || f.Event == event {
			continue
		}
		s, err := w.r.stop(f.Event)
		if err != nil {
			return nil, err
		}
		states = append(states, s)
	}
	s, err := w.r.stop(event)
	return append(states, s), err
}

// Move returns where an action leads by the table of moves, the reply, and the horizon: the number of
// events over which the action passes.
func (w *Whole) Move(from statetree.Spot, a dsl.Action) (to statetree.Spot, reply dsl.Reply, horizon int, err error) {
	to, stays := w.r.rec.Tree().Move(from, w.r.action(a), w.r.fatal)
	switch {
	case stays:
		return from, dsl.Reply{Outcome: dsl.AtStart}, 0, nil
	case to.End:
		reply, err = w.r.end()
		return to, reply, from.Horizon(to), err
	}
	stop, err := w.r.stop(to.Event)
	return to, dsl.Reply{Outcome: dsl.Landed, Stop: stop}, from.Horizon(to), err
}

// Lines returns the lines of the line events in [from, to), each line once.
func (w *Whole) Lines(from, to int) []int {
	tree := w.r.rec.Tree()
	var found []int
	for i := max(from, 0); i < min(to, tree.Len()); i++ {
		if at := tree.At(i); at.Event == dsl.Line && !slices.Contains(found, at.Line) {
			found = append(found, at.Line)
		}
	}
	return found
}

// Depth returns the number of activations below that of the event on the stack.
func (w *Whole) Depth(event int) int { return w.r.rec.Tree().At(event).Depth }
