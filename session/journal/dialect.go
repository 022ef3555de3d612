package journal

import (
	"fmt"
	"path/filepath"
	"time"
)

// Dialect is how a model on a server is asked, as npdb has found it out.
type Dialect struct {
	Endpoint string    `json:"endpoint"` // its address, without credentials
	Model    string    `json:"model"`
	Dialect  string    `json:"dialect"`
	Why      string    `json:"why"`
	When     time.Time `json:"when"` // it was found out
}

// dialects are those that are remembered. What is forgotten is found out again.
var dialects = entries[Dialect]{file: "dialects.json", list: "dialects", what: "the models' dialects that were found out", most: 1000}

// longestDialect bounds what is kept of one model, in bytes: a server may list names of
// any length.
const longestDialect = 4 << 10

// DialectsPath returns the file of a state folder that remembers dialects.
func DialectsPath(stateDir string) string { return filepath.Join(stateDir, dialects.file) }

// FindDialect returns what was found out of a model at an endpoint; ok is false where nothing
// was, or a state folder keeps nothing. A file that cannot be read is an error.
func FindDialect(stateDir, endpoint, model string) (d Dialect, ok bool, err error) {
	if stateDir == "" {
		return d, false, nil
	}
	return dialects.find(stateDir, ofModel(endpoint, model))
}

// KeepDialect keeps what was found out in a state folder, in the place of what was before.
func KeepDialect(stateDir string, d Dialect) error {
	if stateDir == "" || len(d.Endpoint)+len(d.Model)+len(d.Why) > longestDialect {
		return nil
	}
	if err := dialects.keep(stateDir, &d, ofModel(d.Endpoint, d.Model)); err != nil {
		return fmt.Errorf("how the model is asked cannot be kept, and will be found out again: %w", err)
	}
	return nil
}

// ForgetDialect forgets what was found out of a model at an endpoint.
func ForgetDialect(stateDir, endpoint, model string) error {
	if stateDir == "" {
		return nil
	}
	if err := dialects.keep(stateDir, nil, ofModel(endpoint, model)); err != nil {
		return fmt.Errorf("how the model was asked cannot be forgotten: %w", err)
	}
	return nil
}

// ofModel finds what is known of a model at an endpoint.
func ofModel(endpoint, model string) func(Dialect) bool {
	return func(d Dialect) bool { return d.Endpoint == endpoint && d.Model == model }
}
