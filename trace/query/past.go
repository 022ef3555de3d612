package query

import (
	"context"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// Past answers queries about a State Tree. The tree may grow at the same time, but a Past must
// not be used by several goroutines at once.
type Past struct {
	tree  *statetree.Tree
	atoms map[statetree.Value]python.Datum // caches the parsed texts of values

	conditions map[string]compiled
	posted     map[dependency]*postings
	modules    modules
}

// Tree returns the State Tree.
func (p *Past) Tree() *statetree.Tree { return p.tree }

// mostAtoms bounds the number of parsed texts in the cache.
const mostAtoms = 1 << 20

// Of returns a Past that answers queries about a tree.
func Of(t *statetree.Tree) *Past {
	return &Past{
		tree: t, atoms: map[statetree.Value]python.Datum{}, conditions: map[string]compiled{}, posted: map[dependency]*postings{},
	}
}

// Scope is the set of names that an expression can read: those of an activation and of its
// module.
type Scope struct {
	Activation uint32
	Module     uint32 // the activation that has the module's names
	HasModule  bool   // Module is set, and differs from Activation
	Unrecorded bool   // the globals of the activation are not recorded
}

// UnrecordedGlobals explains why the value of a name that is not a local of the frame is
// unknown.
const UnrecordedGlobals = "the globals of this frame are not recorded, because they are no module's"

// ScopeAt returns the scope of the activation on top of the stack at an event.
func (p *Past) ScopeAt(event int) Scope { return p.ScopeOf(p.tree.At(event).Activation) }

// ScopeOf returns the scope of an activation.
func (p *Past) ScopeOf(act uint32) Scope {
	module, ok := p.tree.GlobalsOf(act)
	if !ok {
		return Scope{Activation: act, Unrecorded: true}
	}
	return Scope{Activation: act, Module: module, HasModule: module != act}
}

// held returns the value of a name in a scope as of an event.
func (p *Past) held(s Scope, event int, name string) (statetree.Value, bool) {
	if v, ok := p.tree.Held(s.Activation, event, name); ok || !s.HasModule {
		return v, ok
	}
	return p.tree.Held(s.Module, event, name)
}

// Resolve returns the value of a path in a scope as of an event. ok is false if there is none, or
// if the recording does not determine it.
func (p *Past) Resolve(path python.Path, s Scope, event int) (v statetree.Value, ok bool) {
	v, ok = p.held(s, event, path.Name)
	for _, step := range path.Steps {
		if !ok {
			return statetree.Value{}, false
		}
		v, ok = p.part(v, step, event)
	}
	return v, ok && !path.Len
}

// lookup returns the lookup function for the names of a scope as of an event.
func (p *Past) lookup(s Scope, event int) python.Lookup {
	return func(name string) (python.Datum, bool) {
		v, ok := p.held(s, event, name)
		switch {
		case ok:
			return p.datum(v, event), true
		case s.Unrecorded:
			return python.UnknownDatum(UnrecordedGlobals), true
		}
		return python.Datum{}, false
	}
}

// datum converts a value to an operand of a condition.
func (p *Past) datum(v statetree.Value, event int) python.Datum {
	if o, ok := v.Object(); ok {
		return python.ObjectDatum(&object{p, o, v, event})
	}
	d, known := p.atoms[v]
	if !known {
		if text, ok := p.isModule(v, event); ok {
			return python.ModuleDatum(text, &module{p, text, event})
		}
		d = python.ReadDatum(p.tree.Text(v, event))
		if len(p.atoms) >= mostAtoms {
			clear(p.atoms)
		}
		p.atoms[v] = d
	}
	return d
}

// Value evaluates an expression in a scope as of an event. It returns the text of the value
// and its type in pdb's wording.
func (p *Past) Value(ctx context.Context, c *python.Condition, s Scope, event int) (text, whatis string, err error) {
	return p.value(ctx, c, p.lookup(s, event), event)
}

func (p *Past) value(ctx context.Context, c *python.Condition, names python.Lookup, event int) (text, whatis string, err error) {
	d, err := c.Value(ctx, names)
	if err != nil {
		return "", "", err
	}
	if o, ok := d.Object(); ok {
		o := o.(*object)
		return p.tree.Text(o.value, event), p.whatis(o), nil
	}
	if text, err = d.Text(); err != nil {
		return "", "", err
	}
	if d.Literal() {
		whatis = d.Whatis()
	}
	return text, whatis, nil
}

// Condition compiles an expression. The result is cached.
func (p *Past) Condition(expr string) (*python.Condition, error) {
	if c, ok := p.conditions[expr]; ok {
		return c.Condition, c.error
	}
	c, err := python.Compile(expr)
	if len(p.conditions) >= mostConditions {
		clear(p.conditions)
	}
	p.conditions[expr] = compiled{c, err}
	return c, err
}

type compiled struct {
	*python.Condition
	error
}

const mostConditions = 1000

// Truth reports whether a condition holds at an event in the top frame.
func (p *Past) Truth(ctx context.Context, c *python.Condition, event int) (bool, error) {
	return c.Truth(ctx, p.lookup(p.ScopeAt(event), event))
}

// TruthIn reports whether a condition holds as of an event in a scope.
func (p *Past) TruthIn(ctx context.Context, c *python.Condition, s Scope, event int) (bool, error) {
	return c.Truth(ctx, p.lookup(s, event))
}
