package dataset

import (
	"math/bits"
	"strconv"
	"strings"
)

// Tally holds the counts of a set of trajectories.
type Tally struct {
	Programs int            `json:"programs"` // number of programs from which the trajectories come
	Lines    int            `json:"lines"`
	Bytes    int64          `json:"bytes"`   // size of the texts
	Tokens   int64          `json:"tokens"`  // estimated number of tokens: a third of the bytes
	Predict  int64          `json:"predict"` // bytes that a model must predict
	Changed  int64          `json:"changed"` // bytes of Predict that do not follow from the text before
	Dialects map[string]int `json:"dialects"`
	Families map[string]int `json:"families"` // number of programs, by generator
	Actions  map[string]int `json:"actions"`
	Horizons map[string]int `json:"horizons"` // number of actions by the class of their horizon
}

func newTally() *Tally {
	return &Tally{Dialects: map[string]int{}, Families: map[string]int{}, Actions: map[string]int{}, Horizons: map[string]int{}}
}

// HorizonClasses returns the classes of horizons, in order. A horizon is the number of
// events that an action passes.
func HorizonClasses() []string {
	return []string{"0", "1", "2-3", "4-7", "8-15", "16-31", "32-63", "64+", "unknown"}
}

// horizonClass returns the class of a horizon: 0, 1, 2-3, 4-7, …, 32-63, 64+, or unknown.
// An action that finds nothing passes 0 events.
func horizonClass(h int) string {
	switch {
	case h < 0:
		return "unknown"
	case h < 2:
		return strconv.Itoa(h)
	case h >= 64:
		return "64+"
	}
	low := 1 << (bits.Len(uint(h)) - 1)
	return strconv.Itoa(low) + "-" + strconv.Itoa(2*low-1)
}

// line adds a trajectory to the counts.
func (t *Tally) line(l *Line) {
	t.Lines++
	t.Bytes += int64(len(l.Text))
	t.Tokens = t.Bytes / 3
	for _, s := range l.Predict {
		t.Predict += int64(s[1] - s[0])
	}
	for _, s := range l.Changed {
		t.Changed += int64(s[1] - s[0])
	}
	t.Dialects[l.Dialect]++
	for i, action := range l.Actions {
		name, _, _ := strings.Cut(action, " ") // without the lines of a breakpoint
		t.Actions[name]++
		t.Horizons[horizonClass(l.Horizons[i])]++
	}
}

// program adds a program to the counts. family is its generator, or "".
func (t *Tally) program(family string) {
	t.Programs++
	if family != "" {
		t.Families[family]++
	}
}

// add adds the counts of another tally.
func (t *Tally) add(o *Tally) {
	t.Programs += o.Programs
	t.Lines += o.Lines
	t.Bytes += o.Bytes
	t.Tokens = t.Bytes / 3
	t.Predict += o.Predict
	t.Changed += o.Changed
	for _, both := range [][2]map[string]int{{t.Dialects, o.Dialects}, {t.Families, o.Families}, {t.Actions, o.Actions}, {t.Horizons, o.Horizons}} {
		for k, n := range both[1] {
			both[0][k] += n
		}
	}
}
