package python

import (
	"iter"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// generator runs a generator of the program in a separate goroutine.
type generator struct {
	in    *Interpreter
	a     *activation
	next  func() (pyValue, bool)
	stop  func()
	yield func(pyValue) bool
	done  bool
	busy  bool
	lost  bool    // it may have been closed
	loose bool    // something unknown may refer to it, and close it at any time
	value pyValue // the value that it returned
}

// newGenerator creates a generator for an activation that has not begun.
func (in *Interpreter) newGenerator(a *activation) pyValue {
	g := &generator{in: in, a: a}
	a.gen = g
	in.entered++
	a.number = in.entered
	g.next, g.stop = iter.Pull(func(yield func(pyValue) bool) {
		g.yield = yield
		defer func() {
			if e := recover(); e != nil {
				if _, ok := e.(closed); !ok {
					panic(e)
				}
			}
		}()
		defer func() {
			if e := recover(); e != nil {
				if t, ok := e.(*thrown); ok && t.exc.class.is("StopIteration") {
					e = refused("", "a StopIteration that leaves a generator")
				}
				panic(e)
			}
		}()
		g.value = a.run()
	})
	in.gens = append(in.gens, g)
	return &pyIter{kind: "generator", next: g.resume, of: a.code.qual, gen: g}
}

// resume runs a generator to its next yield. The second result is false if the generator has ended.
func (g *generator) resume() (pyValue, bool) {
	if g.done {
		return nil, false
	}
	if g.lost {
		panic(refused("", "how a generator is closed"))
	}
	if g.busy {
		panic(raised("ValueError", "generator already executing"))
	}
	g.busy = true
	ok := false
	defer func() {
		g.busy = false
		e := recover()
		switch e.(type) {
		case nil, *thrown, *EvalError:
			g.done = g.done || !ok
		default:
			g.lost = true
		}
		if e != nil {
			panic(e)
		}
	}()
	g.in.enter(g.a)
	var value pyValue
	value, ok = g.next()
	if !ok {
		g.in.leave()
	}
	return value, ok
}

// suspend yields a value from the running activation. It returns the value of the yield expression.
func (in *Interpreter) suspend(value pyValue) pyValue {
	a := in.top()
	if a.gen == nil {
		panic(refused("", "a yield outside a generator"))
	}
	in.event(dsl.Return, dsl.Yielded, in.valueText(value))
	in.leave()
	if !a.gen.yield(value) {
		panic(closed{})
	}
	in.event(dsl.Call, dsl.NoReturn, nil)
	return pyNone{}
}

// yieldNode evaluates a yield expression.
func (in *Interpreter) yieldNode(e *node, sc *scope) pyValue {
	if len(e.kids) == 0 {
		return in.suspend(pyNone{})
	}
	value := in.ev.eval(e.kids[0], sc)
	if e.text != "from" {
		return in.suspend(value)
	}
	it := in.iterate(value)
	for {
		item, ok := it.next()
		if !ok {
			break
		}
		in.suspend(item)
	}
	in.exhausted(it)
	if it.gen != nil && it.gen.value != nil {
		return it.gen.value
	}
	return pyNone{}
}

// leaveOff refuses if the iterator v takes items from a generator that has not ended. Nothing will
// finish the generator, and the interpreter does not compute when CPython closes it.
func (in *Interpreter) leaveOff(v pyValue) {
	if it, ok := v.(*pyIter); ok && in != nil && it.draws(nil) && (in.silent == 0 || slices.ContainsFunc(in.gens, (*generator).closes)) {
		panic(refused("", "how a generator is closed"))
	}
}

// closes reports whether closing the generator now would run code of its handlers. Without
// handlers, closing has events but no other effect.
func (g *generator) closes() bool { return !g.done && hasHandler(g.a.code.body) }

// hasHandler reports whether a block has a try or with statement.
func hasHandler(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		return s.kind == stmtTry || s.kind == stmtWith || s.def == nil && slices.ContainsFunc(s.blocks(), hasHandler)
	})
}

// abandoned refuses if nothing refers to an unfinished generator any more: CPython then closes it,
// with more events.
func (in *Interpreter) abandoned() {
	in.gens = slices.DeleteFunc(in.gens, func(g *generator) bool { return g.done })
	for _, g := range in.gens {
		if in.silent > 0 && !g.closes() {
			continue
		}
		if g.busy || g.lost && !g.loose || !g.lost && in.holds(g) {
			continue
		}
		g.lost, g.loose = true, true
		panic(refused("", "how a generator is closed"))
	}
}

// releases refuses if a frame ends that refers to an iterator of unknown origin. The iterator may
// own a generator of the program, which CPython would then close.
func (in *Interpreter) releases(a *activation) {
	if in.silent > 0 || !in.program.yields {
		return
	}
	for _, v := range a.names.vars {
		if o, ok := v.(opaque); ok && strings.HasPrefix(o.text, "<") && strings.HasSuffix(o.text, " object>") {
			panic(refused("", "how a generator is closed"))
		}
	}
}

// holds reports whether a name or a running loop refers to a generator.
func (in *Interpreter) holds(g *generator) (held bool) {
	seen := map[pyValue]bool{}
	visit := func(v pyValue) bool {
		if it, ok := v.(*pyIter); ok {
			held = held || it.draws(g)
		}
		again := isMutable(v) && seen[v]
		if isMutable(v) {
			seen[v] = true
		}
		return !held && !again
	}
	holders := in.frames()
	for _, other := range in.gens {
		if other != g && !other.done {
			holders = append(holders, other.a)
		}
	}
	for _, a := range holders {
		for _, v := range a.names.vars {
			eachWithin(v, visit)
		}
		for _, it := range a.loops {
			held = held || it.draws(g)
		}
		held = held || a.drains.draws(g)
	}
	return held
}
