package policy

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Settings contains everything that is random in a walk, and the limits of its text. A
// probability is between 0 and 1; weights are relative to those of the same list.
type Settings struct {
	// Bytes is the maximum size of a text. It ends with the last complete reply that fits.
	Bytes int `json:"bytes"`
	// Room is the minimum number of Bytes that must be left for replies when a text
	// begins.
	Room int `json:"room"`

	// Single lists the possible shares of step_into and step_over together, in equal
	// numbers, among a walk's actions, and how often a program gets each share. Actions
	// are drawn for the rest.
	Single []Weighted `json:"single"`
	// Actions weights all actions of the current direction of a walk.
	Actions Actions `json:"actions"`
	// Lines weights the number of lines of a breakpoint: one, two, and so on.
	Lines []float64 `json:"lines"`
	// Hit is the probability that such a line is one that will still be reached, if there
	// is one; otherwise it is any non-empty line.
	Hit float64 `json:"hit"`

	// Compacted is the probability of a text that begins in the middle of a run, with
	// the states of the activations there.
	Compacted float64 `json:"compacted"`
	// Stale is the probability that the callers' states in it are old: as if only a share
	// of their events, one of Seen, had been shown.
	Stale float64   `json:"stale"`
	Seen  []float64 `json:"seen"`

	// Inverse is the probability of a walk that turns and goes backwards.
	Inverse float64 `json:"inverse"`
	// Back is the probability that such a walk goes backwards first when it continues
	// after an edit; at the first state it cannot. BackCompacted is the same for a text
	// that begins in the middle of a run.
	Back          float64 `json:"back"`
	BackCompacted float64 `json:"back_compacted"`
	// Runs lists the possible numbers of actions in one direction, which are equally
	// likely.
	Runs []int `json:"runs"`
	// Return is the probability that a walk with turns comes back from the end of the
	// program; Leave, that it ends when it reaches the start.
	Return float64 `json:"return"`
	Leave  float64 `json:"leave"`

	// Question is the probability of a text with a question about a call instead of a
	// walk; Breakpoint, that it uses a breakpoint on the call's last line; More, that a
	// single step follows.
	Question   float64 `json:"question"`
	Breakpoint float64 `json:"breakpoint"`
	More       float64 `json:"more"`

	// Edits is the probability that a program gets an edit; Used, that the next line may
	// read the edited name; Other, that its new value occurs elsewhere in the recording.
	// EditChars is the maximum length of an edited literal in bytes, and EditLead the
	// maximum number of events that a text shows before the edit.
	Edits     float64 `json:"edits"`
	Used      float64 `json:"used"`
	Other     float64 `json:"other"`
	EditChars int     `json:"edit_chars"`
	EditLead  int     `json:"edit_lead"`
}

// Weighted is a share and how often it is drawn.
type Weighted struct {
	Share  float64 `json:"share"`
	Weight float64 `json:"weight"`
}

// Actions are the weights of the actions of one direction. Continue ends a text, or starts
// it again.
type Actions struct {
	StepInto   float64 `json:"step_into"`
	StepOver   float64 `json:"step_over"`
	StepReturn float64 `json:"step_return"`
	Breakpoint float64 `json:"breakpoint"`
	Continue   float64 `json:"continue"`
}

func (a Actions) list() []float64 {
	return []float64{a.StepInto, a.StepOver, a.StepReturn, a.Breakpoint, a.Continue}
}

// Defaults returns the settings of npdb's own model: texts for rows of 2,048 tokens, and
// for each program a different share of single steps.
func Defaults() *Settings {
	return &Settings{
		Bytes: 6000, Room: 300,
		Single:  []Weighted{{0.5, 1}, {0.8, 1}, {0.95, 1}, {1, 1}},
		Actions: Actions{1, 1, 1, 1, 0.3},
		Lines:   []float64{3, 2, 1}, Hit: 0.85,
		Compacted: 0.28, Stale: 0.25, Seen: []float64{0.2, 0.5, 0.8},
		Inverse: 0.3, Back: 0.2, BackCompacted: 0.6, Runs: []int{1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10, 14},
		Return: 0.4, Leave: 0.4,
		Question: 0.15, Breakpoint: 0.5, More: 0.3,
		Edits: 0.1, Used: 0.8, Other: 0.3, EditChars: 60, EditLead: 12,
	}
}

// Paper returns Defaults with the actions of "Towards a Neural Debugger for Python" (arXiv
// 2603.09951), as a replication cites its section 3.3: with probability 0.5 any of the
// available actions, otherwise step_into or step_over. It has no questions.
func Paper() *Settings {
	s := Defaults()
	s.Single = []Weighted{{0.5, 1}}
	s.Actions = Actions{1, 1, 1, 1, 1}
	s.Question = 0
	return s
}

// SettingsError reports an invalid setting.
type SettingsError struct {
	Name string // as in JSON: "actions.step_into"
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
