package openai

import (
	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

// traceStep tests whether the model predicts a state by a trace, as the debugger requests it. It
// asks twice: the first reply shows what the server reports, the second whether it has a prefix
// cache.
func (r *prober) traceStep(at *dsl.Node) *backend.Error {
	q := backend.Question{At: at, Action: dsl.Action{Move: dsl.StepOver}}
	pieces := 0
	got, err := r.predictTrace(r.ctx, q, func(backend.Update) { pieces++ })
	if failure := noAnswer(r.ctx, err); failure != nil {
		return failure
	}
	if err != nil {
		r.found.add(canTrace, No, "%s", err)
		return nil
	}
	if s := got.Step.Reply.Stop; s != nil && s.Line == 2 && len(s.Locals) == 1 && s.Locals[0].Value == "1" {
		r.found.add(canTrace, Yes, "the state it predicts for x = 1 is right")
	} else {
		r.found.add(canTrace, Yes, "what it predicts for x = 1 is wrong, but well formed")
	}
	r.found.add(canStream, verdict(pieces > 1), "%d piece(s)", pieces)
	r.mu.Lock()
	numbers := !r.textAlone
	r.mu.Unlock()
	r.found.add(canTakeIDs, verdict(numbers), "")
	r.found.add(canLogprobs, verdict(got.Confidence != nil), "")
	r.found.add(canTellUsage, verdict(got.Usage.Prompt >= 0), "")
	again, err := r.predictTrace(r.ctx, q, nil)
	switch {
	case r.ctx.Err() != nil:
		return noAnswer(r.ctx, err)
	case err != nil || again.Usage.Cached < 0:
		r.found.add(canTellCached, Undecided, "not told")
	default:
		r.found.add(canTellCached, verdict(again.Usage.Cached > 0), "%d of %d tokens came from it", again.Usage.Cached, again.Usage.Prompt)
	}
	return nil
}
