package backend

import "errors"

// Vain is a reply that was no answer to its question: what it took, and what it was.
type Vain struct {
	Usage Usage
	// Invalid tells that the model's answer was no state; else the reply broke off.
	Invalid bool
	// Outside tells that it was none for a line that the program does not have.
	Outside bool
}

// InVain are the replies that a question took and that were no answer to it, whatever it
// came to.
func InVain(made *Prediction, err error) []Vain {
	var failed *Error
	switch {
	case errors.As(err, &failed):
		return failed.Vain
	case err == nil && made != nil:
		return made.Vain
	}
	return nil
}
