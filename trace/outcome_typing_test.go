//go:build unix

package trace_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeTypingInput checks that input() on a terminal stops the move, with the prompt
// on standard output, even if the readline module would read for it. The next line is the
// input.
func TestOutcomeTypingInput(t *testing.T) {
	for name, before := range map[string]string{"plain": "pass", "readline": "import readline", "renamed": "read = input; input = read"} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, before+"\ndef f(q):\n    a = input(q)\n    return a.upper()\n\nx = f('who? ')\ny = f('where? ')\n", onTerminal)
				d.do(dsl.Breakpoint, 6)
				d.do(dsl.StepOver)
				d.wantHere("line 3 f", trace.NeedsInput)
				d.wantPrinted("who? ")
				d.give("me\n", false)
				d.wantHere("line 7 <module>", trace.Landed)
				d.wantLocal("x", "'ME'")

				d.do(dsl.StepInto) // call
				d.do(dsl.StepInto) // line 3
				d.do(dsl.StepInto)
				d.wantHere("line 3 f", trace.NeedsInput)
				d.give("he", false) // not a whole line yet: it still waits
				d.wantHere("line 3 f", trace.NeedsInput)
				d.give("re\n", false)
				d.wantHere("line 4 f", trace.Landed)
				d.wantLocal("a", "'here'")
				d.finish()
				if got := d.printed("stderr"); got != "" {
					t.Errorf("stderr %q", got)
				}
			})
		})
	}
}

// TestOutcomeTypingInputLooks checks that input looks like a built-in function, and that
// its exceptions show nothing of npdb.
func TestOutcomeTypingInputLooks(t *testing.T) {
	const source = `import inspect, pickle, sys, types, copy
print(input, isinstance(input, types.BuiltinFunctionType), inspect.isbuiltin(input), callable(input), input.__name__)
print(pickle.loads(pickle.dumps(input)) is input, copy.deepcopy(input) is input, bool(input.__doc__))
print(list(map(input, 'ab')), sys.stdin.fileno())
try:
    input(1, 2)
except TypeError:
    print(sys.stdin.fileno())
input()
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, onTerminal)
		if err := d.rec.Input("1\n2\n", true); err != nil {
			t.Fatal(err)
		}
		d.do(dsl.Continue)
		d.wantHere("exception 9 <module>", trace.DiedPostMortem)
		d.wantPrinted("<built-in function input> True True True input\nTrue True True\nab['1', '2'] 0\n0\n")
		if got := d.printed("stderr"); strings.Count(got, "  File ") != 1 || !strings.HasSuffix(got, "EOFError: EOF when reading a line\n") {
			t.Errorf("the traceback is %q", got)
		}
	})
}

// TestOutcomeTypingStdin checks that each way to read standard input stops the move, and
// gets the typed input and its end.
func TestOutcomeTypingStdin(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"iteration", "import sys\nprint([line for line in sys.stdin])\n", "['a\\n', 'b\\n', 'c\\n']\n"},
		{"read", "import sys\nprint([sys.stdin.read()])\n", "['a\\nb\\nc\\n']\n"},
		{"raw", "import sys\nprint([sys.stdin.buffer.raw.read(9), sys.stdin.buffer.raw.readall()])\n", "[b'a\\n', b'b\\nc\\n']\n"},
		{"fileinput", "import fileinput\nprint([line for line in fileinput.input()])\n", "['a\\n', 'b\\n', 'c\\n']\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, c.source, onTerminal)
				d.do(dsl.Continue)
				d.wantHere(d.here(), trace.NeedsInput)
				d.give("a\n", false)
				d.wantHere(d.here(), trace.NeedsInput)
				d.give("b\n", false)
				d.wantHere(d.here(), trace.NeedsInput)
				d.give("c\n", true)
				d.wantEnd(0, "")
				d.wantPrinted(c.want)
			})
		})
	}
}

// TestOutcomeTypingAfterTheEnd checks that a program may read again after the end of the
// input.
func TestOutcomeTypingAfterTheEnd(t *testing.T) {
	const source = `try:
    input()
except EOFError:
    print('EOF')
print(input())
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, source, onTerminal)
		d.do(dsl.Continue)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.give("", true)
		d.wantHere("line 5 <module>", trace.NeedsInput)
		d.give("more\n", false)
		d.wantEnd(0, "")
		d.wantPrinted("EOF\nmore\n")
	})
}

// TestOutcomeTypingLongLine checks that a line may be longer than a terminal's buffer, and
// contain everything except its own control characters.
func TestOutcomeTypingLongLine(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "a = input()\nb = input()\nc = input()\nprint(ascii(a), b, c)\n", onTerminal)
		d.do(dsl.Continue)
		d.wantHere("line 1 <module>", trace.NeedsInput)
		d.give(strings.Repeat("0123456789ä\x15\x7f\x16\x17\x13\x11\x1a\x1c", 1500)+"\n", false)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.give("x\r\ny\n", false)
		d.wantEnd(0, "")
		d.wantPrinted("'" + strings.Repeat(`0123456789\xe4\x15\x7f\x16\x17\x13\x11\x1a\x1c`, 1500) + "' x y\n")
	})
}

// TestOutcomeTypingKeys checks that keys reach a program that has left canonical mode.
func TestOutcomeTypingKeys(t *testing.T) {
	const source = `import os, sys, termios, tty
old = termios.tcgetattr(0)
tty.setcbreak(0)
a = sys.stdin.read(1)
tty.setraw(0)
b = os.read(0, 9)
termios.tcsetattr(0, termios.TCSADRAIN, old)
print([a, b, input()])
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		if runtime.GOOS != "linux" {
			t.Skip("reads past sys.stdin are seen on Linux only")
		}
		d := debug(t, python, source, onTerminal)
		d.do(dsl.Continue)
		d.wantHere("line 4 <module>", trace.NeedsInput)
		d.give("k", false)
		d.wantHere("line 6 <module>", trace.NeedsInput)
		d.give("\x03\n", true)
		d.wantHere("line 8 <module>", trace.NeedsInput)
		d.give("line\n", false)
		d.wantEnd(0, "")
		d.wantPrinted("['k', b'\\x03\\r\\x04', 'line']\n")
	})
}

// TestOutcomeTypingPastStdin checks that reads that do not use sys.stdin stop the move
// too.
func TestOutcomeTypingPastStdin(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads past sys.stdin are seen on Linux only")
	}
	for _, c := range []struct{ name, source, want string }{
		{"os.read, after many events", "import os\nfor i in range(20000):\n    a = i\nprint(os.read(0, 99))\n", "b'secret\\n'\n"},
		{"os.read", "import os\nfor i in range(500):\n    a = i\nprint(os.read(0, 99))\n", "b'secret\\n'\n"},
		{"getpass", "import getpass\nfor i in range(500):\n    a = i\nprint(getpass.getpass('Password: '))\n", "Password: \nsecret\n"},
		{"subprocess", "import subprocess\nfor i in range(500):\n    a = i\nprint(subprocess.check_output(['sh', '-c', 'read a; echo $a']))\n", "b'secret\\n'\n"},
		{"os.system", "import os\nfor i in range(500):\n    a = i\nos.system('read a; echo $a')\n", "secret\n"},
		{"thread", "import os, threading\nfor i in range(500):\n    a = i\nt = threading.Thread(target=lambda: os.read(0, 99)); t.start(); t.join()\n", ""},
		{"fork", "import os\nfor i in range(500):\n    a = i\nif os.fork() == 0: print(input('Password: ')); os._exit(0)\nos.wait()\n", "Password: secret\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				d := debug(t, python, c.source, onTerminal)
				landing := d.run(t.Context(), dsl.Continue)
				landing()
				line := 4
				if c.name == "fork" {
					line = 5
				}
				if got := d.state(); d.at.Reason != trace.NeedsInput || got.Line != line {
					t.Fatalf("stands at %q, reason %d, want line %d, waiting", d.here(), d.at.Reason, line)
				}
				if prompt := "Password: "; strings.HasPrefix(c.want, prompt) {
					d.wantPrinted(prompt)
				}
				d.give("secret\n", false)
				d.wantEnd(0, "")
				d.wantPrinted(c.want)
			})
		})
	}
}

// TestOutcomeTypingInterrupt checks that a program that reads without sys.stdin can be
// interrupted, and continues.
func TestOutcomeTypingInterrupt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads past sys.stdin are seen on Linux only")
	}
	onEach(t, func(t *testing.T, python pythons.Python) {
		d := debug(t, python, "import os\na = os.read(0, 9)\nprint(a)\n", onTerminal)
		d.do(dsl.Continue)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.rec.Interrupt()
		landing, err := d.rec.Resume(t.Context())
		if err != nil || landing.Reason != trace.Interrupted {
			t.Fatalf("interrupted: %+v, %v", landing, err)
		}
		d.at = landing
		d.wantAnswer(0, trace.VerbPrint, "1 + 1", "2")
		d.do(dsl.Continue)
		d.wantHere("line 2 <module>", trace.NeedsInput)
		d.give("x\n", false)
		d.wantEnd(0, "")
		d.wantPrinted("b'x\\n'\n")
	})
}

// TestOutcomeTypingCurses checks that a curses program starts, gets its key and restores
// the terminal. Its drawing is output like any other.
func TestOutcomeTypingCurses(t *testing.T) {
	const source = `import curses
def main(screen):
    screen.addstr(1, 2, 'drawn %dx%d' % (curses.COLS, curses.LINES))
    return screen.getch()
key = curses.wrapper(main)
print('key', key)
print(input())
`
	onEach(t, func(t *testing.T, python pythons.Python) {
		if runtime.GOOS != "linux" {
			t.Skip("reads past sys.stdin are seen on Linux only")
		}
		d := debug(t, python, source, onTerminal)
		landing := d.run(t.Context(), dsl.Continue)
		landing()
		d.wantHere("line 4 main", trace.NeedsInput)
		if got := d.printed("stdout"); !strings.Contains(got, "drawn 100x30") {
			t.Errorf("drawn: %q", got)
		}
		d.give("q", false)
		d.wantHere("line 7 <module>", trace.NeedsInput)
		d.give("after\n", false)
		d.wantEnd(0, "")
		if got := d.printed("stdout"); !strings.Contains(got, "key 113\n") || !strings.HasSuffix(got, "after\n") {
			t.Errorf("printed %q", got)
		}
	})
}
