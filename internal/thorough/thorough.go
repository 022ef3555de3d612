// Package thorough says how much of the tests that take long is run: a share, so that
// the suite is run often, or with NPDB_WALKS all, and as many random walks as it says.
package thorough

import (
	"os"
	"strconv"
	"testing"
)

// walks is the environment's variable: a number of random walks, 1 or more. Set, it also
// asks for all of what else only a share is run of.
const walks = "NPDB_WALKS"

// Asked reports whether all is to be run.
func Asked() bool { return os.Getenv(walks) != "" }

// In reports whether number i, counted from 0, is to be run where one in n is.
func In(i, n int) bool { return Asked() || i%n == 0 }

// Walks is how many random walks there are to be of each thing, one where nobody asks.
func Walks(t testing.TB) int {
	t.Helper()
	if !Asked() {
		return 1
	}
	n, err := strconv.Atoi(os.Getenv(walks))
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, not a number of walks", walks, os.Getenv(walks))
	}
	return n
}
