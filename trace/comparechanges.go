package trace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/trace/statetree"
)

// compareChanges compares, up to an event, the changes that bind no name of the code that runs with those of
// another run. It returns nil if they are the same, otherwise a *NoPast. A thread, another process or a device
// may make such a change at another event without any other difference. So only the runs of programs that used
// one of them are compared.
func (r *Recording) compareChanges(ctx context.Context, first *Recording, event int) error {
	if len(first.chance.reasons) == 0 {
		return nil
	}
	was, is := changesUpTo(first.tree, event), changesUpTo(r.tree, event)
	same := 0
	for same < min(len(was), len(is)) && was[same].is(is[same]) {
		same++
	}
	// npdb reads some values later on a busy machine. So the values decide.
	rest := slices.Concat(was[same:], is[same:])
	slices.SortFunc(rest, byEvent)
	rest = slices.CompactFunc(rest, func(a, b change) bool { return a.event == b.event })
	for _, c := range rest {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.compareStacks(first, c.event); err != nil {
			return err
		}
	}
	return nil
}

// change describes a change of an object, or of names of an activation that was not on top of the stack.
type change struct {
	event int    // from which it is valid
	of    string // what changes
	text  string // the beginning of the new value
}

func (c change) is(other change) bool {
	return c.event == other.event && c.of == other.of && sameText(c.text, other.text)
}

func byEvent(a, b change) int { return cmp.Compare(a.event, b.event) }

// changesUpTo returns the changes up to an event, by event.
func changesUpTo(t *statetree.Tree, last int) (list []change) {
	var text strings.Builder
	add := func(event int, of string) {
		list = append(list, change{event, of, text.String()})
		text.Reset()
	}
	for v, o := range t.Versions() {
		event := t.VersionEvent(v)
		if event > last {
			break
		}
		d := t.Delta(v)
		if d.Whole || d.Text {
			d.Values = []statetree.Value{statetree.ObjectValue(o)}
		}
		for _, value := range d.Values {
			part, _ := t.Excerpt(value, event, mostCompared)
			text.WriteString(part)
		}
		add(event, fmt.Sprint("object ", o, d.At, d.Removed, d.Total))
	}
	for _, a := range t.Asides() {
		event := int(a.Event)
		if event > last {
			break
		}
		t.ReboundAside(a, func(b statetree.Binding) {
			fmt.Fprintf(&text, "%d %t ", b.Slot, b.Bound)
			if b.Bound {
				part, _ := t.Excerpt(b.Value, event, mostCompared)
				text.WriteString(part)
			}
		})
		add(event, fmt.Sprint("names ", a.Activation))
	}
	slices.SortStableFunc(list, byEvent)
	return list
}
