//go:build unix

package session_test

import "testing"

// TestLastNamesTheLineThatSetIt checks that last names the line that set an attribute or
// element, not the line where a name began to refer to its object: an argument, a returned
// value, another element.
func TestLastNamesTheLineThatSetIt(t *testing.T) {
	const source = `class S:
    pass
def make():
    s = S()
    s.price = 4
    s.price = 5
    s.rows = [[1, 2]]
    return s
def use(s, row):
    s.price += 0
    row[1] = 7
    return s
s = make()
use(s, s.rows[0])
end = 1
`
	s := written(t, source)
	answers(t, s,
		"b 10", "Breakpoint 1 at PROG:10",
		"c", "> PROG(10)use()\n-> s.price += 0",
		"last s.price", "s.price = 5, set by\n> PROG(6)make()\n-> s.price = 5\ngoto 11 goes to that line, goto 12 after it; s began to hold this object by prog.py:14 (goto 15)",
		"last row[1]", "row[1] = 2, set by\n> PROG(7)make()\n-> s.rows = [[1, 2]]\ngoto 12 goes to that line, goto 13 after it; row began to hold this object by prog.py:14 (goto 15)",
		"history s.price", "s.price in use has had 1 value\n> 16  5  by prog.py:6 in make, held since prog.py:14",
		"n", "…",
		"n", "…",
		"last row[1]", "row[1]: 2 -> 7\n> PROG(11)use()\n-> row[1] = 7\ngoto 18 goes to that line, goto 19 after it",
	)
}

// TestLastNamesTheLineThatChangedIt checks that last names the line that changed an object in place,
// even if the line used another name and the object is reached through an attribute that did not
// change.
func TestLastNamesTheLineThatChangedIt(t *testing.T) {
	const source = `class Box:
    def __init__(self, items=[]):
        self.items = items
    def add(self, x):
        self.items.append(x)
def look(self):
    return len(self.items)
one = Box()
one.add(1)
two = Box()
two.add(5)
look(one)
`
	s := written(t, source)
	answers(t, s,
		"b 7", "Breakpoint 1 at PROG:7",
		"c", "> PROG(7)look()\n-> return len(self.items)",
		"last self.items", "self.items = [1, 5], set by\n> PROG(5)add()\n-> self.items.append(x)\ngoto 21 goes to that line, goto 22 after it; self began to hold this object by prog.py:12 (goto 23)",
		"history self.items", "self.items in look has had 1 value\n> 24  [1, 5]  by prog.py:5 in add, held since prog.py:12",
	)
}
