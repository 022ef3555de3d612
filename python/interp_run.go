package python

import (
	"context"

	"github.com/npdb/npdb/dsl"
)

// Run follows a program by its text from a given state, as Interpreter.Begin describes. It calls visit for
// each event after the state, until visit returns false. stop makes the state of the event; its locals
// and values that the text does not decide are Unknown and nil, and its locals come in any order.
//
// The exit is that of the program, if it ends. The error is that of NewInterpreter, or a *RefusedError or
// *LimitError where the text does not decide the next event, or that of a ctx that has ended.
func Run(ctx context.Context, p *Program, first *dsl.Stop, visit func(m dsl.Moment, stop func() *dsl.Stop) bool) (exit *dsl.Exit, err error) {
	in, err := p.interpreter(ctx, MainFile(first))
	if err != nil {
		return nil, err
	}
	in.watch = visit
	in.Begin(first)
	defer func() {
		for _, g := range in.gens {
			g.stop()
		}
	}()
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(enough); !ok {
				panic(e)
			}
			exit, err = nil, nil
		}
	}()
	m := in.runModule()
	return m.exit, m.err
}

// enough ends a run whose visitor has seen enough, as a panic.
type enough struct{}
