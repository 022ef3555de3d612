package backend

import (
	"errors"
	"slices"
)

// Discarded is a reply that was no answer to its question: what it took, and what it was.
type Discarded struct {
	Usage Usage
	// Invalid tells that the model's answer was no state; else the reply broke off.
	Invalid bool
	// Contradicted reports that the answer contradicted the program's text, and the model was asked once
	// more.
	Contradicted bool
	// Outside tells that it was none for a line that the program does not have.
	Outside bool
}

// GivenUp is the error of a question whose context has ended after replies to it had come.
type GivenUp struct {
	Err       error // the context's
	Discarded []Discarded
}

func (e *GivenUp) Error() string { return e.Err.Error() }

func (e *GivenUp) Unwrap() error { return e.Err }

// DiscardedBy returns the replies that a question took and that were no answer to it, whatever it
// came to.
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

// TakeDown gives what a question came to the replies that it took in vain, before those that
// are known of it. It gives back the error, which may be another one then.
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
