//go:build unix

package trace_test

import (
	"testing"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
)

// oftenRun is the Python with which the tests are run most, that of Debian 12. Programs
// that need a newer one are in every share.
const oftenRun = 11

// shareOf returns one in n of a list of programs, different ones on each version of
// Python, or all.
func shareOf(t testing.TB, programs []program, minor, n int) []program {
	t.Helper()
	var share []program
	for i, p := range programs {
		if p.from > oftenRun || longtest.In(t, i+minor, n) {
			share = append(share, p)
		}
	}
	return share
}

// ofOne returns the divisor for a list: all programs run if several Pythons are tested,
// because the results depend on the version; one in n runs with a single Python.
func ofOne(t testing.TB, n int) int {
	t.Helper()
	if len(pythons.All(t)) > 1 {
		return 1
	}
	return n
}

// TestShares checks that over all Pythons each program is in some share, and that programs
// that only few of them can run are in every share.
func TestShares(t *testing.T) {
	for _, folder := range []string{"programs", "values", "behaviour", "stdlib"} {
		programs := readPrograms(t, folder)
		in := map[string]int{}
		const oldest, newest, n = 9, 14, auditedShare
		for minor := oldest; minor <= newest; minor++ {
			for _, p := range shareOf(t, programs, minor, n) {
				in[p.path]++
			}
		}
		for _, p := range programs {
			if in[p.path] == 0 || p.from > oftenRun && in[p.path] <= newest-oldest {
				t.Errorf("%s of %s is in the share of %d Pythons", p.name, folder, in[p.path])
			}
		}
	}
}
