package backend

import (
	"maps"
	"slices"
	"strings"
)

// Checks compares a predicted state with the program's text, by part: "event", "line", "function",
// "depth", "value" and "locals.NAME". It has no entry for what the text does not decide.
type Checks map[string]Check

// Check holds the result for one part.
type Check struct {
	Mark CheckMark `json:"mark"`
	// Computed is what follows from the text where the part contradicts it; "" for a local that has
	// no value then.
	Computed string `json:"computed,omitempty"`
}

// CheckMark classifies a predicted part by the program's text.
type CheckMark string

// What a check finds.
const (
	Follows     CheckMark = "follows"
	Contradicts CheckMark = "contradicts"
)

const localPart = "locals."

// Compare notes a predicted part and the computed one.
func (c Checks) Compare(part, predicted, computed string) {
	if predicted == computed {
		c[part] = Check{Mark: Follows}
	} else {
		c[part] = Check{Mark: Contradicts, Computed: computed}
	}
}

// CompareLocal does the same for a local. A nil text stands for a local without a value.
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

// Local returns the check of a local; its mark is "" if there is none.
func (c Checks) Local(name string) Check { return c[localPart+name] }

// Place returns the first contradiction about where the state is: "line 6"; "" if there is none.
func (c Checks) Place() string {
	for _, part := range []string{"event", "line", "function", "depth"} {
		if check := c[part]; check.Mark == Contradicts {
			return part + " " + check.Computed
		}
	}
	return ""
}

// Wrong returns the names of the parts that contradict the text: "line", "locals.a".
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

// Count returns how many parts follow from the text, and how many contradict it.
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

// Contradictions lists what contradicts the text, in words: "a is 12".
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
