package rollout

import (
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
)

// Heard records which spans of the model's text contain the frames of one action. The zero value is
// empty.
type Heard struct {
	frames map[*dsl.Node]heardFrame
	end    []dsl.Span
}

// heardFrame holds the spans of the parts of a frame. from is the frame's offset in the model's whole
// text.
type heardFrame struct {
	cwm.Told
	from int
}

// Add records the frame of the last state of t. Its spans are relative to the offset from in the model's
// whole text.
func (h *Heard) Add(t *Trail, told cwm.Told, from int) {
	if h.frames == nil {
		h.frames = map[*dsl.Node]heardFrame{}
	}
	h.frames[t.node] = heardFrame{told, from}
}

// End records the span of the token with which the model ended the trace.
func (h *Heard) End(at dsl.Span) { h.end = []dsl.Span{at} }

// places converts spans of the frame to spans of the whole text.
func (f heardFrame) places(spans []dsl.Span) []dsl.Span {
	moved := make([]dsl.Span, 0, len(spans))
	for _, s := range spans {
		moved = append(moved, dsl.Span{From: s.From + f.from, To: s.To + f.from})
	}
	return moved
}

// part is one part of a state, such as a local. at holds its spans in its own frame, and of lists the
// parts from which it may have been computed. Parts are shared between states, so memory grows only with
// the number of frames.
type part struct {
	of []*part
	at []dsl.Span
}

// places returns the spans of this part and of all parts from which it may have been computed, each part
// once.
func (p *part) places() (all []dsl.Span) {
	seen := map[*part]bool{nil: true}
	var add func(*part)
	add = func(p *part) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, of := range p.of {
			add(of)
		}
		all = append(all, p.at...)
	}
	add(p)
	return all
}

// gathered collects the spans of the events, lines, values and locals of several frames.
type gathered struct {
	event, line []dsl.Span
	values      map[*dsl.Node]*part      // values of returns and exceptions
	locals      map[int]map[string]*part // locals of each activation, by name
	// unseen holds, for each activation, the values that were returned to it or raised in it since its
	// locals last changed.
	unseen map[int]*part
}

// Told returns the spans of the parts of a reply. The trail came holds all frames of the action, landed
// ends at the state of the reply. If the action took several frames, a part has spans in all of them:
// the event and the line in each frame, a local in the frames of its activation. Values that were
// returned or raised also count as spans of the locals that change next, because the locals may be
// computed from these values. A line that is in doubt has no spans.
func (h *Heard) Told(came, landed *Trail, r dsl.Reply) dsl.Told {
	var way []*Trail
	for t := came; t != nil; t = t.prev {
		if _, ok := h.frames[t.node]; !ok {
			break
		}
		way = append(way, t)
	}
	all := &gathered{values: map[*dsl.Node]*part{}, locals: map[int]map[string]*part{}, unseen: map[int]*part{}}
	for _, t := range slices.Backward(way) {
		all.take(t, h.frames[t.node])
	}
	out := dsl.Told{Event: slices.Concat(all.event, h.end)}
	if r.Outcome == dsl.Ended {
		if fatal := came.fatal(); fatal != nil {
			out.Value = all.values[fatal.node].places()
		}
		return out
	}
	if landed.Doubt() == "" {
		out.Line = all.line
	}
	switch {
	case r.Stop.Value != nil:
		out.Value = all.values[landed.node].places()
	case landed == came && len(way) > 0:
		for name, p := range all.locals[landed.own.id] {
			if out.Locals == nil {
				out.Locals = map[string][]dsl.Span{}
			}
			out.Locals[name] = p.places()
		}
	}
	return out
}

// take adds the frame f of the last state of t.
func (a *gathered) take(t *Trail, f heardFrame) {
	a.event = append(a.event, f.places(f.Event)...)
	a.line = append(a.line, f.places(f.Line)...)
	id := t.own.id
	switch t.own.event {
	case dsl.Call, dsl.Line:
		made := a.unseen[id]
		if caller := len(t.scopes) - 2; t.own.event == dsl.Call && caller >= 0 { // the caller's values may be arguments
			made = &part{of: []*part{a.unseen[t.scopes[caller].id], made}}
		}
		before, now := a.locals[id], map[string]*part{}
		for name, spans := range f.Locals {
			p := &part{of: []*part{before[name]}, at: f.places(spans)}
			if !f.Same[name] {
				p.of = append(p.of, made)
			}
			now[name] = p
		}
		a.locals[id] = now
		if len(f.Same) < len(f.Locals) {
			delete(a.unseen, id)
		}
	case dsl.Exception, dsl.Return:
		value := &part{of: []*part{a.unseen[id]}, at: f.places(f.Value)}
		a.values[t.node], a.unseen[id] = value, value
		if t.own.event == dsl.Exception {
			return
		}
		delete(a.unseen, id)
		if t.State().Kind != dsl.Yielded {
			delete(a.locals, id)
		}
		if caller := len(t.scopes) - 1; caller >= 0 {
			to := t.scopes[caller].id
			a.unseen[to] = &part{of: []*part{a.unseen[to], value}}
		}
	}
}
