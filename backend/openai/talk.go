package openai

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl/chat"
)

var _ backend.Talker = (*Predictor)(nil)

// Talk sends a conversation by chat, even if predictions use another dialect; see backend.Talker. After it
// has shown the first piece of a reply, it does not retry the request.
func (p *Predictor) Talk(ctx context.Context, messages []backend.Message, show func(piece string)) (backend.Talk, error) {
	talk := &conversation{}
	for _, m := range messages {
		talk.messages = append(talk.messages, chat.Message(m))
	}
	q := question{prompt: talk.text(), talk: talk, sample: true}
	var r *reply
	heard := &wordSink{show: show}
	var failure *backend.Error
	_, err := p.retry(ctx, func() *backend.Error {
		r, failure = p.askChat(ctx, q, func() sink { return heard })
		if failure == nil && r.finish == "" {
			failure = p.cut()
		}
		if failure != nil && heard.any {
			return nil // it is not repeated
		}
		return failure
	}, nil)
	var out backend.Talk
	if r != nil {
		out = backend.Talk{Text: r.raw.String(), Usage: r.usage.counts()}
	}
	switch {
	case err != nil:
	case ctx.Err() != nil && failure != nil:
		err = ctx.Err()
	case failure != nil:
		if failure.Kind == backend.Endless {
			failure.Message = "the model's answer did not end: it has reached its limit (max_tokens), which --max-tokens raises"
		}
		err = failure
	}
	return out, err
}

// wordSink passes on the pieces of a free-text reply. The reply is complete when the model ends it.
type wordSink struct {
	show func(piece string)
	any  bool // a piece was received
}

func (s *wordSink) feed(piece, _ string) (done bool, err error) {
	s.any = true
	if s.show != nil {
		s.show(piece)
	}
	return false, nil
}

func (s *wordSink) end() error { return nil }
