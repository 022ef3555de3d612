package backend

// Measured is how often a model's states were true where it was measured: what npdb eval
// states counted, as npdb eval card --figures writes it.
type Measured struct {
	Digest string        `json:"digest"` // of the model's file, SHA-256 in hex
	Sets   []MeasuredSet `json:"sets"`   // the first is the one that a short word is of
}

// MeasuredSet is what was counted on one set of programs.
type MeasuredSet struct {
	Name     string                   `json:"name"`     // "CruxEval"
	Programs int                      `json:"programs"` // how many there were
	Moves    map[string]MeasuredShare `json:"moves"`    // by a move's name in nd/1
}

// MeasuredShare is how many of N answers were wholly true.
type MeasuredShare struct {
	N    int `json:"n"`
	Same int `json:"same"`
}
