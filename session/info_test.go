package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
)

// TestInfoOfARecording checks what info says about a recording: the position, the state of
// the program, and what is missing.
func TestInfoOfARecording(t *testing.T) {
	s := open(t, newFake(t), func(c *session.Config) { c.Options.Args = []string{"a", "b c"} })
	s.First(t.Context())
	told := func() string {
		var lines []string
		for line := range strings.SplitSeq(strings.TrimSuffix(run(s, "info program"), "\n"), "\n") {
			if before, _, ok := strings.Cut(line, ", "); ok && strings.HasSuffix(line, " bytes") {
				line = before // this test ignores the number of bytes
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, "\n")
	}
	const program = "Program: /src/prog.py\nArguments: [\"a\" \"b c\"]\n"
	for _, c := range []struct{ line, want string }{
		{"p i", "Here: event 0, the live edge\nThe program waits at event 0\nRecorded: 1 event"},
		{"record off", "Here: event 0, the live edge\nThe program waits at event 0\nRecorded: 1 event\nRecording is off (record on)"},
		{"record on", "Here: event 0, the live edge\nThe program waits at event 0\nRecorded: 1 event"},
		{"s 3", "Here: event 3, the live edge\nThe program waits at event 3\nRecorded: 4 events"},
		{"goto 1", "Here: event 1 of the recording\nThe program waits at event 3\nRecorded: 4 events"},
		{"goto 100%", "Here: event 3, the live edge\nThe program waits at event 3\nRecorded: 4 events"},
		{"c", "Here: the end, after event 21\nThe program finished. Exit code: 0\nRecorded: 22 events"},
		{"goto 4", "Here: event 4 of the recording\nThe program finished. Exit code: 0\nRecorded: 22 events"},
	} {
		run(s, c.line)
		if got := told(); got != program+c.want {
			t.Errorf("after %s:\n%s\nwant\n%s", c.line, got, program+c.want)
		}
	}
}
