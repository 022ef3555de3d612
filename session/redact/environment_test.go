package redact_test

import (
	"testing"

	"github.com/npdb/npdb/session/redact"
)

// TestEnvironment checks that secrets of the environment are hidden under whatever name a program reads
// them, and that other variables are not.
func TestEnvironment(t *testing.T) {
	r := redact.New(rules(t))
	r.Environment([]string{"API_KEY=sk-abc123def456ghi", "DB_PASSWORD=hunter2pass", "HOME=/home/grete2", "EMPTY_TOKEN=", "odd"})
	for text, want := range map[string]string{
		"'sk-abc123def456ghi'": "'<redacted>'", "'hunter2pass'": "'<redacted>'", "'/home/grete2'": "'/home/grete2'", "''": "''",
	} {
		if got := r.Value("a", text); got != want {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
	}
	if got := r.Plain("it said hunter2pass.\n"); got != "it said <redacted>.\n" {
		t.Errorf("output is shown as %q", got)
	}
}
