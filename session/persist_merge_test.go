package session

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// keeper is as much of a session as keeps breakpoints.
type keeper struct {
	store
	breakpoints
}

func keeperIn(t *testing.T, dir string) *keeper {
	t.Helper()
	k := &keeper{store{dir: dir, program: fakePath}, *newBreakpoints()}
	kept, err := k.load()
	if err != nil {
		t.Fatal(err)
	}
	k.restore(kept)
	return k
}

func (k *keeper) String() string {
	var all []string
	for _, b := range k.list {
		text := fmt.Sprintf("%d:%d", b.Number, b.Line)
		if b.Condition != "" {
			text += " if " + b.Condition
		}
		if !b.Enabled {
			text += " off"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// Sessions that are at work on one program at a time each keep what they did, and
// take back nothing of what the others did.
func TestBreakpointsOfSeveralSessions(t *testing.T) {
	dir := t.TempDir()
	set := func(line int, condition string) func(*keeper) {
		return func(k *keeper) { k.add(&Breakpoint{File: fakePath, Line: line, Condition: condition, Enabled: true}) }
	}
	one := func(t *testing.T, k *keeper, number int) *Breakpoint {
		t.Helper()
		b, err := k.numbered(fmt.Sprint(number))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	clearOf := func(number int) func(*keeper) { return func(k *keeper) { k.remove(one(t, k, number)) } }
	turn := func(number int, on bool) func(*keeper) { return func(k *keeper) { one(t, k, number).Enabled = on } }

	first := keeperIn(t, dir)
	set(2, "")(first)
	set(3, "")(first)
	set(4, "")(first)
	if err := first.save(first.list); err != nil {
		t.Fatal(err)
	}
	a, b := keeperIn(t, dir), keeperIn(t, dir)
	for i, step := range []struct {
		who  *keeper
		do   func(*keeper)
		want string
	}{
		{a, clearOf(1), "2:3, 3:4"},
		{b, set(7, ""), "2:3, 3:4, 4:7"},
		{a, set(3, "x == 1"), "2:3, 3:4, 4:7, 5:3 if x == 1"},
		{b, turn(2, false), "2:3 off, 3:4, 4:7, 5:3 if x == 1"},
		{a, func(*keeper) {}, "2:3 off, 3:4, 4:7, 5:3 if x == 1"},
		{a, clearOf(3), "2:3 off, 4:7, 5:3 if x == 1"},
		{b, turn(4, false), "2:3 off, 4:7 off, 5:3 if x == 1"},
		{b, clearOf(4), "2:3 off, 5:3 if x == 1"},
		{b, turn(3, false), "2:3 off, 3:4 off, 5:3 if x == 1"}, // what is changed here is kept again
		{b, set(3, ""), "2:3 off, 3:4 off, 5:3 if x == 1, 6:3"},
		{first, clearOf(2), "3:4 off, 5:3 if x == 1, 6:3"},
	} {
		step.do(step.who)
		if err := step.who.save(step.who.list); err != nil {
			t.Fatal(err)
		}
		if got := keeperIn(t, dir).String(); got != step.want {
			t.Fatalf("after step %d: %s, want %s", i, got, step.want)
		}
	}
}

// Saves that come at the same time lose nothing.
func TestBreakpointsSavedAtOnce(t *testing.T) {
	dir := t.TempDir()
	var saving sync.WaitGroup
	const sessions, each = 4, 8
	for n := range sessions {
		saving.Go(func() {
			s := &store{dir: dir, program: fakePath}
			var list []*Breakpoint
			for i := range each {
				list = append(list, &Breakpoint{Number: i + 1, File: fakePath, Line: 100*n + i + 1, Enabled: true})
				if err := s.save(list); err != nil {
					t.Error(err)
				}
			}
		})
	}
	saving.Wait()
	kept, err := (&store{dir: dir, program: fakePath}).load()
	if err != nil || len(kept) != sessions*each {
		t.Errorf("%d are kept, want %d; %v", len(kept), sessions*each, err)
	}
}
