package backend

import (
	"context"

	"github.com/npdb/npdb/dsl"
)

// Sampler is a predictor that can sample further answers to a question more cheaply than by asking the
// question again, for example all with one request.
type Sampler interface {
	// Sample samples n further answers with the settings of q.Options. If these set a seed, the
	// i-th answer uses seed + i. The error is the reason why there are fewer than n answers.
	Sample(ctx context.Context, q Question, n int) (Samples, error)
}

// Samples are further answers to a question.
type Samples struct {
	Replies []dsl.Reply
	// Confidences holds the model's confidence in each of Replies, nil if it is unknown; it is
	// shorter than Replies if nothing is known of the rest.
	Confidences []*float64
	Invalid     int // number of answers that are not valid states
	Usage       Usage
}

// Len returns the number of answers, invalid ones included.
func (s *Samples) Len() int { return len(s.Replies) + s.Invalid }
