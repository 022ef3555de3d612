package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// heard is what the model said, which is told to a pair: Unknown where it gave no
// answer. judged tells that the answer is to be held against the truth. One that
// could not be given is not: the model was not reached, or the truth lies in a file
// that it is not shown.
func (s *bothWalk) heard(p *pair, r reply, truth dsl.Reply) (said dsl.Reply, judged bool) {
	unknown := dsl.Reply{Outcome: dsl.Unknown}
	if r.err == nil {
		p.confidence, p.raw, p.again = r.made.Confidence, &r.made.Raw, r.again
		if r.again {
			s.recalled()
		} else {
			s.heed(r)
			s.journal.Reply(journal.Reply{Raw: r.made.Raw, Confidence: r.made.Confidence, Model: s.cfg.Neural.called("")})
		}
		if file, ok := s.unshown(truth.Stop); ok {
			p.Failure = fmt.Sprintf("%s is no file of the text that the model is shown", file)
			return unknown, false
		}
		return r.made.Step.Reply, true
	}
	raw := ""
	var failed *backend.Error
	switch {
	case errors.As(r.err, &failed):
		p.Failure, raw = failed.Message, failed.Raw
		judged = failed.Kind == backend.NoState || failed.Kind == backend.Cut || failed.Kind == backend.Endless
	case errors.Is(r.err, context.Canceled):
		p.Failure = "the question was given up"
	default:
		p.Failure = r.err.Error()
	}
	if raw != "" {
		p.raw = &raw
	}
	s.journal.Reply(journal.Reply{Raw: raw, Model: s.cfg.Neural.called("")})
	return unknown, judged
}

// unshown is a file on the stack of a state that the model's texts lack.
func (s *bothWalk) unshown(stop *dsl.Stop) (file string, ok bool) {
	if stop == nil {
		return "", false
	}
	i := slices.IndexFunc(stop.Stack, func(f dsl.Frame) bool { return s.model.fileIndex(f.File) < 0 })
	if i < 0 {
		return "", false
	}
	return stop.Stack[i].File, true
}

// answered is what the journal has of a question. One that had failed fails again.
func (s *bothWalk) answered(asked dsl.Action) reply {
	written := s.replaying.replies
	r := s.replaying.answer(s.cfg.Neural, s.node(), asked)
	if r.err == nil || len(written) == 0 {
		return r
	}
	failed := &backend.Error{Kind: backend.Unreachable, Message: "the model had given no answer", Err: r.err}
	if raw := written[0].Raw; raw != "" {
		failed.Kind, failed.Message, failed.Raw = backend.NoState, r.err.Error(), raw
	}
	r.err = failed
	return r
}

// due is what the model has to say of a landing. A program stops post mortem once,
// and each text anew: its first way to the end by an exception leads to the
// exception. over tells that the reference is at the end already.
func (s *bothWalk) due(l trace.Landing) (truth dsl.Reply, over bool) {
	if l.PostMortem {
		s.fatal = l.Event
	}
	if l.End && s.fatal >= 0 && !s.stand.died {
		return dsl.Reply{Outcome: dsl.Landed, Stop: s.stopAt(s.fatal)}, true
	}
	return s.reply(l), false
}

// toEnd goes on from the post-mortem stop to the end in both texts.
func (s *bothWalk) toEnd(l trace.Landing) {
	goOn := func(n *dsl.Node) *dsl.Node {
		if n == nil || n.Current() == nil {
			return n
		}
		end, err := n.Append(dsl.Step{Action: dsl.Action{Move: dsl.StepInto}, Reply: s.reply(l)})
		if err != nil {
			return n
		}
		return end
	}
	same := s.stand.own == s.stand.truth
	s.stand.truth, s.stand.own = goOn(s.stand.truth), goOn(s.stand.own)
	if same {
		s.stand.own = s.stand.truth
	}
}
