package eval

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestPassAt checks values computed by hand. Of 5 answers 2 are right: one drawn answer is right in 2/5
// of the cases; of two drawn answers none is right in C(3,2)/C(5,2) = 3/10; four always include a right
// one.
func TestPassAt(t *testing.T) {
	for _, test := range []struct {
		n, c, k int
		want    float64
	}{
		{5, 2, 1, 0.4},
		{5, 2, 2, 0.7},
		{5, 2, 3, 0.9},
		{5, 2, 4, 1},
		{5, 2, 5, 1},
		{5, 0, 5, 0},
		{5, 5, 1, 1},
		{1, 1, 1, 1},
		{1, 0, 1, 0},
		{10, 3, 5, 1 - 21./252}, // C(7,5) = 21, C(10,5) = 252
	} {
		near(t, "pass", passAt(test.n, test.c, test.k), test.want)
	}
	if x := passAt(3, 1, 5); !math.IsNaN(x) {
		t.Errorf("of three answers five cannot be drawn: %g", x)
	}
}

// TestPassAtCounts checks passAt by counting the subsets that contain a right answer.
func TestPassAtCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		c, k := rapid.IntRange(0, n).Draw(t, "c"), rapid.IntRange(1, n).Draw(t, "k")
		all, with := 0, 0
		for set := range 1 << n {
			size, right := 0, false
			for i := range n {
				if set>>i&1 == 1 {
					size++
					right = right || i < c
				}
			}
			if size == k {
				all++
				if right {
					with++
				}
			}
		}
		if got, want := passAt(n, c, k), float64(with)/float64(all); math.Abs(got-want) > 1e-12 {
			t.Fatalf("pass@%d of %d with %d right: %g, want %g", k, n, c, got, want)
		}
	})
}

func TestPercentile(t *testing.T) {
	sorted := []float64{0, 10, 20, 30, 40}
	for q, want := range map[float64]float64{0: 0, 0.025: 1, 0.5: 20, 0.9: 36, 1: 40} {
		near(t, "percentile", percentile(sorted, q), want)
	}
}

func TestBootstrap(t *testing.T) {
	// If B is better by the same amount in each program, every sample has this difference.
	same := bootstrap([]pair{{1, 2, 4}, {0, 1, 4}, {2, 3, 4}})
	for _, x := range []float64{same.Difference, same.Low, same.High} {
		near(t, "the same everywhere", x, 0.25)
	}
	// B is right in one of two programs only. Half of the samples contain both, a quarter each contains
	// only one of them: the differences are 0, 1/2 and 1.
	two := bootstrap([]pair{{0, 1, 1}, {0, 0, 1}})
	near(t, "two", two.Difference, 0.5)
	near(t, "low", two.Low, 0)
	near(t, "high", two.High, 1)
	// B is right in half of 100 programs: the standard error is 5%, and the bounds are 1.96 times that
	// away, rounded to a whole program.
	var many []pair
	for i := range 100 {
		many = append(many, pair{0, float64(i % 2), 1})
	}
	a, b := bootstrap(many), bootstrap(many)
	if a != b {
		t.Errorf("the seed is fixed: %v and %v", a, b)
	}
	if a.Low < 0.38 || a.Low > 0.42 || a.High < 0.58 || a.High > 0.62 {
		t.Errorf("between %g and %g", a.Low, a.High)
	}
}
