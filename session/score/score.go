package score

import (
	"maps"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
)

// Key identifies a tally: one measure of the moves with one action and a range of horizons.
type Key struct {
	Action  dsl.Move `json:"-"`
	Horizon Bucket   `json:"horizon"`
	Measure Measure  `json:"measure"`
}

// Score counts verdicts. The zero Score is ready for use. It may be used by one goroutine only and
// must not be copied; merge it into another instead.
type Score struct {
	tallies     map[Key]Tally
	calibration [2]Calibration // forward, inverse
	// The calibration of each action. It lacks the moves that older versions of npdb counted.
	actions map[dsl.Move]Calibration
}

// Add counts one move. verdicts are the results for its predicted state; without any, Add does
// nothing. horizon is the number of events that the move passed, negative if unknown. confidence is
// what the model stated, nil if it stated none.
func (s *Score) Add(action dsl.Move, verdicts compare.Verdicts, horizon int, confidence *float64) {
	if len(verdicts) == 0 {
		return
	}
	for _, m := range Measures() {
		t := m.judge(verdicts)
		s.count(Key{action, BucketOf(horizon), m}, t)
		if m == State && t.N > 0 && confidence != nil {
			var one Calibration
			one.add(*confidence, t.Same > 0)
			s.calibration[direction(action.Inverse())].Merge(&one)
			s.calibrate(action, one)
		}
	}
}

func (s *Score) count(k Key, t Tally) {
	if t == (Tally{}) {
		return
	}
	if s.tallies == nil {
		s.tallies = map[Key]Tally{}
	}
	sum := s.tallies[k]
	sum.merge(t)
	s.tallies[k] = sum
}

// calibrate adds counts to the calibration of an action.
func (s *Score) calibrate(a dsl.Move, more Calibration) {
	if more.N() == 0 {
		return
	}
	if s.actions == nil {
		s.actions = map[dsl.Move]Calibration{}
	}
	sum := s.actions[a]
	sum.Merge(&more)
	s.actions[a] = sum
}

func direction(inverse bool) int {
	if inverse {
		return 1
	}
	return 0
}

// Merge adds the counts of another score.
func (s *Score) Merge(o *Score) {
	for k, t := range maps.Clone(o.tallies) {
		s.count(k, t)
	}
	for i := range s.calibration {
		other := o.calibration[i]
		s.calibration[i].Merge(&other)
	}
	for a, c := range maps.Clone(o.actions) {
		s.calibrate(a, c)
	}
}

// Moves returns the number of counted moves, including those whose state could not be compared.
func (s *Score) Moves() int {
	t := s.Of(State)
	return t.N + t.Incomparable
}

// Of returns the tally of a measure over all moves.
func (s *Score) Of(m Measure) Tally {
	return s.Sum(func(k Key) bool { return k.Measure == m })
}

// Sum returns the sum of the tallies whose keys keep accepts. The sum is meaningful only if all
// these keys have the same measure.
func (s *Score) Sum(keep func(Key) bool) Tally {
	var sum Tally
	for k, t := range s.tallies {
		if keep(k) {
			sum.merge(t)
		}
	}
	return sum
}

// Calibration returns the calibration of the forward moves, or of the inverse ones.
func (s *Score) Calibration(inverse bool) Calibration { return s.calibration[direction(inverse)] }

// CalibrationOf returns the calibration of one action. It lacks the moves that older versions of
// npdb counted.
func (s *Score) CalibrationOf(a dsl.Move) Calibration { return s.actions[a] }

// Row is a row of a table of accuracies.
type Row struct {
	Label string // "step_over", "3-4", "line"
	Tally
}

// ByMeasure returns a row for each measure of the forward moves, or of the inverse ones. Like all
// tables it omits rows without counts.
func (s *Score) ByMeasure(inverse bool) []Row {
	var rows []Row
	for _, m := range Measures() {
		rows = s.row(rows, m.Label(), func(k Key) bool { return k.Measure == m && k.Action.Inverse() == inverse })
	}
	return rows
}

// ByAction returns a row for each action, judged by measure m.
func (s *Score) ByAction(m Measure) []Row {
	var rows []Row
	for a := range dsl.Moves() {
		rows = s.row(rows, a.String(), func(k Key) bool { return k.Measure == m && k.Action == a })
	}
	return rows
}

// ByHorizon returns a row for each range of horizons of the forward moves, or of the inverse ones,
// judged by measure m. The row for unknown horizons is the last.
func (s *Score) ByHorizon(m Measure, inverse bool) []Row {
	longest := Bucket(0)
	for k := range s.tallies {
		longest = max(longest, k.Horizon)
	}
	var rows []Row
	add := func(b Bucket) {
		rows = s.row(rows, b.String(), func(k Key) bool { return k.Measure == m && k.Horizon == b && k.Action.Inverse() == inverse })
	}
	for b := Bucket(0); b <= longest; b++ {
		add(b)
	}
	add(UnknownHorizon)
	return rows
}

func (s *Score) row(rows []Row, label string, keep func(Key) bool) []Row {
	if t := s.Sum(keep); t != (Tally{}) {
		rows = append(rows, Row{label, t})
	}
	return rows
}
