// Package longtest says how much of the tests that take long is run: a share, so that
// the suite is run often, or with NPDB_WALKS all, and as many random walks as it says.
package longtest

import (
	"os"
	"strconv"
	"testing"
)

// walks is the environment's variable: a number of random walks, 1 or more. Set, it also
// asks for all of what else only a share is run of.
const walks = "NPDB_WALKS"

// Asked reports whether all is to be run.
func Asked(t testing.TB) bool {
	t.Helper()
	return asked(t) > 0
}

// In reports whether number i, counted from 0, is to be run where one in n is.
func In(t testing.TB, i, n int) bool {
	t.Helper()
	return Asked(t) || i%n == 0
}

// Walks returns how many random walks there are to be of each thing, one where nobody asks.
func Walks(t testing.TB) int {
	t.Helper()
	return max(1, asked(t))
}

// asked returns how many walks the environment asks for, 0 where it does not. A value that is
// no such number fails the test.
func asked(t testing.TB) int {
	t.Helper()
	text := os.Getenv(walks)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, which is no number of walks: 1 asks for all, a larger one for more random walks", walks, text)
	}
	return n
}
