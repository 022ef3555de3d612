package keys

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Binding is an action and its keys in readable form: "Shift-F10", "Ctrl-f", "N".
type Binding struct {
	Action
	Keys []string
}

// Bindings returns the actions that keys run in a context: its own actions, then the global ones
// with the keys that the context does not use itself. Both are in the order of help. An action that
// no key reaches has no Keys.
func (m *Map) Bindings(c Context) []Binding {
	var own, global []Binding
	for i := range actions {
		switch a := actions[i]; {
		case a.Context == c:
			own = append(own, Binding{a, m.labels(c, i)})
		case a.Context == Global && c.reaches(a):
			global = append(global, Binding{a, m.labels(c, i)})
		}
	}
	return append(own, global...)
}

// labels returns the keys of an action in a context. For the tour it leaves out keys that have a global
// meaning.
func (m *Map) labels(c Context, action int) []string {
	var labels []string
	for _, k := range m.keys[action] {
		if _, taken := m.actions[Global][k]; taken && c == Tour {
			continue
		}
		if i, ok := m.find(c, k); ok && i == action {
			labels = append(labels, k.label())
		}
	}
	return labels
}

// Keys returns the keys of an action in readable form, none for an unknown name.
func (m *Map) Keys(name string) []string {
	i, err := actionIndex(name)
	if err != nil {
		return nil
	}
	return m.labels(actions[i].Context, i)
}

// Key returns the first key of an action in readable form, or its name after a colon if it has
// none.
func (m *Map) Key(name string) string {
	if k := m.Keys(name); len(k) > 0 {
		return k[0]
	}
	return ":" + name
}

// Filter returns the bindings that contain every word of a text in the name, the keys, the group
// or the description. Only a single character is case-sensitive, since it is probably a key.
func Filter(bindings []Binding, text string) []Binding {
	words := strings.Fields(text)
	return slices.DeleteFunc(slices.Clone(bindings), func(b Binding) bool {
		for _, w := range words {
			if utf8.RuneCountInString(w) == 1 {
				if !slices.Contains(b.Keys, w) {
					return true
				}
				continue
			}
			all := strings.Join(append(slices.Clone(b.Keys), b.Name, b.Group, b.Help), "\x00")
			if !strings.Contains(strings.ToLower(all), strings.ToLower(w)) {
				return true
			}
		}
		return false
	})
}

// Hint is an entry of the footer: the keys of some actions, and a word for them.
type Hint struct {
	Keys []string
	Word string
}

// String returns the hint as the footer has it: "S N back".
func (h Hint) String() string { return strings.Join(h.Keys, " ") + " " + h.Word }

// HintGap is the number of columns between two hints.
const HintGap = 2

// Hints returns the footer of a context: the most important hints, as many as fit. Each action
// shows its first key.
func (m *Map) Hints(c Context, columns int) []Hint {
	type ranked struct {
		Hint
		rank, place int
	}
	var all []ranked
	bindings := m.Bindings(c)
	for i := range bindings {
		if h, ok := paneHints[c][bindings[i].Name]; ok {
			bindings[i].Context, bindings[i].hint = c, h
		}
	}
	// The context's own bindings come first.
	slices.SortStableFunc(bindings, func(a, b Binding) int { return cmp.Compare(b.Context, a.Context) })
	for _, b := range bindings {
		// Where text is typed, the line's own actions come first.
		if b.hint.word == "" || len(b.Keys) == 0 || b.Context != c && c.TakesText() {
			continue
		}
		if n := len(all) - 1; n >= 0 && all[n].Word == b.hint.word {
			all[n].Keys = append(all[n].Keys, b.Keys[0])
			continue
		}
		all = append(all, ranked{Hint{b.Keys[:1:1], b.hint.word}, b.hint.rank, len(all)})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	room, kept := columns+HintGap, all[:0]
	for _, h := range all {
		if n := utf8.RuneCountInString(h.String()) + HintGap; n <= room {
			room -= n
			kept = append(kept, h)
		}
	}
	slices.SortFunc(kept, func(a, b ranked) int { return cmp.Compare(a.place, b.place) })
	hints := make([]Hint, len(kept))
	for i, h := range kept {
		hints[i] = h.Hint
	}
	return hints
}
