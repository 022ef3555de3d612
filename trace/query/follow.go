package query

import (
	"context"
	"errors"
	"slices"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// Followed is an expression whose names are resolved to activations, so that its value and its
// changes can be found at any event, even while another frame is on top.
type Followed struct {
	past *Past
	cond *python.Condition
	path *python.Path // set if the expression is only this path

	owners map[string]uint32 // by name: the activation that has the name
	hidden map[string]bool   // the names whose value is unknown: globals that are not recorded
	first  int               // the first event at which the value of one of the names is known
}

// Follow compiles an expression and determines, as of an event, to which activation of a scope
// each of its names belongs. The error is one of python.Compile.
func (p *Past) Follow(expr string, s Scope, event int) (*Followed, error) {
	c, err := python.Compile(expr)
	if err != nil {
		return nil, err
	}
	f := &Followed{past: p, cond: c, owners: map[string]uint32{}, hidden: map[string]bool{}, first: -1}
	if path, ok := c.Path(); ok {
		f.path = &path
	}
	for _, name := range c.Names() {
		owner := p.OwnerOf(s, name, event)
		f.owners[name] = owner
		f.hidden[name] = s.Unrecorded && !p.has(s.Activation, event, name)
		if first := p.tree.KnownFrom(owner); first >= 0 && (f.first < 0 || first < f.first) {
			f.first = first
		}
	}
	return f, nil
}

// OwnerOf returns the activation that has a name: the function's own activation if its code
// has the name, otherwise the module's.
func (p *Past) OwnerOf(s Scope, name string, event int) uint32 {
	if !s.HasModule {
		return s.Activation
	}
	if p.has(s.Activation, event, name) {
		return s.Activation
	}
	return s.Module
}

// has reports whether a name belongs to an activation: as a local variable of its function, or
// because it has a value there at the event.
func (p *Past) has(act uint32, event int, name string) bool {
	code := p.tree.Code(p.tree.CodeOf(act))
	if code.Fast && slices.Contains(code.Names, name) {
		return true
	}
	_, ok := p.tree.Held(act, event, name)
	return ok
}

// Local returns the function activation whose names the expression reads; the expression has no
// value after this activation ends. ok is false if it reads only names of a module.
func (f *Followed) Local() (act uint32, ok bool) {
	for _, owner := range f.owners {
		if code := f.past.tree.Code(f.past.tree.CodeOf(owner)); !code.IsModule() {
			return owner, true
		}
	}
	return 0, false
}

// Module returns the activation of the module whose names the expression reads. It must only be
// called if Local returns false.
func (f *Followed) Module() (act uint32) {
	for _, owner := range f.owners {
		act = owner
	}
	return act
}

// held returns the value of one of the expression's names as of an event.
func (f *Followed) held(event int, name string) (statetree.Value, bool) {
	owner := f.owners[name]
	if first := f.past.tree.KnownFrom(owner); first < 0 || first > event {
		return statetree.Value{}, false
	}
	return f.past.tree.Held(owner, event, name)
}

func (f *Followed) lookup(event int) python.Lookup {
	return func(name string) (python.Datum, bool) {
		v, ok := f.held(event, name)
		switch {
		case ok:
			return f.past.datum(v, event), true
		case f.hidden[name]:
			return python.UnknownDatum(UnrecordedGlobals), true
		}
		return python.Datum{}, false
	}
}

// Reading is the value of an expression as of an event, or the reason why there is none.
type Reading struct {
	Text string
	OK   bool // the expression has a value
	// Unknown says why the value is unknown, if the expression may have one.
	Unknown string

	value statetree.Value // set for a path to an object: distinguishes objects with the same text
}

// Same reports whether two readings are equal. All readings without a value are equal.
func (r Reading) Same(o Reading) bool { return r == o || !r.OK && !o.OK }

// At returns the expression's value as of an event.
func (f *Followed) At(event int) Reading {
	if f.path != nil && !f.path.Len {
		if r, ok := f.resolve(*f.path, event); ok {
			return r
		}
	}
	text, _, err := f.past.value(context.Background(), f.cond, f.lookup(event), event)
	return reading(text, err)
}

// Change is an event at which the value of an expression changed, with the values before and
// after.
type Change struct {
	Event    int
	Old, New Reading
}

// Last returns the latest change of the expression at or before an event, but none from before
// the first event at which one of its names is known. The search ends without a change when
// stop returns true.
func (f *Followed) Last(event int, stop func() bool) (Change, bool) {
	for event >= f.first && event >= 0 {
		at := f.latest(event)
		if at < 0 {
			return Change{}, false
		}
		if c := f.ChangeAt(at); !c.Old.Same(c.New) {
			return c, true
		}
		if stop() {
			return Change{}, false
		}
		event = at - 1
	}
	return Change{}, false
}

// Next returns the first change of the expression after event, up to limit. The search ends
// without a change when stop returns true.
func (f *Followed) Next(event, limit int, stop func() bool) (Change, bool) {
	for {
		at := f.earliest(event)
		if at < 0 || at > limit {
			return Change{}, false
		}
		if c := f.ChangeAt(at); !c.Old.Same(c.New) {
			return c, true
		}
		if stop() {
			return Change{}, false
		}
		event = at
	}
}

// ChangeAt returns the expression's values before and at an event, which may be equal.
func (f *Followed) ChangeAt(event int) Change {
	return Change{Event: event, Old: f.At(event - 1), New: f.At(event)}
}

// Set looks for the event that set the value of a path such as a.b, if change c did not: c may
// only have bound an earlier name, for example a parameter a, to an object that already had the
// value. It returns the event before c at which the last step (b) was set, or at which the
// object in it last changed. The search ends when stop returns true.
func (f *Followed) Set(c Change, stop func() bool) (event int, ok bool) {
	if f.path == nil || f.path.Len || len(f.path.Steps) == 0 || !c.New.OK {
		return 0, false
	}
	last := len(f.path.Steps) - 1
	step := f.path.Steps[last]
	holder := func(event int) (statetree.Object, bool) {
		v, ok := f.held(event, f.path.Name)
		for _, step := range f.path.Steps[:last] {
			o, object := v.Object()
			if !ok || !object {
				return 0, false
			}
			v, ok = f.past.Piece(o, step, event)
		}
		o, object := v.Object()
		return o, ok && object
	}
	o, ok := holder(c.Event)
	if !ok {
		return 0, false
	}
	if before, ok := holder(c.Event - 1); ok && before == o {
		return 0, false // same object as before, so c itself changed the last step
	}
	now, ok := f.past.Piece(o, step, c.Event)
	for at := c.Event; ok && !stop(); {
		event, ok = f.past.tree.VersionUpTo(o, at)
		if !ok {
			break
		}
		if was, had := f.past.Piece(o, step, event-1); !had || was != now {
			event = max(event, f.past.altered(now, event, c.Event, stop))
			return event, event < c.Event
		}
		at = event - 1
	}
	return 0, false
}

// altered returns the last event between after and before, both excluded, at which the text of
// a value changed, or -1. The search ends when stop returns true.
func (p *Past) altered(v statetree.Value, after, before int, stop func() bool) int {
	root, ok := v.Object()
	for at := before - 1; ok && at > after && !stop(); at-- {
		changed := -1
		p.reach(root, at, func(o statetree.Object) {
			if event, ok := p.tree.VersionUpTo(o, at); ok {
				changed = max(changed, event)
			}
		})
		if changed <= after {
			return -1
		}
		if p.tree.Text(v, changed) != p.tree.Text(v, changed-1) {
			return changed
		}
		at = changed
	}
	return -1
}

// latest returns the last event up to the given one at which something that the expression
// reads may have changed, or -1.
func (f *Followed) latest(event int) int {
	last := -1
	for _, path := range f.cond.Paths() {
		f.each(path, event, func(d dependency) { last = max(last, d.last(f.past, event)) })
	}
	return last
}

// earliest returns the first event after the given one at which something that the
// expression reads may have changed, or -1.
func (f *Followed) earliest(event int) int {
	first := -1
	for _, path := range f.cond.Paths() {
		f.each(path, event, func(d dependency) {
			if at := d.next(f.past, event); at >= 0 && (first < 0 || at < first) {
				first = at
			}
		})
	}
	return first
}

func reading(text string, err error) Reading {
	var raised *python.EvalError
	switch {
	case err == nil:
		return Reading{Text: text, OK: true}
	case errors.As(err, &raised) && (raised.Type == "NameError" || raised.Type == "KeyError" || raised.Type == "IndexError"):
		return Reading{}
	}
	return Reading{Unknown: err.Error()}
}
