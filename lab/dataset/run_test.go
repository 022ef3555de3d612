package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/npdb/npdb/lab/dataset/policy"
)

// TestSameBytes checks that the files depend on the settings, and not on the number of workers, runs or
// machines.
func TestSameBytes(t *testing.T) {
	s := fakeSettings(230, 16)
	alone := t.TempDir()
	m := makeFake(t, Config{Dir: alone, Settings: s, Parallel: 1})
	want := contents(t, alone)
	if m.Programs.Duplicates < 10 || m.Programs.Failed < 5 || m.Programs.HeldOut < 10 || m.Programs.Kept+m.Programs.Failed+m.Programs.Duplicates != 230 {
		t.Fatalf("it shows too little: %+v", m.Programs)
	}
	for _, split := range Splits() {
		files, size := 0, int64(0)
		for name, text := range want {
			if strings.HasPrefix(name, split+"-") {
				files, size = files+1, size+int64(len(text))
			}
		}
		if got := m.Splits[split]; got.Files != files || got.Size != size {
			t.Errorf("%s: %d files of %d bytes, and the manifest has %+v", split, files, size, got)
		}
	}
	several := t.TempDir()
	var last Progress
	makeFake(t, Config{Dir: several, Settings: s, Parallel: 8, Progress: func(p Progress) { last = p }})
	if last.Programs != 230 || last.Of != 230 || last.Made != 230 || last.Failed != m.Programs.Failed || last.Lines != 2*m.Programs.Kept {
		t.Errorf("it came to %+v", last)
	}
	same(t, "eight workers", contents(t, several), want)
	makeFake(t, Config{Dir: several, Settings: s, Parallel: 3})
	same(t, "once more", contents(t, several), want)

	shared := t.TempDir()
	for _, i := range []int{2, 0, 1} {
		if m := makeFake(t, Config{Dir: shared, Settings: s, Parallel: 2, Share: i, Of: 3}); m != nil {
			t.Error("a share has a manifest")
		}
	}
	if _, err := Merge(t.Context(), MergeConfig{Dir: shared}); err != nil {
		t.Fatal(err)
	}
	same(t, "three machines in one folder", contents(t, shared), want)

	whole, own := filepath.Join(t.TempDir(), "whole"), []string{}
	for i := range 3 {
		own = append(own, t.TempDir())
		makeFake(t, Config{Dir: own[i], Settings: s, Parallel: 2, Share: i, Of: 3})
	}
	before := contents(t, own[2])
	var missing *missingError
	if _, err := Merge(t.Context(), MergeConfig{Dir: whole, From: own[1:]}); !errors.As(err, &missing) || missing.Error() != "of 15 shards 5 are missing: 0, 3, 6, 9, 12. The command that began them goes on with them" {
		t.Errorf("%v", err)
	}
	for range 2 {
		if _, err := Merge(t.Context(), MergeConfig{Dir: whole, From: own}); err != nil {
			t.Fatal(err)
		}
		same(t, "three folders", contents(t, whole), want)
	}
	same(t, "one that was merged", contents(t, own[2]), before)

	seen := map[string]bool{}
	for _, split := range Splits() {
		for _, l := range lines(t, whole, split) {
			if seen[l.ID] {
				t.Errorf("%s is there twice", l.ID)
			}
			seen[l.ID] = true
		}
	}
	if len(seen) != m.Splits[Train].Tally.Lines+m.Splits[Test].Tally.Lines || len(seen) != 2*m.Programs.Kept {
		t.Errorf("%d lines", len(seen))
	}
}

// TestGoesOn checks that an interrupted run can be continued.
func TestGoesOn(t *testing.T) {
	s := fakeSettings(120, 7)
	undisturbed := t.TempDir()
	makeFake(t, Config{Dir: undisturbed, Settings: s, Parallel: 2})
	want, rng := contents(t, undisturbed), random(t)
	dir := t.TempDir()
	for try := 0; ; try++ {
		ctx, cancel := context.WithCancel(t.Context())
		left := 1 + rng.IntN(60)
		_, err := fakeRun(Config{Dir: dir, Settings: s, Parallel: 4, Progress: func(p Progress) {
			if p.Made == left {
				cancel()
			}
		}}).run(ctx)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || try > 60 {
			t.Fatal(err)
		}
		for name := range contents(t, dir) {
			if unplaced.MatchString(filepath.Base(name)) {
				t.Errorf("%s was left behind", name)
			}
		}
	}
	same(t, "after all", contents(t, dir), want)

	// Files that were lost, truncated or left behind, for example because of a power failure.
	lost := []string{"parts/00003.json", s.shardName(Train, 5)}
	for _, name := range lost {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.Truncate(filepath.Join(dir, s.shardName(Train, 6)), 5),
		os.WriteFile(filepath.Join(dir, s.shardName(Train, 3)+".123"), []byte("half"), 0o600),
		os.WriteFile(filepath.Join(dir, "parts/00003.json.77"), []byte("half"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	r := fakeRun(Config{Dir: dir, Settings: s, Parallel: 2})
	if _, err := r.run(t.Context()); err != nil || r.progress.Made != 3*7 {
		t.Errorf("%d programs were made anew: %v", r.progress.Made, err)
	}
	same(t, "what was lost", contents(t, dir), want)
}

// TestOtherSettings checks that a folder accepts only one dataset.
func TestOtherSettings(t *testing.T) {
	dir, s := t.TempDir(), fakeSettings(10, 5)
	makeFake(t, Config{Dir: dir, Settings: s})
	other := s
	other.Seed, other.Policy.Hit = 8, 0.5
	_, err := fakeRun(Config{Dir: dir, Settings: other}).run(t.Context())
	var refused *otherSettingsError
	if want := dir + " was begun with other settings: policy.hit is 0.85 there and 0.5 here; seed is 7 there and 8 here. Name another folder, or the same settings"; !errors.As(err, &refused) || err.Error() != want {
		t.Errorf("%v", err)
	}
	elsewhere := t.TempDir()
	makeFake(t, Config{Dir: elsewhere, Settings: other})
	if _, err := Merge(t.Context(), MergeConfig{Dir: dir, From: []string{elsewhere}}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "thesis.tex"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := fakeRun(Config{Dir: full, Settings: s}).run(t.Context()); err == nil || !strings.Contains(err.Error(), "is no dataset and holds something, such as thesis.tex") {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		change func(*Settings)
		says   string
	}{
		{func(s *Settings) { s.Count = 0 }, "a count of 0 programs"},
		{func(s *Settings) { s.Count = 1<<40 + 1 }, "a count of 1099511627777 programs: it is 1099511627776 at most"},
		{func(s *Settings) { s.PerShard = 0 }, "0 programs in a shard"},
		{func(s *Settings) { s.Count, s.PerShard = 1<<20, 1 }, "with 11 programs in each there are at most 100000"},
		{func(s *Settings) { s.Count, s.PerShard = 1_000_000, 9 }, "with 10 programs in each there are at most 100000"},
		{func(s *Settings) { s.Walks = 0 }, "0 walks"},
		{func(s *Settings) { s.Dialects = nil }, "no dialect"},
		{func(s *Settings) { s.Dialects = []policy.Dialect{"nd/2"} }, "nd/2"},
		{func(s *Settings) { s.HeldOut = 1.5 }, "a share of 1.5 held out"},
		{func(s *Settings) { s.Difficulty = [2]float64{0.7, 0.2} }, "a difficulty from 0.7 to 0.2"},
		{func(s *Settings) { s.Policy.Hit = -1 }, "setting hit"},
	} {
		wrong := s
		c.change(&wrong)
		if _, err := fakeRun(Config{Dir: t.TempDir(), Settings: wrong}).run(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.says, err)
		}
	}
	if _, err := fakeRun(Config{Dir: t.TempDir(), Settings: s, Share: 3, Of: 3}).run(t.Context()); err == nil {
		t.Error("there is a share 3 of 3")
	}
}

// TestLargeShard checks a shard size that exceeds the number of programs.
func TestLargeShard(t *testing.T) {
	want := t.TempDir()
	makeFake(t, Config{Dir: want, Settings: fakeSettings(10, 10)})
	dir := t.TempDir()
	m := makeFake(t, Config{Dir: dir, Settings: fakeSettings(10, math.MaxInt)})
	if m.Shards != 1 || m.Programs.Recorded != 10 {
		t.Fatalf("%d shards with %+v", m.Shards, m.Programs)
	}
	for _, name := range []string{"parts/00000.json", "train-00000-of-00001.jsonl.zst"} {
		if contents(t, dir)[name] != contents(t, want)[name] {
			t.Errorf("%s is another", name)
		}
	}
}

// TestSameSettings checks that null or missing values differ from others.
func TestSameSettings(t *testing.T) {
	s, other := fakeSettings(10, 5), fakeSettings(10, 5)
	other.Policy.Lines = nil
	for _, c := range []struct {
		mine, theirs *Settings
		says         string // "" for none
	}{
		{&s, &other, "policy.lines is null there and [3,2,1] here"},
		{&other, &s, "policy.lines is [3,2,1] there and null here"},
		{&s, &s, ""},
		{&other, &other, ""},
	} {
		if err := c.mine.same("dir", c.theirs); c.says == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.says, err)
		}
	}
	a, b := map[string]string{"in both": "1", "a": "null"}, map[string]string{"in both": "1", "b": "{}"}
	if d := differences(a, b); !slices.Equal(d, []string{"a is not set there and null here", "b is {} there and not set here"}) {
		t.Errorf("%q", d)
	}
}

// narrow is a sink with a limited number of free bytes.
type narrow struct {
	sink
	room *atomic.Int64
}

func (n narrow) Write(raw []byte) (int, error) {
	if n.room.Add(-int64(len(raw))) < 0 {
		return 0, &fs.PathError{Op: "write", Path: "shard", Err: syscall.ENOSPC}
	}
	return n.sink.Write(raw)
}

// TestFullDisk checks that a full disk is reported and leaves no partial shard, wherever the error
// occurs.
func TestFullDisk(t *testing.T) {
	s := fakeSettings(40, 8)
	undisturbed := t.TempDir()
	makeFake(t, Config{Dir: undisturbed, Settings: s})
	want := contents(t, undisturbed)
	size := 0
	for name, text := range want {
		if strings.HasPrefix(name, "t") || strings.HasPrefix(name, "parts") {
			size += len(text)
		}
	}
	for room := 0; room < size; room += size/20 + 1 {
		dir := t.TempDir()
		r := fakeRun(Config{Dir: dir, Settings: s, Parallel: 2})
		var left atomic.Int64
		left.Store(int64(room))
		r.folder.create = func(path string) (sink, error) {
			file, err := onDisk(dir).create(path)
			return narrow{file, &left}, err
		}
		_, err := r.run(t.Context())
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot be written") || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%d bytes of %d: %v", room, size, err)
		}
		for name, text := range contents(t, dir) {
			if want[name] != text {
				t.Errorf("%d bytes: %s is left with %d bytes", room, name, len(text))
			}
			var shard int
			if n, _ := fmt.Sscanf(strings.TrimPrefix(strings.TrimPrefix(name, "train-"), "test-"), "%05d-of-", &shard); n == 1 {
				if _, err := os.Stat(filepath.Join(dir, partName(shard))); err != nil {
					t.Errorf("%d bytes: %s is there without its part", room, name)
				}
			}
		}
		makeFake(t, Config{Dir: dir, Settings: s, Parallel: 2})
		same(t, "with room again", contents(t, dir), want)
	}
}

// TestTwoAtOnce checks two runs that create the same shards in one folder: the one whose file was
// replaced reports it.
func TestTwoAtOnce(t *testing.T) {
	dir, s := t.TempDir(), fakeSettings(40, 40)
	r := fakeRun(Config{Dir: dir, Settings: s})
	r.begin = func(context.Context) (worker, error) {
		return &fake{settings: &r.Settings, each: func(number int) error {
			if number == 39 {
				makeFake(t, Config{Dir: dir, Settings: s})
			}
			return nil
		}}, nil
	}
	if _, err := r.run(t.Context()); err == nil || !strings.Contains(err.Error(), "another npdb dataset seems to be at work on the same shards") {
		t.Errorf("%v", err)
	}
	undisturbed := t.TempDir()
	makeFake(t, Config{Dir: undisturbed, Settings: s})
	makeFake(t, Config{Dir: dir, Settings: s})
	same(t, "after two", contents(t, dir), contents(t, undisturbed))
}

// TestWorkerFails checks that a failure ends the run, and that complete shards are kept.
func TestWorkerFails(t *testing.T) {
	dir, s := t.TempDir(), fakeSettings(40, 8)
	r, broken := fakeRun(Config{Dir: dir, Settings: s, Parallel: 3}), errors.New("no Python")
	r.begin = func(context.Context) (worker, error) {
		return &fake{settings: &r.Settings, each: func(number int) error {
			if number == 20 {
				return broken
			}
			return nil
		}}, nil
	}
	if _, err := r.run(t.Context()); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	r = fakeRun(Config{Dir: dir, Settings: s})
	r.begin = func(context.Context) (worker, error) { return nil, broken }
	if _, err := r.run(t.Context()); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	r = fakeRun(Config{Dir: dir, Settings: s})
	if _, err := r.run(t.Context()); err != nil {
		t.Error(err)
	}
}
