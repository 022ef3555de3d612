package session

import (
	"math"
	"strconv"
	"strings"
)

// sparks are the heights of a sparkline.
var sparks = []rune("▁▂▃▄▅▆▇█")

// sparkWidth is how many columns a sparkline takes at most.
const sparkWidth = 60

// sparkline draws values that are numbers, where the face can draw; "" where they are
// none or too few. More than there are columns for are averaged.
func (s *Session) sparkline(found []Change) string {
	if !s.cfg.Draws || len(found) < 3 {
		return ""
	}
	var numbers []float64
	for _, c := range found {
		n, err := strconv.ParseFloat(c.New.Text, 64)
		switch {
		case !c.New.OK:
			continue // before it is bound again
		case err != nil && !math.IsInf(n, 0) || math.IsNaN(n):
			return ""
		}
		numbers = append(numbers, n)
	}
	return spark(numbers)
}

func spark(numbers []float64) string {
	if len(numbers) < 3 {
		return ""
	}
	columns := make([]float64, min(len(numbers), sparkWidth))
	for i := range columns {
		from, to := i*len(numbers)/len(columns), (i+1)*len(numbers)/len(columns)
		for _, n := range numbers[from:to] {
			columns[i] += n / float64(to-from)
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, n := range columns {
		low, high = min(low, n), max(high, n)
	}
	var b strings.Builder
	for _, n := range columns {
		at := 0.0
		if high > low && !math.IsInf(low, 0) && !math.IsInf(high, 0) {
			// Halved, for the range of floats is less than what lies between two.
			at = (n/2 - low/2) / (high/2 - low/2) * float64(len(sparks)-1)
		}
		b.WriteRune(sparks[int(math.Round(at))])
	}
	return b.String()
}
