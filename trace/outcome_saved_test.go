//go:build unix

package trace_test

import (
	"io"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// mostReopened bounds how many events of a recording wantReopened compares.
const mostReopened = 2000

// wantReopened checks that a recording's file, read again, has the same states, output and exit.
// Every recording of debugAs is checked.
func wantReopened(t *testing.T, rec *trace.Recording, file io.Reader) {
	t.Helper()
	got, landing, err := trace.Open(file, trace.Limits{})
	if err != nil {
		t.Errorf("open: %v", err)
		return
	}
	defer func() {
		if err := got.Close(); err != nil {
			t.Errorf("close of the file: %v", err)
		}
	}()
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
		for _, m := range []dsl.Move{dsl.StepOver, dsl.StepReturn, dsl.InvStepOver, dsl.InvStepReturn} {
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
