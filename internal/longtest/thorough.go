// Package longtest decides how much of the slow tests is run: by default a share, so that
// the tests can be run often, or with NPDB_WALKS everything, including that number of
// random walks.
package longtest

import (
	"os"
	"strconv"
	"testing"
)

// walks is an environment variable: a number of random walks, 1 or more. If it is set,
// tests of which only a share is run by default are run in full.
const walks = "NPDB_WALKS"

// Asked reports whether NPDB_WALKS is set, so that everything is to be run.
func Asked(t testing.TB) bool {
	t.Helper()
	return asked(t) > 0
}

// In reports whether to run test case i, counted from 0: one case in n runs by default, every case
// if NPDB_WALKS is set.
func In(t testing.TB, i, n int) bool {
	t.Helper()
	return Asked(t) || i%n == 0
}

// Walks returns the number of random walks for each test case, by default one.
func Walks(t testing.TB) int {
	t.Helper()
	return max(1, asked(t))
}

// asked returns the number of walks that the environment requests, or 0. It fails the test
// if the value is invalid.
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
