package embedded

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"unsafe"

	"github.com/npdb/npdb/backend"
)

// shipped is the model that this build carries, as lab/train/export.py has written it: the
// file is empty where there is none. A string lies in the binary as it is, and what is
// not used of it is never read into memory.
//
//go:embed model.npdb
var shipped string

// figures is how often that model was right, as npdb eval card --figures has written it.
//
//go:embed measured.json
var figures []byte

func measured() (*backend.Measured, error) {
	var m backend.Measured
	if err := json.Unmarshal(figures, &m); err != nil {
		return nil, fmt.Errorf("how often the model was right cannot be read: %w", err)
	}
	return &m, nil
}

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
	p := asking(f, model, c)
	if p.measured, err = measured(); err != nil {
		return nil, err
	}
	return p, nil
}

// Size returns how many bytes the model has that this build carries.
func Size() int { return len(shipped) }
