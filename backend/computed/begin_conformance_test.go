//go:build unix

package computed_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

const (
	mostBegun   = 40 // states of one program from which an interpreter is started
	mostFollows = 12 // states that are computed after each of them
)

// TestBegunIsTrue starts interpreters at states in the middle of recorded programs, and checks that
// every state computed from there equals CPython's. It does so with the whole state, without the lines
// of the callers, and with one local unknown.
func TestBegunIsTrue(t *testing.T) {
	paths := programs(t)
	for _, p := range pythons.Between(t, 9, 14) {
		t.Run(p.String(), func(t *testing.T) {
			var n counts
			t.Run("programs", func(t *testing.T) {
				for i, path := range paths {
					if !longtest.In(t, i, 6) {
						continue
					}
					t.Run(nameOf(path), func(t *testing.T) {
						t.Parallel()
						holdFrom(t, p, path, rand.New(rand.NewPCG(2, uint64(i))), &n)
					})
				}
			})
			begun, computed := n.asked.Load(), n.computed.Load()
			t.Logf("%d states are computed after %d first ones", computed, begun)
			if begun < 500 || computed*2 < begun {
				t.Errorf("%d states are computed after %d first ones: too few", computed, begun)
			}
		})
	}
}

func holdFrom(t *testing.T, p pythons.Python, path string, random *rand.Rand, n *counts) {
	program := filesOf(t, path)
	stops, _ := record(t, p, path, mostEvents)
	for i := range min(mostBegun, len(stops)) {
		if len(stops) > mostBegun {
			i = random.IntN(len(stops))
		}
		for _, first := range begins(stops[i], random) {
			n.asked.Add(1)
			n.computed.Add(int64(holdAfter(t, p, program, first, stops[i+1:])))
		}
	}
}

// begins returns the variants of a state from which an interpreter is started.
func begins(stop *dsl.Stop, random *rand.Rand) []*dsl.Stop {
	blind, partial := *stop, *stop
	blind.Stack = slices.Clone(stop.Stack)
	for i := range len(stop.Stack) - 1 {
		blind.Stack[i].Line = 0
	}
	if len(stop.Locals) == 0 {
		return []*dsl.Stop{stop, &blind}
	}
	partial.Locals = slices.Clone(stop.Locals)
	l := &partial.Locals[random.IntN(len(partial.Locals))]
	l.Value, l.Unknown, l.Hidden = "", true, true
	return []*dsl.Stop{stop, &blind, &partial}
}

// holdAfter compares the states computed after first with the recorded ones in truth. It returns how
// many states were computed.
func holdAfter(t *testing.T, p pythons.Python, program *dsl.Program, first *dsl.Stop, truth []*dsl.Stop) int {
	in, err := interpreter(program, p, first)
	if err != nil {
		return 0 // nothing can be computed from this state
	}
	defer in.Close()
	in.Begin(first)
	for i, want := range truth[:min(mostFollows, len(truth))] {
		got, exit, err := in.Next(t.Context())
		switch {
		case err != nil && strings.Contains(err.Error(), python.Unexpected):
			t.Errorf("after %s: %v", text(first), err)
			return i
		case err != nil:

			return i
		case exit != nil:
			t.Errorf("after %s: the program ends; CPython: %s", text(first), text(want))
			return i
		}
		if g, w := given(got, got), given(want, got); g != w {
			t.Errorf("%d after %.600s: %.600s\nCPython: %.600s", i, text(first), g, w)
			return i
		}
	}
	return min(mostFollows, len(truth))
}

// given describes a state without the locals that are unknown in as, and without the lines of callers
// that as does not know.
func given(s, as *dsl.Stop) string {
	shown := *s
	shown.Locals = slices.DeleteFunc(slices.Clone(s.Locals), func(l dsl.Local) bool {
		return slices.ContainsFunc(as.Locals, func(a dsl.Local) bool { return a.Name == l.Name && a.Unknown })
	})
	shown.Stack = slices.Clone(s.Stack)
	for i := range shown.Stack {
		if i < len(as.Stack) && as.Stack[i].Line == 0 {
			shown.Stack[i].Line = 0
		}
	}
	return text(&shown)
}
