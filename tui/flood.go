package tui

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// A terminal without bracketed paste sends what is pasted as keys. A person presses far
// fewer in a row without a pause.
const (
	mostInARow = 4096
	pause      = 50 * time.Millisecond
)

// flood counts the keys that come without a pause between them.
type flood struct {
	last time.Time
	keys int
}

// drops reports whether a key that comes now is one too many. The rest of what was pasted
// is dropped until the keys pause.
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
