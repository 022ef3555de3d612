//go:build unix

package session_test

import (
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/trace"
)

// TestExceptionsAreToldByStr checks that exceptions are shown as the interpreter does: by
// str(), with the module of a class unless it is the program's own. Their value stays the
// repr.
func TestExceptionsAreToldByStr(t *testing.T) {
	const source = `import json
class Own(Exception):
    def __init__(self, code): self.code = code
    def __str__(self): return 'code %d' % self.code
class Broken(Exception):
    def __str__(self): raise ValueError
class Loud(Exception):
    def __str__(self): print('told'); return 'x'
class Outer:
    class Inner(Exception): pass
def attempt(f):
    try:
        f()
    except Exception: pass
def raiser(e):
    raise e
attempt(lambda: open('/nope/x.txt'))
attempt(lambda: raiser(Own(7)))
attempt(lambda: json.loads('['))
attempt(lambda: raiser(KeyError('k')))
attempt(lambda: compile('1 +', 'f.py', 'eval'))
attempt(lambda: raiser(Broken()))
attempt(lambda: raiser(Loud('a')))
attempt(lambda: raiser(Outer.Inner('deep')))
attempt(lambda: raiser(ValueError(Own(3), 2)))
attempt(lambda: raiser(Own(1)))
raise Own(9)
`
	attempted := "> prog.py(13)attempt()\n-> f()"
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			syntax := "SyntaxError: invalid syntax"
			if python.Minor < 10 {
				syntax = "SyntaxError: unexpected EOF while parsing"
			}
			o := programOf(t, python.Path, source)
			o.Reprs = trace.ReprsAlways
			wantSaid(t, o,
				"b 13", "Breakpoint 1 at prog.py:13",
				"c", "…", "n", "FileNotFoundError: [Errno 2] No such file or directory: '/nope/x.txt'\n"+attempted,
				"c", "…", "n", "Own: code 7\n"+attempted,
				"c", "…", "n", "json.decoder.JSONDecodeError: Expecting value: line 1 column 2 (char 1)\n"+attempted,
				"$_exception", "JSONDecodeError('Expecting value: line 1 column 2 (char 1)')",
				"c", "…", "n", "KeyError: 'k'\n"+attempted,
				"c", "…", "n", syntax+"\n"+attempted,
				"c", "…", "n", "Broken: <exception str() failed>\n"+attempted,
				"c", "…", "n", "Loud: a\n"+attempted,
				"c", "…", "n", "Outer.Inner: deep\n"+attempted,
				"c", "…", "n", "ValueError: (Own(3), 2)\n"+attempted,
				"c", "…", "n", "Own: code 1\n"+attempted,
				"n", "…", "rn", "Own: code 1\n"+attempted, // recorded
				"goto 100%", "…", "cl 1", "…", "c", "…", "w", "> prog.py(27)<module>()\n-> raise Own(9)",
				"c", "The program finished. Exit code: 1, after Own: code 9\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.",
			)
		})
	}
}

func TestExceptionText(t *testing.T) {
	tests := []struct{ repr, want string }{
		{"ZeroDivisionError('division by zero')", "ZeroDivisionError: division by zero"},
		{"StopIteration()", "StopIteration"},
		{"KeyError('k')", "KeyError: 'k'"},
		{"ValueError(\"it's\")", "ValueError: it's"},
		{`ValueError('a\nb')`, "ValueError: a\nb"},
		{"ValueError('')", "ValueError"},
		{"ValueError(1, 'x')", "ValueError: (1, 'x')"},
		{"ValueError(1)", "ValueError: 1"},
		{"FileNotFoundError(2, 'No such file or directory')", "FileNotFoundError: [Errno 2] No such file or directory"},
		{"ValueError('a', 'b')", "ValueError: ('a', 'b')"},
		{"<odd thing>", "<odd thing>"},
		{"pkg.mod.Odd('x')", "pkg.mod.Odd: x"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := session.ExceptionText(tt.repr); got != tt.want {
			t.Errorf("exceptionText(%q) = %q, want %q", tt.repr, got, tt.want)
		}
	}
}
