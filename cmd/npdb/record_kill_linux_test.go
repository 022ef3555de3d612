package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/longtest"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/saved"
)

// TestKilledRecording kills npdb record at random moments: the file opens up to there, with the
// states of the whole recording.
func TestKilledRecording(t *testing.T) {
	const count, share = 200, 40
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	npdb := filepath.Join(dir, "npdb")
	if err := os.Symlink(self, npdb); err != nil {
		t.Fatal(err)
	}
	record := func(path string) *exec.Cmd {
		cmd := exec.Command(npdb, "record", "--python", pythons.Any(t), "-o", path, "-c",
			"def f(n):\n    return {'n': n, 'half': n // 2}\nall = []\nfor k in range(60000):\n    all.append(f(k))\n    if k % 9000 == 0:\n        print(k, flush=True)")
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "GORACE=atexit_sleep_ms=0")
		return cmd
	}
	path := filepath.Join(dir, "whole.npdb")
	begin := time.Now()
	if said, err := record(path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	took := time.Since(begin)
	whole, _, err := trace.OpenFile(path, trace.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = whole.Close() }()
	path = filepath.Join(dir, "killed.npdb")
	opened, ended := 0, 0
	for k := range count {
		if !longtest.In(t, k, share) {
			continue
		}
		cmd := record(path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(k), 0))
		time.Sleep(time.Duration(r.Int64N(int64(took))))
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		rec, landing, err := trace.OpenFile(path, trace.Limits{})
		var no *saved.NotRecordingError
		if errors.Is(err, os.ErrNotExist) || errors.As(err, &no) {
			continue // it was killed before it could write the header
		}
		if err != nil {
			t.Errorf("kill %d: %v", k, err)
			continue
		}
		opened++
		if cmd.ProcessState.ExitCode() == 0 {
			ended++
		}
		tree := rec.Tree()
		if n := tree.Len(); n > 0 {
			at, want := tree.State(n-1), whole.Tree().State(n-1)
			if at.Line != want.Line || at.Event != want.Event || len(at.Locals) != len(want.Locals) {
				t.Errorf("kill %d: event %d is %+v, want %+v", k, n-1, at, want)
			}
		}
		if rec.Exit() == nil && landing.Notice == "" {
			t.Errorf("kill %d: the file with %d events does not say that it was cut off", k, tree.Len())
		}
		if err := errors.Join(tree.Err(), rec.Close()); err != nil {
			t.Error(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files opened, of which %d were complete", opened, ended)
	if opened == 0 {
		t.Error("no file was opened")
	}
}
