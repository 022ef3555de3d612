package dataset

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// seeds adds the files of a dataset that have a name.
func seeds(f *testing.F, pattern string) {
	dir := f.TempDir()
	r := fakeRun(Config{Dir: dir, Settings: fakeSettings(40, 20)})
	if _, err := r.run(f.Context()); err != nil {
		f.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
}

// FuzzSettings: a text is an error, or settings that are written and read as they are.
func FuzzSettings(f *testing.F) {
	seeds(f, settingsFile)
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := parseSettings(raw)
		if err != nil {
			return
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseSettings(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.same("", again); err != nil {
			t.Error(err)
		}
	})
}

// FuzzPart: a text is an error, or a part whose programs add up, which counts.
func FuzzPart(f *testing.F) {
	seeds(f, "parts/*.json")
	s := fakeSettings(40, 20)
	f.Fuzz(func(t *testing.T, raw []byte) {
		for shard := range s.shards() {
			p, err := s.parsePart(raw, shard)
			if err != nil {
				continue
			}
			m := newManifest(&s)
			m.add(p, map[FailedProgram]bool{})
			if c := m.Programs; c.Recorded != 20 || c.Kept+c.Failed+c.Duplicates != 20 || m.Made != 1 {
				t.Errorf("%+v", c)
			}
		}
	})
}

// FuzzManifest: a text is an error, or a manifest that there is a card of.
func FuzzManifest(f *testing.F) {
	seeds(f, manifestFile)
	f.Fuzz(func(t *testing.T, raw []byte) {
		if m, err := parseManifest(raw); err == nil && len(card(m)) == 0 {
			t.Error("it has no card")
		}
	})
}

// FuzzLine: a text is an error, or a line whose ranges lie in its text.
func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"id":"a","dialect":"nd/1","text":"abcdef","predict":[[0,2],[3,6]],"changed":[[1,2]],"actions":["step_into"],"horizons":[1],"source":{"number":1}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := ReadLine(raw)
		if err != nil {
			return
		}
		newTally().line(l)
		for _, s := range append(l.Predict, l.Changed...) {
			_ = l.Text[s[0]:s[1]]
		}
	})
}
