package score

import "math"

// bins is the number of classes that confidences from 0 to 1 are divided into.
const bins = 10

// Bin counts the moves for which the model stated a confidence in one tenth of the range 0 to 1.
type Bin struct {
	N          int     `json:"n"`
	Same       int     `json:"same"`       // moves whose whole state was right
	Confidence float64 `json:"confidence"` // sum of the stated confidences
}

// Stated returns the mean of the stated confidences, NaN if the bin has no moves.
func (b Bin) Stated() float64 { return b.Confidence / float64(b.N) }

// Accuracy returns the share of moves whose whole state was right, NaN if the bin has no moves.
func (b Bin) Accuracy() float64 { return float64(b.Same) / float64(b.N) }

// Calibration compares the confidence that a model stated with how often its whole state was right.
type Calibration struct {
	Bins [bins]Bin `json:"bins"`
	// Squares is the sum of (confidence - right)², where right is 1 if the whole state was right,
	// else 0.
	Squares float64 `json:"squares"`
}

// add counts a move. A confidence outside of the range 0 to 1 is set to the nearer end.
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

// Merge adds the counts of another Calibration.
func (c *Calibration) Merge(o *Calibration) {
	for i := range c.Bins {
		c.Bins[i].N += o.Bins[i].N
		c.Bins[i].Same += o.Bins[i].Same
		c.Bins[i].Confidence += o.Bins[i].Confidence
	}
	c.Squares += o.Squares
}

// N returns the number of moves that had a confidence.
func (c *Calibration) N() int {
	n := 0
	for _, b := range c.Bins {
		n += b.N
	}
	return n
}

// ECE returns the expected calibration error (Naeini et al., 2015): the mean difference between
// stated confidence and accuracy of the bins, weighted by their moves. It is NaN without moves.
func (c *Calibration) ECE() float64 {
	sum := 0.0
	for _, b := range c.Bins {
		sum += math.Abs(b.Confidence - float64(b.Same))
	}
	return sum / float64(c.N())
}

// Brier returns the Brier score (1950): the mean squared difference between the confidence and 1
// for a right or 0 for a wrong state. 0 is best; always stating 0.5 gives 0.25. It is NaN without
// moves.
func (c *Calibration) Brier() float64 { return c.Squares / float64(c.N()) }
