package session_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/trace"
)

// A transcript is pairs of a line that is typed and its answer, without the last line end;
// "…" is any answer. answers is for a session that is open, on a fake or a model too, and
// shows one command's answer. wantSaid is for a program from its start, typed into the
// plain front end as a user does: where the program reads, prints or ends between commands.

// answers gives a session lines one after another, and wants what the plain front end writes.
// The program's path is PROG in both.
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

// wantSaid wants the answers to lines that are typed one after another. The folder of the
// program is left out of what is said.
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

// wholePairs fails for a line without an answer.
func wholePairs(t *testing.T, pairs []string) {
	t.Helper()
	if len(pairs)%2 != 0 {
		t.Fatalf("%q has no answer", pairs[len(pairs)-1])
	}
}
