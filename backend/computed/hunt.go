package computed

import (
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/difference"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// hunt follows a run from the past of a claim and looks for the claim's state. An inverse move from an
// event leads to the last event before it that the move's goal accepts (dsl.Goal). So an event that equals
// the claim's state shows that the past leads here if the goal of the move from there accepts the past and
// none of the events between.
type hunt struct {
	claim    backend.Claim
	past     dsl.Moment
	now      int          // the file of the claim's state
	suspends bool         // the claim's state is one of a generator
	passed   []dsl.Moment // the events after the past, the latest last

	found      bool
	doubt      string // why an event that may be the claim's state is not sure to be it
	difference string // of the event that was most like the claim's state
	alike      bool   // that event was at its place
}

func newHunt(c backend.Claim, p *python.Program, suspends bool) *hunt {
	return &hunt{claim: c, past: p.FirstMoment(c.Past), now: p.FirstMoment(c.Now).At.File, suspends: suspends, difference: "the program ends"}
}

// visit compares the next event with the claim. It returns false if no later event can be the claim's
// state.
func (h *hunt) visit(m dsl.Moment, stop func() *dsl.Stop) bool {
	h.look(m, stop)
	h.passed = append(h.passed, m)
	return !h.found && !h.over(m)
}

// look compares an event with the claim's state.
func (h *hunt) look(m dsl.Moment, stop func() *dsl.Stop) {
	now := h.claim.Now
	alike := m.Event == now.Event && m.Kind == now.Kind && (m.At.Line == now.Line || now.Line == 0) && m.At.File == h.now && m.Depth == len(now.Stack)-1
	if !alike && h.alike {
		return
	}
	s := stop()
	result := difference.Of(s, now)
	if result.Text != "" {
		h.difference, h.alike = result.Text, alike
		return
	}
	switch text := h.obstacle(m); {
	case text != "":
		h.difference = text
	case result.Why != "":
		h.doubt = result.Why
	default:
		h.found = true
	}
}

// obstacle describes why the move from an event does not lead to the past. It returns "" if the move
// leads there.
func (h *hunt) obstacle(m dsl.Moment) string {
	goal := h.claim.Action.Goal(m)
	if h.claim.Action.Move == dsl.InvContinue {
		return ""
	}
	if !goal.Lands(h.past) {
		return fmt.Sprintf("%s does not lead to %s", h.claim.Action, difference.Event(h.claim.Past))
	}
	for _, between := range h.passed {
		if goal.Lands(between) {
			return fmt.Sprintf("%s leads to a later state, at line %d", h.claim.Action, between.At.Line)
		}
	}
	return ""
}

// over reports whether no event after this one can be the claim's state.
func (h *hunt) over(m dsl.Moment) bool {
	now, past := h.claim.Now, h.past
	switch h.claim.Action.Move {
	case dsl.InvStepInto:
		return true
	case dsl.InvStepOver:
		return !h.suspends && m.Depth < len(now.Stack)
	case dsl.InvStepReturn:
		if h.suspends {
			return false
		}
		if now.Event == dsl.Call {
			return m.Depth < len(now.Stack)-1
		}
		return m.Depth < past.Depth || m.Event == dsl.Return && m.Kind != dsl.Yielded && m.Activation == past.Activation
	case dsl.InvBreakpoint:
		goal := h.claim.Action.Goal(m)
		return goal.Lands(m)
	}
	return false
}
