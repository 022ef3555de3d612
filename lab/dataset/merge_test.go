package dataset

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestMergeFinds checks that damaged, missing and differing shards are reported, and that a partly
// merged dataset can be merged again.
func TestMergeFinds(t *testing.T) {
	s := fakeSettings(60, 10)
	whole := t.TempDir()
	makeFake(t, Config{Dir: whole, Settings: s})
	want := contents(t, whole)
	copied := func() string {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	name := s.shardName(Train, 2)
	for _, c := range []struct {
		damage func(dir string) error
		says   string
	}{
		{func(dir string) error { return os.Remove(filepath.Join(dir, name)) }, "a file of a shard is missing: "},
		{func(dir string) error {
			return os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(want[name], want[name][20:21], "\x00", 1)), 0o600)
		}, name + " is damaged"},
		{func(dir string) error { return os.Truncate(filepath.Join(dir, name), 4) }, name + " is damaged"},
		{func(dir string) error { return os.Remove(filepath.Join(dir, partName(2))) }, "of 6 shards 1 are missing: 2."},
		{func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, partName(2))), os.Remove(filepath.Join(dir, partName(3))), os.Remove(filepath.Join(dir, partName(5))))
		}, "of 6 shards 3 are missing: 2–3, 5."},
		{func(dir string) error {
			return os.WriteFile(filepath.Join(dir, partName(2)), []byte(strings.Replace(want[filepath.ToSlash(partName(2))], `"kept":`, `"kept":1`, 1)), 0o600)
		}, "its 10 programs are not the "},
		{func(dir string) error {
			return os.WriteFile(filepath.Join(dir, partName(2)), []byte(want[filepath.ToSlash(partName(3))]), 0o600)
		}, "which is not in its place"},
		{func(dir string) error {
			return os.WriteFile(filepath.Join(dir, partName(2)), []byte(strings.Replace(want[filepath.ToSlash(partName(2))], `"failed":[`, `"failed":[{"number":3}`, 1)), 0o600)
		}, "program 3, which is not in its place, that it failed"},
		{func(dir string) error {
			part, err := s.readPart(dir, 2)
			if err != nil {
				return err
			}
			part.Keys[1] = part.Keys[0]
			return writeJSON(filepath.Join(dir, partName(2)), part)
		}, ", which is not in its place"},
	} {
		dir, mended := copied(), copied()
		if err := errors.Join(c.damage(dir), c.damage(mended)); err != nil {
			t.Fatal(err)
		}
		if _, err := Merge(t.Context(), MergeConfig{Dir: dir}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.says, err)
		}
		// Another folder with a complete copy repairs it, wherever it is in the list. A folder with the
		// same damage does not.
		if _, err := Merge(t.Context(), MergeConfig{Dir: mended, From: []string{dir}}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q, from its like: %v", c.says, err)
		}
		for _, from := range [][]string{{dir, whole}, {whole, dir}} {
			mended := copied()
			if err := c.damage(mended); err != nil {
				t.Fatal(err)
			}
			if _, err := Merge(t.Context(), MergeConfig{Dir: mended, From: from}); err != nil {
				t.Errorf("%q: from one that is whole: %v", c.says, err)
			}
			same(t, c.says, contents(t, mended), want)
			fresh := filepath.Join(t.TempDir(), "fresh")
			if _, err := Merge(t.Context(), MergeConfig{Dir: fresh, From: from}); err != nil {
				t.Errorf("%q: a new folder: %v", c.says, err)
			}
		}
	}
	remedy := copied()
	if err := os.Remove(filepath.Join(remedy, name)); err != nil {
		t.Fatal(err)
	}
	_, err := Merge(t.Context(), MergeConfig{Dir: remedy})
	if says := "Merge it from a folder that has it whole; or remove " + filepath.Join(remedy, partName(2)) + ", and the command that made it makes it anew"; !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), says) {
		t.Errorf("%v", err)
	}
	// A file that exists but cannot be read is not missing.
	if err := os.Symlink(name, filepath.Join(remedy, name)); err == nil {
		if _, err := Merge(t.Context(), MergeConfig{Dir: remedy}); err == nil || !strings.Contains(err.Error(), "a file of a shard cannot be read: open "+remedy) {
			t.Errorf("%v", err)
		}
	}

	// Two folders with the same settings and different content.
	other := copied()
	r := fakeRun(Config{Dir: t.TempDir(), Settings: s})
	if _, err := r.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	part, err := s.readPart(other, 2)
	if err != nil {
		t.Fatal(err)
	}
	part.Splits[Train].SHA256 = strings.Repeat("0", 64)
	if err := writeJSON(filepath.Join(other, partName(2)), part); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(t.Context(), MergeConfig{Dir: filepath.Join(t.TempDir(), "new"), From: []string{whole, other}}); err == nil || !strings.Contains(err.Error(), "shard 2 is in "+whole+" and in "+other+", and they differ") {
		t.Errorf("%v", err)
	}
	told := 0
	steps := []MergeStep{Checking, Merging}
	if _, err := Merge(t.Context(), MergeConfig{Dir: whole, Progress: func(step MergeStep, done, of int) {
		if told++; done != (told-1)%6+1 || of != 6 || step != steps[(told-1)/6] {
			t.Errorf("%s: %d of %d", step, done, of)
		}
	}}); err != nil || told != 12 {
		t.Errorf("%d times, %v", told, err)
	}
	for _, at := range steps { // the merge ends after the current shard
		ctx, cancel := context.WithCancel(t.Context())
		last := 0
		if _, err := Merge(ctx, MergeConfig{Dir: whole, Progress: func(step MergeStep, done, _ int) {
			if last = done; step == at && done == 2 {
				cancel()
			}
		}}); !errors.Is(err, context.Canceled) || last != 2 {
			t.Errorf("%s: it went on to shard %d: %v", at, last, err)
		}
		cancel()
	}
	if _, err := Merge(t.Context(), MergeConfig{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "is no dataset") {
		t.Errorf("%v", err)
	}
}

// TestMergeSweeps checks that files left by a killed run or merge are removed, and other files are not.
func TestMergeSweeps(t *testing.T) {
	s := fakeSettings(60, 10)
	dir := t.TempDir()
	makeFake(t, Config{Dir: dir, Settings: s})
	want := contents(t, dir)
	left := []string{
		s.shardName(Train, 2) + ".1", s.shardName(Test, 5) + ".77", "parts/00003.json.2883716294",
		"settings.json.2883716294", "manifest.json.88371", "README.md.12345",
	}
	own := []string{"README.md.1", "notes.json.12345", s.shardName(Train, 2) + ".old"}
	for _, name := range append(left, own...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range own {
		want[name] = ""
	}
	lost := filepath.Join(dir, partName(4))
	if err := os.Rename(lost, lost+".kept"); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(t.Context(), MergeConfig{Dir: dir}); err == nil {
		t.Error("a shard is missing")
	}
	if found := contents(t, dir); len(found) != len(want)+len(left) {
		t.Errorf("somebody may be at work, and of %d files %d are left", len(want)+len(left), len(found))
	}
	if err := os.Rename(lost+".kept", lost); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(t.Context(), MergeConfig{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	same(t, "swept", contents(t, dir), want)
}

// TestOpenNames checks that errors of decompression and reading contain the file's name exactly once.
func TestOpenNames(t *testing.T) {
	s := fakeSettings(20, 20)
	dir := t.TempDir()
	makeFake(t, Config{Dir: dir, Settings: s})
	whole := contents(t, dir)[s.shardName(Train, 0)]
	for _, c := range []struct {
		text string
		want error
	}{
		{"no zstd at all", zstd.ErrMagicMismatch},
		{whole[:len(whole)/2], io.ErrUnexpectedEOF},
		{"", nil},
	} {
		path := filepath.Join(dir, "file.jsonl.zst")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err == nil {
			_, err = io.Copy(io.Discard, file)
			file.Close()
		}
		other := readLines(path, func([]byte, *Line) error { return nil })
		for _, err := range []error{err, other} {
			if !errors.Is(err, c.want) || err != nil && strings.Count(err.Error(), path) != 1 {
				t.Errorf("%.20q: %v", c.text, err)
			}
		}
	}
	file, err := Open(dir)
	if err == nil {
		_, err = io.Copy(io.Discard, file)
		file.Close()
	}
	if err == nil || strings.Count(err.Error(), dir) != 1 {
		t.Errorf("a folder: %v", err)
	}
}

// TestStat checks the counts of Stat for an incomplete dataset.
func TestStat(t *testing.T) {
	s := fakeSettings(60, 10)
	dir := t.TempDir()
	makeFake(t, Config{Dir: dir, Settings: s, Share: 1, Of: 3})
	m, err := Stat(dir)
	if err != nil || m.Made != 2 || m.Shards != 6 || m.Programs.Recorded != 20 {
		t.Errorf("%+v, %v", m, err)
	}
	makeFake(t, Config{Dir: dir, Settings: s})
	whole, err := Stat(dir)
	if err != nil || whole.Made != 6 || whole.Programs.Recorded != 60 {
		t.Errorf("%+v, %v", whole, err)
	}
	if added, err := sum(dir); err != nil || added.Programs != whole.Programs || added.Splits[Train].Size != whole.Splits[Train].Size {
		t.Errorf("the manifest has %+v and its shards come to %+v, %v", whole.Programs, added, err)
	}
}

// TestReadLine checks that invalid lines are rejected. The ranges must be inside the text and in order.
func TestReadLine(t *testing.T) {
	const good = `{"id":"a","text":"aüc","predict":[[0,3],[3,4]],"changed":[[1,3]],"actions":["step_into","continue"],"horizons":[1,-1]}`
	if l, err := ReadLine([]byte(good)); err != nil || l.Text[l.Changed[0][0]:l.Changed[0][1]] != "ü" {
		t.Errorf("%+v, %v", l, err)
	}
	for _, c := range []struct{ old, new string }{
		{`[3,4]`, `[3,5]`}, {`[3,4]`, `[2,4]`}, {`[3,4]`, `[4,3]`}, {`[1,3]`, `[-1,3]`}, {`[1,-1]`, `[1]`}, {`"a",`, `1,`},
	} {
		if _, err := ReadLine([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil {
			t.Errorf("%s for %s is no error", c.new, c.old)
		}
	}
	if _, err := (&Line{Text: "\xff"}).write(); err == nil {
		t.Error("a text that is no UTF-8 is written")
	}
}

func TestHorizonClass(t *testing.T) {
	for h, want := range map[int]string{-1: "unknown", 0: "0", 1: "1", 2: "2-3", 3: "2-3", 4: "4-7", 7: "4-7", 8: "8-15", 31: "16-31", 32: "32-63", 63: "32-63", 64: "64+", 5000: "64+"} {
		if got := horizonClass(h); got != want {
			t.Errorf("%d: %s, not %s", h, got, want)
		}
	}
}
