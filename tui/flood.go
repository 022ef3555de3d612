package tui

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// After mostInARow keys without a pause between them, the following keys are dropped as pasted
// text: a terminal without bracketed paste sends it as keys, and a person presses far fewer keys so
// fast.
const (
	mostInARow = 4096
	pause      = 50 * time.Millisecond
)

// flood counts keys without a pause between them.
type flood struct {
	last time.Time
	keys int
}

// drops reports whether a key is dropped because it is a part of pasted text.
func (f *flood) drops(now time.Time) bool {
	if now.Sub(f.last) >= pause {
		f.keys = 0
	}
	f.last = now
	f.keys++
	return f.keys > mostInARow
}

// begins reports whether the last key is the first that was dropped.
func (f *flood) begins() bool { return f.keys == mostInARow+1 }

// floodWords returns the message that keys are dropped.
func floodWords() string {
	return fmt.Sprintf("More than %s keys came at once: the rest of them is dropped.", humanize.Comma(mostInARow))
}
