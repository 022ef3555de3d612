package settings

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Keeper writes changes into the file one after the other, in order: two at once could overwrite
// each other.
type Keeper struct {
	keep    func(key string, value any) error
	busy    bool
	waiting []Change
}

// Kept is the message that a change was written, or that it could not be (Err).
type Kept struct {
	Change
	Err error
}

// NewKeeper returns a keeper that writes changes by calling keep.
func NewKeeper(keep func(key string, value any) error) Keeper { return Keeper{keep: keep} }

// Keep queues a change for writing. It replaces a waiting change of the same setting.
func (k *Keeper) Keep(c Change) tea.Cmd {
	if k.busy {
		k.waiting = slices.DeleteFunc(k.waiting, func(w Change) bool { return w.Key == c.Key })
		k.waiting = append(k.waiting, c)
		return nil
	}
	k.busy = true
	keep := k.keep
	return func() tea.Msg { return Kept{c, keep(c.Key, c.written())} }
}

// Next writes the next waiting change.
func (k *Keeper) Next() tea.Cmd {
	k.busy = false
	if len(k.waiting) == 0 {
		return nil
	}
	c := k.waiting[0]
	k.waiting = k.waiting[1:]
	return k.Keep(c)
}

// written returns the value as the file has it.
func (c Change) written() any {
	if c.Switch {
		return c.Value == Yes
	}
	return c.Value
}
