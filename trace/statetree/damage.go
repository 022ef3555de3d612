package statetree

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

// Damage is the error of a query of a loaded tree that met a page that cannot be read or that is
// invalid.
type Damage struct {
	Part string // what the page holds, or "" if only its use showed that it is invalid
	Page int    // number of the page in its part, counted from 0
	Err  error
}

// Error describes the damage for the user.
func (d *Damage) Error() string {
	if d.Part == "" {
		return fmt.Sprintf("the index of the recording is damaged: %v", d.Err)
	}
	return fmt.Sprintf("the index of the recording is damaged: page %d of the %s: %v", d.Page, d.Part, d.Err)
}

// Unwrap returns the error of the function that reads pages, or what is invalid.
func (d *Damage) Unwrap() error { return d.Err }

// Err returns the first damage that a query of a loaded tree met, or nil. Such a query returns
// zero values, with -1 for an event that it did not find; a move stays at its event.
func (t *Tree) Err() error {
	if t.cached == nil {
		return nil
	}
	if d := t.cached.damage.Load(); d != nil {
		return d
	}
	return nil
}

// done ends a query. In a loaded tree it also ends the panic of a query that met damage: a page
// that was refused, or an index from a page that is out of range.
func (t *Tree) done() {
	t.mu.RUnlock()
	if t.cached == nil {
		return
	}
	if fault := recover(); fault != nil {
		t.cached.damage.CompareAndSwap(nil, damageOf(fault))
	}
}

// damageOf returns the damage for which code panics. It passes on any other panic.
func damageOf(fault any) *Damage {
	switch fault := fault.(type) {
	case *Damage:
		return fault
	case runtime.Error:
		text, found := strings.CutPrefix(fault.Error(), "runtime error: ")
		if found && strings.Contains(text, "out of range") {
			return &Damage{Err: fmt.Errorf("a number in it cannot be right: %s", text)}
		}
	}
	panic(fault)
}

// damaged panics unless ok: the data of a loaded tree is invalid. In other trees ok is always
// true.
func damaged(ok bool, what string) {
	if !ok {
		refuse(what)
	}
}

func refuse(what string) { panic(&Damage{Err: errors.New(what)}) }
