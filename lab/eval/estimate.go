package eval

import (
	"math"
	"math/rand/v2"
	"slices"
)

// passAt returns the benchmark's unbiased estimator of pass@k (Chen et al., 2021): the
// probability that at least one of k answers is right, drawn from n answers of which c are
// right: 1 - C(n-c, k) / C(n, k). It is NaN if fewer than k were drawn.
func passAt(n, c, k int) float64 {
	if k < 1 || n < k {
		return math.NaN()
	}
	if n-c < k {
		return 1
	}
	none := 1.0
	for i := n - c + 1; i <= n; i++ {
		none *= 1 - float64(k)/float64(i)
	}
	return 1 - none
}

// Interval is the difference of two shares, with its 95% confidence interval.
type Interval struct {
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
}

// resamples is the number of samples that a bootstrap draws. The seed of its random
// generator is fixed, so that the same results always have the same interval.
const (
	resamples     = 10_000
	bootstrapSeed = 1
)

// pair holds the sums over one program's questions in two results, A and B: the right
// answers of each, and the number of questions, which both have.
type pair struct{ a, b, of float64 }

// bootstrap returns the paired bootstrap (Efron, 1979) of the difference of two shares. It
// draws programs with replacement, not questions, because those of one program are not
// independent. The bounds are the percentiles 2.5 and 97.5.
func bootstrap(pairs []pair) Interval {
	difference := func(draw func(i int) pair) float64 {
		var sum pair
		for i := range pairs {
			p := draw(i)
			sum.a, sum.b, sum.of = sum.a+p.a, sum.b+p.b, sum.of+p.of
		}
		if sum.of == 0 {
			return 0
		}
		return (sum.b - sum.a) / sum.of
	}
	rng := rand.New(rand.NewPCG(bootstrapSeed, 0))
	found := make([]float64, resamples)
	for i := range found {
		found[i] = difference(func(int) pair { return pairs[rng.IntN(len(pairs))] })
	}
	slices.Sort(found)
	return Interval{
		Difference: difference(func(i int) pair { return pairs[i] }),
		Low:        percentile(found, 0.025), High: percentile(found, 0.975),
	}
}

// percentile returns the quantile q (0 to 1) of sorted numbers, interpolated linearly.
func percentile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	below := int(at)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	part := at - float64(below)
	return sorted[below]*(1-part) + sorted[below+1]*part
}
