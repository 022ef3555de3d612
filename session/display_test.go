package session_test

import (
	"testing"
)

// TestDisplayedInAllFrames checks that in a front end with views displayed expressions
// stay in all frames. In the mode both, where the two sides replace them, a change is
// reported.
func TestDisplayedInAllFrames(t *testing.T) {
	s, _ := bothModes(t, &scripted{replies: []string{saysLoop, saysCall, saysInF}})
	s.SetWatches()
	s.First(t.Context())
	answers(t, s,
		"display", "No expression is being displayed",
		"display i ===", "*** Unable to display i ===: SyntaxError: invalid syntax",
		"display i", "display i: no value here",
		"display i", "display i: no value here",
		"n", "…",
		"n", "…",
		"display", "Currently displaying:\ni: 0",
		"undisplay x", "*** not displaying x",
		"undisplay i", "",
		"display", "No expression is being displayed",
	)
}

// TestDisplayIsOfAFrame checks that a displayed expression is shown when it is set,
// listed, and changed, but not in another activation.
func TestDisplayIsOfAFrame(t *testing.T) {
	s := open(t, newFake(t))
	s.First(t.Context())
	const none = "display y: ** raised NameError: name 'y' is not defined **"
	answers(t, s,
		"s 4", "> PROG(2)f()\n-> y = x + 1",
		"display", "No expression is being displayed",
		"display x ===", "*** Unable to display x ===: SyntaxError: invalid syntax",
		"display x", "display x: 0",
		"display x", "display x: 0",
		"display y", none,
		"display", "Currently displaying:\nx: 0\ny: ** raised NameError: name 'y' is not defined **",
		"undisplay z", "*** not displaying z",
		"s", "> PROG(3)f()\n-> return y\ndisplay y: 1  [old: ** raised NameError: name 'y' is not defined **]",
		"s", "--Return--\n> PROG(3)f()->1\n-> return y",
		"u", "> PROG(6)<module>()\n-> f(i)",
		"display", "No expression is being displayed in this frame",
		"undisplay x", "*** not displaying x",
		"d", "> PROG(3)f()->1\n-> return y",
		"undisplay x", "",
		"display", "Currently displaying:\ny: 1",
		"display x", "display x: 0",
		"undisplay y", "",
		"display", "Currently displaying:\nx: 0",
		"undisplay", "",
		"display", "No expression is being displayed",
		"s", "> PROG(5)<module>()\n-> for i in range(3):",
	)
}
