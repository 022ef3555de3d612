package computed

import (
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/difference"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// hunt decides whether a claim's past leads to the claim's state. It follows a run of the program
// from the past, and compares each event with the state. An inverse move leads to the last earlier
// event that its goal accepts (dsl.Goal). So if an event equals the state, the inverse move from
// this event must lead to the past: the goal of that move must accept the past and none of the
// events between the two.
type hunt struct {
	claim    backend.Claim
	past     dsl.Moment
	now      int          // the index of the file of the claim's state
	suspends bool         // the claim's state is in a generator
	passed   []dsl.Moment // the events after the past, the latest last

	found      bool
	doubt      string // why it is unknown whether an event is the claim's state
	difference string // how the most similar event differed from the claim's state
	alike      bool   // that event had the kind and place of the claim's state
}

func newHunt(c backend.Claim, p *python.Program, suspends bool) *hunt {
	return &hunt{claim: c, past: p.FirstMoment(c.Past), now: p.FirstMoment(c.Now).At.File, suspends: suspends, difference: "the program ends"}
}

// visit compares the next event with the claim. It returns false if no later event can be the claim's
// state, or if this event is it.
func (h *hunt) visit(m dsl.Moment, stop func() *dsl.Stop) bool {
	h.look(m, stop)
	h.passed = append(h.passed, m)
	return !h.found && !h.over(m)
}

// look compares an event with the claim's state, and records the result in h.
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

// obstacle describes why the move from an event does not lead to the past, "" if it does.
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

// over reports whether no event after m can be the claim's state.
func (h *hunt) over(m dsl.Moment) bool {
	now, past := h.claim.Now, h.past
	switch h.claim.Action.Move {
	case dsl.InvStepInto:
		return true
	case dsl.InvStepOver:
		return !h.suspends && m.Depth < len(now.Stack)
	case dsl.InvStepBlock:
		straight := m.Straight && m.Depth == len(now.Stack)-1 // it may be in the activation of the claim's state
		return !h.suspends && m.Depth < len(now.Stack) && !straight
	case dsl.InvStepFunction:
		return m.Event == dsl.Call || m.Event == dsl.Return
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
