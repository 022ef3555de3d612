package dataset

import (
	"encoding/json"
	"math"
	"testing"
)

// fuzzed holds the settings for the seeds of the fuzz tests.
var fuzzed = fakeSettings(40, 20)

// seed returns a part and its manifest. It uses no goroutines: their random order would look like new
// coverage to the fuzzer.
func seed(f *testing.F) (*part, *Manifest) {
	f.Helper()
	maker, w, seen := &fake{settings: &fuzzed}, newShard(folder{create: func(string) (sink, error) { return nowhere{}, nil }}, &fuzzed, 0), keys{}
	for n := range fuzzed.PerShard {
		m, err := maker.make(f.Context(), n)
		if err == nil {
			_, err = w.add(m, seen)
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	p, err := w.commit()
	if err != nil {
		f.Fatal(err)
	}
	m := newManifest(&fuzzed)
	m.add(p, map[FailedProgram]bool{})
	return p, m
}

// nowhere is a sink that discards everything.
type nowhere struct{}

func (nowhere) Write(raw []byte) (int, error) { return len(raw), nil }
func (nowhere) Commit() error                 { return nil }
func (nowhere) Abandon() error                { return nil }

// add adds a value to the seeds, as JSON.
func add(f *testing.F, v any) {
	f.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
}

// FuzzSettings checks that a text is rejected, or its settings are unchanged after writing and reading.
func FuzzSettings(f *testing.F) {
	add(f, &fuzzed)
	large := fuzzed
	large.PerShard = math.MaxInt
	add(f, &large)
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := parseSettings(raw)
		if err != nil {
			return
		}
		if n := s.shards(); n < 1 || n > maxShards {
			t.Fatalf("%d shards", n)
		} else if from, to := s.numbers(n - 1); from < 0 || from >= to || to != s.Count {
			t.Errorf("the last shard has the programs from %d to %d", from, to)
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

// FuzzPart checks that a text is rejected, or is a part whose numbers are consistent.
func FuzzPart(f *testing.F) {
	p, _ := seed(f)
	add(f, p)
	s := &fuzzed
	f.Fuzz(func(t *testing.T, raw []byte) {
		for shard := range s.shards() {
			p, err := s.parsePart(raw, shard)
			if err != nil {
				continue
			}
			m := newManifest(s)
			m.add(p, map[FailedProgram]bool{})
			if c := m.Programs; c.Recorded != 20 || c.Kept+c.Failed+c.Duplicates != 20 || m.Made != 1 {
				t.Errorf("%+v", c)
			}
		}
	})
}

// FuzzManifest checks that a text is rejected, or is a manifest from which a card can be written.
func FuzzManifest(f *testing.F) {
	_, m := seed(f)
	add(f, m)
	f.Fuzz(func(t *testing.T, raw []byte) {
		if m, err := parseManifest(raw); err == nil && len(card(m)) == 0 {
			t.Error("it has no card")
		}
	})
}

// FuzzLine checks that a text is rejected, or is a line whose ranges are inside its text.
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
