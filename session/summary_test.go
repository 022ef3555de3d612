package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/journal"
)

func TestSummary(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysOne, saysInF1}}
	s, _ := bothModes(t, m)
	s.First(context.Background())
	if got := s.Summary(); got != nil {
		t.Errorf("nothing was compared: %q", got)
	}
	do(s, "s 3")
	want := []string{
		"scripted: 3 moves: whole state 33%, line 100%, all locals 33%",
		"It was 75% sure and 33% right, over 3 moves with a stated confidence.",
		"First divergence: line 6 of prog.py, i = 1, actually 0, after 1 move.",
	}
	if got := s.Summary(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
	dir := s.Configured().StateDir
	if err := s.KeepScore(); err != nil {
		t.Fatal(err)
	}
	if err := s.KeepScore(); err != nil { // nothing new
		t.Fatal(err)
	}
	kept, damaged, err := journal.Scores(dir)
	if err != nil || damaged != 0 || len(kept) != 1 {
		t.Fatalf("%+v %d %v", kept, damaged, err)
	}
	if k := kept[0]; k.Model != "scripted" || k.Score.Moves() != 3 || !strings.HasPrefix(k.First, "line 6 of prog.py") || filepath.Base(k.Program) != "prog.py" || time.Since(k.When) > time.Hour {
		t.Errorf("%+v", k)
	}
	if info, err := os.Stat(filepath.Join(dir, "scores.jsonl")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

// TestSummaryOfResumed checks that replayed moves are not stored again: the first session
// did that.
func TestSummaryOfResumed(t *testing.T) {
	m := &scripted{replies: []string{saysLoop, saysCall}}
	s := against(t, m, &scripted{replies: []string{saysLoop, saysCall}})
	s.First(context.Background())
	do(s, "s")
	cfg := s.Configured()
	j, err := journal.Find(cfg.StateDir, cfg.Options)
	if err != nil {
		t.Fatal(err)
	}
	again, err := interpreted(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	again.Resume(context.Background(), j)
	do(again, "s")
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	kept, _, err := journal.Scores(cfg.StateDir)
	if err != nil || len(kept) != 1 || kept[0].Score.Moves() != 1 || kept[0].Against != "scripted" {
		t.Errorf("%+v %v", kept, err)
	}
	if got := again.Summary(); len(got) == 0 || !strings.Contains(got[0], "2 moves") {
		t.Errorf("%q", got)
	}
}

// TestSummaryRounds checks that a share is the same number in both lines: 62.5% is 63% in
// each.
func TestSummaryRounds(t *testing.T) {
	s, _ := bothModes(t, &scripted{})
	sure := 1.0
	for i := range 8 {
		kind := compare.Same
		if i < 3 {
			kind = compare.Differs
		}
		s.AddScore(dsl.StepInto, compare.Verdicts{{Field: compare.Outcome, Kind: kind}}, 1, &sure)
	}
	got := s.Summary()
	if len(got) < 2 || !strings.Contains(got[0], "whole state 63%") || !strings.Contains(got[1], "63% right") {
		t.Errorf("%q", got)
	}
}

// TestSummaryWithoutConfidence checks that without stated confidences the summary omits
// them.
func TestSummaryWithoutConfidence(t *testing.T) {
	s, _ := bothModes(t, &scripted{})
	s.AddScore(dsl.StepInto, compare.Verdicts{{Field: compare.Outcome, Kind: compare.Same}}, 1, nil)
	got := s.Summary()
	if len(got) != 2 || !strings.HasPrefix(got[0], "scripted: 1 move: whole state 100%") || got[1] != "No divergence." {
		t.Errorf("%q", got)
	}
}
