package session_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// edited writes a journal of some commands with a change in its text.
func edited(t *testing.T, dir, old, changed string, lines ...string) {
	t.Helper()
	journalled(t, dir, lines...)
	path := latest(t, dir)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(raw), old, changed, 1)
	if text == string(raw) {
		t.Fatalf("the journal has no %q:\n%s", old, raw)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReplayEnds checks that a replay ends where the journal cannot be followed, reports
// the reason, and stays at the position it has reached.
func TestReplayEnds(t *testing.T) {
	for _, c := range []struct {
		name, old, changed string
		lines              []string
		event              int
		fails, says        string
	}{
		{"an unknown command", `{"Step":`, `{"Stride":`, []string{"b 3", "s", "n"}, 0, `is no command that this npdb knows`, "Resumed: 1 command replayed."},
		{"a hole", `"event":1,`, `"event":1,"interrupted":true,"hole":true,`, []string{"s", "n"}, 0, `"step" was interrupted while nothing was recorded: where that was cannot be found again, and the replay stops before it`, "Resumed: 0 commands replayed."},
		{"elsewhere", `"event":2,`, `"event":4,`, []string{"s", "n", "n"}, 2, `The replay of "next" came to event 2`, "Resumed: 2 commands replayed."},
		{"an interrupt", `"event":2,"file":"prog.py","line":6`, `"event":5,"interrupted":true,"file":"prog.py","line":3`, []string{"s", "n"}, 5, "", "Resumed: 2 commands replayed."},
		{"quit", `{"Rewind":{}}`, `{"Quit":{}}`, []string{"s 3", "rewind"}, 3, "", "Resumed: 1 command replayed."},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			edited(t, dir, c.old, c.changed, c.lines...)
			s, a := resume(t, dir, newFake(t))
			message := ""
			if a.Err != nil {
				message = a.Err.Message
			}
			if said, _ := a.Text(session.Notice); s.Position().Event != c.event || (c.fails == "") != (a.Err == nil) || !strings.Contains(message, c.fails) || !strings.Contains(said, c.says) {
				t.Errorf("at event %d: %q, %q", s.Position().Event, message, said)
			}
		})
	}
}

// TestReplayRestoresBreakpoints checks that a failed replay leaves the stored breakpoints
// unchanged, while a successful one restores those of the journal.
func TestReplayRestoresBreakpoints(t *testing.T) {
	lines := []string{"b 3", "tbreak 7", "s"}
	failing, whole := t.TempDir(), t.TempDir()
	edited(t, failing, `{"Step":`, `{"Stride":`, lines...)
	journalled(t, whole, lines...)
	for dir, want := range map[string][]int{failing: {3}, whole: {3, 7}} {
		s, a := resume(t, dir, newFake(t))
		var got []int
		for _, b := range s.Breakpoints() {
			got = append(got, b.Line)
		}
		if (a.Err == nil) != (dir == whole) || !slices.Equal(got, want) {
			t.Errorf("breakpoints in lines %v, want %v, after %v", got, want, a.Err)
		}
	}
}

// TestReplayInterrupted checks that the user can stop a replay between two commands.
func TestReplayInterrupted(t *testing.T) {
	dir := t.TempDir()
	journalled(t, dir, "s", "s", "s")
	f := newFake(t)
	s, j := resumable(t, dir, f)
	moves := 0
	f.before = func() {
		if busy, _ := s.Busy(); !busy {
			t.Error("an interrupt would find nothing to interrupt")
		}
		if moves++; moves == 2 {
			s.Stop()
		}
	}
	a := s.Resume(t.Context(), j)
	if busy, _ := s.Busy(); busy {
		t.Error("it is busy when it is over")
	}
	if a.Err == nil || a.Err.Message != "The replay was interrupted after 2 commands" || s.Position().Event != 2 {
		t.Errorf("at %+v: %v", s.Position(), a.Err)
	}
}

// TestReplayOfAliases checks that a line that is not a session command is journalled if it
// was typed, but not if a command runs it, because the replay of that command runs it
// again.
func TestReplayOfAliases(t *testing.T) {
	for _, c := range []struct {
		lines      []string
		said, want string
	}{
		{[]string{"alias go s %1", "go 2"}, "Resumed: 2 commands replayed.", "go = s %1\n"},
		{[]string{"b 3", "commands 1", "alias go s %1", "end", "c"}, "Resumed: 3 commands replayed.", "go = s %1\n"},
	} {
		dir := t.TempDir()
		journalled(t, dir, c.lines...)
		s, a := resume(t, dir, newFake(t))
		if said, _ := a.Text(session.Notice); a.Err != nil || !strings.HasSuffix(said, c.said) { // messages about its breakpoints come before
			t.Errorf("%q: %q, %v", c.lines, said, a.Err)
		}
		if got := run(s, "alias"); got != c.want {
			t.Errorf("%q: the aliases are %q", c.lines, got)
		}
	}
}

// TestReplayOfAnother checks the messages if the program or the model differs from those
// of the journal.
func TestReplayOfAnother(t *testing.T) {
	dir := t.TempDir()
	script := scriptOf(t, neuralSource)
	begin := func(m *scripted) *command.Interpreter {
		return neuralIn(t, m, trace.Options{Script: script}, dir, journal.Filled{})
	}
	s := begin(&scripted{replies: []string{atCall}})
	s.First(t.Context())
	do(s, "n")
	j, err := journal.Find(dir, trace.Options{Script: script})
	if err != nil {
		t.Fatal(err)
	}
	if said, _ := begin(&scripted{}).Resume(t.Context(), j).Text(session.Notice); said != "Resumed: 1 command replayed." {
		t.Errorf("the same: %q", said)
	}
	j.Header.Model = "parrot"
	if said, _ := begin(&scripted{}).Resume(t.Context(), j).Text(session.Notice); said != "Resumed: 1 command replayed.\nWhat is replayed was predicted by parrot; from here on scripted is asked." {
		t.Errorf("another model: %q", said)
	}
	j.Header.Model = "scripted"
	if err := os.WriteFile(script, []byte(neuralSource+"c = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, _ := begin(&scripted{}).Resume(t.Context(), j).Text(session.Notice); said != script+" changed since its journal was written.\nResumed: 1 command replayed." {
		t.Errorf("another program: %q", said)
	}
}

// TestReplayReadsNoMore checks that the program gets no input beyond the journal's.
func TestReplayReadsNoMore(t *testing.T) {
	dir := t.TempDir()
	journalled(t, dir, "s 4")
	f := newFake(t)
	f.reads[3] = true
	if s, a := resume(t, dir, f); a.Err != nil || s.Position().Event != 4 || strings.Join(f.inputs, "") != "EOF" {
		t.Errorf("at %+v it read %q: %v", s.Position(), f.inputs, a.Err)
	}
}

// TestReplayExportsNothing checks that a replay does not repeat exports.
func TestReplayExportsNothing(t *testing.T) {
	dir, script := t.TempDir(), scriptOf(t, neuralSource)
	out := filepath.Join(t.TempDir(), "out")
	s := neuralIn(t, &scripted{replies: []string{atCall}}, trace.Options{Script: script}, dir, journal.Filled{})
	s.First(t.Context())
	run(s, "n", "export "+out)
	j, err := journal.Find(dir, trace.Options{Script: script})
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".md", ".jsonl"} {
		if err := os.Remove(out + ending); err != nil {
			t.Fatal(err)
		}
	}
	again := neuralIn(t, &scripted{}, trace.Options{Script: script}, dir, journal.Filled{})
	if a := again.Resume(context.Background(), j); a.Err != nil {
		t.Error(a.Err)
	}
	if left, err := filepath.Glob(out + "*"); err != nil || len(left) > 0 {
		t.Errorf("%q, %v", left, err)
	}
}
