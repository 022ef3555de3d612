package journal

import (
	"fmt"
	"time"
)

// Consent is what a user answered when asked whether the programs of a project may be
// sent to an endpoint on another machine.
type Consent struct {
	Endpoint string    `json:"endpoint"` // its address, without credentials
	Project  string    `json:"project"`  // a folder
	Allowed  bool      `json:"allowed"`
	When     time.Time `json:"when"`
}

// consents are the answers on disk. Those that go are asked for again.
var consents = entries[Consent]{file: "consents.json", list: "answers", what: "the answers about what may be sent where", most: 10_000}

// FindConsent returns what was answered of an endpoint and a project; ok is false where nothing
// was, or a state folder keeps nothing. A file that cannot be read is an error and no
// consent.
func FindConsent(stateDir, endpoint, project string) (c Consent, ok bool, err error) {
	if stateDir == "" {
		return c, false, nil
	}
	return consents.find(stateDir, about(endpoint, project))
}

// KeepConsent keeps an answer in a state folder, in the place of an earlier one.
func KeepConsent(stateDir string, c Consent) error {
	if stateDir == "" {
		return nil
	}
	if err := consents.keep(stateDir, &c, about(c.Endpoint, c.Project)); err != nil {
		return fmt.Errorf("the answer cannot be kept, and will be asked for again: %w", err)
	}
	return nil
}

// about finds the answer about an endpoint and a project.
func about(endpoint, project string) func(Consent) bool {
	return func(c Consent) bool { return c.Endpoint == endpoint && c.Project == project }
}
