package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/trace"
)

const gcdSource = `def gcd(a, b):
    while b:
        r = a % b
        a = b
        b = r
    return a


def check(n, *rest, key=None):
    if n < 0:
        raise ValueError(n)
    return key


print(gcd(12, 8))
`

// text returns a pointer to a value.
func text(s string) *string { return &s }

// locals formats a state's locals; a name whose value is unknown has none.
func locals(st *dsl.State) string {
	var parts []string
	for _, l := range st.Locals {
		switch {
		case l.Unknown:
			parts = append(parts, l.Name)
		case !l.Hidden:
			parts = append(parts, l.Name+"="+l.Value)
		}
	}
	return strings.Join(parts, " ")
}

// TestBeginAnywhere checks the first state of sessions that begin in the middle of a program.
func TestBeginAnywhere(t *testing.T) {
	value := func(pairs ...string) (out []trace.BeginningLocal) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, trace.BeginningLocal{Name: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	one := func(f trace.BeginningFrame) []trace.BeginningFrame { return []trace.BeginningFrame{f} }
	for _, c := range []struct {
		name  string
		begin trace.Beginning
		entry string
		want  string // event, function:line, locals, stack
		fails string
	}{
		{name: "a line without locals", begin: trace.Beginning{Frames: one(trace.BeginningFrame{Line: 4})}, want: "line gcd:4 [a b r] [gcd:4]"},
		{
			name:  "locals in the order of the function",
			begin: trace.Beginning{Frames: one(trace.BeginningFrame{Line: 4, Locals: value("r", "4", "a", "12"), Complete: true})}, want: "line gcd:4 [a=12 b r=4] [gcd:4]",
		},
		{
			name:  "complete locals leave only parameters unknown",
			begin: trace.Beginning{Frames: one(trace.BeginningFrame{Line: 2, Locals: value("b", "4"), Complete: true})}, want: "line gcd:2 [a b=4] [gcd:2]",
		},
		{name: "the line of a def", begin: trace.Beginning{Frames: one(trace.BeginningFrame{Line: 9})}, want: "line <module>:9 [] [<module>:9]"},
		{name: "a line of the module", begin: trace.Beginning{Frames: one(trace.BeginningFrame{Line: 15})}, want: "line <module>:15 [] [<module>:15]"},
		{
			name: "callers", begin: trace.Beginning{Frames: []trace.BeginningFrame{
				{Function: "<module>", Line: 15}, {Function: "<listcomp>"}, {Line: 11, Locals: value("n", "-1")},
			}}, want: "line check:11 [n=-1 key rest] [<module>:15 <listcomp>:0 check:11]",
		},
		{name: "a return", begin: trace.Beginning{Returned: text("4"), Frames: one(trace.BeginningFrame{})}, entry: "gcd(_, 8)", want: "return gcd:6 [a b r] [gcd:6] 4"},
		{
			name: "an exception", begin: trace.Beginning{Raised: text("ValueError(-1)"), Frames: one(trace.BeginningFrame{})}, entry: "check(_)",
			want: "exception check:11 [n key rest] [check:11] ValueError(-1)",
		},
		{
			name: "an exception of another line", begin: trace.Beginning{Raised: text("KeyError(1)"), Frames: one(trace.BeginningFrame{})}, entry: "check(_)",
			fails: "The session cannot begin there: no raise statement of check names KeyError; add --at LINE, the line that raised it",
		},
		{
			name: "a blank line", begin: trace.Beginning{Frames: one(trace.BeginningFrame{Line: 7})},
			fails: "The session cannot begin there: line 7 of prog.py holds no statement that can be the next to run",
		},
		{name: "no such line", begin: trace.Beginning{Frames: one(trace.BeginningFrame{Line: 99})}, fails: "The session cannot begin there: prog.py has no line 99, it ends at line 15"},
		{
			name: "another function's line", begin: trace.Beginning{Frames: one(trace.BeginningFrame{Function: "gcd", Line: 11})},
			fails: "The session cannot begin there: line 11 of prog.py is not in gcd",
		},
		{name: "no such file", begin: trace.Beginning{Frames: one(trace.BeginningFrame{File: "other.py", Line: 1})}, fails: "The session cannot begin there: open other.py: no such file or directory"},
		{name: "no such function", begin: trace.Beginning{Returned: text("4"), Frames: one(trace.BeginningFrame{})}, entry: "lcm(_)", fails: "The session cannot begin there: prog.py defines no function lcm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := trace.Options{Script: scriptOf(t, gcdSource), Begin: &c.begin, Entry: c.entry}
			if c.fails != "" {
				if _, err := interpreted(t.Context(), neuralConfig(&scripted{t: t}, o)); err == nil || err.Error() != c.fails {
					t.Errorf("the error is %v\nwant %s", err, c.fails)
				}
				return
			}
			a := neuralIn(t, &scripted{}, o, "", journal.Filled{}).First(t.Context())
			if a.Err != nil {
				t.Fatal(a.Err)
			}
			var stack []string
			for _, f := range a.Stack {
				stack = append(stack, fmt.Sprintf("%s:%d", f.Function, f.Line))
			}
			got := fmt.Sprintf("%s %s:%d [%s] %v", a.State.Event, a.State.Function, a.State.Line, locals(a.State), stack)
			if a.State.Value != nil {
				got += " " + *a.State.Value
			}
			if got != c.want || a.Origin != dsl.Given {
				t.Errorf("%s\nit begins at %s\nwant         %s", a.Origin, got, c.want)
			}
		})
	}
}

// TestBeginInAClass checks that a line of a class body is one of the class, as in CPython.
func TestBeginInAClass(t *testing.T) {
	at := trace.Beginning{Frames: []trace.BeginningFrame{{Line: 3, Locals: []trace.BeginningLocal{{Name: "x", Value: "1"}}}}}
	script := scriptOf(t, "class A:\n    x = 1\n    y = x + 1\n")
	a := neuralIn(t, &scripted{}, trace.Options{Script: script, Begin: &at}, "", journal.Filled{}).First(t.Context())
	if a.Err != nil || a.State.Function != "A" || locals(a.State) != "x=1" {
		t.Errorf("it begins in %+v, %v", a.State, a.Err)
	}
}

// TestNeuralRefusesFiles checks that neural mode refuses what Python does not run as a program: a source
// in an undeclared encoding, and a folder without a program.
func TestNeuralRefusesFiles(t *testing.T) {
	script := scriptOf(t, "x = 1\ny = '\xe9'\n")
	folder := t.TempDir()
	for path, want := range map[string]string{
		script: "prog.py does not parse: line 2: SyntaxError: the byte 0xe9 is not UTF-8, and no encoding is declared; a line such as # coding: latin-1 at the top declares one",
		folder: folder + " is a directory without a __main__.py, not a program",
	} {
		if _, err := interpreted(t.Context(), neuralConfig(&scripted{t: t}, trace.Options{Script: path})); err == nil || err.Error() != want {
			t.Errorf("the error is %v\nwant %s", err, want)
		}
	}
}

// TestBeginOfAnotherVersion checks that npdb says that an exception's message is of another version of
// Python than the one by which it follows the program.
func TestBeginOfAnotherVersion(t *testing.T) {
	at := trace.Beginning{Raised: text("ValueError('max() arg is an empty sequence')"), Frames: []trace.BeginningFrame{{Line: 2}}}
	script := scriptOf(t, "def f(x):\n    return max(x)\n")
	const told = "Python 3.12 words this exception otherwise, so no past may lead to it. --python-version names the version that printed it."
	for minor, says := range map[int]bool{11: false, 12: true} {
		cfg := neuralConfig(&scripted{t: t}, trace.Options{Script: script, Begin: &at})
		cfg.Neural.Python = python.Version{Major: 3, Minor: minor}
		got, _ := opens(t, cfg).First(t.Context()).Text(session.Notice)
		if strings.Contains(got, told) != says || !says && strings.Contains(got, "words this exception") {
			t.Errorf("Python 3.%d: it says %q", minor, got)
		}
	}
}

// TestUnknownLocals checks that a value that nobody gave is shown as unknown, is not sent to the
// model, and stays unknown until the user or the model gives it.
func TestUnknownLocals(t *testing.T) {
	at := trace.Beginning{Frames: []trace.BeginningFrame{{Line: 2, Locals: []trace.BeginningLocal{{Name: "b", Value: "8"}}}}}
	m := &scripted{replies: []string{
		`<|line_sep|>{"b": ".."}<|action_sep|>3|        r = a % b` + "\n<|frame_sep|>",
		`<|call_sep|>{"b": "8"}<|action_sep|>1|def gcd(a, b):` + "\n<|frame_sep|>",
	}}
	s := neuralIn(t, m, trace.Options{Script: scriptOf(t, gcdSource), Begin: &at}, "", journal.Filled{})
	first := s.First(t.Context())
	if line := string(frontend.EncodeAnswer(first)); !strings.Contains(line, `"locals": {"b": "8"}`) || !strings.Contains(line, `"unknown": ["a", "r"]`) {
		t.Errorf("programs read\n%s", line)
	}
	answers(t, s,
		"args", "a = *** unknown ***\nb = 8",
		"p b", "8",
		"p a", "*** a: its value is unknown: the session began here without it (!a = VALUE sets it)",
		"p a + b", "*** a + b: a: its value is unknown: the session began here without it (!a = VALUE sets it)",
	)
	a := do(s, "s")
	if got := locals(a.State); got != "b=8 a r" {
		t.Errorf("after a step the locals are %s", got)
	}
	prompt, _ := m.asked[0].At.Prompt(m.asked[0].Action)
	if strings.Contains(prompt, `"a"`) || !strings.Contains(prompt, `{"b": "8"}<|action_sep|>2|`) {
		t.Errorf("the model reads\n%s", prompt)
	}
	run(s, "!a = 12")
	answers(t, s, "p a % b", "4 (from predicted text)")
	if a = do(s, "rf"); a.Err != nil || a.State.Event != dsl.Call || a.Origin != dsl.Inferred {
		t.Errorf("backwards from the first state: %v %v", a.State, a.Err)
	}
}

// TestNamesChangeNothing checks that evaluating an expression in a function, whose locals hide names of
// the module, leaves the module's state as it is.
func TestNamesChangeNothing(t *testing.T) {
	frames := []trace.BeginningFrame{
		{Function: "<module>", Line: 15, Locals: []trace.BeginningLocal{{Name: "a", Value: "'module'"}, {Name: "z", Value: "7"}}},
		{Line: 4, Locals: []trace.BeginningLocal{{Name: "a", Value: "12"}, {Name: "b", Value: "8"}, {Name: "r", Value: "4"}}},
	}
	s := neuralIn(t, &scripted{}, trace.Options{Script: scriptOf(t, gcdSource), Begin: &trace.Beginning{Frames: frames}}, "", journal.Filled{})
	s.First(t.Context())
	answers(t, s, "p a, z", "(12, 7) (from predicted text)")
	do(s, "up")
	answers(t, s, "p a, z", "('module', 7) (from predicted text)", "p b", "*** NameError: name 'b' has no value here (from predicted text)")
}

// TestBeginIsResumed checks that a session that began in the middle of a program is resumed there.
func TestBeginIsResumed(t *testing.T) {
	dir, script := t.TempDir(), scriptOf(t, gcdSource)
	o := trace.Options{Script: script, Entry: "gcd(_, 8)", Begin: &trace.Beginning{Returned: text("4"), Frames: []trace.BeginningFrame{{}}}}
	m := &scripted{replies: []string{`<|call_sep|>{"a": "12", "b": "8"}<|action_sep|>1|def gcd(a, b):` + "\n<|frame_sep|>"}}
	s := neuralIn(t, m, o, dir, journal.Filled{})
	s.First(t.Context())
	if a := do(s, "rf"); a.Err != nil || locals(a.State) != "a=12 b=8" {
		t.Fatalf("rf leads to %v: %v", a.State, a.Err)
	}
	j, err := journal.Find(dir, trace.Options{Script: script})
	if err != nil {
		t.Fatal(err)
	}
	again := neuralIn(t, &scripted{}, j.Options(trace.Options{Script: script}), dir, j.Header.Filled)
	if a := again.Resume(t.Context(), j); a.Err != nil || locals(a.State) != "a=12 b=8" || a.Origin != dsl.Inferred {
		t.Errorf("resumed at %v: %v", a.State, a.Err)
	}
}
