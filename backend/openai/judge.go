package openai

import (
	"context"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl/chat"
)

var _ backend.Judge = (*Predictor)(nil)

// Judge asks a chat model whether a block is correct; see backend.Judge. If the model's dialect is not known
// yet, Judge uses chat. It does not detect the dialect, because a verdict does not show whether the model
// speaks nd/1.
func (p *Predictor) Judge(ctx context.Context, b *chat.Block) (*backend.Judgement, error) {
	switch d := p.dialect(); d {
	case ND1, CWM:
		return nil, &backend.Error{Kind: backend.Unwritable, Message: backend.ErrNoJudge.Error(), Err: backend.ErrNoJudge}
	}
	ctx, replies := withLedger(ctx)
	made, err := p.judgeBlock(ctx, b)
	if err != nil {
		return nil, backend.TakeDown(nil, err, replies.taken())
	}
	made.Discarded = replies.taken()
	return made, nil
}

func (p *Predictor) judgeBlock(ctx context.Context, b *chat.Block) (*backend.Judgement, error) {
	messages, err := chat.JudgeMessages(b)
	if err != nil {
		return nil, &backend.Error{Kind: backend.Unwritable, Message: "the block cannot be judged: " + err.Error(), Err: err}
	}
	made := &backend.Judgement{}
	talk := conversation{messages: messages, name: "judgement", schema: chat.JudgeSchema()}
	r, _, _, err := p.converse(ctx, question{prompt: talk.text(), talk: &talk}, func() *textSink {
		return &textSink{read: func(text string) (err error) {
			made.Correct, made.Why, err = chat.DecodeJudgement(text)
			return err
		}}
	})
	if err != nil {
		return nil, err
	}
	h := p.secrets.hide("")
	made.Why, made.Usage = h.in(made.Why), r.usage.counts()
	return made, nil
}
