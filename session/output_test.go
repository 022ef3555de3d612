package session_test

import (
	"testing"
)

// TestOutputUpToHere checks that output shows what the program has written up to the
// position; at the live edge everything.
func TestOutputUpToHere(t *testing.T) {
	f := newFake(t)
	f.writes = map[int]string{1: "one\n", 4: "four\n", 8: "eight"}
	s := open(t, f)
	s.First(t.Context())
	answers(t, s,
		"output", "",
		"s 9", "one\nfour\neight\n--Call--\n> PROG(1)f()\n-> def f(x):",
		"output", "one\nfour\neight",
		"goto 4", "> PROG(2)f()\n-> y = x + 1",
		"output", "one",
		"goto 5", "> PROG(3)f()\n-> return y",
		"output", "one\nfour",
		"goto 0", "> PROG(1)<module>()\n-> def f(x):",
		"output", "",
		"c", "The program finished. Exit code: 0\nBackward moves (rs, rn, rf, rc) still work; restart runs it again.",
		"output", "one\nfour\neight",
	)
}
