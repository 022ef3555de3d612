package cpython

import (
	"context"
	_ "embed" // for put.py
	"errors"
	"slices"
	"strconv"
	"unicode"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// change is a change that the user made to a stopped program: a jump or new values. A run of the program
// is determined by the changes made in it.
type change struct {
	at   int         // the event at which the change is made
	line int         // line to jump to, or 0 for no jump; a jump adds an event
	set  []dsl.Local // values to assign; those that are not literals are skipped

	before *dsl.Stop // the state before the change
}

func (c *change) is(d *change) bool {
	return c.at == d.at && c.line == d.line && slices.Equal(c.set, d.set)
}

// begin reports whether the list changes starts with the list first.
func begin(changes, first []change) bool {
	if len(first) > len(changes) {
		return false
	}
	for i := range first {
		if !first[i].is(&changes[i]) {
			return false
		}
	}
	return true
}

// upTo returns the changes that were made before the program continued from an event, in order.
func upTo(changes []change, event int) []change {
	for i := range changes {
		if changes[i].at > event || changes[i].at == event && changes[i].line != 0 {
			return changes[:i]
		}
	}
	return changes
}

// apply makes a change. The run's live edge must be at the change's event.
func (r *run) apply(ctx context.Context, c change) error {
	edge := r.rec.LiveEdge()
	if edge.End || edge.PostMortem || edge.Event != c.at {
		return undetermined("nothing can be changed at a place where the program cannot be stopped")
	}
	var err error
	if c.before, err = r.stop(c.at); err != nil {
		return err
	}
	err = r.during(ctx, func() error {
		if c.line != 0 {
			if _, err := r.rec.Ask(ctx, 0, trace.VerbJump, strconv.Itoa(c.line)); err != nil {
				return undetermined("the program cannot be made to go on at line %d: %v", c.line, err)
			}
			if tree := r.rec.Tree(); tree.Len() != c.at+2 || tree.At(c.at+1).Line != c.line {
				r.broken = true // it stopped at a line that was not requested
				return undetermined("the program cannot be made to go on at line %d: there is no code on it", c.line)
			}
		}
		for _, l := range c.set {
			if !isName(l.Name) {
				continue
			}
			// A local keeps its value if the new one is not a literal or cannot be stored.
			var raised *trace.EvalError
			_, err := r.rec.Ask(ctx, 0, trace.VerbExec, r.setting(c.before, l))
			if err != nil && !errors.As(err, &raised) {
				return err
			}
		}
		return nil
	})
	if err == nil {
		r.changes = append(r.changes, c)
	}
	return err
}

//go:embed put.py
var putSource string

// setting returns the Python statement that assigns a value to a local. The way r.way.edit determines
// whether it binds the name to a new object or changes the old object in place.
func (r *run) setting(before *dsl.Stop, l dsl.Local) string {
	value := "__import__('sys').modules['_npdb.library'].take('ast').literal_eval(" + quote(l.Value) + ")"
	has := slices.ContainsFunc(before.Locals, func(b dsl.Local) bool { return b.Name == l.Name })
	if r.way.edit == rebinds || !has {
		return l.Name + " = " + value
	}
	deep := "False"
	if r.way.edit == changesDeep {
		deep = "True"
	}
	return l.Name + " = (lambda names, old, new: (exec(" + quote(putSource) + ", names), names['put'](old, new, " + deep + "))[1])({}, " + l.Name + ", " + value + ")"
}

// isName reports whether a text is a valid Python variable name.
func isName(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

// change makes a change at a place and returns the place after it. In the run of the new place, changes
// made at later events are dropped.
func (s *subject) change(ctx context.Context, at place, c change) (place, error) {
	if at.pos.End || at.pos.PostMortem {
		return at, undetermined("nothing can be changed where the program is over")
	}
	c.at = at.pos.Event
	to := place{changes: upTo(at.changes, c.at), pos: at.pos}
	if c.line != 0 {
		to.pos.Event++
	}
	n := len(to.changes)
	for _, r := range s.runs {
		if next := r.next(to.changes); begin(r.changes, to.changes) && next != nil && next.is(&c) {
			s.of.pool.touch(r)
			to.changes = r.changes[:n+1]
			return to, r.seek(ctx, to.pos)
		}
	}
	before := place{changes: to.changes, pos: at.pos}
	r, err := s.exact(ctx, before)
	if err == nil && r.rec.LiveEdge() != at.pos {
		if r, err = s.fresh(ctx, to.changes); err == nil {
			err = r.seek(ctx, at.pos)
		}
	}
	if err != nil {
		return at, err
	}
	if err := r.apply(ctx, c); err != nil {
		return at, err
	}
	to.changes = r.changes[:n+1]
	return to, nil
}
