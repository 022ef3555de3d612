package keys

import "slices"

// Profile is a set of bindings under a name. Keys has an action's keys, which
// replace those of the profile that it starts from; an empty list unbinds.
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

// profiles are those that are built in. pudb is for hands that know PuDB: its
// keys for panes (V S B C), and backwards on Alt, which PuDB leaves free.
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
