package journal_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/npdb/npdb/session/journal"
)

// TestConsents checks that an answer is stored only for its endpoint and project, readable
// by its owner only, and that a later one replaces it.
func TestConsents(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	has := func(endpoint, project string, allowed, ok bool) {
		t.Helper()
		c, found, err := journal.FindConsent(dir, endpoint, project)
		if err != nil || found != ok || c.Allowed != allowed {
			t.Errorf("%s and %s: %+v, %v, %v", endpoint, project, c, found, err)
		}
	}
	keep := func(c journal.Consent) {
		t.Helper()
		if err := journal.KeepConsent(dir, c); err != nil {
			t.Fatal(err)
		}
	}
	has("https://a/v1", "/p", false, false)
	keep(journal.Consent{Endpoint: "https://a/v1", Project: "/p", Allowed: true})
	keep(journal.Consent{Endpoint: "https://b/v1", Project: "/p"})
	has("https://a/v1", "/p", true, true)
	has("https://b/v1", "/p", false, true)
	has("https://a/v1", "/q", false, false)
	keep(journal.Consent{Endpoint: "https://a/v1", Project: "/p"})
	has("https://a/v1", "/p", false, true)
	path := filepath.Join(dir, "consents.json")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info, err)
	}

	// An invalid file of answers allows nothing, and the next answer repairs it.
	for _, text := range []string{"", "{", `{"v": 2, "answers": [{"endpoint": "https://a/v1", "project": "/p", "allowed": true}]}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := journal.FindConsent(dir, "https://a/v1", "/p"); ok || err == nil {
			t.Errorf("%q: %v, %v", text, ok, err)
		}
	}
	keep(journal.Consent{Endpoint: "https://a/v1", Project: "/p", Allowed: true})
	has("https://a/v1", "/p", true, true)
}

// TestNoConsents checks that without a state folder nothing is stored or known.
func TestNoConsents(t *testing.T) {
	if err := journal.KeepConsent("", journal.Consent{Endpoint: "https://a/v1", Project: "/p", Allowed: true}); err != nil {
		t.Error(err)
	}
	if _, ok, err := journal.FindConsent("", "https://a/v1", "/p"); ok || err != nil {
		t.Error(ok, err)
	}
}
