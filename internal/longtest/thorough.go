// Package longtest decides how many cases of the slow tests run. By default only a share runs, so
// that the tests are quick. If NPDB_WALKS is set, all cases run, and its value is the number of
// random walks.
package longtest

import (
	"os"
	"strconv"
	"testing"
)

// walks is the name of an environment variable: a number of random walks, 1 or more.
const walks = "NPDB_WALKS"

// Asked reports whether NPDB_WALKS is set, so that all cases must run.
func Asked(t testing.TB) bool {
	t.Helper()
	return asked(t) > 0
}

// In reports whether test case i, counted from 0, must run: by default one in n cases, and every
// case if NPDB_WALKS is set.
func In(t testing.TB, i, n int) bool {
	t.Helper()
	return Asked(t) || i%n == 0
}

// Rarer returns n or, with the race detector, under which a case takes several times as long, 4n: for
// In, where one in n cases would take minutes then.
func Rarer(n int) int {
	if Race {
		n *= 4
	}
	return n
}

// Walks returns the number of random walks for each test case, by default one.
func Walks(t testing.TB) int {
	t.Helper()
	return max(1, asked(t))
}

// asked returns the number of walks in NPDB_WALKS, or 0 if it is not set. It fails the test if the
// value is invalid.
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
