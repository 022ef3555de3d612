package backend

import (
	"context"

	"github.com/npdb/npdb/dsl"
)

// Gated is a predictor that is asked nothing while there is a reason not to: whoever asks
// it, and for whatever, is refused then by an error of kind Withheld.
type Gated struct {
	Predictor
	// Refusal is why nothing may be asked, "" where it may.
	Refusal func() string
}

// Predict asks what an action leads to, if it may.
func (g *Gated) Predict(ctx context.Context, q Question, show func(Update)) (*Prediction, error) {
	if err := g.refused(); err != nil {
		return nil, err
	}
	return g.Predictor.Predict(ctx, q, show)
}

// Fill asks for values of a first state, if it may.
func (g *Gated) Fill(ctx context.Context, context *dsl.Node, first *dsl.Stop, missing []int, o Options) (*Filled, error) {
	if err := g.refused(); err != nil {
		return nil, err
	}
	return g.Predictor.Fill(ctx, context, first, missing, o)
}

func (g *Gated) refused() error {
	if why := g.Refusal(); why != "" {
		return &Error{Kind: Withheld, Message: why}
	}
	return nil
}
