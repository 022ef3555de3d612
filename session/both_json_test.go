package session_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
)

// TestBothJSON checks the JSON answers in the mode both: state is the prediction, real is
// CPython's state, and each answer has verdicts and score.
func TestBothJSON(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, declines}}
	s, _ := bothModes(t, m)
	answers := []*session.Answer{s.First(context.Background())}
	for _, command := range []string{"s", "s", "p i", "back", "nonsense(", "s", "goto 0"} {
		answers = append(answers, do(s, command))
	}
	const diverged = `{"v": 1, "seq": 2, "command": "s", "action": "step_into", "origin": "predicted", "done": false, "boundary": null, "post_mortem": false, "horizon": 1, "error": null, ` +
		`"state": {"event": "line", "kind": null, "file": "prog.py", "line": 6, "source": "    f(i)", "function": "<module>", "depth": 0, "locals": {"i": "1"}, "value": null}, ` +
		`"stack": [{"function": "<module>", "file": "prog.py", "line": 6}], "output": [], "result": null, "visit": 3, "parent": 2, "confidence": 0.75, ` +
		`"real": {"state": {"event": "line", "kind": null, "file": "prog.py", "line": 6, "source": "    f(i)", "function": "<module>", "depth": 0, "locals": {"i": "0"}, "value": null}, ` +
		`"stack": [{"function": "<module>", "file": "prog.py", "line": 6}]}, "guided": false, "referee": "CPython", ` +
		`"verdicts": [{"field": "outcome", "verdict": "same"}, {"field": "event", "verdict": "same"}, {"field": "line", "verdict": "same"}, {"field": "function", "verdict": "same"}, ` +
		`{"field": "stack", "verdict": "same"}, {"field": "local", "name": "i", "verdict": "differs", "predicted": "1", "real": "0"}], "score": {`
	if got := string(frontend.EncodeAnswer(answers[2])); !strings.HasPrefix(got, diverged) {
		t.Errorf("%s\nwant\n%s", got, diverged)
	}
	for i, a := range answers {
		raw := frontend.EncodeAnswer(a)
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Fatalf("answer %d: %v\n%s", i, err, raw)
		}
		for _, name := range []string{"real", "verdicts", "score", "guided"} {
			if fields[name] == nil {
				t.Errorf("answer %d lacks %s: %s", i, name, raw)
			}
		}
		var score struct {
			Tallies []struct {
				Measure string
				N, Same int
			}
		}
		if err := json.Unmarshal(fields["score"], &score); err != nil {
			t.Fatal(err)
		}
		moves, right := 0, 0
		for _, tally := range score.Tallies {
			if tally.Measure == "state" {
				moves, right = moves+tally.N, right+tally.Same
			}
		}
		want := [][2]int{{0, 0}, {1, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 1}}[i] // the last s was answered from the cache
		if moves != want[0] || right != want[1] {
			t.Errorf("answer %d: %d of %d right, want %v", i, right, moves, want)
		}
	}
}

// TestBothPlain checks the sentence below the place in the plain front end.
func TestBothPlain(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, noState, declines}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	for _, want := range []string{
		"\n-> for i in range(3):\nprediction matches\n",
		"\n-> f(i)\nmispredicted: i = 1, actually 0\n",
		"\n-> def f(x):\nno prediction: The reply is no state: ",
		"\n-> y = x + 1\nmispredicted: no answer, actually a state\n",
	} {
		if got := plainText(t, do(s, "s")); !strings.Contains(got, want) {
			t.Errorf("%s\nwithout %s", got, want)
		}
	}
	for command, want := range map[string]string{
		"score":       "First divergence: line 6 of prog.py, i = 1, actually 0, after 1 move.",
		"walk":        "free: the model goes on from what it said itself",
		"resync":      "The model stands where CPython does.",
		"walk sloppy": "***",
	} {
		if got := run(s, command); !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwithout %s", command, got, want)
		}
	}
}
