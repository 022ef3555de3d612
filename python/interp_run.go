package python

import (
	"context"

	"github.com/npdb/npdb/dsl"
)

// Run executes a program from a given state, as Interpreter.Begin describes, without Python. It
// calls visit for each event after that state, until visit returns false. stop returns the state of
// the event. In the state, Value is nil and a local is Unknown if the source does not determine it.
// Locals come in any order.
//
// exit is the program's exit, if it ends. The error is that of NewInterpreter, a *RefusedError or
// *LimitError if the source does not determine the next event, or the error of a ctx that has
// ended.
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

// enough is the value of the panic that ends a run after visit has returned false.
type enough struct{}
