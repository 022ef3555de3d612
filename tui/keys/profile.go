package keys

import "slices"

// Profile is a named set of bindings. Keys replaces an action's keys in the profile that it is
// based on; an empty list unbinds.
type Profile struct {
	Name string
	Base string // "" is "default"
	Keys map[string][]string
}

// The names of the profiles that are built in.
const (
	DefaultProfile = "default"
	PudbProfile    = "pudb"
)

// profiles are the built-in profiles. pudb has PuDB's keys for panes (V S B C), and moves backwards
// with Alt, which PuDB does not use.
var profiles = []Profile{
	{Name: DefaultProfile},
	{Name: PudbProfile, Keys: map[string][]string{
		"focus-locals":      {"V", "2"},
		"focus-stack":       {"S", "3"},
		"focus-breakpoints": {"B", "6"},
		"focus-source":      {"C", "1"},
		"focus-output":      {"o", "4"},
		"step-back":         {"alt+s", "shift+f11"},
		"next-back":         {"alt+n", "shift+f10"},
		"continue-back":     {"alt+c", "shift+f5"},
		"return-back":       {"alt+f", "alt+r"},
		"run-back-to-cursor": {
			"alt+t",
		},
		"expand":   {"enter", "space", `\`},
		"watch":    {"m", "insert"},
		"settings": {"O", "f2", "ctrl+p"},
	}},
}

// ProfileNames returns the names that New takes: those built in, and the user's own.
func ProfileNames(own []Profile) []string {
	var names []string
	for _, p := range append(slices.Clone(profiles), own...) {
		names = append(names, p.Name)
	}
	return names
}
