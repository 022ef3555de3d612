package score

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
)

// version is the version of a score's JSON form.
const version = 1

// most is the greatest count that is accepted when reading. Sums of such counts do not overflow,
// and every JSON reader represents them exactly.
const most = 1 << 53

type jsonScore struct {
	Version     int             `json:"v"`
	Tallies     []jsonTally     `json:"tallies"`
	Calibration jsonCalibration `json:"calibration"`
}

type jsonTally struct {
	Action string `json:"action"`
	Key
	Tally
}

type jsonCalibration struct {
	Forward Calibration `json:"forward"`
	Inverse Calibration `json:"inverse"`
	// Actions holds the calibration of each action. Old versions of npdb did not write it.
	Actions map[string]Calibration `json:"actions,omitempty"`
}

// MarshalJSON returns the score as JSON. Equal scores give equal texts.
func (s Score) MarshalJSON() ([]byte, error) {
	out := jsonScore{Version: version, Tallies: []jsonTally{}, Calibration: jsonCalibration{Forward: s.calibration[0], Inverse: s.calibration[1]}}
	for a, c := range s.actions {
		if out.Calibration.Actions == nil {
			out.Calibration.Actions = map[string]Calibration{}
		}
		out.Calibration.Actions[a.String()] = c
	}
	for k, t := range s.tallies {
		out.Tallies = append(out.Tallies, jsonTally{k.Action.String(), k, t})
	}
	slices.SortFunc(out.Tallies, func(a, b jsonTally) int {
		return cmp.Or(cmp.Compare(a.Key.Action, b.Key.Action), cmp.Compare(a.Horizon, b.Horizon), cmp.Compare(a.Measure, b.Measure))
	})
	return json.Marshal(out)
}

// UnmarshalJSON replaces the score by one read from JSON. Counts that contradict each other are an
// error.
func (s *Score) UnmarshalJSON(text []byte) error {
	var in jsonScore
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	if in.Version != version {
		return fmt.Errorf("a score of version %d cannot be read: this npdb writes version %d", in.Version, version)
	}
	read := Score{calibration: [2]Calibration{in.Calibration.Forward, in.Calibration.Inverse}}
	for _, t := range in.Tallies {
		k := t.Key
		var err error
		if k.Action, err = actionOf(t.Action); err != nil {
			return err
		}
		if k.Measure == 0 {
			return fmt.Errorf("a tally of a score lacks its measure")
		}
		if t.Same < 0 || t.N < t.Same || t.N > most || t.Incomparable < 0 || t.Incomparable > most {
			return fmt.Errorf("the tally of %s by %s is impossible: %d right of %d, %d incomparable", t.Measure, t.Action, t.Same, t.N, t.Incomparable)
		}
		if _, twice := read.tallies[k]; twice {
			return fmt.Errorf("the tally of %s by %s over %s events stands twice", t.Measure, t.Action, t.Horizon)
		}
		read.count(k, t.Tally)
	}
	for i := range read.calibration {
		if err := read.calibration[i].check(); err != nil {
			return err
		}
	}
	for name, c := range in.Calibration.Actions {
		a, err := actionOf(name)
		if err == nil {
			err = c.check()
		}
		if err != nil {
			return err
		}
		read.calibrate(a, c)
	}
	*s = read
	return nil
}

// check returns an error if the counts contradict each other.
func (c *Calibration) check() error {
	for i, b := range c.Bins {
		if b.Same < 0 || b.N < b.Same || b.N > most || b.Confidence < 0 || b.Confidence > float64(b.N) {
			return fmt.Errorf("bin %d of the calibration is impossible: %d right of %d, confidence %g", i, b.Same, b.N, b.Confidence)
		}
	}
	if c.Squares < 0 || c.Squares > float64(c.N()) {
		return fmt.Errorf("the calibration is impossible: %g is the sum of %d squares", c.Squares, c.N())
	}
	return nil
}

// actionOf returns the action with a name.
func actionOf(name string) (dsl.Move, error) {
	for a := range dsl.Moves() {
		if a.String() == name {
			return a, nil
		}
	}
	return 0, fmt.Errorf("there is no action %q in a score", name)
}
