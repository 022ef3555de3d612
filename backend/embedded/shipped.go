package embedded

import (
	_ "embed"
	"errors"
	"unsafe"
)

// shipped is the model that this build carries, as train/export.py has written it: the
// file is empty where there is none. A string lies in the binary as it is, and what is
// not used of it is never read into memory.
//
//go:embed model.npdb
var shipped string

// ErrNoModel is the error of Shipped in a build that carries no model.
var ErrNoModel = errors.New("this build of npdb carries no model")

// HasModel reports whether this build carries a model.
func HasModel() bool { return shipped != "" }

// Shipped asks the model that this build carries. Most sessions never do: no more than its
// header is read before the first question.
func Shipped(c Config) (*Predictor, error) {
	if !HasModel() {
		return nil, ErrNoModel
	}
	model := unsafe.Slice(unsafe.StringData(shipped), len(shipped))
	f, err := readHeader(model)
	if err != nil {
		return nil, unreadable(err)
	}
	return asking(f, model, c), nil
}

// Size is how many bytes the model has that this build carries.
func Size() int { return len(shipped) }
