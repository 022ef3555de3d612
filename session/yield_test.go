package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

const yieldSource = `def last(mark):
    score = mark + 1
    return score

history = [1, 2]
x = last(3)
print(x)
`

// yielding opens a session on yieldSource in real mode.
func yielding(t *testing.T, more ...func(*session.Config)) *command.Interpreter {
	t.Helper()
	c := session.Config{Options: programOf(t, pythons.Any(t), yieldSource), Start: session.StartTrace, Mode: session.Real}
	c.Options.Stdin = strings.NewReader("")
	for _, m := range more {
		m(&c)
	}
	return started(t, c)
}

// lineWanted is a line and a part of what npdb prints for it, "" for nothing.
type lineWanted struct{ line, want string }

func wantTyped(t *testing.T, s *command.Interpreter, lines []lineWanted) {
	t.Helper()
	for _, l := range lines {
		if got := run(s, l.line); !strings.Contains(got, l.want) || l.want == "" && got != "" {
			t.Errorf("%s: %s, want %s", l.line, got, l.want)
		}
	}
}

// TestYieldLive checks, at the live edge, which lines are commands and which are Python.
func TestYieldLive(t *testing.T) {
	s := yielding(t)
	s.First(t.Context())
	wantTyped(t, s, []lineWanted{
		{"history", "Argument is required"}, // no name yet
		{"score = 7", ""},
		{"score", "7"},
		{"del score", ""},
		{"score", "side-by-side"},
		{"n", "-> history = [1, 2]"},
		{"n", "-> x = last(3)"},
		{"history", "[1, 2]"},
		{"history [0]", "1"},
		{"history [0] = 4", ""},
		{"::history history", "[4, 2]"},
		{"history x", "x has no value here"},
		{"last", "<function last"},
		{"last (5)", "6"},
		{"last history", "[4, 2]"},
		{"s", "--Call--"},
		{"s", "-> score = mark"},
		{"mark", "3"},
		{"rs = 3", ""},
		{"rs", "3"},
		{"::rs", "--Call--"},
		{"s", "-> score = mark"},
		{"::x = 3", "::x = 3 is no command (help lists them)"},
		{"::", ":: is no command"},
		{"list = 3", "Error in argument: '= 3'"}, // as in pdb
		{"alias history p 'alias'", ""},
		{"history", "'alias'"},
		{"alias", "history = p 'alias'"},
	})
}

// TestYieldRecorded checks the same before the live edge, where only recorded names are known, and
// at the end, where no frame is.
func TestYieldRecorded(t *testing.T) {
	s := yielding(t)
	s.First(t.Context())
	run(s, "c")
	wantTyped(t, s, []lineWanted{
		{"history", "Argument is required"}, // the program is over
		{"rs", "--Return--"},
		{"history", "[1, 2]"},
		{"last", "<function last"},
		{"goto 4", "-> score = mark + 1"},
		{"mark", "3"},
		{"history", "[1, 2]"},
		{"score", "side-by-side"},
		{"rewind", "-> def last(mark):"},
		{"history", "Argument is required"},
	})
}

// TestYieldNeural checks the same in neural mode, whose states do not show functions.
func TestYieldNeural(t *testing.T) {
	path := write(t, t.TempDir(), "prog.py", "from os import *\nimport find\ndef rewind():\n    return 1\nback = 2\n")
	s := neural(t, &scripted{}, trace.Options{Script: path})
	s.First(context.Background())
	wantTyped(t, s, []lineWanted{
		{"back", "No state was shown before"}, // the command: back has no value yet
		{"output", ""},                        // the command, although os may have this name
		{"rewind", "it is a function, a class or an import"},
		{"find", "it is a function, a class or an import"},
		{"score = 7", ""},
		{"score", "7"},
	})
}

// TestYieldTold checks that npdb tells once per session that a word is not the command.
func TestYieldTold(t *testing.T) {
	s := yielding(t)
	s.First(t.Context())
	run(s, "n 2")
	if got, want := run(s, "history"), "[1, 2]"; !strings.Contains(got, want) || !strings.Contains(got, "history is a name here; ::history is npdb's command.") {
		t.Errorf("first: %s", got)
	}
	if got := run(s, "history", "last"); strings.Contains(got, "npdb's command") {
		t.Errorf("again: %s", got)
	}
	s = yielding(t)
	s.First(t.Context())
	if got := run(s, "history = 7"); got != "" {
		t.Errorf("an assignment: %s", got)
	}
}

// TestYieldComplete checks that a line is completed as what it is: a command or Python.
func TestYieldComplete(t *testing.T) {
	s := yielding(t)
	s.First(t.Context())
	run(s, "n 2")
	for _, tt := range []struct {
		line string
		from int
		want []string
	}{
		{"::hist", 2, []string{"history"}},
		{":hist", 1, []string{"history"}},
		{"::histx", 2, nil},
		{"::info thr", 7, []string{"threads"}},
		{"info thr", 5, []string{"threads"}},
		{"info = hist", 7, []string{"history"}},
		{"goto = hist", 7, []string{"history"}},
		{"goto hist", 5, nil},
		{"peek re", 5, []string{"return", "reverse-continue", "reverse-finish", "reverse-next", "reverse-step", "reverse-step-block", "reverse-step-function"}},
	} {
		from, words := s.Complete(t.Context(), tt.line)
		if from != tt.from || !slices.Equal(words, tt.want) {
			t.Errorf("%q: from %d: %q, want from %d: %q", tt.line, from, words, tt.from, tt.want)
		}
	}
}

// TestYieldJournal checks that a resumed session runs each line as it was run, whatever names there
// are then, and that a command given by a key does not yield.
func TestYieldJournal(t *testing.T) {
	var c session.Config
	s := yielding(t, func(now *session.Config) {
		now.StateDir = t.TempDir()
		c = *now
	})
	s.First(t.Context())
	run(s, "n 2", "back", "forth", "back = 3", "back", "::back")
	if a := s.Do(t.Context(), session.Revisit{By: +1}); a.Err != nil || a.State.Line != 6 {
		t.Fatalf("forth by its key: %+v", a)
	}
	j, err := journal.Find(c.StateDir, c.Options)
	if err != nil {
		t.Fatal(err)
	}
	again := yielding(t, func(now *session.Config) {
		now.Options = c.Options
		now.Options.Stdin = strings.NewReader("")
	})
	if a := again.Resume(t.Context(), j); a.Err != nil || a.State.Line != 6 || len(j.Steps) != 7 {
		t.Errorf("%d commands: %+v", len(j.Steps), a)
	}
	if got := run(again, "p back"); got != "3\n" {
		t.Errorf("back is %s", got)
	}
}
