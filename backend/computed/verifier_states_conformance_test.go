//go:build unix

package computed_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/computed"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/cruxeval"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/python"
)

// happened is an event of a run, as testdata/oracle/states.py prints it.
type happened struct {
	Event, Function, Canonical  string
	File                        string
	Line, Activation, Outermost int
	Value                       *string
	Locals, Names               map[string]string // Locals: the literal reprs; Names: all, canonically
	Others                      []string          // names of the locals that are not in Locals
	Stack                       [][3]any
	Suspends, Raising           bool
	kind                        dsl.ReturnKind
	resumed, straight           bool
}

// ran is a run of a program, with runs of the same program in which one local was changed at one event.
type ran struct {
	ID      string
	Files   [][2]string // names and sources
	Events  []*happened
	Ended   bool
	Changes []struct {
		At          int
		Name, Value string
		After       []*happened
		Ended       bool
	}
}

// names returns the names of the program's files.
func (run *ran) names() []string {
	var names []string
	for _, f := range run.Files {
		names = append(names, f[0])
	}
	return names
}

// settle sets the kinds of the events and whether they continue a block, which follow from the events
// around them.
func (run *ran) settle(events []*happened) {
	blocks := map[string]*python.Blocks{}
	for _, f := range run.Files {
		blocks[f[0]] = python.BlocksOf(f[1])
	}
	last := map[int]*happened{}
	places := map[int]int{} // by activation: its last line, 0 after an exception
	for _, e := range events {
		before := last[e.Activation]
		e.resumed = e.Event == "call" && before != nil
		if e.resumed {
			before.kind = dsl.Yielded
		}
		if e.Event == "return" {
			e.kind = dsl.Returned
			if before != nil && before.Event == "exception" && *e.Value == "None" {
				e.kind = dsl.Unwound
			}
		}
		last[e.Activation] = e
		switch e.Event {
		case "line":
			e.straight = places[e.Activation] > 0 && blocks[e.File].Straight(places[e.Activation], e.Line)
			places[e.Activation] = e.Line
		case "exception":
			places[e.Activation] = 0
		}
	}
}

func (e *happened) moment(files []string) dsl.Moment {
	return dsl.Moment{
		Event: e.event(), Kind: e.kind, Resumed: e.resumed, Suspends: e.Suspends, Depth: len(e.Stack) - 1,
		Activation: e.Activation, Outermost: e.Outermost, At: e.location(files), Straight: e.straight,
	}
}

func (e *happened) location(files []string) dsl.Location {
	return dsl.Location{File: slices.Index(files, e.File), Line: e.Line}
}

func (e *happened) event() dsl.Event {
	return map[string]dsl.Event{"call": dsl.Call, "line": dsl.Line, "return": dsl.Return, "exception": dsl.Exception}[e.Event]
}

// stop returns the state of the event. Locals whose reprs are not literals are unknown.
func (e *happened) stop() *dsl.Stop {
	s := &dsl.Stop{State: dsl.State{Event: e.event(), Kind: e.kind, File: e.File, Line: e.Line, Function: e.Function, Depth: len(e.Stack) - 1}}
	if e.Event == "exception" || e.Event == "return" && e.kind != dsl.Unwound {
		s.Value = e.Value
	}
	for _, name := range slices.Sorted(maps.Keys(e.Locals)) {
		s.Locals = append(s.Locals, dsl.Local{Name: name, Value: e.Locals[name]})
	}
	for _, name := range e.Others {
		s.Locals = append(s.Locals, dsl.Local{Name: name, Hidden: true, Unknown: true})
	}
	for _, f := range e.Stack {
		s.Stack = append(s.Stack, dsl.Frame{Function: f[0].(string), File: f[2].(string), Line: int(f[1].(float64))})
	}
	return s
}

// is reports whether an event has the same state as the claimed event, in all that the claimed one
// knows.
func (e *happened) is(claimed *happened) bool {
	if e.File != claimed.File || e.Event != claimed.Event || e.kind != claimed.kind || e.Line != claimed.Line || e.Canonical != claimed.Canonical ||
		!slices.Equal(e.Stack, claimed.Stack) {
		return false
	}
	names, wanted := maps.Clone(e.Names), maps.Clone(claimed.Names)
	for _, name := range claimed.Others {
		delete(names, name)
		delete(wanted, name)
	}
	return maps.Equal(names, wanted)
}

// landing returns the index of the event to which an inverse move leads, -1 if it leads nowhere.
func (run *ran) landing(events []*happened, from int, a dsl.Action) int {
	files := run.names()
	goal := a.Goal(events[from].moment(files))
	for i := from - 1; i >= 0; i-- {
		if goal.Lands(events[i].moment(files)) {
			return i
		}
	}
	return -1
}

const (
	mostFrom  = 40 // the number of events after a past from which moves are tried
	mostTaken = 3  // the number of claims about one past and move
)

// from returns the indexes of events from which the move a leads to the event at index to.
func (run *ran) from(to int, a dsl.Action) []int {
	events := run.Events
	var found []int
	for j := to + 1; j < min(len(events), to+mostFrom) && len(found) < mostTaken; j++ {
		if run.landing(events, j, a) == to {
			found = append(found, j)
		}
	}
	return found
}

// movesTo returns inverse moves that may lead to an event.
func (run *ran) movesTo(e *happened) []dsl.Action {
	moves := []dsl.Action{{Move: dsl.InvStepInto}, {Move: dsl.InvStepOver}, {Move: dsl.InvStepReturn}, {Move: dsl.InvStepBlock}, {Move: dsl.InvStepFunction}}
	if e.Event == "line" {
		moves = append(moves, dsl.Action{Move: dsl.InvBreakpoint, Lines: []dsl.Location{e.location(run.names())}})
	}
	return moves
}

// TestVerifierOnStates checks verdicts about earlier states: true ones, and ones in which one local has
// another value. No verdict may contradict CPython.
func TestVerifierOnStates(t *testing.T) {
	var programs bytes.Buffer
	add := func(id string, files ...[2]string) {
		line, err := json.Marshal(map[string]any{"id": id, "files": files})
		if err != nil {
			t.Fatal(err)
		}
		programs.Write(append(line, '\n'))
	}
	for _, pattern := range []string{"testdata/*.py", "testdata/files/*/main.py"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			var files [][2]string
			for _, f := range filesOf(t, path).Files {
				files = append(files, [2]string{f.Name, strings.Join(append(f.Lines, ""), "\n")})
			}
			if !strings.Contains(files[0][1], "doctest") { // doctest looks at the module of the script that runs the program
				add(path, files...)
			}
		}
	}
	if cruxeval.AtHand() {
		for _, problem := range cruxeval.Some(t) {
			add(problem.ID, [2]string{"prog.py", problem.Source})
		}
	}
	for _, p := range pythons.Between(t, 9, 14) {
		t.Run(p.String(), func(t *testing.T) {
			var truth, other tally
			v := computed.NewVerifier(python.Version{Major: 3, Minor: p.Minor})
			for _, run := range ask[ran](t, p, bytes.NewReader(programs.Bytes()), "states.py", "1", "12") {
				run.claims(t, v, &truth, &other)
			}
			truth.undecided(t, "true pasts")
			other.undecided(t, "other pasts")
		})
	}
}

func (run *ran) claims(t *testing.T, v *computed.Verifier, truth, other *tally) {
	run.settle(run.Events)
	program := &dsl.Program{}
	for _, f := range run.Files {
		program.Files = append(program.Files, dsl.SourceFile{Name: f[0], Lines: dsl.SplitLines(f[1])})
	}
	verify := func(past *dsl.Stop, a dsl.Action, now *dsl.Stop) (backend.Claim, backend.Verification) {
		c := backend.Claim{Program: program, Past: past, Action: a, Now: now}
		verified, err := v.Verify(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return c, verified
	}
	for i := 0; i < len(run.Events); i += 1 + len(run.Events)/30 {
		for _, a := range run.movesTo(run.Events[i]) {
			for _, j := range run.from(i, a) {
				c, verified := verify(run.Events[i].stop(), a, run.Events[j].stop())
				truth.add(t, c, verified, true)
			}
		}
	}
	for _, change := range run.Changes {
		past := *run.Events[change.At]
		past.Locals, past.Names = maps.Clone(past.Locals), maps.Clone(past.Names)
		past.Locals[change.Name] = change.Value
		events := slices.Concat(run.Events[:change.At], []*happened{&past}, change.After)
		run.settle(events)
		for _, a := range run.movesTo(&past) {
			for _, j := range run.from(change.At, a) {
				run.settle(run.Events)
				now := *run.Events[j]
				run.settle(events)
				here, known := run.leadsTo(events, change.At, a, &now, change.Ended)
				if known {
					c, verified := verify(past.stop(), a, now.stop())
					other.add(t, c, verified, here)
				}
			}
		}
	}
}

// leadsTo reports whether a run that continues from the event past reaches the state of now at an event
// from which the move leads back to past. known is false if the run was not followed to its end.
func (run *ran) leadsTo(events []*happened, past int, a dsl.Action, now *happened, ended bool) (here, known bool) {
	for k := past + 1; k < len(events); k++ {
		if events[k].is(now) && run.landing(events, k, a) == past {
			return true, true
		}
		known = known || a.Move == dsl.InvStepInto || a.Move == dsl.InvStepOver && len(events[k].Stack) <= len(now.Stack) ||
			a.Move == dsl.InvStepFunction && (events[k].Event == "call" || events[k].Event == "return")
	}
	return false, known || ended
}
