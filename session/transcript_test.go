package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/session/command"
)

// answers gives a session lines one after another, and wants what the plain face writes.
// A pair is a line and its answer, without the last line end; "…" is any answer. The
// program's path is PROG in both.
func answers(t *testing.T, s *command.Interpreter, pairs ...string) {
	t.Helper()
	path := s.View().Files[0].Path
	for i := 0; i+1 < len(pairs); i += 2 {
		line, want := strings.ReplaceAll(pairs[i], "PROG", path), pairs[i+1]
		got := strings.ReplaceAll(strings.TrimSuffix(run(s, line), "\n"), path, "PROG")
		if want != "…" && got != want {
			t.Errorf("%s:\ngot  %q\nwant %q", pairs[i], got, want)
		}
	}
}
