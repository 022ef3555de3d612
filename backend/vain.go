package backend

import (
	"errors"
	"slices"
)

// Vain is a reply that was no answer to its question: what it took, and what it was.
type Vain struct {
	Usage Usage
	// Invalid tells that the model's answer was no state; else the reply broke off.
	Invalid bool
	// Outside tells that it was none for a line that the program does not have.
	Outside bool
}

// GivenUp is the error of a question whose context has ended after replies to it had come.
type GivenUp struct {
	Err  error // the context's
	Vain []Vain
}

func (e *GivenUp) Error() string { return e.Err.Error() }

func (e *GivenUp) Unwrap() error { return e.Err }

// InVain are the replies that a question took and that were no answer to it, whatever it
// came to.
func InVain(made *Prediction, err error) []Vain {
	var failed *Error
	var ended *GivenUp
	switch {
	case errors.As(err, &failed):
		return failed.Vain
	case errors.As(err, &ended):
		return ended.Vain
	case err == nil && made != nil:
		return made.Vain
	}
	return nil
}

// TakeDown gives what a question came to the replies that it took in vain, before those that
// are known of it. It gives back the error, which may be another one then.
func TakeDown(made *Prediction, err error, vain []Vain) error {
	if len(vain) == 0 {
		return err
	}
	vain = slices.Concat(vain, InVain(made, err))
	var failed *Error
	switch {
	case errors.As(err, &failed):
		failed.Vain = vain
	case err != nil:
		return &GivenUp{Err: err, Vain: vain}
	case made != nil:
		made.Vain = vain
	}
	return err
}
