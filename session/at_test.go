package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is done about a line of a file is done whatever the file's path holds, also
// when it is resumed; and the path is shown on one line.
func TestAtLineTakesAnyPath(t *testing.T) {
	for _, name := range []string{"c;;d", "e,f", "g\nh", "i:j", " k "} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name, "p.py")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("x = 1\ny = 2\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			s := journalled(t, dir)
			at := func(command string, line int) *Answer {
				t.Helper()
				var answers []*Answer
				s.DoAt(context.Background(), AtLine{command, path, line}, func(a *Answer) { answers = append(answers, a) })
				if len(answers) != 1 || strings.Contains(*answers[0].Command, "\n") {
					t.Fatalf("%d answers, to %q", len(answers), *answers[0].Command)
				}
				return answers[0]
			}
			for line := 1; line <= 2; line++ {
				a := at("break", line)
				if said, _ := a.Text(Said); a.Err != nil || strings.Contains(said, "\n") || !strings.HasPrefix(said, "Breakpoint ") {
					t.Fatalf("%q, %v", said, a.Err)
				}
			}
			at("clear", 1)
			if list := s.Breakpoints(); len(list) != 1 || list[0].File != path || list[0].Line != 2 || strings.Contains(list[0].Describe(), "\n") {
				t.Errorf("%+v", list)
			}
			if got := run(s, ""); len(s.Breakpoints()) != 1 {
				t.Errorf("an empty line repeats it: %s", got)
			}
			if a := at("clear", 1); a.Err == nil || a.Err.Kind != NotFound || strings.Contains(a.Err.Message, "\n") {
				t.Errorf("%v", a.Err)
			}
			if a := at("advance", 1); !a.Done {
				t.Errorf("at %+v", s.Position())
			}
			resumed, a := resume(t, dir, newFake(t))
			if a.Err != nil || resumed.Position() != s.Position() || len(resumed.Breakpoints()) != 1 || resumed.Breakpoints()[0].File != path {
				t.Errorf("resumed at %+v with %+v; %v", resumed.Position(), resumed.Breakpoints(), a.Err)
			}
		})
	}
}

// It is no answer to what the session waits for.
func TestAtLineAnswersNothing(t *testing.T) {
	s := open(t, newFake(t))
	s.First(context.Background())
	run(s, "b 3", "clear")
	s.DoAt(context.Background(), AtLine{"break", fakePath, 4}, func(a *Answer) {
		if a.Err == nil || a.Err.Kind != Refused || a.Waiting != ForConfirmation {
			t.Errorf("%+v, %v", a, a.Err)
		}
	})
	if len(s.Breakpoints()) != 1 {
		t.Errorf("%+v", s.Breakpoints())
	}
}
