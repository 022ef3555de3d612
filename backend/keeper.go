package backend

// Keeper is a predictor that may already hold later predictions: one reply can contain several states.
type Keeper interface {
	// Keeps reports whether Predict can answer q without a request, from the reply to an earlier
	// question. Any goroutine may call it.
	Keeps(q Question) bool
}

// Keeps reports whether p is a Keeper that can answer q without a request.
func Keeps(p Predictor, q Question) bool {
	k, ok := p.(Keeper)
	return ok && k.Keeps(q)
}

// Keeps reports whether the predictor behind the gate can answer q without a request.
func (g *Gated) Keeps(q Question) bool { return Keeps(g.Predictor, q) }
