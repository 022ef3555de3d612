package backend

// Keeper is a predictor that may have the answer to a question before it is asked.
type Keeper interface {
	// Keeps reports whether Predict answers a question at no request: its answer came with the
	// reply to an earlier one. Any goroutine may call it.
	Keeps(q Question) bool
}

// Keeps reports whether a predictor answers a question at no request, as far as it knows.
func Keeps(p Predictor, q Question) bool {
	k, ok := p.(Keeper)
	return ok && k.Keeps(q)
}

// Keeps reports whether the predictor behind the gate has an answer already.
func (g *Gated) Keeps(q Question) bool { return Keeps(g.Predictor, q) }
