//go:build unix

package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/trace"
)

const printsSource = `import sys
print("begin")
for i in range(30):
    print("part", end=" ")
    print(i, "of a line")
print("wrong", file=sys.stderr)
print("end", end="")
print()
`

// TestPrinted checks the lines that printed lists, and that their events lead to the lines that printed
// them: for a text, to the part of the line that has it.
func TestPrinted(t *testing.T) {
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "prints.py", printsSource)})
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
			check("printed", "*** The program has printed nothing")
			d.say("tbreak 8", "c")
			check("printed", "33 lines of output, 14 to 33:\n", "  wrong\n", "  end")
			check("printed nothing", "*** No line of the output contains nothing")
			check("printed wrong", "1 line of output with wrong:\n", "  wrong")
			d.say("rewind")
			check("printed", "33 lines of output, 1 to 20:\n", "  begin\n", "  part 0 of a line\n", "… 13 later: an empty line shows some")
			check("", "21 to 33", "end")
			check("", "*** 33 lines of output: there are no later lines")
			for text, line := range map[string]int{"begin": 2, "part 7": 4, "7 of": 5, "wrong": 6, "end": 7} {
				d.say("printed " + text)
				if len(d.last.Printed) == 0 {
					t.Fatalf("%s: %v", text, d.last.Err)
				}
				d.say(fmt.Sprintf("goto %d", d.last.Printed[0].Event))
				if s := d.last.State; s == nil || s.Line != line {
					t.Errorf("%s was printed at %+v, want line %d", text, s, line)
				}
			}
			var b strings.Builder
			d.say("printed wrong")
			if err := frontend.NewJSON(&b).Show(d.last); err != nil || !strings.Contains(b.String(), `"stream": "stderr", "text": "wrong"}]`) {
				t.Errorf("%s %v", b.String(), err)
			}
		})
	}
}
