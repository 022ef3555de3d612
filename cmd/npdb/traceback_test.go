package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
)

// TestTracebackCommand checks that the command traceback begins another session, from a file, from a line
// with the whole text and from typed lines, that a refused one leaves the session as it is, and that each
// command has one answer, with numbers that go on.
func TestTracebackCommand(t *testing.T) {
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	home := t.TempDir()
	const crash = "Traceback (most recent call last):\n  File \"div.py\", line 2, in div\n    return a / b\nZeroDivisionError: division by zero\n"
	for name, text := range map[string]string{
		"first.py": "x = 1\ny = 2\n", "div.py": "def div(a, b):\n    return a / b\n", "crash.txt": crash, "none.txt": "nothing\n",
		"moved.txt": strings.ReplaceAll(crash, "line 2", "line 9"),
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	oneLine, err := json.Marshal(crash)
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Seq     int
		Command *string
		Error   *struct{ Message string }
		State   *struct {
			File, Event string
			Line        int
		}
		Waiting string
		Notice  string
	}
	const begun, before = "div.py exception 2", "first.py line 2"
	steps := []struct{ typed, at, waits, says string }{
		{typed: "", at: "first.py line 1"},
		{typed: "s", at: before},
		{typed: "traceback none.txt", at: before, says: "traceback: "},
		{typed: "traceback gone.txt", at: before, says: "traceback: there is no file gone.txt. traceback without an argument reads the text that you type or paste"},
		{typed: "traceback moved.txt", at: before, says: "div.py has no line 9"},
		{typed: "traceback .", at: before, says: "traceback: . is no file"},
		{typed: "commands", at: before, says: "cannot set commands"},
		{typed: "traceback crash.txt", at: begun, says: "is assumed"},
		{typed: "p 1 + 1", at: begun},
		{typed: "traceback " + string(oneLine), at: begun, says: "is assumed"},
		{typed: "::traceback -", at: begun, waits: "traceback"},
		{typed: "Traceback (most recent call last):", at: begun, waits: "traceback"},
		{typed: "  File \"first.py\", line 2, in <module>", at: begun, waits: "traceback"},
		{typed: "ValueError: a;; b", at: begun, waits: "traceback"},
		{typed: " end", at: "first.py exception 2", says: "ValueError('a;; b') is assumed"},
		{typed: "traceback", at: "first.py exception 2", waits: "traceback"},
	}
	var typed strings.Builder
	for _, s := range steps[1:] {
		typed.WriteString(s.typed + "\n")
	}
	npdb := npdbCommand(t, home, nil, "--json", "--mode", "neural", "first.py")
	npdb.Stdin = strings.NewReader(typed.String())
	said, err := npdb.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	if len(lines) != len(steps) {
		t.Fatalf("%d answers to %d commands:\n%s", len(lines), len(steps), said)
	}
	for i, s := range steps {
		var a answer
		if err := json.Unmarshal([]byte(lines[i]), &a); err != nil {
			t.Fatal(err)
		}
		at, says, command := "", a.Notice, ""
		if a.State != nil {
			at = strings.Join([]string{filepath.Base(a.State.File), a.State.Event, string(rune('0' + a.State.Line))}, " ")
		}
		if a.Error != nil {
			says += a.Error.Message
		}
		if a.Command != nil {
			command = *a.Command
		}
		if at != s.at || a.Waiting != s.waits || !strings.Contains(says, s.says) || a.Seq != i || command != strings.TrimSpace(s.typed) {
			t.Errorf("answer %d to %q is %s\nwant %+v", a.Seq, s.typed, lines[i], s)
		}
	}
}
