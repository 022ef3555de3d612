package keys

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/npdb/npdb/internal/suggest"
)

// Map maps keys to actions.
type Map struct {
	keys    [][]key // of each action
	actions [len(contextNames)]map[key]int
}

// New returns the bindings of a profile ("" is the default one), overridden by user: keys by the
// name of an action, [] for none. own are profiles besides the built-in ones. The error joins a
// *ConflictError, *UnknownError or *KeyError for each mistake.
func New(profile string, own []Profile, user map[string][]string) (*Map, error) {
	m := &Map{keys: make([][]key, len(actions))}
	var faults []error
	bind := func(i int, texts []string) {
		m.keys[i] = nil
		for _, text := range texts {
			k, err := parse(text)
			if err == nil && actions[i].Context.TakesText() && k.types() {
				err = &KeyError{text, actions[i].Name + " is for where text is typed, and this key types"}
			}
			if err != nil {
				faults = append(faults, err)
			} else if !slices.Contains(m.keys[i], k) {
				m.keys[i] = append(m.keys[i], k)
			}
		}
	}
	overlay := func(table map[string][]string) {
		for _, name := range sortedKeys(table) {
			if i, err := actionIndex(name); err != nil {
				faults = append(faults, err)
			} else {
				bind(i, table[name])
			}
		}
	}

	chain, err := lineage(profile, own)
	if err != nil {
		return nil, err
	}
	for i := range actions {
		bind(i, actions[i].keys)
	}
	for _, p := range chain {
		overlay(p.Keys)
	}
	overlay(user)
	faults = append(faults, m.index()...)
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return m, nil
}

// lineage returns a profile, preceded by the profiles that it is based on.
func lineage(name string, own []Profile) ([]Profile, error) {
	all := append(slices.Clone(profiles), own...)
	var known []string
	for i, p := range all {
		if slices.Contains(known, p.Name) {
			return nil, &ProfileError{p.Name, "there are two profiles of that name"}
		}
		if p.Name == "" {
			return nil, &ProfileError{"", "a profile needs a name"}
		}
		known = append(known, p.Name)
		if all[i].Base == "" && p.Name != DefaultProfile {
			all[i].Base = DefaultProfile
		}
	}
	if name == "" {
		name = DefaultProfile
	}
	var chain []Profile
	for name != "" {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, &UnknownError{"profile", name, suggest.Nearest(name, known)}
		}
		if len(chain) == len(all) {
			return nil, &ProfileError{name, "it starts from itself"}
		}
		chain = append(chain, all[i])
		name = all[i].Base
	}
	slices.Reverse(chain)
	return chain, nil
}

// index builds the map from keys to actions and returns the conflicts.
func (m *Map) index() (faults []error) {
	for i := range m.actions {
		m.actions[i] = make(map[key]int)
	}
	for i := range actions {
		c := actions[i].Context
		for _, k := range m.keys[i] {
			if other, taken := m.actions[c][k]; taken {
				faults = append(faults, &ConflictError{k.String(), c, [2]string{actions[other].Name, actions[i].Name}})
				continue
			}
			m.actions[c][k] = i
		}
	}
	return faults
}

func actionIndex(name string) (int, error) {
	known := make([]string, len(actions))
	for i := range actions {
		if actions[i].Name == name {
			return i, nil
		}
		known[i] = actions[i].Name
	}
	return 0, &UnknownError{"action", name, suggest.Nearest(name, known)}
}

func sortedKeys(table map[string][]string) []string {
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

// Lookup returns the action that a key press asks for in a context: one of the
// context's own, else a global one. ok is false when the key is bound to nothing
// there; where text is typed it is then text.
func (m *Map) Lookup(c Context, msg tea.KeyPressMsg) (a Action, ok bool) {
	k, base := pressed(msg)
	if i, ok := m.find(c, k); ok {
		return actions[i], true
	}
	// On a Cyrillic keyboard "н" is in the place of "n". Where text is typed it is text.
	if base != noKey && (!c.TakesText() || !k.types() && !base.types()) {
		if i, ok := m.find(c, base); ok {
			return actions[i], true
		}
	}
	// Two Esc that are read at once look like Alt-Esc.
	if k == (key{tea.KeyEscape, tea.ModAlt}) {
		if i, ok := m.find(c, key{code: tea.KeyEscape}); ok {
			return actions[i], true
		}
	}
	return Action{}, false
}

func (m *Map) find(c Context, k key) (int, bool) {
	if i, ok := m.actions[c][k]; ok {
		return i, true
	}
	i, ok := m.actions[Global][k]
	if !ok || !c.reaches(actions[i]) || c.TakesText() && k.types() {
		return 0, false
	}
	return i, true
}
