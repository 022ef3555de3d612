//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	made "github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/command"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// blockPrograms is the number of programs with NPDB_WALKS; without it, one in blockShare of them.
const blockPrograms, blockShare = 220, 12

// blockSlot is the place of a line in the basic blocks of its program, as Python's own parser finds them.
type blockSlot struct {
	block, statement int
	again            string
}

func (s *blockSlot) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&s.block, &s.statement, &s.again})
}

// blockRun is a finished run: all its events, and the places of its lines.
type blockRun struct {
	path   string
	slots  map[int]blockSlot
	events []blockEvent
	died   bool // it ends by an exception
}

type blockEvent struct {
	dsl.State
	act     uint32
	suspend bool
	first   bool // the event with which its activation begins
}

// programsOfBlocks writes generated programs, and the examples, to files.
func programsOfBlocks(t *testing.T, interpreter string) (paths []string) {
	t.Helper()
	examples, err := filepath.Glob("../../examples/*.py")
	if err != nil || len(examples) < 5 {
		t.Fatal(len(examples), err)
	}
	for _, path := range examples {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(source), "input(") && !strings.Contains(string(source), "time") {
			path, _ = filepath.Abs(path)
			paths = append(paths, path)
		}
	}
	w, err := made.Start(t.Context(), made.Config{Python: interpreter, Contain: made.ContainLimits})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	folder := t.TempDir()
	for n := 0; len(paths) < blockPrograms; n++ {
		r, err := w.Record(t.Context(), made.Job{Seed: "blocks", Number: n, Difficulty: float64(n%10) / 10, Events: 400})
		if failed := (*made.Failure)(nil); errors.As(err, &failed) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, fmt.Sprintf("generated%d.py", n))
		source := r.Program.Source
		if r.Program.Entry != "" {
			source += "result = " + r.Program.Entry + "\n"
		}
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	var some []string
	for i, path := range paths {
		if longtest.In(t, i, blockShare) {
			some = append(some, path)
		}
	}
	return some
}

// slotsOf returns the places of the lines of programs.
func slotsOf(t *testing.T, interpreter string, paths []string) (all []map[int]blockSlot) {
	t.Helper()
	const script = `import json, sys
sys.path.insert(0, "../../lab/dataset/check/rerun")
import blocks
print(json.dumps([blocks.slots_of(open(path, "rb").read()) for path in sys.argv[1:]]))`
	out, err := exec.CommandContext(t.Context(), interpreter, append([]string{"-B", "-c", script}, paths...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// recordBlocks runs a program to its end and returns its events.
func recordBlocks(t *testing.T, o trace.Options, slots map[int]blockSlot) *blockRun {
	t.Helper()
	rec, l, err := trace.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for !l.End && err == nil {
		l, err = rec.Move(t.Context(), l.Position, dsl.Action{Move: dsl.Continue})
	}
	if err != nil {
		t.Fatal(err)
	}
	run, seen := &blockRun{path: o.Script, slots: slots}, map[uint32]bool{}
	run.died = rec.Exit().Exception != nil
	for i := range rec.Tree().Len() {
		at := rec.Tree().At(i)
		run.events = append(run.events, blockEvent{*rec.Tree().State(i), at.Activation, rec.Tree().Code(at.Code).Generator, !seen[at.Activation]})
		seen[at.Activation] = true
	}
	return run
}

// over returns where step_over, or with by = -1 its inverse, leads from event i: -1 for nowhere.
func (r *blockRun) over(i, by int) int {
	here := r.events[i]
	leaving, ending := dsl.Return, func(e blockEvent) bool { return e.Event == dsl.Return && e.Kind != dsl.Yielded }
	if by < 0 {
		leaving, ending = dsl.Call, func(e blockEvent) bool { return e.Event == dsl.Call && e.first }
	}
	for j := i + by; j >= 0 && j < len(r.events); j += by {
		e := r.events[j]
		if !here.suspend || here.Event == leaving {
			if e.Depth <= here.Depth {
				return j
			}
			continue
		}
		if e.act == here.act && (e.Event == dsl.Line || e.Event == dsl.Exception || ending(e)) {
			return j
		}
		if e.act == r.events[0].act && ending(e) { // the module ends, and the generator was not resumed
			return j
		}
	}
	return -1
}

// inBlock reports whether event j is a line of an activation that continues its block.
func (r *blockRun) inBlock(j int, act uint32) bool {
	to := r.events[j]
	if to.act != act || to.Event != dsl.Line {
		return false
	}
	for i := j - 1; i >= 0; i-- {
		e := r.events[i]
		if e.act != act || e.suspend && (e.Kind == dsl.Yielded || e.Event == dsl.Call && !e.first) {
			continue
		}
		from, ok := r.slots[e.Line]
		slot, known := r.slots[to.Line]
		switch {
		case e.Event != dsl.Line || !ok || !known || from.block != slot.block:
			return false
		case from.statement != slot.statement:
			return from.statement < slot.statement
		}
		return slot.again == "any" || slot.again == "forward" && e.Line < to.Line
	}
	return false
}

// land returns where a command leads from event i, which is the number of events at the end: -1 for
// nowhere.
func (r *blockRun) land(i int, word string) int {
	by := 1
	if strings.HasPrefix(word, "r") {
		by, word = -1, word[1:]
	}
	if i == len(r.events) && (by > 0 || word != "sf") {
		return map[int]int{1: -1, -1: i - 1}[by]
	}
	switch word {
	case "s":
		if j := i + by; j >= 0 && j < len(r.events) {
			return j
		}
		return -1
	case "n":
		return r.over(i, by)
	case "sf":
		for j := i + by; j >= 0 && j < len(r.events); j += by {
			if e := r.events[j].Event; e == dsl.Call || e == dsl.Return {
				return j
			}
		}
		return -1
	}
	j := r.over(i, by)
	for j >= 0 && r.inBlock(j, r.events[i].act) {
		j = r.over(j, by)
	}
	return j
}

// TestBlockMoves compares where sb, sf, rsb and rsf lead with a list of all events, in which the
// landings are searched by their definition: at the live edge, over recorded events, in neural mode
// with a perfect model and beside it.
func TestBlockMoves(t *testing.T) {
	interpreter := pythons.Between(t, 12, 14)[0].Path // of which the generator takes one
	paths := programsOfBlocks(t, interpreter)
	slots := slotsOf(t, interpreter, paths)
	oracle := cpython.New(cpython.Config{Python: interpreter, Timeout: time.Minute})
	t.Cleanup(func() {
		if err := oracle.Close(); err != nil {
			t.Error(err)
		}
	})
	var moves [3]atomic.Int64
	var declined atomic.Int64
	t.Run("programs", func(t *testing.T) {
		for i, path := range paths {
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				o := trace.Options{Script: path, Python: interpreter, Dir: filepath.Dir(path), Stdin: strings.NewReader("")}
				run := recordBlocks(t, o, slots[i])
				if run.died {
					t.Skip("it ends by an exception")
				}
				for k, mode := range []session.Mode{session.Real, session.Predicted, session.Both} {
					cfg := session.Config{Options: o, Start: session.StartTrace, Mode: mode}
					model := &declining{Predictor: oracle}
					if mode != session.Real {
						cfg.Neural = &nav.Neural{Predictor: model}
					}
					moves[k].Add(int64(run.walk(t, cfg, model)))
					if model.declined.Load() {
						declined.Add(1)
					}
				}
			})
		}
	})
	for k, name := range []string{"real", "neural", "both"} {
		n := moves[k].Load()
		if t.Logf("%s: %d moves in %d programs", name, n, len(paths)); n < 300 {
			t.Errorf("only %d moves", n)
		}
	}
	if t.Logf("%d walks end where the model declines", declined.Load()); int(declined.Load())*10 > 2*len(paths) {
		t.Error("the model declines too often")
	}
}

// declining notes that the perfect model gave no answer, because a value depends on the run.
type declining struct {
	backend.Predictor
	declined atomic.Bool
}

func (d *declining) Predict(ctx context.Context, q backend.Question, show func(backend.Update)) (*backend.Prediction, error) {
	made, err := d.Predictor.Predict(ctx, q, show)
	if err == nil && made.Step.Reply.Outcome == dsl.Unknown {
		d.declined.Store(true)
	}
	return made, err
}

// walk makes moves in a session, and returns how many it made. It ends where the model declines.
func (r *blockRun) walk(t *testing.T, cfg session.Config, model *declining) (n int) {
	t.Helper()
	s, err := session.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	i := command.New(s, command.Config{})
	last, at, taken := i.First(t.Context()), 0, ""
	do := func(word string) {
		if model.declined.Load() {
			return
		}
		i.Line(t.Context(), word, func(a *session.Answer) { last = a })
		if model.declined.Load() {
			return
		}
		n++
		taken += " " + word
		inverse := strings.HasPrefix(word, "r")
		switch to := r.land(at, word); {
		case to >= 0:
			at = to
		case !inverse:
			at = len(r.events)
		}
		if last.Err != nil {
			t.Fatalf("%s, after%s: %v", cfg.Mode, taken, last.Err)
		}
		if at == len(r.events) {
			if !last.Done {
				t.Fatalf("%s, after%s: at %+v, want the end", cfg.Mode, taken, last.State)
			}
			return
		}
		got, want := last.State, r.events[at]
		if got == nil || got.Event != want.Event || got.Kind != want.Kind || got.Line != want.Line || got.Depth != want.Depth || got.Function != want.Function {
			t.Fatalf("%s, after%s: at %+v, want event %d, %+v", cfg.Mode, taken, got, at, want.State)
		}
		if last.Beside != nil {
			for _, v := range last.Beside.Verdicts {
				if v.Kind.Wrong() {
					t.Fatalf("%s, after%s: %s", cfg.Mode, taken, v)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(uint64(len(r.events)), 5))
	words := []string{"sb", "sb", "sf", "sf", "s", "n", "rsb", "rsf", "rs"}
	for range 24 {
		do(words[random.IntN(len(words))])
	}
	for at < len(r.events) && n < 60 && !model.declined.Load() {
		do([]string{"sb", "sf"}[random.IntN(2)])
	}
	for range 24 {
		do([]string{"rsb", "rsf", "rsb", "rsf", "sb", "sf", "rn"}[random.IntN(7)])
	}
	return n
}
