package compare

import (
	"fmt"
	"strings"
)

// Rules selects which differences between two values are ignored. The zero Rules compare byte for
// byte.
type Rules struct {
	Addresses  bool
	IDs        bool
	Clocks     bool
	SetOrder   bool
	FloatNoise bool
}

// All returns all rules.
func All() Rules {
	return Rules{Addresses: true, IDs: true, Clocks: true, SetOrder: true, FloatNoise: true}
}

// RuleInfo describes a rule for people.
type RuleInfo struct {
	Name string // as in configurations and verdicts: "set-order"
	Doc  string // the differences that the rule ignores
	Not  string // similar differences that it does not ignore
}

// rule is a set of rules as bits, in the order of ruleTable.
type rule uint8

const (
	addresses rule = 1 << iota
	ids
	clocks
	setOrder
	floatNoise
)

var ruleTable = []struct {
	RuleInfo
	field func(*Rules) *bool
}{
	{RuleInfo{
		"addresses",
		"` at 0x7f…` in the repr of an object, and where one of the two leaves it out",
		"other hexadecimal numbers; addresses that show two objects in the one value and a single one in the other",
	}, func(r *Rules) *bool { return &r.Addresses }},
	{RuleInfo{
		"ids",
		"two integers that both look like `id(x)`: multiples of 16 where Linux and macOS on 64 bits place objects",
		"smaller integers; counters such as `Task-2`, which the program determines; ids that tell objects apart otherwise",
	}, func(r *Rules) *bool { return &r.IDs }},
	{RuleInfo{
		"clocks",
		"two points in time, one of which at least has the fraction of a second that a clock gives: ISO dates with a time in strings, `datetime.datetime(…)`, floats of seconds since 1970 (from 2017 to 2049)",
		"dates without a time; two times in whole seconds or minutes; durations; time zones",
	}, func(r *Rules) *bool { return &r.Clocks }},
	{RuleInfo{
		"set-order",
		"the order of the elements of sets and frozensets, at any depth",
		"the order of dictionaries, lists and of text that a program made from a set",
	}, func(r *Rules) *bool { return &r.SetOrder }},
	{RuleInfo{
		"float-noise",
		"two floats that differ by no more than 1e-12 of the larger one, or are next to each other",
		"a float and an integer; zero and something small; numbers of different sign",
	}, func(r *Rules) *bool { return &r.FloatNoise }},
}

// RuleList returns the descriptions of all rules.
func RuleList() []RuleInfo {
	list := make([]RuleInfo, len(ruleTable))
	for i, r := range ruleTable {
		list[i] = r.RuleInfo
	}
	return list
}

// UnknownRuleError reports that no rule has this name.
type UnknownRuleError struct{ Name string }

func (e *UnknownRuleError) Error() string {
	return fmt.Sprintf("there is no rule %q for comparing values; there are %s", e.Name, names(1<<len(ruleTable)-1))
}

// Set turns a rule on or off. The error is an *UnknownRuleError.
func (r *Rules) Set(name string, on bool) error {
	for _, info := range ruleTable {
		if info.Name == name {
			*info.field(r) = on
			return nil
		}
	}
	return &UnknownRuleError{name}
}

// Has reports whether the rule with this name is on.
func (r Rules) Has(name string) bool {
	for _, info := range ruleTable {
		if info.Name == name {
			return *info.field(&r)
		}
	}
	return false
}

// names returns the names of a set of rules, joined by commas.
func names(set rule) string {
	var list []string
	for i, info := range ruleTable {
		if set&(1<<i) != 0 {
			list = append(list, info.Name)
		}
	}
	return strings.Join(list, ", ")
}
