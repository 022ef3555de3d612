//go:build unix

package trace_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// mostReopened bounds how many events of a recording wantReopened compares.
const mostReopened = 2000

// wantReopened checks that a recording's file, read by its log and by its index, has the same
// states, output and exit. Every recording of debugAs is checked.
func wantReopened(t *testing.T, rec *trace.Recording, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = file.Close() }()
	log, byLog, err := trace.Open(file, trace.Limits{})
	if err != nil {
		t.Errorf("open by the log: %v", err)
		return
	}
	wantSame(t, rec, log, byLog)
	index, byIndex, err := trace.OpenFile(path, trace.Limits{})
	if err != nil {
		t.Errorf("open by the index: %v", err)
		return
	}
	if rec.Tree().Len() > 0 && !index.Indexed() {
		t.Error("the file has no index")
	}
	wantSame(t, rec, index, byIndex)
	if byLog.Position != byIndex.Position || byLog.Reason != byIndex.Reason || byLog.Notice != byIndex.Notice {
		t.Errorf("the log begins at %+v, the index at %+v", byLog, byIndex)
	}
	if err := index.Tree().Err(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(log.Close(), index.Close()); err != nil {
		t.Errorf("close of the file: %v", err)
	}
}

// wantSame checks that a recording that was opened has the states, output and exit of the one that
// was saved.
func wantSame(t *testing.T, rec, got *trace.Recording, landing trace.Landing) {
	t.Helper()
	a, b := rec.Tree(), got.Tree()
	if a.Len() != b.Len() {
		t.Errorf("the file has %d events, want %d (%q)", b.Len(), a.Len(), landing.Notice)
		return
	}
	step := max(1, a.Len()/mostReopened)
	for i := 0; i < a.Len(); i += step {
		want, state := a.State(i), b.State(i)
		want.File, state.File = realPath(t, a, i), realPath(t, b, i) // a link's name is not in the file
		if !reflect.DeepEqual(want, state) {
			t.Errorf("event %d of the file is\n%+v\nwant\n%+v", i, state, want)
			return
		}
		for _, m := range []dsl.Move{dsl.StepOver, dsl.StepReturn, dsl.StepBlock, dsl.StepFunction, dsl.InvStepOver, dsl.InvStepReturn, dsl.InvStepBlock, dsl.InvStepFunction} {
			if want, landing := a.Land(i, dsl.Action{Move: m}), b.Land(i, dsl.Action{Move: m}); want != landing {
				t.Errorf("%v from event %d lands at %+v, want %+v", m, i, landing, want)
			}
		}
	}
	if want, output := rec.Output(-1, -1), got.Output(-1, -1); !reflect.DeepEqual(want, output) {
		t.Errorf("the file's output is %+v, want %+v", output, want)
	}
	if want, exit := rec.Exit(), got.Exit(); exit != nil && exitText(exit) != exitText(want) {
		t.Errorf("the file's exit is %s, want %s", exitText(exit), exitText(want))
	}
	if got.Lost() != rec.Lost() {
		t.Errorf("the file says lost %v, want %v", got.Lost(), rec.Lost())
	}
}

// realPath returns the path of an event's file without symbolic links, or its name if it is no
// file.
func realPath(t *testing.T, tree *statetree.Tree, event int) string {
	t.Helper()
	file := tree.Files()[tree.At(event).File]
	if real, err := filepath.EvalSymlinks(file.Path); err == nil {
		return real
	}
	return file.Name
}

// TestOutcomeReadByPython checks that the reader in examples/recording finds the recorded events.
func TestOutcomeReadByPython(t *testing.T) {
	const zstdFrom = 14 // compression.zstd exists from Python 3.14 on
	for _, python := range pythons.Between(t, zstdFrom, math.MaxInt) {
		for _, name := range []string{"chat.py", "events.py", "inventory.py", "wordcount.py"} {
			path := filepath.Join(t.TempDir(), "run.npdb")
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			script, err := filepath.Abs(filepath.Join("..", "examples", name))
			if err != nil {
				t.Fatal(err)
			}
			rec, l, err := trace.Start(t.Context(), trace.Options{Python: python.Path, Script: script, Stdin: strings.NewReader("")})
			if err != nil {
				t.Fatal(err)
			}
			rec.IndexFrom(1)
			if err := rec.Save(file, "of the test"); err != nil {
				t.Fatal(err)
			}
			if _, err := rec.Move(t.Context(), l.Position, dsl.Action{Move: dsl.Continue}); err != nil {
				t.Error(err)
			}
			if err := rec.Close(); err != nil {
				t.Error(err)
			}
			var want strings.Builder
			tree := rec.Tree()
			for i := range tree.Len() {
				at := tree.At(i)
				fmt.Fprintf(&want, "%s:%d: %v in %s\n", tree.Files()[at.File].Path, at.Line, at.Event, tree.Code(at.Code).Name)
			}
			said, err := exec.Command(python.Path, filepath.Join("..", "examples", "recording", "read.py"), path).CombinedOutput()
			if err != nil || string(said) != want.String() {
				t.Errorf("%s: %v\n%s\nwant\n%s", name, err, said, want.String())
			}
		}
	}
}
