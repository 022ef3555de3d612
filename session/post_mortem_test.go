//go:build unix

package session_test

import (
	"testing"
)

const chained = `import sys
class Box:
    def __init__(self):
        self.size = [1, 2]
    def grow(self, by):
        del by
        self.size.append(3)
        raise KeyError("no")

def outer(b):
    try:
        b.grow(1)
    except KeyError as e:
        raise ValueError("bad") from e

x = Box()
n = 1
outer(x)
`

// TestPostMortemIsToldOf checks that post mortem the chain of exceptions, the frames that
// they have left and the lines that raised them are shown.
func TestPostMortemIsToldOf(t *testing.T) {
	s := written(t, chained, withKeys)
	answers(t, s,
		"exceptions", "Did not find chained exceptions. There is a chain only where the program stopped after an uncaught exception.",
		"b 7", "Breakpoint 1 at PROG:7",
		"c", "> PROG(7)grow()\n-> self.size.append(3)",
		"args", "self = Box(size=[1, 2])\nby = *** undefined ***",
		"n", "…",
		"rs", "> PROG(7)grow()\n-> self.size.append(3)",
		"pp self.size", "[1, 2]",
		"whatis self.size", "<class 'list'>",
		"p len(self.size) + 1", "3 (from what was recorded)",
		"p self.size[0]", "1",
		"p by", "*** NameError: name 'by' has no value here (from recorded text)",
		"clear 1", "…",
		"c", "…",
		"w", "  PROG(18)<module>()\n-> outer(x)\n> PROG(14)outer()\n-> raise ValueError(\"bad\") from e",
		"l", "  9  \t\n 10  \tdef outer(b):\n 11  \t    try:\n 12  \t        b.grow(1)\n 13  \t    except KeyError as e:\n 14  ->\t        raise ValueError(\"bad\") from e\n 15  \t\n 16  \tx = Box()\n 17  \tn = 1\n 18  \touter(x)\n[EOF]",
		"exceptions", "    0 KeyError('no')\n>   1 ValueError('bad')",
		"exceptions 7", "*** No exception with that number",
		"exceptions 0", "KeyError: 'no'\n> PROG(8)grow()\n-> raise KeyError(\"no\")",
		"w", "  PROG(18)<module>()\n-> outer(x)\n  PROG(12)outer()\n-> b.grow(1)\n> PROG(8)grow()\n-> raise KeyError(\"no\")",
		"ll", "  5  \t    def grow(self, by):\n  6  \t        del by\n  7  \t        self.size.append(3)\n  8  ->\t        raise KeyError(\"no\")",
		"u", "> PROG(12)outer()\n-> b.grow(1)",
		"p sorted(locals()), b.size", "(['b'], [1, 2, 3])",
		"u", "> PROG(18)<module>()\n-> outer(x)",
		"p 'b' in locals(), x.size", "(False, [1, 2, 3])",
		"d", "> PROG(12)outer()\n-> b.grow(1)",
		"l 16, 18", " 16  \tx = Box()\n 17  \tn = 1\n 18  \touter(x)",
		"d 5", "> PROG(8)grow()\n-> raise KeyError(\"no\")",
		"exceptions 1", "ValueError: bad\n> PROG(14)outer()\n-> raise ValueError(\"bad\") from e",
		"n", "The program finished. Exit code: 1, after ValueError: bad\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.",
		"find n == 5", "n == 5 is true at no later line; where it raises, it counts as not true.\nThe program finished. Exit code: 1, after ValueError: bad\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.",
		"rewind", "> PROG(1)<module>()\n-> import sys",
		"last __name__", "__name__: no value -> '__main__'\nat event 0, before any line of the program",
		"history n", "n has had 1 value\n  13  1  by prog.py:17",
		"last n.nothing", "*** n.nothing has no value here, and had none before in <module>",
		"find n == 1", "> PROG(18)<module>()\n-> outer(x)",
		"until", "--Return--\n> PROG(18)<module>()\n-> outer(x)",
	)
}

// TestPostMortemFramesThatAreGone checks an exception that was stored and raised again
// later: nothing refers to the frames above the one that caught it. They cannot be used,
// and no others are used in their place.
func TestPostMortemFramesThatAreGone(t *testing.T) {
	const source = `def f(x):
    raise KeyError(x)
def g(y):
    try:
        f(y + 1)
    except KeyError as e:
        return e
saved = g(1)
raise ValueError("bad") from saved
`
	const gone = "*** LookupError: this frame is gone: no exception of the chain holds it any more"
	s := written(t, source)
	answers(t, s,
		"c", "…",
		"exceptions 0", "KeyError: 2\n> PROG(2)f()\n-> raise KeyError(x)",
		"u", "> PROG(5)g()\n-> f(y + 1)",
		"p y", "1",
		"u", "> PROG(8)<module>()\n-> saved = g(1)",
		"p y", gone,
		"pp 1", gone,
		"d", "> PROG(5)g()\n-> f(y + 1)",
		"p y", "1",
	)
}

// TestRaisedLineIsMarked checks that the line that raised is marked while another one runs
// on the way out.
func TestRaisedLineIsMarked(t *testing.T) {
	s := written(t, "def g():\n    try:\n        1 / 0\n    finally:\n        a = 1\ng()\n")
	answers(t, s,
		"b 5", "Breakpoint 1 at PROG:5",
		"c", "> PROG(5)g()\n-> a = 1",
		"ll", "  1  \tdef g():\n  2  \t    try:\n  3  \t        1 / 0\n  4  \t    finally:\n  5 B->\t        a = 1",
		"r", "--Return--\n> PROG(5)g()\n-> a = 1",
		"ll", "  1  \tdef g():\n  2  \t    try:\n  3  >>\t        1 / 0\n  4  \t    finally:\n  5 B->\t        a = 1",
		"rs 2", "ZeroDivisionError: division by zero\n> PROG(3)g()\n-> 1 / 0",
		"ll", "  1  \tdef g():\n  2  \t    try:\n  3  ->\t        1 / 0\n  4  \t    finally:\n  5 B\t        a = 1",
	)
}
