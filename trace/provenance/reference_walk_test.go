//go:build unix

package provenance_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/trace/provenance"
)

// standing is a place in the reference's graph that a hop is compared with: a store or an expression.
type standing struct {
	store  int // -1 for an expression
	origin int
	path   []int // the indexes that lead to the part of the value that is asked for
	time   int
}

// lost reports whether the reference's chain ended there: lostAt made the standing.
func (s standing) lost() bool { return s.store < 0 && s.origin < 0 }

// lostAt returns the end of the reference's chain, at an origin that read no place. The field time
// contains the origin, for why.
func lostAt(origin int) standing { return standing{store: -1, origin: -1, time: -origin - 1} }

func (s standing) equal(other standing) bool {
	return s.store == other.store && s.origin == other.origin && s.time == other.time && slices.Equal(s.path, other.path)
}

// why returns why the reference's chain ended.
func (c *comparison) why(at []standing) string {
	if len(at) == 0 {
		return "no place"
	}
	o := &c.g.Origins[-at[0].time-1]
	return strings.TrimSuffix(o.Kind+": "+o.Note, ": ")
}

// same returns an origin, and further origins that a hop of npdb may show instead, because npdb passes over
// an element of a display that is read at once, and over names of comprehensions.
func (c *comparison) same(origin int, path []int) []standing {
	found := []standing{{store: -1, origin: origin, path: path}}
	o := &c.g.Origins[origin]
	if len(path) > 0 && path[0] < len(o.Parts) {
		found = append(found, c.same(o.Parts[path[0]], path[1:])...)
	}
	if o.Holder >= 0 && o.Index >= 0 && o.Index < len(c.g.Origins[o.Holder].Parts) {
		found = append(found, c.same(c.g.Origins[o.Holder].Parts[o.Index], path)...)
	}
	if o.Store >= 0 && (c.g.Stores[o.Store].Silent || c.passed(o)) {
		found = append(found, c.same(c.g.Stores[o.Store].Source, path)...)
	}
	return found
}

// computed returns where the chain continues before a computed value: at the input that npdb followed.
func (c *comparison) computed(h *provenance.Hop, origin int, again bool) (next []standing, problem string) {
	o := &c.g.Origins[origin]
	if problem := c.inputs(h, o); problem != "" && !again {
		return nil, problem
	}
	text := ""
	for _, in := range h.Inputs { // of a parameter, the argument is the first
		if in.Followed {
			text = in.Expression
		}
	}
	for _, in := range o.Inputs {
		if in.Text == text {
			next = append(next, c.onward(in.Origin, nil)...)
			next = append(next, standing{store: -1, origin: in.Origin})
		}
	}
	if o.Kind == "unknown" {
		return []standing{lostAt(origin)}, ""
	}
	if next == nil {
		return nil, fmt.Sprintf("it was computed from %s, which the reference has not read: %s", text, o.Kind)
	}
	return next, ""
}

// passed reports whether npdb may pass over an element: one of a copy that only this statement uses, for
// example list(xs) in the header of a loop.
func (c *comparison) passed(o *refOrigin) bool {
	return o.Kind == "element" && c.g.Stores[o.Store].How == "creation" && o.Holder >= 0 && c.g.Origins[o.Holder].Store < 0
}

// onward returns where the chain of an expression's value continues.
func (c *comparison) onward(origin int, path []int) []standing {
	o := &c.g.Origins[origin]
	if len(path) > 0 && path[0] < len(o.Parts) {
		return c.onward(o.Parts[path[0]], path[1:])
	}
	if o.Store < 0 {
		return []standing{lostAt(origin)}
	}
	st := &c.g.Stores[o.Store]
	if st.Silent {
		return c.onward(st.Source, path)
	}
	found := []standing{{store: o.Store, origin: -1, path: path, time: o.Time}}
	if c.passed(o) {
		found = append(found, c.onward(st.Source, path)...)
	}
	if o.Holder >= 0 && o.Index >= 0 {
		found = append(found, c.onward(o.Holder, append([]int{o.Index}, path...))...)
	}
	return found
}
