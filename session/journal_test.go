package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

// journalled runs lines in a session with a journal in dir, as if npdb had been killed
// after them.
func journalled(t *testing.T, dir string, lines ...string) *command.Interpreter {
	t.Helper()
	s := open(t, newFake(t), func(c *session.Config) { c.StateDir = dir })
	s.First(context.Background())
	run(s, lines...)
	return s
}

// latest returns the newest journal, whatever it contains.
func latest(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "journal"))
	if err != nil || len(entries) == 0 {
		t.Fatal("there is no journal", err)
	}
	return filepath.Join(dir, "journal", entries[len(entries)-1].Name())
}

// resume replays the newest journal in a session on a fake.
func resume(t *testing.T, dir string, f *fake) (*command.Interpreter, *session.Answer) {
	t.Helper()
	s, j := resumable(t, dir, f)
	return s, s.Resume(context.Background(), j)
}

// resumable returns a session on a fake, and the newest journal, which it can replay.
func resumable(t *testing.T, dir string, f *fake) (*command.Interpreter, *journal.Journal) {
	t.Helper()
	j, err := journal.Find(dir, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, f, func(c *session.Config) { c.StateDir, c.Options = dir, j.Options(trace.Options{}) })
	return s, j
}

func TestResume(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
	}{
		{"nothing", nil},
		{"moves", []string{"s 5", "rs", "n ;; n", ""}},
		{"breakpoints", []string{"b 3", "ignore 1 1", "c", "tbreak 7", "c", "c"}},
		{"aliases", []string{"alias go s %1", "go 7", "rf"}},
		{"a list of commands", []string{"b 3", "commands", "p x", "end", "c"}},
		{"the end", []string{"c", "rs"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			before := journalled(t, dir, tt.lines...)
			s, a := resume(t, dir, newFake(t))
			if a.Err != nil || a.Seq != 0 || s.Position() != before.Position() {
				t.Errorf("at %+v, want %+v; %v", s.Position(), before.Position(), a.Err)
			}
			if got, want := describe(s), describe(before); got != want {
				t.Errorf("breakpoints\n%s\nwant\n%s", got, want)
			}
			// The resumed session can be resumed again.
			run(s, "s")
			again, a := resume(t, dir, newFake(t))
			if a.Err != nil || again.Position() != s.Position() {
				t.Errorf("a second time at %+v, want %+v; %v", again.Position(), s.Position(), a.Err)
			}
		})
	}
}

func describe(s *command.Interpreter) string {
	var all []string
	for _, b := range s.Breakpoints() {
		all = append(all, b.Describe())
	}
	return strings.Join(all, "\n")
}

func TestResumeGivesTheInputAgain(t *testing.T) {
	dir := t.TempDir()
	f := newFake(t)
	f.reads[3] = true
	s := open(t, f, func(c *session.Config) {
		c.StateDir = dir
		c.Input = func(_ context.Context, a *session.Answer) session.InputLine {
			if a.Waiting != session.ForInput || *a.Command != "s 4" {
				t.Errorf("%+v", a)
			}
			return session.InputLine{Text: "typed\n"}
		}
	})
	s.First(context.Background())
	run(s, "s 4")
	f = newFake(t)
	f.reads[3] = true
	again, a := resume(t, dir, f)
	if a.Err != nil || again.Position().Event != 4 || strings.Join(f.inputs, "") != "typed\n" {
		t.Errorf("at %+v, the program read %q; %v", again.Position(), f.inputs, a.Err)
	}
}

// TestResumeAsksForAPasswordAgain checks that a password is stored neither in the journal
// nor in an answer, so that a replay asks for it again.
func TestResumeAsksForAPasswordAgain(t *testing.T) {
	dir := t.TempDir()
	inputs, asked := []string{"name\n", "secret\n"}, ""
	start := func(f *fake) func(c *session.Config) {
		f.reads[2], f.reads[3], f.unseen = true, true, map[int]bool{3: true}
		return func(c *session.Config) {
			c.StateDir = dir
			c.Input = func(_ context.Context, a *session.Answer) session.InputLine {
				asked += string(frontend.EncodeAnswer(a))
				in := inputs[0]
				inputs = inputs[1:]
				if a.Unseen != (in == "secret\n") {
					t.Errorf("unseen is %v where %q is asked for", a.Unseen, in)
				}
				return session.InputLine{Text: in}
			}
		}
	}
	f := newFake(t)
	s := open(t, f, start(f))
	s.First(context.Background())
	s.Line(context.Background(), "s 4", func(a *session.Answer) { asked += string(frontend.EncodeAnswer(a)) })
	raw, err := os.ReadFile(latest(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if kept := asked + string(raw); strings.Contains(kept, "secret") || strings.Count(asked, `"unseen": true`) != 1 || !strings.Contains(kept, "name") {
		t.Errorf("the answers and the journal are\n%s\n%s", asked, raw)
	}
	for range 2 { // the resumed session can be resumed again
		inputs = []string{"secret\n"}
		f = newFake(t)
		j, err := journal.Find(dir, trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		again := open(t, f, start(f))
		a := again.Resume(context.Background(), j)
		if a.Err != nil || again.Position().Event != 4 || strings.Join(f.inputs, "") != "name\nsecret\n" {
			t.Errorf("at %+v, the program read %q; %v", again.Position(), f.inputs, a.Err)
		}
	}
}

func TestResumeDiverges(t *testing.T) {
	dir := t.TempDir()
	journalled(t, dir, "s 2", "s", "s")
	path := latest(t, dir)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(raw), `"event":3,`, `"event":9,`, 1)
	if changed == string(raw) {
		t.Fatalf("the journal has no event 3:\n%s", raw)
	}
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	s, a := resume(t, dir, newFake(t))
	if a.Err == nil || a.Err.Kind != session.Diverged || s.Position().Event != 3 {
		t.Errorf("at event %d, error %v", s.Position().Event, a.Err)
	}
}

func TestResumeAfterACrash(t *testing.T) {
	dir := t.TempDir()
	journalled(t, dir, "s 2")
	f, err := os.OpenFile(latest(t, dir), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{\"line\":\"c\"}\n{\"landi"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s, a := resume(t, dir, newFake(t))
	if text, _ := a.Text(session.Notice); a.Err != nil || s.Position().Event != 2 || !strings.Contains(text, "not replayed") {
		t.Errorf("at event %d, error %v, said %s", s.Position().Event, a.Err, text)
	}
}

// TestEmptyJournals checks that an empty journal causes no trouble: if npdb was killed, it
// is skipped, and does not count among the kept ones.
func TestEmptyJournals(t *testing.T) {
	dir := t.TempDir()
	good := journalled(t, dir, "s 2")
	path := latest(t, dir)
	for range 12 {
		journalled(t, dir) // and killed
		if err := os.Truncate(latest(t, dir), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the good journal: %v", err)
	}
	if s, a := resume(t, dir, newFake(t)); a.Err != nil || s.Position() != good.Position() {
		t.Errorf("at %+v, want %+v; %v", s.Position(), good.Position(), a.Err)
	}
}
