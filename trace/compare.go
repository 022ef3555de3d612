package trace

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/trace/statetree"
)

// compare compares the events in [from, to) with those of another run: their places, the values that they
// return, and the names that they bind. It returns nil if they are equal, otherwise a *NoPast with the
// first difference.
func (r *Recording) compare(first *Recording, from, to int) error {
	var was []statetree.Binding
	for i := from; i < to; i++ {
		if i >= first.tree.Len() {
			return r.another("event %d is %s instead of nothing", i, eventText(r, i))
		}
		a, b := first.tree.At(i), r.tree.At(i)
		if a.Event != b.Event || a.Kind != b.Kind || a.Line != b.Line || a.Depth != b.Depth || !r.sameCode(first, b.Code, a.Code) || !r.sameValue(first, i) {
			return r.another("event %d is %s instead of %s", i, eventText(r, i), eventText(first, i))
		}
		was = was[:0]
		first.tree.Rebound(i, func(b statetree.Binding) { was = append(was, b) })
		if len(was) == 0 {
			continue
		}
		var err error
		r.tree.Rebound(i, func(now statetree.Binding) {
			n := slices.IndexFunc(was, func(b statetree.Binding) bool { return b.Slot == now.Slot })
			if n >= 0 && err == nil {
				err = r.compareNames(first, i, r.tree.Code(b.Code).Names[now.Slot], first.bound(was[n], i), r.bound(now, i))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sameCode reports whether a code object of this run corresponds to one of another run.
func (r *Recording) sameCode(first *Recording, code, there int) bool {
	if known, ok := r.codes[code]; ok {
		return known == there
	}
	a, b := r.tree.Code(code), first.tree.Code(there)
	if a.Name != b.Name || r.tree.Files()[a.File].Path != first.tree.Files()[b.File].Path {
		return false
	}
	if r.codes == nil {
		r.codes = map[int]int{}
	}
	r.codes[code] = there
	return true
}

// sameValue reports whether event i returns, yields or raises the same value in two runs.
func (r *Recording) sameValue(first *Recording, i int) bool {
	a, had := first.tree.Returned(i)
	b, has := r.tree.Returned(i)
	return had == has && (!had || sameText(first.tree.Text(a, i), r.tree.Text(b, i)))
}

// sameText reports whether the texts of two values are equal, apart from the addresses of cells and weak
// references. The recorded texts of other objects contain no addresses.
func sameText(a, b string) bool {
	return a == b || addressed.ReplaceAllString(a, "") == addressed.ReplaceAllString(b, "")
}

var addressed = regexp.MustCompile(`<(cell|weakref) at 0x[0-9a-f]+`)

// mostCompared is the length of the part of a value that is compared when a name is bound to it.
const mostCompared = 200

// bound returns the beginning of the text of a name's value, "" if it has none.
func (r *Recording) bound(b statetree.Binding, i int) string {
	if !b.Bound {
		return ""
	}
	text, _ := r.tree.Excerpt(b.Value, i, mostCompared)
	return text
}

// compareNames compares the values of a name in two runs, as texts; "" stands for no value. It returns nil
// if they are the same, otherwise a *NoPast.
func (r *Recording) compareNames(first *Recording, i int, name, was, is string) error {
	switch {
	case sameText(was, is):
		return nil
	case was == "":
		return r.another("at event %d, %s, %s is %.60s instead of having no value", i, eventText(first, i), name, is)
	case is == "":
		return r.another("at event %d, %s, %s has no value instead of %.60s", i, eventText(first, i), name, was)
	}
	is, was = cutAlike(is, was)
	return r.another("at event %d, %s, %s is %s instead of %s", i, eventText(first, i), name, is, was)
}

// cutAlike shortens two texts so that both still show the first difference.
func cutAlike(a, b string) (string, string) {
	const room, before = 60, 20
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := 0
	if same > room-before {
		from = same - before
	}
	cut := func(text string) string {
		text = strings.ToValidUTF8(text[from:min(len(text), from+room)], "")
		if from > 0 {
			text = "…" + text
		}
		return text
	}
	return cut(a), cut(b)
}

// compareWhole compares the state at an event with that of another run: the stack, the values of all names
// on it and the output so far. It returns nil if they are the same, otherwise a *NoPast.
func (r *Recording) compareWhole(first *Recording, event int) error {
	if err := r.compareStacks(first, event); err != nil {
		return err
	}
	for stream := byte(1); stream <= 2; stream++ {
		if a, b := first.outputs.all(stream), r.outputs.all(stream); !bytes.HasPrefix(a, b) {
			return r.another("its %s differs: %s", streamName(stream), firstDifference(string(a[:min(len(a), len(b))]), string(b)))
		}
	}
	return nil
}

// compareStacks compares the stack at an event, and the values of all names on it, with those of another run.
// It returns nil if they are the same, otherwise a *NoPast.
func (r *Recording) compareStacks(first *Recording, event int) error {
	was, is := first.tree.Stack(event), r.tree.Stack(event)
	if len(was) != len(is) {
		return r.another("at event %d the stack has %d frames instead of %d", event, len(is), len(was))
	}
	for n := range is {
		if was[n].Frame != is[n].Frame {
			return r.another("at event %d %s is in line %d instead of %d", event, was[n].Function, is[n].Line, was[n].Line)
		}
		names, values := first.tree.LocalsOf(was[n].Activation, event), r.tree.LocalsOf(is[n].Activation, event)
		then, now := map[string]string{}, map[string]string{}
		for _, l := range names {
			then[l.Name] = l.Value
		}
		for _, l := range values {
			now[l.Name] = l.Value
		}
		for _, l := range slices.Concat(names, values) {
			if err := r.compareNames(first, event, l.Name, then[l.Name], now[l.Name]); err != nil {
				return err
			}
		}
	}
	return nil
}
