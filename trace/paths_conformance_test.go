//go:build unix

package trace_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// path leads from a name to a value through elements, entries and attributes.
type path struct {
	frame int // counted from the outermost
	name  string
	steps []pathStep
	text  string
	id    *int64 // nil for an atom
	shown bool   // all objects on the way are shown by their content
}

type pathStep struct {
	item  bool // otherwise an entry of a dict or an attribute
	index int
	key   string
}

// UnmarshalJSON reads the witness's format.
func (p *path) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&p.frame, &p.name, &p.steps, &p.text, &p.id, &p.shown})
}

// UnmarshalJSON reads the witness's format.
func (s *pathStep) UnmarshalJSON(b []byte) error {
	var kind string
	var at json.RawMessage
	if err := json.Unmarshal(b, &[]any{&kind, &at}); err != nil {
		return err
	}
	if s.item = kind == "item"; s.item {
		return json.Unmarshal(at, &s.index)
	}
	return json.Unmarshal(at, &s.key)
}

func (p path) String() string {
	text := p.name
	for _, s := range p.steps {
		if s.item {
			text += fmt.Sprintf("[%d]", s.index)
		} else {
			text += "." + s.key
		}
	}
	return text
}

// follow follows a path as of an event.
func (p path) follow(tree *statetree.Tree, event int, stack []statetree.StackFrame) (statetree.Value, bool) {
	v, ok := tree.Held(stack[p.frame].Activation, event, p.name)
	for _, s := range p.steps {
		o, is := v.Object()
		if !ok || !is {
			return v, false
		}
		if s.item {
			v, ok = tree.Item(o, event, s.index)
		} else {
			v, ok = tree.Entry(o, event, s.key)
		}
	}
	return v, ok
}

// checkPaths compares elements, entries and attributes, and their identities, at the
// events for which the witness listed them.
func checkPaths(t *testing.T, rec *trace.Recording, p program, stops []witnessed) {
	t.Helper()
	tree := rec.Tree()
	for i, stop := range stops[:min(tree.Len(), len(stops))] {
		stack := tree.Stack(i)
		if stop.Depth+1 != len(stack) {
			continue // CPython has lost a part of the stack
		}
		objects, ids := map[int64]path{}, map[statetree.Object]path{}
		for _, want := range stop.Paths {
			if name := want.String(); masked(name, p) != name {
				continue // the value contains an address
			}
			v, ok := want.follow(tree, i, stack)
			if !ok {
				if want.shown {
					t.Fatalf("%s: event %d, %s: %v of frame %d is not known, want %s", p.name, i, place(stop), want, want.frame, want.text)
				}
				continue
			}
			if got := tree.Text(v, i); got != want.text && masked(got, p) != masked(want.text, p) {
				t.Fatalf("%s: event %d, %s: %v of frame %d is\n\t%s\nwant\n\t%s", p.name, i, place(stop), want, want.frame, got, want.text)
			}
			o, is := v.Object()
			if !is || want.id == nil {
				continue
			}
			first, known := objects[*want.id]
			other, taken := ids[o]
			if known != taken || known && first.String() != other.String() {
				t.Fatalf("%s: event %d, %s: %v is %v in Python (%v), %v in the recording (%v)", p.name, i, place(stop), want, first, known, other, taken)
			}
			if !known {
				objects[*want.id], ids[o] = want, want
			}
		}
	}
}
