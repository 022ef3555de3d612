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

// version is the version of the JSON format of results.
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
	Digest   string    `json:"digest,omitempty"` // SHA-256 of the model's file in hex, if known
	Settings Settings  `json:"settings"`
	N        int       `json:"n"`        // number of counted programs, walks or problems
	Complete bool      `json:"complete"` // false if the measurement was interrupted
	Skipped  []Skipped `json:"skipped,omitempty"`
	// Invalid counts the model's replies that were not a state, including those that it
	// corrected in a second attempt.
	Invalid score.Invalid `json:"invalid,omitzero"`

	States  []States `json:"states,omitempty"` // first the model's result, then those of the baselines
	Output  *Judged  `json:"output,omitempty"`
	Input   *Judged  `json:"input,omitempty"`
	Inverse *Inverse `json:"inverse,omitempty"`
	// Search holds the results of searching for CruxEval's inputs: SearchAlone and SearchSampler.
	Search map[string]*Searched `json:"search,omitempty"`

	Items []Item `json:"items"` // the model's results by question, to compare measurements
	// Mistakes lists the wrong answers of the model and of Computing. Programs contains the
	// nd/1 texts of their programs, by name.
	Mistakes []Mistake         `json:"mistakes,omitempty"`
	Programs map[string]string `json:"programs,omitempty"`
}

// record adds the mistakes in one program.
func (r *Result) record(m *mistakes) {
	r.Mistakes = append(r.Mistakes, m.list...)
	if r.Programs == nil {
		r.Programs = map[string]string{}
	}
	maps.Copy(r.Programs, m.programs)
}

// Settings holds all inputs, apart from the model, on which the numbers depend.
type Settings struct {
	Source      string  `json:"source"` // name of the measured file or folder
	Samples     int     `json:"samples"`
	Temperature float64 `json:"temperature"`
	States      int     `json:"states,omitempty"`
	Strategy    string  `json:"strategy,omitempty"`
	Locals      bool    `json:"locals,omitempty"`
	Verify      string  `json:"verify,omitempty"` // how inputs or pasts were verified
	Runs        int     `json:"runs,omitempty"`   // number of candidates of one search; 0 means that its time is limited
	Seed        *int64  `json:"seed,omitempty"`
	Limit       int     `json:"limit,omitempty"`  // maximum number of programs; 0 means all
	Half        string  `json:"half,omitempty"`   // the measured half of the programs; "" means all
	Python      string  `json:"python,omitempty"` // version that determined the truth, such as "3.12"
	Npdb        string  `json:"npdb,omitempty"`   // version of npdb
	Date        string  `json:"date,omitempty"`   // time when the measurement began, RFC 3339
}

// Skipped reports a program that could not be measured, and why.
type Skipped struct {
	Program string `json:"program"`
	Why     string `json:"why"`
}

// Error implements error: a function that measures one program returns a *Skipped if only
// this program cannot be measured.
func (s *Skipped) Error() string { return s.Program + ": " + s.Why }

// Item is the model's result for one question: Right of Of answers were right. Measure is an action,
// "output", "input" and so on. At distinguishes the questions with the same program and measure.
type Item struct {
	Program string  `json:"program"`
	Measure string  `json:"measure"`
	At      int     `json:"at"`
	Right   float64 `json:"right"`
	Of      int     `json:"of"`
}

// itemKey identifies a question: an item of a result.
type itemKey struct {
	program, measure string
	at               int
}

func (x Item) key() itemKey { return itemKey{x.Program, x.Measure, x.At} }

// The measures of items, in addition to the names of actions.
const (
	MeasureRollout     = "rollout" // right states of a free rollout before the first wrong one
	MeasureOutput      = "output"
	MeasureInput       = "input"
	measureConsistency = "consistency " // prefix of an action's name
)

// Write writes the result as a JSON object.
func (r *Result) Write(w io.Writer) error {
	r.Version = version
	if r.Items == nil {
		r.Items = []Item{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// ReadResult parses a result that Write has written.
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

// most is the largest count that is accepted. Up to it, float64 is exact.
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

// Share counts questions or answers (N), and those among them that are right or have another property
// (Same).
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

// Tally returns the same counts as a score.Tally.
func (s Share) Tally() score.Tally { return score.Tally{N: s.N, Same: s.Same} }

// number returns a number in the form for JSON: nil for NaN and infinities.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
