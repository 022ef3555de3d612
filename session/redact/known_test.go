package redact_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/redact"
)

// TestLearntLate checks that a secret that is found after a value was redacted is removed
// from it from then on, however it was found.
func TestLearntLate(t *testing.T) {
	for what, learn := range map[string]func(r *redact.Redactor){
		"text":    func(r *redact.Redactor) { r.Text("password = 'swordfish'") },
		"value":   func(r *redact.Redactor) { r.Value("password", "'swordfish'") },
		"program": func(r *redact.Redactor) { r.Program(program("password = 'swordfish'")) },
	} {
		r := redact.New(rules(t))
		r.Value("x", "'swordfish'")
		learn(r)
		if got := r.Value("x", "'swordfish'"); got != "'<redacted>'" {
			t.Errorf("after a %s it is %s", what, got)
		}
	}
	r := redact.New(rules(t))
	if got := r.Value("x", "['swordfish', {'password': 'swordfish'}]"); strings.Contains(got, "swordfish") {
		t.Errorf("what stands before it: %s", got)
	}
}

// TestSecretsWithinSecrets checks that nothing remains of two secrets, one of which
// contains the other.
func TestSecretsWithinSecrets(t *testing.T) {
	for range 20 { // their order is random
		r := redact.New(rules(t))
		r.Value("password", "'hunter2'")
		r.Value("password", "'hunter2-and-more'")
		if got := r.Value("x", "<User hunter2-and-more>"); got != "<User <redacted>>" {
			t.Fatal(got)
		}
	}
}

// TestLineOutside checks that a line that the program does not have is redacted by itself.
func TestLineOutside(t *testing.T) {
	r := redact.New(rules(t))
	r.Program(program("x = 1"))
	got := r.Stop(&dsl.Stop{State: dsl.State{Event: dsl.Line, File: "a.py", Line: 7, Source: "password = 'swordfish'", Function: "<module>"}})
	if got.Source != "password = '<redacted>'" {
		t.Error(got.Source)
	}
}

func program(source string) *dsl.Program {
	return &dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: strings.Split(source, "\n")}}}
}
