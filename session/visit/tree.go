// Package visit keeps the history of a session: a tree of the states that were shown. A visit is a
// state and the command that led there. Its parent is the visit at which the command was given, so
// a command at an earlier visit begins a branch.
package visit

import (
	"fmt"
	"slices"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
)

// Visit is a position that was shown to the user, and the command that led there.
type Visit struct {
	trace.Position
	Number   int // counted from 1 in a run; a number is never used again
	Parent   int // number of the visit at which the command was given, 0 for the first visit
	Command  string
	Function string    // "" at the end
	Kind     dsl.Event // 0 at the end
	File     string    // name of the file in the form shown to the user
	Line     int
	Origin   dsl.Origin
	Marks    []string // names that the user gave, in alphabetical order
	// Notes are what the user wrote about the visit, by name.
	Notes map[string]string
	// Detail tells in a few words what is new at the visit: changed values, a returned value, an
	// exception, or how the program ended. Described reports that it was computed.
	Detail    string
	Described bool
}

// Tree is the history of a run. The zero Tree has no visits.
type Tree struct {
	list   []Visit // in ascending order of the numbers
	newest int     // the highest number so far
	shown  int     // number of the shown visit, 0 for none
	at     map[trace.Position][]int
	latest map[int]int // by visit: the child that was shown last
	trail  []int       // numbers of the shown visits in order, for Back and Forth
	here   int         // index in trail of the shown visit
	pruned [][]Visit   // pruned branches, the last one last
}

// List returns the visits in ascending order of their numbers. The caller must not change them.
func (t *Tree) List() []Visit { return t.list }

// Shown returns the number of the shown visit, 0 if there is none.
func (t *Tree) Shown() int { return t.shown }

// Index returns the index in List of the visit with a number, -1 if there is none.
func (t *Tree) Index(number int) int {
	i, ok := slices.BinarySearchFunc(t.list, number, func(v Visit, n int) int { return v.Number - n })
	if !ok {
		return -1
	}
	return i
}

// Visit returns the visit with a number, nil if there is none.
func (t *Tree) Visit(number int) *Visit {
	if i := t.Index(number); i >= 0 {
		return &t.list[i]
	}
	return nil
}

// Known returns the number of a visit at a position that is a child or an ancestor of the shown
// visit, 0 if there is none.
func (t *Tree) Known(p trace.Position) int {
	for _, number := range t.at[p] {
		if v := t.Visit(number); v != nil && (v.Parent == t.shown || t.Leads(number, t.shown)) {
			return number
		}
	}
	return 0
}

// Leads reports whether a visit is an ancestor of another one, or that visit itself.
func (t *Tree) Leads(ancestor, number int) bool {
	for number > ancestor { // a parent has a lower number than its child
		v := t.Visit(number)
		if v == nil {
			return false
		}
		number = v.Parent
	}
	return number == ancestor && number > 0
}

// Add adds a visit as a child of the shown one, gives it the next number and shows it.
func (t *Tree) Add(v Visit) int {
	t.newest++
	v.Number, v.Parent = t.newest, t.shown
	t.list = append(t.list, v)
	t.put(v)
	t.Show(v.Number)
	return v.Number
}

// Attach adds a visit as a child of another one, and gives it the next number. It is not shown.
func (t *Tree) Attach(v Visit, parent int) {
	t.newest++
	v.Number, v.Parent = t.newest, parent
	t.list = append(t.list, v)
	t.put(v)
}

// At returns the number of the first visit at a position, 0 if there is none.
func (t *Tree) At(p trace.Position) int {
	for _, number := range t.at[p] {
		if t.Visit(number) != nil {
			return number
		}
	}
	return 0
}

// put makes a visit of the list known by its position.
func (t *Tree) put(v Visit) {
	if t.at == nil {
		t.at = map[trace.Position][]int{}
	}
	t.at[v.Position] = append(t.at[v.Position], v.Number)
}

// Renumber gives the newest visit a higher number, so that a replay numbers the visits as the
// session did. It does nothing if the number is not higher, or if the visit is not the shown one.
func (t *Tree) Renumber(number int) {
	if number <= t.newest || t.shown != t.newest {
		return
	}
	v := t.Visit(t.newest)
	if v == nil {
		return
	}
	numbers := t.at[v.Position]
	numbers[slices.Index(numbers, v.Number)] = number
	if v.Parent > 0 {
		t.latest[v.Parent] = number
	}
	v.Number, t.newest, t.shown, t.trail[t.here] = number, number, number, number
}

// Stand makes a visit the one from which the next visit is reached. Back leads to the visit that
// was shown before nevertheless.
func (t *Tree) Stand(number int) { t.stand(number) }

// GoTo shows a visit without a move. Back and Forth go on from its place among the visits that were
// shown, or along its branch if that is another one.
func (t *Tree) GoTo(number int) {
	t.stand(number)
	if t.here = lastIndex(t.trail, number); t.here >= 0 {
		return
	}
	t.trail = nil
	for v := t.Visit(number); v != nil; v = t.Visit(v.Parent) {
		t.trail = append(t.trail, v.Number)
	}
	slices.Reverse(t.trail)
	t.here = len(t.trail) - 1
}

func lastIndex(numbers []int, number int) int {
	for i := len(numbers) - 1; i >= 0; i-- {
		if numbers[i] == number {
			return i
		}
	}
	return -1
}

// Show shows a visit to which a move has led. Nothing is left for Forth to undo then.
func (t *Tree) Show(number int) {
	t.stand(number)
	if len(t.trail) > 0 {
		t.trail = t.trail[:t.here+1]
	}
	if n := len(t.trail); n == 0 || t.trail[n-1] != number {
		t.trail = append(t.trail, number)
	}
	t.here = len(t.trail) - 1
}

// stand makes a visit the shown one, and the one that was visited last below each of its ancestors.
func (t *Tree) stand(number int) {
	if t.latest == nil {
		t.latest = map[int]int{}
	}
	was, v := t.Visit(t.shown), t.Visit(number)
	t.shown = number
	if was != nil && was.Parent == number {
		return // the visit and its ancestors were on the way already
	}
	for v != nil && v.Parent > 0 {
		t.latest[v.Parent] = v.Number
		if was != nil && v.Parent == was.Number {
			return
		}
		v = t.Visit(v.Parent)
	}
}

// Back shows the visit that was shown before, count times or as often as there is one. It reports
// whether there was one.
func (t *Tree) Back(count int) bool {
	to := max(t.here-count, 0)
	if to == t.here || len(t.trail) == 0 {
		return false
	}
	t.here = to
	t.stand(t.trail[to])
	return true
}

// Forth undoes Back, count times. Where nothing is left to undo it shows the child that was shown
// last. It reports whether there was a visit to show.
func (t *Tree) Forth(count int) bool {
	moved := false
	for range count {
		switch next := t.latest[t.shown]; {
		case t.here+1 < len(t.trail):
			t.here++
			t.stand(t.trail[t.here])
		case next > 0:
			t.Show(next)
		default:
			return moved
		}
		moved = true
	}
	return moved
}

// Tip returns the number of the visit at the end of the shown branch: from the shown visit on, the child
// that was shown last, its child, and so on.
func (t *Tree) Tip() int {
	number := t.shown
	for next := t.latest[number]; next > 0; next = t.latest[number] {
		number = next
	}
	return number
}

// Before returns the number of the visit that Back leads to, 0 for none. After Glance at a visit that
// is not on the way, it returns the parent.
func (t *Tree) Before() int {
	switch {
	case t.here > 0 && t.trail[t.here] == t.shown:
		return t.trail[t.here-1]
	case t.shown > 0:
		if v := t.Visit(t.shown); v != nil {
			return v.Parent
		}
	}
	return 0
}

// With returns a copy of the tree in which a new visit is shown.
func (t *Tree) With(v Visit) *Tree {
	copied := *t
	v.Number, v.Parent = t.newest+1, t.shown
	copied.list = append(slices.Clip(t.list), v)
	copied.trail = append(slices.Clone(t.trail[:min(t.here+1, len(t.trail))]), v.Number)
	copied.here, copied.shown = len(copied.trail)-1, v.Number
	return &copied
}

// Glance returns a copy of the tree in which another visit is shown.
func (t *Tree) Glance(number int) *Tree {
	copied := *t
	copied.shown = number
	copied.here = max(lastIndex(t.trail, number), 0)
	return &copied
}

// Shift adds a number to the events of all visits of the recording from an event on, after a part of
// the past was recorded before it.
func (t *Tree) Shift(from, by int) {
	moved := func(p trace.Position) trace.Position { return p.Shifted(from, by) }
	at := map[trace.Position][]int{}
	for p, numbers := range t.at {
		at[moved(p)] = numbers
	}
	t.at = at
	for i := range t.list {
		t.list[i].Position = moved(t.list[i].Position)
	}
	for _, branch := range t.pruned {
		for i := range branch {
			branch[i].Position = moved(branch[i].Position)
		}
	}
}

// Turn returns how many visits were shown before the shown one, visits that were shown again
// included, and without those that Back went back over.
func (t *Tree) Turn() int { return t.here }

// Place returns where a visit is: "f:12", with the event if it is not a line, or "the end".
func (v *Visit) Place() string {
	switch v.Kind {
	case 0:
		return "the end"
	case dsl.Line:
		return fmt.Sprintf("%s:%d", v.Function, v.Line)
	}
	return fmt.Sprintf("%s %s:%d", v.Kind, v.Function, v.Line)
}
