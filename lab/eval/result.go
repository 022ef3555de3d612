package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/npdb/npdb/session/score"
)

// version is that of the JSON form.
const version = 1

// The tasks.
const (
	TaskStates   = "states"
	TaskCruxEval = "cruxeval"
	TaskInverse  = "inverse"
)

// Result is what a measurement came to.
type Result struct {
	Version  int       `json:"v"`
	Task     string    `json:"task"`
	Model    string    `json:"model"`
	Place    string    `json:"place,omitempty"`
	Digest   string    `json:"digest,omitempty"` // of a model's file, SHA-256 in hex
	Settings Settings  `json:"settings"`
	N        int       `json:"n"`        // programs, walks or problems that are counted
	Complete bool      `json:"complete"` // false where it was ended before all were
	Skipped  []Skipped `json:"skipped,omitempty"`
	// Invalid counts the model's answers that were no state, also those that it corrected
	// when it was asked once more.
	Invalid score.Invalid `json:"invalid,omitzero"`

	States  []States `json:"states,omitempty"` // the model's, then those of baselines
	Output  *Judged  `json:"output,omitempty"`
	Input   *Judged  `json:"input,omitempty"`
	Inverse *Inverse `json:"inverse,omitempty"`

	Items []Item `json:"items"` // of the model, to compare results by
}

// Settings are what the numbers depend on besides the model.
type Settings struct {
	Source      string  `json:"source"` // the file's or folder's name
	Samples     int     `json:"samples"`
	Temperature float64 `json:"temperature"`
	States      int     `json:"states,omitempty"`
	Strategy    string  `json:"strategy,omitempty"`
	Locals      bool    `json:"locals,omitempty"`
}

// Skipped is a program that nothing was asked about.
type Skipped struct {
	Program string `json:"program"`
	Why     string `json:"why"`
}

// Error makes Skipped what the task of one program fails with, where that is the
// program's own doing.
func (s *Skipped) Error() string { return s.Program + ": " + s.Why }

// Item is what the model got of one question: Right of Of. Measure is what is measured,
// an action, "output", "input" or the like; At tells questions of one program and measure
// apart.
type Item struct {
	Program string  `json:"program"`
	Measure string  `json:"measure"`
	At      int     `json:"at"`
	Right   float64 `json:"right"`
	Of      int     `json:"of"`
}

// itemKey is what tells an item of a result from all others.
type itemKey struct {
	program, measure string
	at               int
}

func (x Item) key() itemKey { return itemKey{x.Program, x.Measure, x.At} }

// The measures of items that are no action.
const (
	MeasureRollout     = "rollout" // right states of a free rollout before its first fault
	MeasureOutput      = "output"
	MeasureInput       = "input"
	measureConsistency = "consistency " // and the action
)

// Write writes a result as one object.
func (r *Result) Write(w io.Writer) error {
	r.Version = version
	if r.Items == nil {
		r.Items = []Item{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// ReadResult reads what Write has written.
func ReadResult(raw []byte) (*Result, error) {
	var r Result
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&r); err != nil {
		return nil, fmt.Errorf("it is no result of npdb eval --json: %w", err)
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("it is no result of npdb eval --json: %w", err)
	}
	return &r, nil
}

// most is the greatest count that is read: sums stay exact.
const most = 1 << 53

func (r *Result) check() error {
	switch {
	case r.Version != version:
		return fmt.Errorf("its version is %d, this npdb knows %d", r.Version, version)
	case r.Task != TaskStates && r.Task != TaskCruxEval && r.Task != TaskInverse:
		return fmt.Errorf("there is no task %q", r.Task)
	case r.N < 0:
		return errors.New("its number of programs is below 0")
	}
	seen := map[itemKey]bool{}
	for i, x := range r.Items {
		k := x.key()
		switch {
		case x.Measure == "" || x.Of < 1 || x.Of > most || !(x.Right >= 0 && x.Right <= most):
			return fmt.Errorf("item %d is impossible: %g of %d", i, x.Right, x.Of)
		case x.Measure != MeasureRollout && x.Right > float64(x.Of):
			return fmt.Errorf("item %d is impossible: %g right of %d", i, x.Right, x.Of)
		case seen[k]:
			return fmt.Errorf("item %d stands twice: %s of %s at %d", i, x.Measure, x.Program, x.At)
		}
		seen[k] = true
	}
	return nil
}

// Share is a part of a whole.
type Share struct {
	N    int `json:"n"`
	Same int `json:"same"`
}

func (s *Share) add(right bool) {
	s.N++
	if right {
		s.Same++
	}
}

// Tally returns the share as a score counts.
func (s Share) Tally() score.Tally { return score.Tally{N: s.N, Same: s.Same} }

// number returns a number as JSON has it: none where there is none.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
