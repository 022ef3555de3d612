package trace

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// alike returns nil if this run stands where the first one stands, with equal states, values and
// output, otherwise a *NoPast. From the k-th stretch on the events have other numbers by shift.
func (r *Recording) alike(ctx context.Context, first *Recording, k, shift int, likeness string) error {
	at, there := first.LiveEdge(), r.LiveEdge()
	if at.End != there.End || at.PostMortem != there.PostMortem || at.Event+shift != there.Event {
		return r.another("it stopped at another place")
	}
	if !exitsAlike(first.exit, r.exit) {
		return r.another("it ended with another exit code or exception")
	}
	if r.chance.count != first.chance.count {
		return r.another("it read clocks, entropy or seeds %d times, not %d times", r.chance.count, first.chance.count)
	}
	for stream := byte(1); stream <= 2; stream++ {
		if a, b := first.outputs.all(stream), r.outputs.all(stream); !bytes.Equal(a, b) {
			return r.another("its %s differs: %s", streamName(stream), firstDifference(string(a), string(b)))
		}
	}
	from := first.stretches[k].start
	for i := range at.Event + 1 {
		j := i
		if i >= from {
			if j += shift; j < from {
				continue // recorded in the first run's own window, which is not made here
			}
		}
		if a, b := eventText(first, i), eventText(r, j); a != b {
			return r.another("event %d is %s instead of %s", j, b, a)
		}
	}
	mine, err := r.likeness(ctx)
	if err != nil || mine == likeness {
		return err
	}
	return r.another("%s", likenessDifference(likeness, mine))
}

// eventText describes an event for a comparison of two runs.
func eventText(r *Recording, i int) string {
	at := r.tree.At(i)
	function, place := r.tree.Code(at.Code).Name, fmt.Sprintf("%s:%d", r.tree.Files()[at.File].Name, at.Line)
	value := ""
	if v, ok := r.tree.Returned(i); ok {
		value = r.tree.Text(v, i)
	}
	switch {
	case at.Event == dsl.Line:
		return fmt.Sprintf("line %d of %s", at.Line, r.tree.Files()[at.File].Name)
	case at.Event == dsl.Call:
		return fmt.Sprintf("the call of %s (%s)", function, place)
	case at.Event == dsl.Exception:
		return fmt.Sprintf("%s in %s (%s)", value, function, place)
	case at.Kind == dsl.Unwound:
		return fmt.Sprintf("an exception that leaves %s (%s)", function, place)
	}
	return fmt.Sprintf("the %s of %s from %s (%s)", at.Kind, value, function, place)
}

// likeness returns the description of the whole state in which the program waits, "" at its end.
func (r *Recording) likeness(ctx context.Context) (string, error) {
	if r.over {
		return r.chance.last, nil
	}
	answer, err := r.ask(ctx, 0, verbLikeness, "")
	return answer.Text, err
}

// likenessDifference describes the first difference of two descriptions of states.
func likenessDifference(first, other string) string {
	theirs := map[string][]string{}
	for line := range strings.SplitSeq(other, "\x01") {
		if fields := strings.Split(line, "\x00"); len(fields) == 4 {
			theirs[fields[0]+"\x00"+fields[1]] = fields
		}
	}
	for line := range strings.SplitSeq(first, "\x01") {
		fields := strings.Split(line, "\x00")
		if len(fields) != 4 {
			continue
		}
		b, ok := theirs[fields[0]+"\x00"+fields[1]]
		delete(theirs, fields[0]+"\x00"+fields[1])
		switch _, frame, _ := strings.Cut(fields[0], " "); {
		case !ok:
			return fmt.Sprintf("%s of %s is missing", fields[1], frame)
		case fields[1] == "" && (b[2] != fields[2] || b[3] != fields[3]):
			return fmt.Sprintf("%s is in line %s instead of %s", frame, b[2], fields[2])
		case b[3] != fields[3]:
			return fmt.Sprintf("%s is %s instead of %s", fields[1], b[3], fields[3])
		case b[2] != fields[2]:
			return fmt.Sprintf("a part of %s is not the same", fields[1])
		}
	}
	for _, fields := range theirs {
		return fmt.Sprintf("it has the name %s in %s", fields[1], fields[0])
	}
	return "its names are in another order"
}

// firstDifference returns the first line that differs in two outputs.
func firstDifference(first, other string) string {
	a, b := strings.Split(first, "\n"), strings.Split(other, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is %.60q instead of %.60q", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("it has %d lines instead of %d", len(b), len(a))
}

// all returns what the program wrote to a stream.
func (o *outputs) all(stream byte) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []byte
	for _, out := range o.list {
		if out.stream == stream {
			all = append(all, out.data...)
		}
	}
	return all
}

// exitsAlike reports whether two runs ended alike.
func exitsAlike(a, b *dsl.Exit) bool {
	if a == nil || b == nil {
		return a == b
	}
	if (a.Exception == nil) != (b.Exception == nil) || a.Exception != nil && *a.Exception != *b.Exception {
		return false
	}
	return a.Code == b.Code
}

// takePlace makes this run go on as the user's: it no longer repeats, and has the moves of the first
// run with the events of this one.
func (r *Recording) takePlace(ctx context.Context, first *Recording, k, shift, at int) error {
	if r.addressed {
		return &NoPast{"address", "it made texts with addresses"}
	}
	r.following = false
	r.stretches = append([]stretch(nil), first.stretches...)
	for i := k; i < len(r.stretches); i++ {
		r.stretches[i].events += shift
		if i > k {
			r.stretches[i].start += shift
		}
	}
	r.stretches[len(r.stretches)-1].events = r.tree.Len()
	r.stretches[k].window = at
	r.typed = first.typed
	r.unrecorded = first.unrecorded
	if r.over {
		return nil
	}
	_, err := r.ask(ctx, 0, verbSettled, "")
	return err
}
