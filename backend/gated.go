package backend

import (
	"context"

	"github.com/npdb/npdb/dsl"
)

// Gated is a predictor that can be blocked, for example until the user consents. While Refusal
// returns a reason, Predict and Fill send nothing and return an error of kind Withheld.
type Gated struct {
	Predictor
	// Refusal returns the reason for which nothing may be requested, or "" if requests are allowed.
	Refusal func() string
}

// Predict asks the predictor, unless it is blocked.
func (g *Gated) Predict(ctx context.Context, q Question, show func(Update)) (*Prediction, error) {
	if err := g.refused(); err != nil {
		return nil, err
	}
	return g.Predictor.Predict(ctx, q, show)
}

// Fill asks the predictor to fill in values, unless it is blocked.
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
