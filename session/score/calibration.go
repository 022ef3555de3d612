package score

import "math"

// bins is how many classes of stated confidence there are.
const bins = 10

// Bin are the moves whose stated confidence lies in one tenth of 0 to 1.
type Bin struct {
	N          int     `json:"n"`
	Same       int     `json:"same"`       // whole states that were right
	Confidence float64 `json:"confidence"` // the sum of what was stated
}

// Stated returns the mean of the stated confidences, NaN without any.
func (b Bin) Stated() float64 { return b.Confidence / float64(b.N) }

// Accuracy returns how often they were right, NaN without any.
func (b Bin) Accuracy() float64 { return float64(b.Same) / float64(b.N) }

// Calibration says whether a model is as sure as it is right: the confidence that
// it stated against whether the whole state was right.
type Calibration struct {
	Bins [bins]Bin `json:"bins"`
	// Squares is the sum of (confidence - right)², where right is 1 or 0.
	Squares float64 `json:"squares"`
}

// add counts a move. What is below 0 or above 1 is taken for that.
func (c *Calibration) add(confidence float64, right bool) {
	if math.IsNaN(confidence) {
		return
	}
	confidence = min(max(confidence, 0), 1)
	b := &c.Bins[min(int(confidence*bins), bins-1)]
	b.N++
	b.Confidence += confidence
	off := confidence
	if right {
		b.Same++
		off = 1 - confidence
	}
	c.Squares += off * off
}

// Merge adds what another one has counted.
func (c *Calibration) Merge(o *Calibration) {
	for i := range c.Bins {
		c.Bins[i].N += o.Bins[i].N
		c.Bins[i].Same += o.Bins[i].Same
		c.Bins[i].Confidence += o.Bins[i].Confidence
	}
	c.Squares += o.Squares
}

// N returns how many moves came with a confidence.
func (c *Calibration) N() int {
	n := 0
	for _, b := range c.Bins {
		n += b.N
	}
	return n
}

// ECE returns the expected calibration error (Naeini et al., 2015): the mean distance
// between stated confidence and accuracy over the bins, weighted by their moves.
// NaN without any move.
func (c *Calibration) ECE() float64 {
	sum := 0.0
	for _, b := range c.Bins {
		sum += math.Abs(b.Confidence - float64(b.Same))
	}
	return sum / float64(c.N())
}

// Brier returns the mean squared distance between the confidence and being right (Brier,
// 1950): 0 is the best, 0.25 what always saying 0.5 gets. NaN without any move.
func (c *Calibration) Brier() float64 { return c.Squares / float64(c.N()) }
