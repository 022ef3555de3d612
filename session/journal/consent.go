package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/npdb/npdb/internal/plainfile"
)

// Consent is what a user answered when asked whether the programs of a project may be
// sent to an endpoint on another machine.
type Consent struct {
	Endpoint string    `json:"endpoint"` // its address, without credentials
	Project  string    `json:"project"`  // a folder
	Allowed  bool      `json:"allowed"`
	When     time.Time `json:"when"`
}

// consentFile is the answers on disk.
type consentFile struct {
	V       int       `json:"v"`
	Answers []Consent `json:"answers"`
}

// mostConsents is how many answers are kept: the oldest go, and are asked for again.
const mostConsents = 10_000

func consentsPath(stateDir string) string { return filepath.Join(stateDir, "consents.json") }

// FindConsent is what was answered of an endpoint and a project; ok is false where nothing
// was, or a state folder keeps nothing. A file that cannot be read is an error and no
// consent.
func FindConsent(stateDir, endpoint, project string) (c Consent, ok bool, err error) {
	if stateDir == "" {
		return c, false, nil
	}
	answers, err := consents(stateDir)
	if err != nil {
		return c, false, err
	}
	if i := slices.IndexFunc(answers, about(endpoint, project)); i >= 0 {
		return answers[i], true, nil
	}
	return c, false, nil
}

// KeepConsent keeps an answer in a state folder, in the place of an earlier one.
func KeepConsent(stateDir string, c Consent) (err error) {
	if stateDir == "" {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("the answer cannot be kept, and will be asked for again: %w", err)
		}
	}()
	unlock, err := lockIn(stateDir, "consents.lock")
	if err != nil {
		return err
	}
	defer unlock()
	answers, err := consents(stateDir)
	if err != nil {
		answers = nil // what cannot be read allows nothing
	}
	answers = append(slices.DeleteFunc(answers, about(c.Endpoint, c.Project)), c)
	answers = answers[max(len(answers)-mostConsents, 0):]
	raw, err := json.MarshalIndent(consentFile{V: 1, Answers: answers}, "", "  ")
	if err != nil {
		return err
	}
	return plainfile.Replace(consentsPath(stateDir), append(raw, '\n'), 0o600)
}

// about finds the answer about an endpoint and a project.
func about(endpoint, project string) func(Consent) bool {
	return func(c Consent) bool { return c.Endpoint == endpoint && c.Project == project }
}

func consents(stateDir string) ([]Consent, error) {
	raw, err := plainfile.Read(consentsPath(stateDir), keptLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var f consentFile
	if err == nil {
		err = json.Unmarshal(raw, &f)
	}
	if err == nil && f.V != 1 {
		err = fmt.Errorf("another npdb wrote them (version %d of the file)", f.V)
	}
	if err != nil {
		return nil, fmt.Errorf("the answers about what may be sent where cannot be read: %w", err)
	}
	return f.Answers, nil
}
