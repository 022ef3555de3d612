package journal

import (
	"fmt"
	"time"
)

// Consent is the user's answer to the question whether the programs of a project may be sent to an
// endpoint on another machine.
type Consent struct {
	Endpoint string    `json:"endpoint"` // the URL, without credentials
	Project  string    `json:"project"`  // the project's folder
	Allowed  bool      `json:"allowed"`
	When     time.Time `json:"when"`
}

// consents is the file of the user's answers. If an answer is dropped because the file is full, the
// user is asked again.
var consents = entries[Consent]{file: "consents.json", list: "answers", what: "the answers about what may be sent where", most: 10_000}

// FindConsent returns the stored answer for an endpoint and a project. ok is false if there is no
// answer or no state folder. If the file cannot be read, that is an error and counts as no consent.
func FindConsent(stateDir, endpoint, project string) (c Consent, ok bool, err error) {
	if stateDir == "" {
		return c, false, nil
	}
	return consents.find(stateDir, about(endpoint, project))
}

// KeepConsent stores an answer and replaces an earlier one for the same endpoint and project.
func KeepConsent(stateDir string, c Consent) error {
	if stateDir == "" {
		return nil
	}
	if err := consents.keep(stateDir, &c, about(c.Endpoint, c.Project)); err != nil {
		return fmt.Errorf("the answer cannot be kept, and will be asked for again: %w", err)
	}
	return nil
}

// about returns a function that matches the answer for an endpoint and a project.
func about(endpoint, project string) func(Consent) bool {
	return func(c Consent) bool { return c.Endpoint == endpoint && c.Project == project }
}
