package main

import (
	"os"
	"strings"
	"testing"
)

// TestWhyConsentIsAsked checks that why asks on a terminal before it sends anything, and that a no is kept.
func TestWhyConsentIsAsked(t *testing.T) {
	e, home := newElsewhere(t), t.TempDir()
	env := e.env("PATH="+os.Getenv("PATH"), "NPDB_BASE_URL=", "NPDB_MODEL=", "NPDB_WHY=http://models.example/v1", "NPDB_WHY_MODEL=wise")
	const ask, prompt = "Send it? (y/n) ", "(npdb) "
	shown := onTerminalIn(t, home, home, env, nil, prompt, "why", ask, "n", "as you answered", "why", "as you answered", "n", prompt, "q")
	if e.sent() != "" || !strings.Contains(strings.Join(strings.Fields(shown), " "), "wise explains on another machine, http://models.example/v1") {
		t.Errorf("%s\nit got %q", shown, e.sent())
	}
	onTerminalIn(t, home, home, env, []string{"--send", "ask"}, prompt, "why", ask, "y", prompt, "q")
	if !strings.Contains(e.sent(), "x = 1") {
		t.Errorf("it got %q", e.sent())
	}
}
