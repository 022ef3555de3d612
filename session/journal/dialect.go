package journal

import (
	"fmt"
	"path/filepath"
	"time"
)

// Dialect records which dialect npdb detected for a model on a server.
type Dialect struct {
	Endpoint string    `json:"endpoint"` // the URL, without credentials
	Model    string    `json:"model"`
	Dialect  string    `json:"dialect"`
	Why      string    `json:"why"`
	When     time.Time `json:"when"` // time of the detection
}

// dialects is the file of detected dialects. One that is dropped because the file is full is
// detected again.
var dialects = entries[Dialect]{file: "dialects.json", list: "dialects", what: "the models' dialects that were found out", most: 1000}

// longestDialect is the maximum size of an entry in bytes: a server may report a name of any
// length.
const longestDialect = 4 << 10

// DialectsPath returns the path of the file of detected dialects.
func DialectsPath(stateDir string) string { return filepath.Join(stateDir, dialects.file) }

// FindDialect returns the dialect that was detected for a model at an endpoint. ok is false if
// there is none or no state folder. If the file cannot be read, that is an error.
func FindDialect(stateDir, endpoint, model string) (d Dialect, ok bool, err error) {
	if stateDir == "" {
		return d, false, nil
	}
	return dialects.find(stateDir, ofModel(endpoint, model))
}

// KeepDialect stores a detected dialect and replaces an earlier one for the same endpoint and
// model.
func KeepDialect(stateDir string, d Dialect) error {
	if stateDir == "" || len(d.Endpoint)+len(d.Model)+len(d.Why) > longestDialect {
		return nil
	}
	if err := dialects.keep(stateDir, &d, ofModel(d.Endpoint, d.Model)); err != nil {
		return fmt.Errorf("how the model is asked cannot be kept, and will be found out again: %w", err)
	}
	return nil
}

// ForgetDialect removes the stored dialect of a model at an endpoint.
func ForgetDialect(stateDir, endpoint, model string) error {
	if stateDir == "" {
		return nil
	}
	if err := dialects.keep(stateDir, nil, ofModel(endpoint, model)); err != nil {
		return fmt.Errorf("how the model was asked cannot be forgotten: %w", err)
	}
	return nil
}

// ofModel returns a function that matches the dialect of a model at an endpoint.
func ofModel(endpoint, model string) func(Dialect) bool {
	return func(d Dialect) bool { return d.Endpoint == endpoint && d.Model == model }
}
