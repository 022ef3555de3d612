package dataset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/lab/dataset/policy"
	"github.com/npdb/npdb/lab/programs"
)

// fakeSettings returns settings of a small dataset of generated programs.
func fakeSettings(count, perShard int) Settings {
	return Settings{
		Format: Format, Seed: 7, Count: count, PerShard: perShard, Walks: 2, Dialects: []policy.Dialect{policy.ND1}, HeldOut: 0.2,
		Source: Source{Kind: Generated}, Difficulty: [2]float64{0, 1}, Policy: *policy.Defaults(), Npdb: "test", Python: "3.12.1",
	}
}

// givenSettings returns settings for given programs that are used in several rounds.
func givenSettings(programs, count, perShard int) Settings {
	s := fakeSettings(count, perShard)
	s.Walks, s.Source = 3, Source{Kind: Given, Name: "programs.jsonl", Programs: programs}
	return s
}

// fake is a worker that needs no Python. About one in four of its programs has the text of another one,
// and one in ten fails.
type fake struct {
	settings *Settings
	each     func(number int) error // called before each program, unless nil
}

func (f *fake) close() error { return nil }

func (f *fake) make(ctx context.Context, number int) (*made, error) {
	if f.each != nil {
		if err := f.each(number); err != nil {
			return nil, err
		}
	}
	rng := generator(f.settings.Seed, number)
	for range rng.IntN(4) { // so that workers finish in random order
		runtime.Gosched()
	}
	m := &made{number: number, tally: newTally()}
	if rng.IntN(10) == 0 {
		m.failed = []string{"time limit", "killed"}[rng.IntN(2)]
		return m, ctx.Err()
	}
	given := f.settings.Source.Kind == Given
	source := fmt.Sprintf("x = %d\n", rng.IntN(max(2*f.settings.Count, 1)))
	if given { // in later rounds a program adds few new texts
		source = fmt.Sprintf("x = %d\n", number%f.settings.Source.Programs)
	}
	m.key, m.split = programs.Key(source, ""), f.settings.split(source)
	for walk := range f.settings.Walks {
		text := "<|trace_context_start|>1|" + source + strings.Repeat("ü", rng.IntN(300)) + fmt.Sprint(rng.Uint64())
		if given {
			text = fmt.Sprintf("<|trace_context_start|>1|%s%d", source, 2*walk+rng.IntN(2))
		}
		l := &Line{
			ID: fmt.Sprintf("7-%d-%d-nd/1", number, walk), Dialect: "nd/1", Text: text,
			Predict: []policy.Span{{3, 9}, {12, 20}}, Changed: []policy.Span{{4, 6}},
			Actions: []string{"step_into", "breakpoint 1,2"}, Horizons: []int{1, rng.IntN(100) - 1},
			Source: Origin{Family: []string{"synth", "idiom"}[rng.IntN(2)], Number: number, Walk: walk},
		}
		if walk > 0 {
			l.Source.Family = "synth"
		}
		if given {
			l.Source.Family = ""
			m.texts = append(m.texts, textKey(text))
		}
		raw, err := l.write()
		if err != nil {
			return nil, err
		}
		m.lines = append(m.lines, raw...)
		m.tally.line(l)
		if walk == 0 {
			m.tally.program(l.Source.Family)
		}
	}
	return m, ctx.Err()
}

// fakeRun returns a run whose workers are fakes.
func fakeRun(c Config) *run {
	r := &run{Config: c, folder: onDisk(c.Dir)}
	r.begin = func(context.Context) (worker, error) { return &fake{settings: &r.Settings}, nil }
	return r
}

// makeFake creates a dataset with fake workers.
func makeFake(t *testing.T, c Config) *Manifest {
	t.Helper()
	m, err := fakeRun(c).run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// contents returns the files in a folder, and those below it.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		raw, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// same fails the test for each difference between two folders.
func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if other, ok := got[name]; !ok || other != text {
			t.Errorf("%s: %s is there: %v, with %d bytes and not %d", what, name, ok, len(other), len(text))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is too much", what, name)
		}
	}
}

// random returns a random generator for a test.
func random(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// lines returns the lines of a dataset's split, in order.
func lines(t *testing.T, dir, split string) (all []*Line) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, split+"-*.jsonl.zst"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	for _, path := range files {
		if err := readLines(path, func(_ []byte, l *Line) error {
			all = append(all, l)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
