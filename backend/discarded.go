package backend

import (
	"errors"
	"slices"
)

// Discarded describes a reply that could not be used: its token usage and the reason.
type Discarded struct {
	Usage Usage
	// Invalid reports that the reply was not a valid state. If it is false, the reply was interrupted
	// or not needed.
	Invalid bool
	// Contradicted reports that the reply contradicted the program's source, and that the model was
	// therefore asked once more.
	Contradicted bool
	// Outside reports that the reply was invalid because it names a line that the program does not
	// have.
	Outside bool
}

// GivenUp is the error of a request whose context ended after replies had arrived.
type GivenUp struct {
	Err       error // the error of the context
	Discarded []Discarded
}

func (e *GivenUp) Error() string { return e.Err.Error() }

func (e *GivenUp) Unwrap() error { return e.Err }

// DiscardedBy returns the discarded replies that are recorded in the result of a request: in the
// prediction or in its error.
func DiscardedBy(made *Prediction, err error) []Discarded {
	var failed *Error
	var ended *GivenUp
	switch {
	case errors.As(err, &failed):
		return failed.Discarded
	case errors.As(err, &ended):
		return ended.Discarded
	case err == nil && made != nil:
		return made.Discarded
	}
	return nil
}

// TakeDown adds discarded replies to the result of a request, before those recorded there. The result is
// made, or err if the request failed. TakeDown returns err, wrapped in a *GivenUp if err cannot hold
// replies.
func TakeDown(made *Prediction, err error, discarded []Discarded) error {
	if len(discarded) == 0 {
		return err
	}
	discarded = slices.Concat(discarded, DiscardedBy(made, err))
	var failed *Error
	switch {
	case errors.As(err, &failed):
		failed.Discarded = discarded
	case err != nil:
		return &GivenUp{Err: err, Discarded: discarded}
	case made != nil:
		made.Discarded = discarded
	}
	return err
}
