package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"

	"github.com/npdb/npdb/session/score"
)

// version is the version of the JSON format.
const version = 1

// The tasks.
const (
	TaskStates   = "states"
	TaskCruxEval = "cruxeval"
	TaskInverse  = "inverse"
)

// Result is the result of a measurement.
type Result struct {
	Version  int       `json:"v"`
	Task     string    `json:"task"`
	Model    string    `json:"model"`
	Place    string    `json:"place,omitempty"`
	Digest   string    `json:"digest,omitempty"` // of a model's file, SHA-256 in hex
	Settings Settings  `json:"settings"`
	N        int       `json:"n"`        // number of counted programs, walks or problems
	Complete bool      `json:"complete"` // false if it was interrupted
	Skipped  []Skipped `json:"skipped,omitempty"`
	// Invalid counts the model's answers that were not a state, also those that it
	// corrected in a second attempt.
	Invalid score.Invalid `json:"invalid,omitzero"`

	States  []States `json:"states,omitempty"` // the model's, then those of baselines
	Output  *Judged  `json:"output,omitempty"`
	Input   *Judged  `json:"input,omitempty"`
	Inverse *Inverse `json:"inverse,omitempty"`

	Items []Item `json:"items"` // of the model, for comparing results
	// Mistakes are the wrong answers of the model, and of Computing. Programs are the texts that their
	// questions begin with, by name.
	Mistakes []Mistake         `json:"mistakes,omitempty"`
	Programs map[string]string `json:"programs,omitempty"`
}

// record adds the mistakes of one program.
func (r *Result) record(m *mistakes) {
	r.Mistakes = append(r.Mistakes, m.list...)
	if r.Programs == nil {
		r.Programs = map[string]string{}
	}
	maps.Copy(r.Programs, m.programs)
}

// Settings are the inputs besides the model that determine the numbers.
type Settings struct {
	Source      string  `json:"source"` // the file's or folder's name
	Samples     int     `json:"samples"`
	Temperature float64 `json:"temperature"`
	States      int     `json:"states,omitempty"`
	Strategy    string  `json:"strategy,omitempty"`
	Locals      bool    `json:"locals,omitempty"`
	Seed        *int64  `json:"seed,omitempty"`
	Limit       int     `json:"limit,omitempty"`  // of programs; 0 is all
	Python      string  `json:"python,omitempty"` // that found the truth, such as "3.12"
	Npdb        string  `json:"npdb,omitempty"`   // its version
	Date        string  `json:"date,omitempty"`   // of the measurement's begin, RFC 3339
}

// Skipped reports a program without any question.
type Skipped struct {
	Program string `json:"program"`
	Why     string `json:"why"`
}

// Error implements error, so that the task of one program can fail with Skipped if the
// program itself is the cause.
func (s *Skipped) Error() string { return s.Program + ": " + s.Why }

// Item is the model's result for one question: Right of Of. Measure is the name of the
// measure: an action, "output", "input" and so on. At distinguishes questions of one
// program and measure.
type Item struct {
	Program string  `json:"program"`
	Measure string  `json:"measure"`
	At      int     `json:"at"`
	Right   float64 `json:"right"`
	Of      int     `json:"of"`
}

// itemKey identifies an item of a result.
type itemKey struct {
	program, measure string
	at               int
}

func (x Item) key() itemKey { return itemKey{x.Program, x.Measure, x.At} }

// The measures of items that are not actions.
const (
	MeasureRollout     = "rollout" // right states of a free rollout before its first error
	MeasureOutput      = "output"
	MeasureInput       = "input"
	measureConsistency = "consistency " // followed by the action
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

// ReadResult reads the output of Write.
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

// most is the largest count that is accepted, so that sums stay exact.
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

// number returns a number for JSON, or nil for NaN.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
