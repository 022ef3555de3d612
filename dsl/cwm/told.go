package cwm

import "github.com/npdb/npdb/dsl"

// Told says where in the text a frame and its parts stand: in what was fed to a Decoder, or
// in what Read was given. An event that was forced stands nowhere in it, and neither does a
// function, which a trace names by its line.
type Told struct {
	dsl.Told
	// Same are the locals that are written as unchanged.
	Same map[string]bool
	// End is the offset after the frame.
	End int
}

// at returns the reader's offset in the text that was fed: below 0 in what was given to it.
func (r *reader) at() int { return r.length - len(r.rest) - r.given }

// toldEvent records the event that was just parsed, if it was fed.
func (t *Told) toldEvent(from, to int) {
	if from >= 0 {
		t.Event = []dsl.Span{{From: from, To: to}}
	}
}

// toldLocal records a local, written as unchanged or not.
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
