package journal

import (
	"fmt"
	"path/filepath"
	"time"
)

// Dialect is the dialect of a model on a server, as npdb detected it.
type Dialect struct {
	Endpoint string    `json:"endpoint"` // its address, without credentials
	Model    string    `json:"model"`
	Dialect  string    `json:"dialect"`
	Why      string    `json:"why"`
	When     time.Time `json:"when"` // it was found out
}

// dialects is the file of detected dialects. A dropped one is detected again.
var dialects = entries[Dialect]{file: "dialects.json", list: "dialects", what: "the models' dialects that were found out", most: 1000}

// longestDialect limits an entry in bytes: a server may list names of any length.
const longestDialect = 4 << 10

// DialectsPath returns the path of the file.
func DialectsPath(stateDir string) string { return filepath.Join(stateDir, dialects.file) }

// FindDialect returns the detected dialect of a model at an endpoint; ok is false if there is
// none, or no state folder. A file that cannot be read is an error.
func FindDialect(stateDir, endpoint, model string) (d Dialect, ok bool, err error) {
	if stateDir == "" {
		return d, false, nil
	}
	return dialects.find(stateDir, ofModel(endpoint, model))
}

// KeepDialect stores a dialect in place of an earlier one.
func KeepDialect(stateDir string, d Dialect) error {
	if stateDir == "" || len(d.Endpoint)+len(d.Model)+len(d.Why) > longestDialect {
		return nil
	}
	if err := dialects.keep(stateDir, &d, ofModel(d.Endpoint, d.Model)); err != nil {
		return fmt.Errorf("how the model is asked cannot be kept, and will be found out again: %w", err)
	}
	return nil
}

// ForgetDialect removes the dialect of a model at an endpoint.
func ForgetDialect(stateDir, endpoint, model string) error {
	if stateDir == "" {
		return nil
	}
	if err := dialects.keep(stateDir, nil, ofModel(endpoint, model)); err != nil {
		return fmt.Errorf("how the model was asked cannot be forgotten: %w", err)
	}
	return nil
}

// ofModel matches the dialect of a model at an endpoint.
func ofModel(endpoint, model string) func(Dialect) bool {
	return func(d Dialect) bool { return d.Endpoint == endpoint && d.Model == model }
}
