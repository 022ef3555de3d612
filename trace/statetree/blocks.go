package statetree

import (
	"sync"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// blocks caches the basic blocks of files. It parses a file when they are first needed.
type blocks struct {
	mu     sync.Mutex
	byFile map[int]*python.Blocks
}

// blocksOf returns the blocks of the file that contains an activation's code.
func (t *Tree) blocksOf(act uint32) *python.Blocks {
	file := t.codes[t.activations.at(int(act)).code].File
	b := &t.parsed
	b.mu.Lock()
	defer b.mu.Unlock()
	found, ok := b.byFile[file]
	if !ok {
		if b.byFile == nil {
			b.byFile = map[int]*python.Blocks{}
		}
		found = python.BlocksOf(string(t.files[file].Source))
		b.byFile[file] = found
	}
	return found
}

// Straight reports whether event i is a line event that continues the basic block of the previous event
// in its activation. Block moves pass over such events.
func (t *Tree) Straight(i int) (straight bool) {
	t.mu.RLock()
	defer t.done()
	return t.straight(i, t.blocksOf(t.activationOf(t.events.placeOf(i))))
}

// straight is like Straight, but takes the blocks of the event's file. The caller holds t.mu.
func (t *Tree) straight(i int, of *python.Blocks) bool {
	if t.events.head.at(i).kind() != headLine {
		return false
	}
	p := t.events.placeOf(i)
	before := *t.events.previous.at(i)
	if p.generator() {
		before = t.previousStop(i) // passes over yields and resumptions
	}
	if before == none || t.events.head.at(int(before)).kind() != headLine {
		return false
	}
	if edge, ok := t.holeUpTo(i); ok && edge > int(before) {
		return false // the lines in between are not recorded
	}
	return of.Straight(t.events.line(int(before)), t.events.line(i))
}

// PlaceBefore returns the line of the latest line event in the activation of event i, up to event i, and
// the blocks of the file. The line is 0 if there is no such event or if an exception event follows it.
func (t *Tree) PlaceBefore(i int) (line int, of *python.Blocks) {
	t.mu.RLock()
	defer t.done()
	p := t.events.placeOf(i)
	at := uint32(i)
	if !t.events.head.at(i).stops() && p.generator() {
		at = t.previousStop(i)
	}
	if at != none && t.events.head.at(int(at)).kind() == headLine {
		line = t.events.line(int(at))
	}
	return line, t.blocksOf(t.activationOf(p))
}

// passing returns the landing of a move whose first candidate is event j. In a block move it passes over
// events that continue a block in the activation where the move began. next returns the candidate after
// an event.
func (t *Tree) passing(g dsl.Goal, j int, next func(from int) int) int {
	if g.Block < 0 || j < 0 {
		return j
	}
	of := t.blocksOf(uint32(g.Block))
	for j >= 0 && int(t.activationOf(t.events.placeOf(j))) == g.Block && t.straight(j, of) {
		j = next(j)
	}
	return j
}

// nextCall returns the first call or return after event i, or -1.
func (t *Tree) nextCall(i int) int {
	for j := i + 1; j < t.events.n(); j++ {
		if !t.events.head.at(j).stops() {
			return j
		}
	}
	return -1
}

// previousCall returns the last call or return before event i, or -1.
func (t *Tree) previousCall(i int) int {
	for j := i - 1; j >= 0; j-- {
		if !t.events.head.at(j).stops() {
			return j
		}
	}
	return -1
}
