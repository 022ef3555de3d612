package dataset

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/policy"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// given returns a Config for programs in a file.
func given(t *testing.T, python, text string) Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "programs.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := OpenPrograms(path, "programs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	s := fakeSettings(g.Source().Programs, 10)
	s.Source, s.Walks, s.Dialects, s.HeldOut = g.Source(), 3, []policy.Dialect{policy.ND1, policy.CWM}, 0.5
	return Config{Dir: t.TempDir(), Settings: s, Parallel: 2, Workers: Workers{Recorder: recorder.Config{Python: python}, Programs: g}}
}

// TestGiven checks given programs: each is used once per round, with different walks in each round. A
// function is always in the same split, whatever its input. A failure is listed once.
func TestGiven(t *testing.T) {
	var text strings.Builder
	for i := range 8 {
		for input := range 2 {
			fmt.Fprintf(&text, `{"id": "p%d(%d)", "code": "def f(x):\n    total = %d\n    for i in range(3):\n        total += x * i\n    return total", "input": "%d"}`+"\n", i, input, i, input)
		}
	}
	text.WriteString(`{"id": "again", "code": "def f(x):\n    total = 0\n    for i in range(3):\n        total += x * i\n    return total", "entry": "f(0)"}` + "\n")
	text.WriteString(`{"id": "wrong", "code": "def (:"}` + "\n" + `{"id": "bytes", "code": "x = 'ü\ud83d'"}`)
	c := given(t, pythons.Any(t), text.String())
	c.Settings.Count *= 3
	m, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Settings.Source; s.Kind != Given || s.Programs != 18 || s.Alike != 1 || m.Programs.Recorded != 54 || m.Programs.Kept < 48 || m.Programs.Duplicates != 0 {
		t.Errorf("%+v %+v", m.Programs, s)
	}
	if m.Failures["syntax error"] != 3 || !slices.Contains(m.Failed, FailedProgram{"wrong", "syntax error"}) || len(m.Failed) > 2 {
		t.Errorf("%v %v", m.Failures, m.Failed)
	}
	splits, texts := map[string]string{}, map[string]map[string]bool{}
	for _, split := range Splits() {
		for _, l := range lines(t, c.Dir, split) {
			function := l.Source.Program[:2]
			if other, ok := splits[function]; ok && other != split {
				t.Errorf("%s is in %s and in %s", function, split, other)
			}
			splits[function] = split
			if texts[l.Source.Program] == nil {
				texts[l.Source.Program] = map[string]bool{}
			}
			if texts[l.Source.Program][l.Text] {
				t.Errorf("%s: another has its text", l.ID)
			}
			texts[l.Source.Program][l.Text] = true
			if want := fmt.Sprintf("7-%d-%d-%s", l.Source.Number, l.Source.Walk, l.Dialect); l.ID != want {
				t.Errorf("%s, not %s", l.ID, want)
			}
			if l.Source.Family != "" || strings.HasPrefix(l.Source.Entry, "f(") != (function != "by") {
				t.Errorf("%+v", l.Source)
			}
			for i, s := range l.Predict { // each reply follows its action, and ends before the next action or at the end of the text
				before, reply := l.Text[:s[0]], l.Text[s[0]:s[1]]
				if l.Dialect == string(policy.ND1) && (!strings.HasSuffix(before, "<|debug_sep|>"+l.Actions[i]+"<|frame_sep|>") || !strings.HasSuffix(reply, "<|frame_sep|>")) {
					t.Errorf("%s: action %d: %q, %q", l.ID, i, before, reply)
				}
			}
			if len(l.Predict) != len(l.Actions) {
				t.Errorf("%s: %d replies to %d actions", l.ID, len(l.Predict), len(l.Actions))
			}
		}
	}
	if len(texts["p3(1)"]) < 4 {
		t.Errorf("three rounds of three walks gave %d texts", len(texts["p3(1)"]))
	}
	for _, split := range Splits() {
		if tally := m.Splits[split].Tally; tally == nil || tally.Dialects["cwm"] == 0 || tally.Dialects["nd/1"] < tally.Dialects["cwm"] {
			t.Errorf("%s: %+v", split, tally)
		}
	}
}

// dying is a recorder that fails for the first `left` programs.
type dying struct {
	recorder records
	left     int
}

func (d *dying) Close() error { return d.recorder.Close() }

func (d *dying) Record(ctx context.Context, j recorder.Job) (*recorder.Recording, error) {
	if d.left > 0 {
		d.left--
		return nil, &recorder.DiedError{Err: errors.New("killed")}
	}
	return d.recorder.Record(ctx, j)
}

// TestBrokenRecorder checks that a program is tried again if the recorder fails. If it fails twice, the
// program counts as failed. If that happens with several consecutive programs, the run ends with an
// error.
func TestBrokenRecorder(t *testing.T) {
	c := given(t, pythons.Any(t), strings.Repeat(`{"code": "x = 1\ny = 2"}`+"\n", 1))
	w, err := c.maker(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := w.(*maker)
	defer m.close()
	d := &dying{recorder: m.recorder}
	m.recorder = d
	for _, c := range []struct {
		dies   int
		failed string
	}{{0, ""}, {1, ""}, {2, brokeDown}, {2, brokeDown}, {0, ""}, {2, brokeDown}, {2, brokeDown}, {2, brokeDown}, {2, brokeDown}} {
		d.left = c.dies
		if made, err := m.make(t.Context(), 0); err != nil || made.failed != c.failed {
			t.Errorf("%d times: %+v, %v", c.dies, made, err)
		}
	}
	d.left = 2
	died := (*recorder.DiedError)(nil)
	if _, err := m.make(t.Context(), 0); !errors.As(err, &died) || !strings.HasPrefix(err.Error(), "program 0: ") {
		t.Errorf("%v", err)
	}
	d.left = 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.make(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestDifficulty checks that the difficulty is in its range, and rises with the number if Curriculum is
// set.
func TestDifficulty(t *testing.T) {
	s := fakeSettings(1000, 10)
	s.Difficulty = [2]float64{0.2, 0.6}
	for _, s.Curriculum = range []bool{false, true} {
		sums := [2]float64{}
		for n := range s.Count {
			d := s.difficulty(generator(s.Seed, n), n)
			if d < 0.2 || d > 0.6 {
				t.Fatalf("program %d: %v", n, d)
			}
			sums[2*n/s.Count] += d / 500
		}
		if rise := sums[1] - sums[0]; (rise > 0.03) != s.Curriculum || rise < -0.03 {
			t.Errorf("curriculum %v: from %v to %v", s.Curriculum, sums[0], sums[1])
		}
	}
}

// TestSplit checks that the share of held-out programs is about right, and that the split depends only
// on the source.
func TestSplit(t *testing.T) {
	s := fakeSettings(10, 10)
	other := s
	other.Seed++
	for _, share := range []float64{0, 0.1, 1} {
		s.HeldOut, other.HeldOut = share, share
		held := 0
		for i := range 2000 {
			source := fmt.Sprintf("x = %d\n", i)
			if s.split(source) != other.split(source) {
				t.Errorf("%q is on two sides", source)
			}
			if s.split(source) == Test {
				held++
			}
		}
		if got := float64(held) / 2000; got < share-0.03 || got > share+0.03 {
			t.Errorf("%v of them, not %v", got, share)
		}
	}
}

// wayward is a recorder that records another program if there is an edit.
type wayward struct {
	records
	edits int
}

func (w *wayward) Record(ctx context.Context, j recorder.Job) (*recorder.Recording, error) {
	if j.Edit != nil {
		w.edits++
		j.Edit, j.Program = nil, &recorder.Program{Source: "\n\nz = 3\n"}
	}
	return w.records.Record(ctx, j)
}

// TestEditFails checks that no edit is written for a program that behaves differently in a second run,
// and that if the run with an edit fails, the other walks are kept.
func TestEditFails(t *testing.T) {
	c := given(t, pythons.Any(t), `{"code": "a = 1\nb = a + 1\nc = b + a\nd = c"}`)
	c.Settings.Policy.Edits, c.Settings.Walks = 1, 8
	for _, limit := range []bool{false, true} {
		w, err := c.maker(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m := w.(*maker)
		odd := &wayward{records: m.recorder}
		if m.recorder = odd; limit {
			m.recorder = refusing{odd.records}
		}
		made, err := m.make(t.Context(), 0)
		if err != nil || made.failed != "" || made.tally.Lines < 4 || strings.Contains(string(made.lines), "<|debug_sep|>set") || odd.edits == 0 != limit {
			t.Errorf("%v, %d edits: %+v, %v", limit, odd.edits, made, err)
		}
		m.close()
	}
}

// refusing is a recorder that fails if there is an edit.
type refusing struct{ records }

func (r refusing) Record(ctx context.Context, j recorder.Job) (*recorder.Recording, error) {
	if j.Edit != nil {
		return nil, &recorder.Failure{Reason: "too many events"}
	}
	return r.records.Record(ctx, j)
}

// TestOtherNames checks that given programs with different names lead to different files.
func TestOtherNames(t *testing.T) {
	const text = `{"code": "x = 1", "id": "one"}`
	a, b := given(t, "", text), given(t, "", strings.Replace(text, "one", "two", 1))
	if err := a.Settings.same("there", &b.Settings); err == nil || !strings.Contains(err.Error(), "source.digest is ") {
		t.Errorf("%v", err)
	}
}
