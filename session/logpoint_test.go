//go:build unix

package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

const loggedSource = `def double(n):
    twice = n * 2
    return twice

total = 0
for i in range(50):
    total += double(i)
text = "{" + str(total)
print(text)
`

// TestLogpoint checks the recorded hits of logpoints, those that moves pass, and what is refused.
func TestLogpoint(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "doubles.py", loggedSource)})
			check := func(command string, parts ...string) {
				t.Helper()
				said := d.say(command)
				rest := said
				for _, part := range parts {
					var ok bool
					if _, rest, ok = strings.Cut(rest, part); !ok {
						t.Errorf("%s: no %q in\n%s", command, part, said)
					}
				}
			}
			check("logpoint", "There are no logpoints.")
			check(`logpoint 3 "twice={twice} of {n}"`, "Logpoint 1 at", "doubles.py:3: twice={twice} of {n}: no event of this line is recorded")
			check("tbreak 8", "Breakpoint 1")
			check("c", "Logpoint 1, event", ": twice=0 of 0", ": twice=2 of 1", ": twice=38 of 19", "30 more hits of logpoints")
			check("logpoint 3, twice={twice} of {n}", "50 hits, 31 to 50:\n", "  twice=60 of 30\n", "  twice=98 of 49")
			check("rewind", "doubles.py(1)")
			check("logpoint 3, twice={twice} of {n}", "50 hits, 1 to 20:\n", "  twice=0 of 0\n", "  twice=38 of 19", "… 30 later: an empty line shows some")
			check("", "21 to 40", "twice=40 of 20", "… 10 later")
			check("", "41 to 50", "twice=98 of 49")
			check("", "there are no later hits")
			check("logpoint double, {{{n + 1}}} {n = }", "doubles.py:2", "{1} n = 0\n", "{2} n = 1\n")
			check("logpoint 7, {total} {nope} {n}", "0 <NameError: name 'nope'", "<NameError: name 'n'")
			check("logpoint 7, {'}' + 'x'}", "  '}x'\n")
			check("logpoint 9", "doubles.py:9: no event")
			check("logpoint 1", "1 hit:\n> 0")
			check("logpoint", "Logpoint 1 at", "Logpoint 2 at", "Logpoint 3 at", "Logpoint 4 at")
			check("logpoint -d 2", "Deleted logpoint 2 at")
			check("logpoint -d 2", "There is no logpoint 2")
			check("logpoint -d", "Deleted logpoint 1 at")
			check("logpoint", "There are no logpoints.")
			for command, want := range map[string]string{
				"logpoint 3, {":      "{ without a }",
				"logpoint 3, }":      "} without a {",
				"logpoint 3, {}":     "holds no expression",
				"logpoint 3, {n +}":  "n +",
				"logpoint nowhere":   "not a function",
				"logpoint -d x":      "Usage: logpoint",
				"logpoint x.py:y, n": "Bad lineno",
			} {
				check(command, "*** ", want)
			}
		})
	}
}

// TestLogpointJSON checks the hits in JSON, and that a line of many values stays one line.
func TestLogpointJSON(t *testing.T) {
	python := pythons.Usual(t)
	d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "doubles.py", loggedSource)})
	d.say("tbreak 8", "c")
	var b strings.Builder
	shown := frontend.NewJSON(&b)
	d.say(`logpoint 2 "{n} {nope}"`)
	if err := shown.Show(d.last); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `"expression": "n"`); n != 50 {
		t.Errorf("%d hits in %s", n, b.String())
	}
	for _, want := range []string{`"text": "49 <NameError`, `"value": "49"`, `"value": null, "error": "NameError`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
	if d.say("logpoint"); len(d.last.Hits) > 0 {
		t.Errorf("a list of logpoints has hits %v", d.last.Hits)
	}
}
