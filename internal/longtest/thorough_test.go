package longtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/longtest"
)

// told is a testing.TB that records why it failed.
type told struct {
	testing.TB
	why string
}

func (t *told) Helper() {}

func (t *told) Fatalf(format string, args ...any) {
	t.why = fmt.Sprintf(format, args...)
	panic(t)
}

// failure returns why a function made its test fail, or "".
func failure(ask func(testing.TB)) string {
	t := &told{}
	func() {
		defer func() {
			if r := recover(); r != nil && r != any(t) {
				panic(r)
			}
		}()
		ask(t)
	}()
	return t.why
}

// TestNoNumberOfWalks checks that an invalid value of NPDB_WALKS fails the test in every function.
func TestNoNumberOfWalks(t *testing.T) {
	for _, value := range []string{"0", "-1", "x", "1.5", " 1"} {
		t.Setenv("NPDB_WALKS", value)
		for name, ask := range map[string]func(testing.TB){
			"Asked": func(t testing.TB) { longtest.Asked(t) },
			"In":    func(t testing.TB) { longtest.In(t, 0, 2) },
			"Walks": func(t testing.TB) { longtest.Walks(t) },
		} {
			if why := failure(ask); !strings.HasPrefix(why, fmt.Sprintf("NPDB_WALKS is %q, which is no number of walks", value)) {
				t.Errorf("%s of %q: %q", name, value, why)
			}
		}
	}
}

// TestHowMuchIsAskedFor checks the share of cases and the number of walks, with and without
// NPDB_WALKS.
func TestHowMuchIsAskedFor(t *testing.T) {
	for value, want := range map[string]string{"": "false 0,3,6 1", "1": "true 0,1,2,3,4,5,6,7 1", "20": "true 0,1,2,3,4,5,6,7 20"} {
		t.Setenv("NPDB_WALKS", value)
		var in []string
		for i := range 8 {
			if longtest.In(t, i, 3) {
				in = append(in, fmt.Sprint(i))
			}
		}
		if got := fmt.Sprint(longtest.Asked(t), " ", strings.Join(in, ","), " ", longtest.Walks(t)); got != want {
			t.Errorf("NPDB_WALKS=%q: %s, want %s", value, got, want)
		}
	}
}
