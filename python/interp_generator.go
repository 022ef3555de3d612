package python

import (
	"iter"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// generator runs a generator of the program in a goroutine of its own.
type generator struct {
	in    *Interpreter
	a     *activation
	next  func() (pyValue, bool)
	stop  func()
	yield func(pyValue) bool
	done  bool
	busy  bool
	lost  bool    // it may have been closed
	loose bool    // something unknown may hold it, and close it at any time
	value pyValue // that it returned
}

// newGenerator makes a generator of an activation that has not begun.
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

// resume runs a generator up to its next yield.
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

// suspend yields a value from the activation that runs, and returns what the yield expression
// gives.
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

// leaveOff refuses where a generator is left before its end: when it is closed is not computed.
func (in *Interpreter) leaveOff(v pyValue) {
	if it, ok := v.(*pyIter); ok && in != nil && it.draws(nil) && (in.silent == 0 || slices.ContainsFunc(in.gens, (*generator).closes)) {
		panic(refused("", "how a generator is closed"))
	}
}

// closes reports whether code of a generator runs when it is closed before its end. Without such code,
// closing it has events and no other effect.
func (g *generator) closes() bool { return !g.done && hasHandler(g.a.code.body) }

// hasHandler reports whether a block has a try or with statement.
func hasHandler(body []*stmt) bool {
	return slices.ContainsFunc(body, func(s *stmt) bool {
		return s.kind == stmtTry || s.kind == stmtWith || s.def == nil && slices.ContainsFunc(s.blocks(), hasHandler)
	})
}

// abandoned refuses where a generator that has not ended is held by nothing any more: CPython closes
// it then, with events of its own.
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

// releases refuses where a frame ends that holds an iterator from elsewhere: it may hold a generator of the
// program, which CPython closes then.
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

// holds reports whether a name or a loop holds a generator.
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
	}
	return held
}
