package journal

import (
	"fmt"
	"time"
)

// Consent is a user's answer to whether the programs of a project may be sent to an endpoint on
// another machine.
type Consent struct {
	Endpoint string    `json:"endpoint"` // its address, without credentials
	Project  string    `json:"project"`  // a folder
	Allowed  bool      `json:"allowed"`
	When     time.Time `json:"when"`
}

// consents is the file of answers. A dropped answer is asked for again.
var consents = entries[Consent]{file: "consents.json", list: "answers", what: "the answers about what may be sent where", most: 10_000}

// FindConsent returns the stored answer for an endpoint and a project; ok is false if there is
// none, or no state folder. A file that cannot be read is an error and no consent.
func FindConsent(stateDir, endpoint, project string) (c Consent, ok bool, err error) {
	if stateDir == "" {
		return c, false, nil
	}
	return consents.find(stateDir, about(endpoint, project))
}

// KeepConsent stores an answer in place of an earlier one.
func KeepConsent(stateDir string, c Consent) error {
	if stateDir == "" {
		return nil
	}
	if err := consents.keep(stateDir, &c, about(c.Endpoint, c.Project)); err != nil {
		return fmt.Errorf("the answer cannot be kept, and will be asked for again: %w", err)
	}
	return nil
}

// about matches the answer for an endpoint and a project.
func about(endpoint, project string) func(Consent) bool {
	return func(c Consent) bool { return c.Endpoint == endpoint && c.Project == project }
}
