//go:build unix

package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestUnrecordedAttributes checks that all commands give the same reason why an attribute is not known
// before the live edge.
func TestUnrecordedAttributes(t *testing.T) {
	const source = "import os\nclass L(list): pass\nclass S(str): pass\nclass D(dict): pass\nl, s, d = L([1]), S('x'), D()\n" +
		"l.name = s.name = d.name = 1\ndef f(): pass\nf.name = 1\nn = 1\nn = 2\n"
	s := written(t, source)
	run(s, "b 10", "c", "n", "rs")
	breakpoint := 1
	for expr, reason := range map[string]string{
		"l.name": "only the elements of L are recorded, not its attributes",
		"d.name": "only the elements of D are recorded, not its attributes",
		"s.name": "only the text of S is recorded, not its attributes",
		"f.name": "only the text of <function f> is recorded, not its attributes",
		"os.sep": "no line of os is recorded (only modules of user code are), so the values of its names are not known",
	} {
		for _, command := range []string{"p ", "pp ", "provenance ", "history ", "last ", "watch ", "display "} {
			got := strings.TrimPrefix(run(s, command+expr), "*** Cannot watch ")
			if got = strings.TrimPrefix(got, "display "+expr+": ** raised "); !strings.HasPrefix(strings.TrimPrefix(got, "*** "), expr+": "+reason) {
				t.Errorf("%s%s: %q, want the reason %q", command, expr, got, reason)
			}
			run(s, "undisplay "+expr)
		}
		run(s, "b 9, "+expr+" == 1")
		if got := run(s, "rc"); !strings.Contains(got, reason) {
			t.Errorf("a breakpoint with the condition %s == 1: %q, want the reason %q", expr, got, reason)
		}
		breakpoint++
		run(s, fmt.Sprintf("cl %d", breakpoint), "goto 100%", "rs")
	}
}

// TestModuleAttributes checks that attributes of a module of user code have the values of the current event.
func TestModuleAttributes(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "settings.py", "base = 3\nlimit = base\ndef raised(by):\n    global limit\n    limit = by\n")
			main := write(t, dir, "main.py", "import settings\nsize = 8\nsettings.raised(size)\nx = settings.limit\nsettings.limit = 1\nend = 0\nend = 1\n")
			d := debug(t, python, trace.Options{Script: main})
			d.say("b 7", "c", "n", "rs")
			for command, want := range map[string]string{
				"p settings.limit":          "1",
				"p settings.limit + 1":      "2 (from what was recorded)",
				"p settings.nope":           "*** settings.nope: settings has no name nope here",
				"provenance settings.base":  "assignment  settings.py:1",
				"provenance x":              "parameter   main.py:3",
				"history settings.limit":    "main.py:5",
				"last settings.limit":       "settings.limit: 8 -> 1",
				"find -r settings.limit==3": "main.py(3)",
			} {
				if got := d.say(command); !strings.Contains(got, want) {
					t.Errorf("%s: %q, want %q", command, got, want)
				}
				if strings.HasPrefix(command, "last") || strings.HasPrefix(command, "find") {
					d.say("goto 100%", "rs")
				}
			}
		})
	}
}
