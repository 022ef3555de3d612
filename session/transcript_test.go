package session_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// A transcript alternates typed lines and their answers, without the last line end; "…"
// matches any answer. answers is for an open session, also on a fake or a model, and
// checks one command's answer. wantSaid is for a program from its start, typed into the
// plain front end like a user: the program may read, print or end between commands.

// answers gives lines to a session, and checks the plain front end's output. The program's
// path is PROG in both.
func answers(t *testing.T, s *command.Interpreter, pairs ...string) {
	t.Helper()
	wholePairs(t, pairs)
	path := s.View().Files[0].Path
	for i := 0; i < len(pairs); i += 2 {
		line, want := strings.ReplaceAll(pairs[i], "PROG", path), pairs[i+1]
		got := strings.ReplaceAll(strings.TrimSuffix(run(s, line), "\n"), path, "PROG")
		if want != "…" && got != want {
			t.Errorf("%s:\ngot  %q\nwant %q", pairs[i], got, want)
		}
	}
}

// wantSaid checks the answers to typed lines. The folder of the program is removed from
// the output.
func wantSaid(t *testing.T, o trace.Options, pairs ...string) {
	t.Helper()
	wholePairs(t, pairs)
	var lines []string
	for i := 0; i < len(pairs); i += 2 {
		lines = append(lines, pairs[i])
	}
	answers := played(t, o, nil, lines...)
	for i, line := range lines {
		got := "(nothing)"
		if i+1 < len(answers) {
			got = strings.TrimSuffix(strings.ReplaceAll(answers[i+1], o.Dir+string(filepath.Separator), ""), "\n")
		}
		if want := pairs[2*i+1]; got != want && want != "…" {
			t.Errorf("answer %d, to %s, is\n%s\nwant\n%s", i+1, line, got, want)
		}
	}
}

// wholePairs fails if a line has no answer.
func wholePairs(t *testing.T, pairs []string) {
	t.Helper()
	if len(pairs)%2 != 0 {
		t.Fatalf("%q has no answer", pairs[len(pairs)-1])
	}
}
