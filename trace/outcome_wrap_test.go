//go:build linux

package trace_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

// TestOutcomeWrapped checks a command that runs the interpreter as its child: exit
// statuses and signals are the program's, and an interrupt reaches it. The command may be
// several words, or one.
func TestOutcomeWrapped(t *testing.T) {
	words := []string{"/bin/sh", "-c", "\"$@\"\nexit $?", "sh"}
	word := []string{fakePython(t, t.TempDir(), "wrap", "\"$@\"\nexit $?")}
	for _, c := range []struct {
		program string
		wrap    []string
		code    int
	}{
		{"import sys\nsys.exit(0)\n", words, 0},
		{"import sys\nsys.exit(139)\n", words, 139},
		{"import os\nos.kill(os.getpid(), 11)\n", words, -11},
		{"import os\nos.kill(os.getpid(), 11)\n", word, -11},
	} {
		rec, at := startWrapped(t, c.program, c.wrap)
		if _, err := rec.Move(t.Context(), at.Position, dsl.Action{Move: dsl.Continue}); err != nil {
			t.Fatal(err)
		}
		if exit := rec.Exit(); exit == nil || exit.Code != c.code {
			t.Errorf("%q ended with %+v, want %d", c.program, exit, c.code)
		}
	}
	rec, at := startWrapped(t, "import time\ntime.sleep(600)\n", words)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 { // the second request arrives while it sleeps
		var err error
		if at, err = rec.Move(ended, at.Position, dsl.Action{Move: dsl.Continue}); err != nil || at.Reason != trace.Interrupted {
			t.Fatalf("an interrupted move landed as %+v, %v", at, err)
		}
	}
}

// TestOutcomeWrappedAlone checks that the interpreter in the wrapping command compiles the
// tracer itself if no interpreter outside has compiled code for it.
func TestOutcomeWrappedAlone(t *testing.T) {
	script := scriptOf(t, "x = 1\n")
	rec, at, err := trace.Start(t.Context(), trace.Options{
		Python: fakePython(t, t.TempDir(), "python3", "test -n \"$INSIDE\" && exec "+pythons.All(t)[0].Path+" \"$@\"; exit 1"),
		Script: script, Dir: filepath.Dir(script), Stdin: strings.NewReader(""),
		Wrap: []string{"/usr/bin/env", "INSIDE=1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if _, err := rec.Move(t.Context(), at.Position, dsl.Action{Move: dsl.Continue}); err != nil {
		t.Fatal(err)
	}
	if exit := rec.Exit(); exit == nil || exit.Code != 0 {
		t.Errorf("it ended with %+v", exit)
	}
}

func startWrapped(t *testing.T, program string, wrap []string) (*trace.Recording, trace.Landing) {
	t.Helper()
	script := scriptOf(t, program)
	rec, at, err := trace.Start(t.Context(), trace.Options{
		Python: pythons.All(t)[0].Path, Script: script, Dir: filepath.Dir(script), Stdin: strings.NewReader(""),
		Wrap: wrap,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rec.Close() })
	return rec, at
}
