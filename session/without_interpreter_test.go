package session_test

import (
	"testing"

	"github.com/npdb/npdb/session"
)

// Without an interpreter names are shown, and what has to be read as Python is taken as
// it is or refused.
func TestWithoutAnInterpreter(t *testing.T) {
	s := open(t, newFake(t), func(c *session.Config) { c.Evaluator = nil })
	s.First(t.Context())
	const only = ": only recorded names can be shown" + behind
	answers(t, s,
		"s 15", "--Call--\n> PROG(1)f()\n-> def f(x):",
		"b 2", "Breakpoint 1 at PROG:2",
		"b 3, x ===", "Breakpoint 2 at PROG:3",
		"b 4", "*** Blank or comment",
		"b f", "*** The specified object 'f' is not a function or was not found along sys.path.",
		"goto 10", "> PROG(2)f()\n-> y = x + 1",
		"p x", "1",
		"p i", "1 (from recorded text of <module>, line 6)",
		"p min(x, 2)", "*** min(x, 2)"+only,
		"pp x", "*** x"+only,
		"whatis x", "*** x"+only,
		"source f", "*** source f: there is no interpreter to read the source with"+behind,
		"ll", "  1  \tdef f(x):\n  2 B->\t    y = x + 1\n  3 B\t    return y",
		"display x ===", "display x ===: ** raised x ==="+only+" **",
	)
}
