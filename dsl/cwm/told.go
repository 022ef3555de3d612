package cwm

import "github.com/npdb/npdb/dsl"

// Told locates a frame and its parts in the text: in the text passed to Feed, or in the text passed
// to Read. A forced event has no span. Function never has a span, because a trace shows only the
// line of a function.
type Told struct {
	dsl.Told
	// Same holds the locals that are written as unchanged, "..".
	Same map[string]bool
	// End is the offset after the frame.
	End int
}

// at returns the reader's offset in the text passed to Feed. Within a forced event it is negative.
func (r *reader) at() int { return r.length - len(r.rest) - r.given }

// toldEvent records the span of the event that was just parsed, unless the event was forced.
func (t *Told) toldEvent(from, to int) {
	if from >= 0 {
		t.Event = []dsl.Span{{From: from, To: to}}
	}
}

// toldLocal records the span of a local. same reports whether it is written as unchanged.
func (t *Told) toldLocal(name string, at dsl.Span, same bool) {
	if t.Locals == nil {
		t.Locals = map[string][]dsl.Span{}
	}
	t.Locals[name] = []dsl.Span{at}
	if same {
		if t.Same == nil {
			t.Same = map[string]bool{}
		}
		t.Same[name] = true
	}
}
