package openai

import (
	"os"
	"testing"

	"github.com/npdb/npdb/backend"
)

// TestLive probes the real server at the address in NPDB_TEST_SERVER, and logs what it can do. It
// is skipped without an address.
func TestLive(t *testing.T) {
	base := os.Getenv("NPDB_TEST_SERVER")
	if base == "" {
		t.Skip("NPDB_TEST_SERVER names no server")
	}
	p := predictor(t, base, func(c *Config) { c.Logprobs = true })
	found, err := p.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, model %q of %q, window %d", found.Place, found.Model, found.Models, found.Window)
	for _, row := range found.Rows() {
		t.Logf("%-28s %-8s %s", row[0], row[1], row[2])
	}
	at, _, err := probeQuestion(p.cfg.Format)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Predict(t.Context(), backend.Question{At: at, Action: stepOver}, nil)
	if !found.Usable() {
		t.Logf("a step: %v", err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a step: %q, confidence %v, usage %+v, took %v", got.Raw, got.Confidence, got.Usage, got.Took)
}
