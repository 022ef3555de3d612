package backend

import (
	"context"
	"errors"

	"github.com/npdb/npdb/dsl/chat"
)

// Judgement is a model's verdict on a run of a block.
type Judgement struct {
	Correct   bool
	Why       string // the model's reason, in its words
	Usage     Usage
	Discarded []Discarded // replies that were not verdicts
}

// Judge is implemented by predictors that can ask their model for a verdict on a block.
type Judge interface {
	// Judge asks the model for a verdict. It returns the same errors as Predictor, and also an error with the
	// cause ErrNoJudge if the model is not a chat model.
	Judge(ctx context.Context, b *chat.Block) (*Judgement, error)
}

// ErrNoJudge is the cause of the errors for models that cannot judge.
var ErrNoJudge = errors.New("only a chat model can judge a block: this model predicts states and nothing else")

// Judged asks p's model for a verdict. If p is not a Judge, it returns an error with the cause ErrNoJudge.
func Judged(ctx context.Context, p Predictor, b *chat.Block) (*Judgement, error) {
	if j, ok := p.(Judge); ok {
		return j.Judge(ctx, b)
	}
	return nil, &Error{Kind: Unwritable, Message: ErrNoJudge.Error(), Err: ErrNoJudge}
}

// Judge asks the predictor for a verdict, unless requests are refused.
func (g *Gated) Judge(ctx context.Context, b *chat.Block) (*Judgement, error) {
	if err := g.refused(); err != nil {
		return nil, err
	}
	return Judged(ctx, g.Predictor, b)
}
