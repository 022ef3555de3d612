package backend

// Measured holds the accuracy of a model, as measured by npdb eval states. npdb eval card --figures
// writes it.
type Measured struct {
	Digest string        `json:"digest"` // SHA-256 of the model's file, in hex
	Sets   []MeasuredSet `json:"sets"`   // the first is shown if there is room for one only
}

// MeasuredSet holds the accuracy on one set of programs.
type MeasuredSet struct {
	Name     string                   `json:"name"`     // "CruxEval"
	Programs int                      `json:"programs"` // number of programs
	Moves    map[string]MeasuredShare `json:"moves"`    // by the move's name in nd/1
}

// MeasuredShare holds the number of predictions, N, and how many of them were exactly right, Same.
type MeasuredShare struct {
	N    int `json:"n"`
	Same int `json:"same"`
}
