package backend

import (
	"context"

	"github.com/npdb/npdb/dsl"
)

// Sampler is a predictor that has a way of its own to draw more answers to a question that
// it has answered.
type Sampler interface {
	// Sample draws n more answers, as q.Options say. Where they name a seed, the i-th answer
	// is drawn with the i-th seed after it. The error is why there are fewer than n.
	Sample(ctx context.Context, q Question, n int) (Samples, error)
}

// Samples are further answers to a question.
type Samples struct {
	Replies []dsl.Reply
	Invalid int // answers besides that are no states
	Usage   Usage
}

// Len returns how many answers there are.
func (s *Samples) Len() int { return len(s.Replies) + s.Invalid }
