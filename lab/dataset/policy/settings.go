package policy

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Settings holds the probabilities with which walks are generated, and the limits of their texts. A
// probability is between 0 and 1. A weight is relative to the other weights in its list.
type Settings struct {
	// Bytes is the maximum size of a text. A text ends with the last reply that fits
	// completely.
	Bytes int `json:"bytes"`
	// Room is the smallest number of bytes that must be left for replies after the beginning of a text.
	// If less is left, the text is not written.
	Room int `json:"room"`

	// Single lists possible shares of single steps among a walk's actions, with weights. One share is
	// chosen for each program. A single step is step_into or step_over, with equal probability. All
	// other actions are chosen by Actions.
	Single []Weighted `json:"single"`
	// Actions contains the weights of all actions in the current direction of a walk.
	Actions Actions `json:"actions"`
	// Lines contains the weights of breakpoints with one line, two lines, and so on.
	Lines []float64 `json:"lines"`
	// Hit is the probability that a line of a breakpoint is one that will still be reached,
	// if there is such a line. Otherwise it is any non-empty line.
	Hit float64 `json:"hit"`

	// Compacted is the probability that a text begins in the middle of a run, with the
	// states of the functions that are active there.
	Compacted float64 `json:"compacted"`
	// Stale is the probability that the callers' states in a text that begins in the middle are
	// old, as if only a share of their events had been shown. The share is chosen from Seen.
	Stale float64   `json:"stale"`
	Seen  []float64 `json:"seen"`

	// Inverse is the probability that a walk also goes backwards.
	Inverse float64 `json:"inverse"`
	// Back is the probability that a walk with inverse moves begins backwards after an edit. (Without an
	// edit it begins at the first state, from which it can only go forward.) BackCompacted is the same
	// for a text that begins in the middle of a run.
	Back          float64 `json:"back"`
	BackCompacted float64 `json:"back_compacted"`
	// Runs lists possible numbers of actions before a walk changes its direction. They are
	// equally likely.
	Runs []int `json:"runs"`
	// Return is the probability that a walk with inverse moves turns back at the end of the
	// program. Leave is the probability that it ends when it reaches the start.
	Return float64 `json:"return"`
	Leave  float64 `json:"leave"`

	// Question is the probability that a text contains a question about a call instead of a
	// walk. Breakpoint is the probability that the question uses a breakpoint on the line
	// that returns. More is the probability that a single step follows.
	Question   float64 `json:"question"`
	Breakpoint float64 `json:"breakpoint"`
	More       float64 `json:"more"`

	// Edits is the probability that a program gets an edit. Used is the probability that the
	// edited name must occur in the next line, so that the line may read it. Other is the
	// probability that the new value is taken from elsewhere in the recording. EditChars is
	// the maximum length of an edited literal in bytes. EditLead is the maximum number of
	// events that a text shows before the edit.
	Edits     float64 `json:"edits"`
	Used      float64 `json:"used"`
	Other     float64 `json:"other"`
	EditChars int     `json:"edit_chars"`
	EditLead  int     `json:"edit_lead"`
}

// Weighted is a share that may be drawn, with the weight of its being drawn.
type Weighted struct {
	Share  float64 `json:"share"`
	Weight float64 `json:"weight"`
}

// Actions holds the weights of the actions, which are also those of their inverses. Continue leads to
// the end of the program, its inverse to the start. The presets make no step_block and step_function,
// so that the datasets made with them stay the same.
type Actions struct {
	StepInto   float64 `json:"step_into"`
	StepOver   float64 `json:"step_over"`
	StepReturn float64 `json:"step_return"`
	Breakpoint float64 `json:"breakpoint"`
	Continue   float64 `json:"continue"`

	StepBlock    float64 `json:"step_block,omitempty"`
	StepFunction float64 `json:"step_function,omitempty"`
}

func (a Actions) list() []float64 {
	return []float64{a.StepInto, a.StepOver, a.StepReturn, a.Breakpoint, a.Continue, a.StepBlock, a.StepFunction}
}

// Defaults returns the settings for npdb's own model. Texts fit into rows of 2,048 tokens, and each
// program has its own share of single steps.
func Defaults() *Settings {
	return &Settings{
		Bytes: 6000, Room: 300,
		Single:  []Weighted{{0.5, 1}, {0.8, 1}, {0.95, 1}, {1, 1}},
		Actions: Actions{StepInto: 1, StepOver: 1, StepReturn: 1, Breakpoint: 1, Continue: 0.3},
		Lines:   []float64{3, 2, 1}, Hit: 0.85,
		Compacted: 0.28, Stale: 0.25, Seen: []float64{0.2, 0.5, 0.8},
		Inverse: 0.3, Back: 0.2, BackCompacted: 0.6, Runs: []int{1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 14},
		Return: 0.4, Leave: 0.4,
		Question: 0.15, Breakpoint: 0.5, More: 0.3,
		Edits: 0.1, Used: 0.8, Other: 0.3, EditChars: 60, EditLead: 12,
	}
}

// Paper returns Defaults with the actions of "Towards a Neural Debugger for Python" (arXiv 2603.09951),
// as a replication quotes its section 3.3: with probability 0.5 any of the available actions, otherwise
// step_into or step_over. It has no questions.
func Paper() *Settings {
	s := Defaults()
	s.Single = []Weighted{{0.5, 1}}
	s.Actions.Continue = 1
	s.Question = 0
	return s
}

// SettingsError reports an invalid setting.
type SettingsError struct {
	Name string // name of the setting in JSON, such as "actions"
	Why  string
}

func (e *SettingsError) Error() string { return "setting " + e.Name + ": " + e.Why }

// Validate returns an error for the first invalid setting. It is a *SettingsError.
func (s *Settings) Validate() error {
	wrong := func(name, why string, a ...any) error { return &SettingsError{name, fmt.Sprintf(why, a...)} }
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
		if p, ok := fields.Field(i).Interface().(float64); ok && !(p >= 0 && p <= 1) {
			return wrong(name, "%v is no probability: it is to lie between 0 and 1", p)
		}
	}
	var shares []float64
	for i, w := range s.Single {
		if !(w.Share >= 0 && w.Share <= 1) {
			return wrong("single", "the share %v does not lie between 0 and 1", s.Single[i].Share)
		}
		shares = append(shares, w.Weight)
	}
	for _, seen := range s.Seen {
		if !(seen >= 0 && seen <= 1) {
			return wrong("seen", "the share %v does not lie between 0 and 1", seen)
		}
	}
	for _, weights := range []struct {
		name string
		list []float64
	}{{"single", shares}, {"actions", s.Actions.list()}, {"lines", s.Lines}} {
		sum := 0.0
		for _, w := range weights.list {
			if !(w >= 0) || math.IsInf(w, 0) {
				return wrong(weights.name, "%v is no weight: it is to be a number of at least 0", w)
			}
			sum += w
		}
		if sum == 0 || math.IsInf(sum, 0) {
			return wrong(weights.name, "the weights sum up to %v: one of them at least is to be above 0", sum)
		}
	}
	for _, n := range s.Runs {
		if n < 1 {
			return wrong("runs", "a run of %d actions: it is to have at least one", n)
		}
	}
	switch {
	case s.Room < 0 || s.Bytes <= s.Room:
		return wrong("bytes", "%d bytes leave no room for replies beside the %d of room", s.Bytes, s.Room)
	case s.Inverse > 0 && len(s.Runs) == 0:
		return wrong("runs", "there are none, and walks turn back (inverse)")
	case s.Stale > 0 && len(s.Seen) == 0:
		return wrong("seen", "there are none, and states are to be stale (stale)")
	case s.EditChars < 0:
		return wrong("edit_chars", "%d is below 0", s.EditChars)
	case s.EditLead < 0:
		return wrong("edit_lead", "%d is below 0", s.EditLead)
	}
	return nil
}
