package embedded

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"unsafe"

	"github.com/npdb/npdb/backend"
)

// shipped is the model in this build, written by lab/train/export.py; empty if there is none. As a
// string it stays in the binary, and parts that are not used are never read into memory.
//
//go:embed model.npdb
var shipped string

// figures is the measured accuracy of the model, written by npdb eval card --figures.
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

// ErrNoModel is returned by Shipped in a build without a model.
var ErrNoModel = errors.New("this build of npdb carries no model")

// HasModel reports whether this build contains a model.
func HasModel() bool { return shipped != "" }

// Shipped returns a predictor for the model in this build. It reads only the header; the
// first question reads the rest, which most sessions never need.
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

// Size returns the size in bytes of the model in this build.
func Size() int { return len(shipped) }
