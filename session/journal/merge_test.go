package journal

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/session/breakpoint"
)

// program is a program as Program names it.
const program = "/src/prog.py"

// keeper is the part of a session that stores breakpoints.
type keeper struct {
	*Breakpoints
	breakpoint.Table
}

func keeperIn(t *testing.T, dir string) *keeper {
	t.Helper()
	k := &keeper{Breakpoints: NewBreakpoints(dir, program)}
	kept, err := k.Load()
	if err != nil {
		t.Fatal(err)
	}
	k.Restore(kept)
	return k
}

func (k *keeper) String() string {
	var all []string
	for _, b := range k.List {
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

// TestBreakpointsOfSeveralSessions checks that concurrent sessions on one program each
// store their own changes, and undo none of the others'.
func TestBreakpointsOfSeveralSessions(t *testing.T) {
	dir := t.TempDir()
	set := func(line int, condition string) func(*keeper) {
		return func(k *keeper) {
			k.Add(&breakpoint.Breakpoint{File: program, Line: line, Condition: condition, Enabled: true})
		}
	}
	one := func(t *testing.T, k *keeper, number int) *breakpoint.Breakpoint {
		t.Helper()
		b, err := k.Numbered(number)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	clearOf := func(number int) func(*keeper) { return func(k *keeper) { k.Remove(one(t, k, number)) } }
	turn := func(number int, on bool) func(*keeper) { return func(k *keeper) { one(t, k, number).Enabled = on } }

	first := keeperIn(t, dir)
	set(2, "")(first)
	set(3, "")(first)
	set(4, "")(first)
	if err := first.Save(first.List); err != nil {
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
		{b, turn(3, false), "2:3 off, 3:4 off, 5:3 if x == 1"}, // a change here is stored again
		{b, set(3, ""), "2:3 off, 3:4 off, 5:3 if x == 1, 6:3"},
		{first, clearOf(2), "3:4 off, 5:3 if x == 1, 6:3"},
	} {
		step.do(step.who)
		if err := step.who.Save(step.who.List); err != nil {
			t.Fatal(err)
		}
		if got := keeperIn(t, dir).String(); got != step.want {
			t.Fatalf("after step %d: %s, want %s", i, got, step.want)
		}
	}
}

// TestBreakpointsSavedAtOnce checks that concurrent saves lose nothing.
func TestBreakpointsSavedAtOnce(t *testing.T) {
	dir := t.TempDir()
	var saving sync.WaitGroup
	const sessions, each = 4, 8
	for n := range sessions {
		saving.Go(func() {
			s := NewBreakpoints(dir, program)
			var list []*breakpoint.Breakpoint
			for i := range each {
				list = append(list, &breakpoint.Breakpoint{Number: i + 1, File: program, Line: 100*n + i + 1, Enabled: true})
				if err := s.Save(list); err != nil {
					t.Error(err)
				}
			}
		})
	}
	saving.Wait()
	kept, err := NewBreakpoints(dir, program).Load()
	if err != nil || len(kept) != sessions*each {
		t.Errorf("%d are kept, want %d; %v", len(kept), sessions*each, err)
	}
}

func FuzzDecodeKept(f *testing.F) {
	f.Add([]byte(`{"v":1,"breakpoints":[{"number":1,"file":"a","line":2,"enabled":true}]}`))
	f.Add([]byte(`{"v":2}`))
	f.Add([]byte(`{"v":1,"breakpoints":[null,{"number":-1}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := decodeKept(raw)
		if err != nil {
			return
		}
		seen := map[int]bool{}
		for _, b := range list {
			if b.Number < 1 || b.Line < 1 || b.File == "" || seen[b.Number] {
				t.Fatalf("%+v", b)
			}
			seen[b.Number] = true
		}
	})
}
