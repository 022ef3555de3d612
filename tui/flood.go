package tui

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// A terminal without bracketed paste sends pasted text as keys. A person presses far fewer keys
// without a pause.
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

// floodWords say that keys are dropped.
func floodWords() string {
	return fmt.Sprintf("More than %s keys came at once: the rest of them is dropped.", humanize.Comma(mostInARow))
}
