package dataset

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestRounds checks that given programs in several rounds yield each text exactly once, regardless of
// how the shards are created. Of equal trajectories the one with the lowest number must be kept.
func TestRounds(t *testing.T) {
	s := givenSettings(40, 230, 16)
	alone := t.TempDir()
	var last Progress
	m := makeFake(t, Config{Dir: alone, Settings: s, Progress: func(p Progress) { last = p }})
	want := contents(t, alone)

	made, first := 0, map[string]string{} // the first line with each text, which is the one to keep
	programs := map[int]bool{}
	for number := range s.Count {
		one, err := (&fake{settings: &s}).make(t.Context(), number)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range parsed(t, one.lines) {
			made++
			if _, ok := first[l.Text]; !ok {
				first[l.Text] = l.ID
				programs[number] = true
			}
		}
	}
	there := 0
	for _, split := range Splits() {
		for _, l := range lines(t, alone, split) {
			there++
			if first[l.Text] != l.ID {
				t.Errorf("%s is there and not %s", l.ID, first[l.Text])
			}
		}
	}
	if there != len(first) || m.Repeated != made-there || m.Repeated < 100 || last.Lines != there {
		t.Errorf("%d lines of %d are there, %d of them made, %d left out; progress %+v", there, len(first), made, m.Repeated, last)
	}
	if c := m.Programs; c.Kept != len(programs) || c.Duplicates < 10 || c.Kept+c.Duplicates+c.Failed != s.Count {
		t.Errorf("%d programs have lines: %+v", len(programs), c)
	}
	if p := m.Splits[Train].Tally.Programs + m.Splits[Test].Tally.Programs; p != m.Programs.Kept {
		t.Errorf("the splits have %d programs of %d", p, m.Programs.Kept)
	}

	shared, whole, own := t.TempDir(), filepath.Join(t.TempDir(), "whole"), []string{}
	for _, i := range []int{2, 0, 1} {
		makeFake(t, Config{Dir: shared, Settings: s, Parallel: 2, Share: i, Of: 3})
		own = append(own, t.TempDir())
		makeFake(t, Config{Dir: own[len(own)-1], Settings: s, Parallel: 2, Share: i, Of: 3})
	}
	for range 2 {
		_, err := Merge(t.Context(), MergeConfig{Dir: shared})
		_, err2 := Merge(t.Context(), MergeConfig{Dir: whole, From: own})
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		same(t, "a folder of three", contents(t, shared), want)
		same(t, "three folders", contents(t, whole), want)
	}

	// A run that was interrupted continues where it stopped, and creates lost shards again.
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := fakeRun(Config{Dir: dir, Settings: s, Progress: func(p Progress) {
		if p.Made == 100 {
			cancel()
		}
	}}).run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for range 2 {
		makeFake(t, Config{Dir: dir, Settings: s, Parallel: 3})
		same(t, "once more", contents(t, dir), want)
		if err := os.Remove(filepath.Join(dir, partName(1))); err != nil {
			t.Fatal(err)
		}
	}
}

// parsed returns the lines of a program.
func parsed(t *testing.T, raw []byte) (all []*Line) {
	t.Helper()
	for one := range bytes.Lines(raw) {
		l, err := ReadLine(one)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// TestGivenKeys checks that the keys in a part of given programs are those of its lines.
func TestGivenKeys(t *testing.T) {
	s := givenSettings(40, 48, 16)
	dir := t.TempDir()
	makeFake(t, Config{Dir: dir, Settings: s, Share: 0, Of: 2})
	for what, damage := range map[string]func(*part){
		"one less":      func(p *part) { p.Keys = p.Keys[:len(p.Keys)-1] },
		"another order": func(p *part) { p.Keys[0], p.Keys[len(p.Keys)-1] = p.Keys[len(p.Keys)-1], p.Keys[0] },
		"less than 0":   func(p *part) { p.Repeated = -1 },
	} {
		p, err := s.readPart(dir, 2)
		if err != nil {
			t.Fatal(err)
		}
		damage(p)
		path := filepath.Join(t.TempDir(), partsDir)
		if err := errors.Join(os.Mkdir(path, 0o700), writeJSON(filepath.Join(filepath.Dir(path), partName(2)), p)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.readPart(filepath.Dir(path), 2); err == nil {
			t.Errorf("%s is no error", what)
		}
	}
}
