package backend

import (
	"maps"
	"slices"
	"strings"
)

// Checks compares the parts of a predicted state with what the program's source determines. The
// keys are "event", "line", "function", "depth", "value" and "locals.NAME"; parts that the source
// does not determine are missing.
type Checks map[string]Check

// Check is the result of comparing one part of a predicted state.
type Check struct {
	Mark CheckMark `json:"mark"`
	// Computed is the part as computed from the source, set if Mark is Contradicts. It is "" for a
	// local or a value that the state cannot have.
	Computed string `json:"computed,omitempty"`
}

// CheckMark classifies a predicted part of a state.
type CheckMark string

// The marks: the part equals the computed one (Follows) or differs from it (Contradicts).
const (
	Follows     CheckMark = "follows"
	Contradicts CheckMark = "contradicts"
)

const localPart = "locals."

// Compare records whether the predicted part equals the computed one.
func (c Checks) Compare(part, predicted, computed string) {
	if predicted == computed {
		c[part] = Check{Mark: Follows}
	} else {
		c[part] = Check{Mark: Contradicts, Computed: computed}
	}
}

// CompareLocal is like Compare, for a local. A nil value means that the local has no value in that
// state.
func (c Checks) CompareLocal(name string, predicted, computed *string) {
	switch {
	case predicted == nil || computed == nil:
		check := Check{Mark: Contradicts}
		if computed != nil {
			check.Computed = *computed
		}
		c[localPart+name] = check
	default:
		c.Compare(localPart+name, *predicted, *computed)
	}
}

// Local returns the check of a local; its Mark is "" if the local was not checked.
func (c Checks) Local(name string) Check { return c[localPart+name] }

// Place returns the first of event, line, function and depth that contradicts the program's source, with
// its computed value, for example "line 6". It returns "" if none of them does.
func (c Checks) Place() string {
	for _, part := range []string{"event", "line", "function", "depth"} {
		if check := c[part]; check.Mark == Contradicts {
			return part + " " + check.Computed
		}
	}
	return ""
}

// Wrong returns the names of the parts that contradict the program's source, for example "line" or
// "locals.a".
func (c Checks) Wrong() []string {
	var parts []string
	for part, check := range c {
		if check.Mark == Contradicts {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return parts
}

// Count returns how many parts follow from the program's source, and how many contradict it.
func (c Checks) Count() (follow, contradict int) {
	for _, check := range c {
		if check.Mark == Contradicts {
			contradict++
		} else {
			follow++
		}
	}
	return follow, contradict
}

// Contradictions returns the computed values of the parts that contradict the program's source, in
// words: "a is 12".
func (c Checks) Contradictions() []string {
	var words []string
	for _, part := range slices.Sorted(maps.Keys(c)) {
		check := c[part]
		if check.Mark != Contradicts {
			continue
		}
		name, local := strings.CutPrefix(part, localPart)
		switch {
		case !local:
			name = "the " + part
			if check.Computed == "" {
				words = append(words, "there is no "+part)
				continue
			}
		case check.Computed == "":
			words = append(words, name+" has no value")
			continue
		}
		words = append(words, name+" is "+check.Computed)
	}
	return words
}
