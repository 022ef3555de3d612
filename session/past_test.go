package session_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/query"
	"github.com/npdb/npdb/trace/statetree"
)

// TestLast checks that last shows where a name was changed, by which line and how to go
// there. An empty line goes further back, and nothing moves.
func TestLast(t *testing.T) {
	s := open(t, newFake(t))
	run(s, "goto 18")
	said := run(s, "last i", "", "", "")
	for _, want := range []string{
		"i: 1 -> 2\n> /src/prog.py(5)<module>()\n-> for i in range(3):\ngoto 13 goes to that line, goto 14 after it\n",
		"i: 0 -> 1\n> /src/prog.py(5)<module>()\n-> for i in range(3):\ngoto 7 goes to that line, goto 8 after it\n",
		"i: no value -> 0\n> /src/prog.py(5)<module>()\n-> for i in range(3):\ngoto 1 goes to that line, goto 2 after it\n",
		"*** i has no change before that\n",
	} {
		var ok bool
		if _, said, ok = strings.Cut(said, want); !ok {
			t.Fatalf("want %q in %q", want, said)
		}
	}
	if s.Position().Event != 18 {
		t.Errorf("last moved to %+v", s.Position())
	}
	run(s, "goto 17")
	if said := run(s, "last y"); !strings.HasPrefix(said, "y: no value -> 3\n> /src/prog.py(2)f()") {
		t.Errorf("in f: %q", said)
	}
	if said := run(s, "last i"); !strings.Contains(said, "i: 1 -> 2") {
		t.Errorf("a global, seen from f: %q", said)
	}
	if said := run(s, "up", "last y"); !strings.Contains(said, "y has no value here, and had none before in <module>") {
		t.Errorf("a name of f in the module: %q", said)
	}
	for command, want := range map[string]string{
		"last": "Usage: last EXPRESSION", "last i ===": "SyntaxError", "last [i for i in ()]": "What can be followed is a name",
		"history": "Usage: history", "find": "Usage: find", "find -r": "Usage: find",
	} {
		if said := run(s, command); !strings.Contains(said, want) {
			t.Errorf("%s: %q", command, said)
		}
	}
}

// TestHistory checks that history lists all values with their places and marks the current
// one. More than a page is shown in parts, and JSON has all.
func TestHistory(t *testing.T) {
	s := open(t, newFake(t), func(c *session.Config) { c.Draws = true })
	run(s, "goto 100%", "c", "goto 10")
	said := run(s, "history i")
	want := "i has had 3 values\n▁▅█\n   2  0  by prog.py:5\n>  8  1  by prog.py:5\n  14  2  by prog.py:5\n"
	if said != want {
		t.Errorf("got %q, want %q", said, want)
	}
	run(s, "goto 17")
	if said := run(s, "history y"); !strings.HasPrefix(said, "y in f has had 1 value\n") {
		t.Errorf("a name of a function: %q", said)
	}
	run(s, "goto 10", "history i")
	var a *session.Answer
	s.Line(context.Background(), "history i", func(answer *session.Answer) { a = answer })
	if a.Err == nil {
		t.Error("history again goes on before the first value")
	}
	s.Line(context.Background(), "history -a i", func(answer *session.Answer) { a = answer })
	var got struct {
		Changes []struct {
			Event    int
			Old, New *string
			By       struct {
				Event, Line    int
				File, Function string
			}
		}
	}
	if err := json.Unmarshal(frontend.EncodeAnswer(a), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Changes) != 3 || got.Changes[0].Old != nil || *got.Changes[2].Old != "1" || *got.Changes[2].New != "2" ||
		got.Changes[2].Event != 14 || got.Changes[2].By.Event != 13 || got.Changes[2].By.Line != 5 || got.Changes[2].By.File != "prog.py" {
		t.Errorf("%+v", got.Changes)
	}
}

// TestHistoryRows checks that the places are aligned in a column, and that long values
// show what changed.
func TestHistoryRows(t *testing.T) {
	s := open(t, newFake(t))
	found := func(texts ...string) (out []session.Change) {
		for i, text := range texts {
			c := session.Change{Event: 9 + i, New: query.Reading{Text: text, OK: true}}
			if i > 0 {
				c.Old = out[i-1].New
			}
			c.By = statetree.StackFrame{Frame: dsl.Frame{File: "prog.py", Line: i + 1, Function: "f"}}
			out = append(out, c)
		}
		return out
	}
	list := "[" + strings.Repeat("1, ", 50)
	for _, c := range []struct {
		values []string
		want   string
	}{
		{[]string{"7", "'日本'"}, "   9  7       by prog.py:1 in f\n  10  '日本'  by prog.py:2 in f"},
		{
			[]string{list + "2]", list + "2, 3]"},
			"   9  [1, 1, 1, 1, 1, 1, 1, 1, 1… +127 chars  by prog.py:1 in f\n  10  …1, 1, 2, 3] +145 chars                 by prog.py:2 in f",
		},
	} {
		values := found(c.values...)
		text := s.HistoryText("xs", values)
		if _, got, _ := strings.Cut(text, "\n"); strings.ReplaceAll(got, ">", " ") != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// TestHistoryOfAll checks that all values are listed, also after a page has shown the
// first ones.
func TestHistoryOfAll(t *testing.T) {
	s := open(t, newFake(t))
	run(s, "goto 100%", "goto 10")
	want := run(s, "history i")
	if said := run(s, "history -a i"); said != want {
		t.Errorf("got %q, want %q", said, want)
	}
}

// TestPastInterrupted checks that an interrupted search makes no claim about what it has
// not seen.
func TestPastInterrupted(t *testing.T) {
	s := open(t, newFake(t))
	run(s, "goto 100%", "goto 20")
	s.Stop()
	for name, command := range map[string]session.Command{"last": session.LastChange{Expression: "i == 7"}, "history": session.ValueHistory{Expression: "i == 7"}} {
		if err := s.RunNow(t.Context(), command); err == nil || !strings.Contains(err.Error(), "Interrupted") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFind checks that find goes to the next line at which a condition is true, or with -r
// to the last one. If there is none it stays, and says so.
func TestFind(t *testing.T) {
	s := open(t, newFake(t))
	run(s, "goto 21", "goto 0")
	for _, step := range []struct {
		command string
		event   int
	}{
		{"find x == 1", 10},
		{"find x == 1", 11},
		{"find i == 2 and y == 3", 17},
		{"find -r x == 0", 5},
		{"find -r x == 0", 4},
		{"find -r x == 0", 4},
		{"find -r nowhere.at.all", 4},
	} {
		if said := run(s, step.command); s.Position().Event != step.event {
			t.Errorf("%s leads to event %d, want %d: %s", step.command, s.Position().Event, step.event, said)
		}
	}
	const none = "nowhere.at.all is true at no later line; where it raises, it counts as not true. goto 100% goes to the end.\n"
	if said := run(s, "find nowhere.at.all"); s.Position().Event != 4 || s.Position().End || said != none {
		t.Errorf("at %+v: %q", s.Position(), said)
	}
	if said := run(s, "find -r x == 0"); !strings.Contains(said, "No earlier event ends this move (rewind goes to the first state).") {
		t.Errorf("%q", said)
	}
}

func TestSparkline(t *testing.T) {
	for want, numbers := range map[string][]float64{
		"":         {1, 2},
		"▁▁▁":      {3, 3, 3},
		"▁▅█":      {0, 1, 2},
		"█▁█":      {1e308, -1e308, 1e308},
		"▁▂▃▄▅▆▇█": {0, 1, 2, 3, 4, 5, 6, 7},
	} {
		if got := session.Spark(numbers, session.SparkWidth); got != want {
			t.Errorf("%v: got %s, want %s", numbers, got, want)
		}
	}
	long := make([]float64, 1000)
	for i := range long {
		long[i] = float64(i)
	}
	if got := []rune(session.Spark(long, session.SparkWidth)); len(got) != session.SparkWidth || got[0] != '▁' || got[session.SparkWidth-1] != '█' {
		t.Errorf("a thousand: %s", string(got))
	}
}

// TestHistoryPredicted checks that in neural mode a name is followed through the states
// that led here, not through those of another path, which may be later.
func TestHistoryPredicted(t *testing.T) {
	m := &scripted{replies: []string{
		atCall, itEnds, inF, atY, returnsY, atB,
	}}
	s := neural(t, m, trace.Options{})
	s.First(t.Context())
	run(s, "n", "c", "back", "s", "s", "r", "n")
	const among = "(among the states that the model was asked for"
	if said := run(s, "history a"); !strings.HasPrefix(said, "a has had 1 value\n> 6  3  by prog.py:3 in f\n"+among) {
		t.Errorf("history a: %q", said)
	}
	if said := run(s, "last a", ""); !strings.HasPrefix(said, "a: no value -> 3\n") || !strings.Contains(said, "a has no change before that") {
		t.Errorf("last a: %q", said)
	}
	run(s, "goto #3")
	if !s.Position().End {
		t.Fatalf("at %+v, not at the end that was shown", s.Position())
	}
	if said := run(s, "history a"); !strings.Contains(said, "The program is over") {
		t.Errorf("history a at an end before what was shown last: %q", said)
	}
	if said := run(s, "history a.b"); !strings.Contains(said, "The program is over") {
		t.Errorf("history a.b: %q", said)
	}
}

// TestFindStays checks that a find that finds nothing stays where it was, and reports the lines at
// which its expression is not known.
func TestFindStays(t *testing.T) {
	source := "class P:\n    def __init__(self, x):\n        self.x = x\nps = [P(1)]\nfor i in range(3):\n    ps.append(P(i))\nraise KeyError(ps[0].x)\n"
	s := written(t, source)
	run(s, "b 7", "c", "rewind", "b 5", "c", "cl 2")
	at := s.Position()
	if got := run(s, "find ps[0].x == 7"); !strings.HasSuffix(got, "ps[0].x == 7 is true at no later line; where it raises, it counts as not true. goto 100% goes to the uncaught exception.\n") {
		t.Error(got)
	}
	if s.Position() != at || s.View().Shown != len(s.View().History)-1 {
		t.Errorf("find leads to %+v, want %+v", s.Position(), at)
	}
	for _, command := range []string{"find any(p.x == 7 for p in ps)", "find -r any(p.x == 7 for p in ps)"} {
		got := run(s, command)
		if s.Position() != at || !strings.Contains(got, "any(p.x == 7 for p in ps) is not known, first event ") || !strings.Contains(got, ": it cannot be told from recorded text (.x: a text has no attributes") {
			t.Errorf("%s leads to %+v: %s", command, s.Position(), got)
		}
	}
	if got := run(s, "goto 100%"); !strings.Contains(got, "KeyError") {
		t.Error(got)
	}
}
