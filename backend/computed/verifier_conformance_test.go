//go:build unix

package computed_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// ended is the state in which a call of a problem's function ends under CPython.
type ended struct {
	Event  string
	Line   int
	Value  string
	Locals map[string]string
}

// tried holds the output of testdata/oracle/calls.py for one problem.
type tried struct {
	ID, Code      string
	Line          int
	Params, Names []string
	Own           map[string]string
	End           ended
	Others        []struct {
		Locals       map[string]string
		End          ended
		Value, State bool // whether the value, or the whole final state, equals that of the call with the arguments in Own
	}
}

// triedCalls returns the problems of CruxEval, each with calls of its function as CPython ran them.
func triedCalls(t *testing.T, p pythons.Python) []tried {
	t.Helper()
	problems, err := os.Open(cruxeval.File(t))
	if err != nil {
		t.Fatal(err)
	}
	defer problems.Close()
	return ask[tried](t, p, problems, "calls.py", "1", "3", "12")
}

// ask runs a script of testdata/oracle and returns its parsed output.
func ask[T any](t *testing.T, p pythons.Python, input io.Reader, script string, args ...string) []T {
	t.Helper()
	run := exec.CommandContext(t.Context(), p.Path, slices.Concat([]string{"-B", "-W", "ignore", "testdata/oracle/" + script}, args)...)
	run.Stdin, run.Stderr, run.Env = input, os.Stderr, append(os.Environ(), "PYTHONHASHSEED=0")
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for line := range bytes.Lines(out) {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// tally counts verdicts.
type tally struct {
	mu       sync.Mutex
	verdicts map[backend.Verdict]int
	why      map[string]int
}

// add counts a verdict. It fails the test if CPython contradicts it; here reports whether the past leads
// to the state.
func (n *tally) add(t *testing.T, c backend.Claim, v backend.Verification, here bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.verdicts == nil {
		n.verdicts, n.why = map[backend.Verdict]int{}, map[string]int{}
	}
	n.verdicts[v.Verdict]++
	switch v.Verdict {
	case backend.Undecided:
		n.why[v.Why]++
		return
	case backend.LeadsHere:
		if here {
			return
		}
	case backend.LeadsElsewhere:
		if !here {
			return
		}
	}
	t.Errorf("%v from %s to %s: %v (%s%s); CPython: %v\n%s", c.Action, text(c.Past), text(c.Now), v.Verdict, v.Difference, v.Why, here,
		textOf(c.Program))
}

// textOf returns the names and sources of the files of a program, for messages.
func textOf(p *dsl.Program) (text string) {
	for _, f := range p.Files {
		text += f.Name + ":\n" + strings.Join(f.Lines, "\n") + "\n"
	}
	return text
}

// undecided returns the share of the claims whose verdict is Undecided.
func (n *tally) undecided(t *testing.T, what string) float64 {
	total := 0
	for _, count := range n.verdicts {
		total += count
	}
	if total == 0 {
		t.Fatalf("%s: no claims", what)
	}
	share := float64(n.verdicts[backend.Undecided]) / float64(total)
	t.Logf("%s: %d claims: %d lead here, %d elsewhere, %d are undecided (%.1f%%)", what, total,
		n.verdicts[backend.LeadsHere], n.verdicts[backend.LeadsElsewhere], n.verdicts[backend.Undecided], 100*share)
	reasons := slices.SortedFunc(maps.Keys(n.why), func(a, b string) int { return n.why[b] - n.why[a] })
	for _, why := range reasons[:min(12, len(reasons))] {
		t.Logf("%6d %s", n.why[why], why)
	}
	return share
}

// localList returns locals in the order of names.
func localList(names []string, values map[string]string) []dsl.Local {
	var out []dsl.Local
	for _, name := range names {
		if value, ok := values[name]; ok {
			out = append(out, dsl.Local{Name: name, Value: value})
		}
	}
	return out
}

// TestVerifierOnCalls checks verdicts about the arguments of calls that return a value: true arguments,
// other arguments with the same result, and wrong ones. No verdict may contradict CPython.
func TestVerifierOnCalls(t *testing.T) {
	for _, p := range pythons.Between(t, 9, 14) {
		t.Run(p.String(), func(t *testing.T) {
			var values, states tally
			v := computed.NewVerifier(python.Version{Major: 3, Minor: p.Minor})
			for _, one := range triedCalls(t, p) {
				one.claims(t, v, &values, &states)
			}
			if share := values.undecided(t, "values"); share > 0.25 {
				t.Errorf("%.1f%% are undecided: too many", 100*share)
			}
			states.undecided(t, "states")
		})
	}
}

// arguments formats the own arguments of a problem, as in a call.
func (one *tried) arguments() string {
	var values []string
	for _, name := range one.Params {
		values = append(values, one.Own[name])
	}
	return strings.Join(values, ", ")
}

// claims verifies claims about a problem: about the returned value alone, with the function as the
// outermost frame, and about the whole final state, with the module as the caller.
func (one *tried) claims(t *testing.T, v *computed.Verifier, values, states *tally) {
	lines := dsl.SplitLines(one.Code)
	program := &dsl.Program{Files: []dsl.SourceFile{{Name: "prog.py", Lines: append(slices.Clone(lines), "out = f("+one.arguments()+")")}}}
	stop := func(event dsl.Event, line int, locals []dsl.Local, below ...dsl.Frame) *dsl.Stop {
		return &dsl.Stop{
			State: dsl.State{Event: event, File: "prog.py", Line: line, Function: "f", Depth: len(below), Locals: locals},
			Stack: append(below, dsl.Frame{Function: "f", File: "prog.py", Line: line}),
		}
	}
	module := dsl.Frame{Function: "<module>", File: "prog.py", Line: len(lines) + 1}
	unknown := []dsl.Local{}
	for _, name := range one.Names {
		unknown = append(unknown, dsl.Local{Name: name, Hidden: true, Unknown: true})
	}
	value := stop(dsl.Return, 0, unknown)
	state := stop(dsl.Return, one.End.Line, localList(one.Names, one.End.Locals), module)
	for i := range state.Locals {
		if l := &state.Locals[i]; strings.HasPrefix(l.Value, "<") { // the recorder writes such values differently
			l.Hidden, l.Unknown = true, true
		}
	}
	for _, now := range []*dsl.Stop{value, state} {
		now.Kind, now.Value = dsl.Returned, &one.End.Value
	}
	check := func(locals map[string]string, sameValue, sameState bool) {
		given := localList(one.Params, locals)
		for _, claim := range []struct {
			past, now *dsl.Stop
			here      bool
			n         *tally
		}{
			{stop(dsl.Call, one.Line, given), value, sameValue, values},
			{stop(dsl.Call, one.Line, given, module), state, sameState, states},
		} {
			c := backend.Claim{Program: program, Past: claim.past, Action: dsl.Action{Move: dsl.InvStepReturn}, Now: claim.now}
			verified, err := v.Verify(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			claim.n.add(t, c, verified, claim.here)
		}
	}
	check(one.Own, true, true)
	for _, other := range one.Others {
		check(other.Locals, other.Value, other.State)
	}
}
