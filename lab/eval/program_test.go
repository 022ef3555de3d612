package eval

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/npdb/npdb/dsl"
)

func TestRead(t *testing.T) {
	s, err := Read([]byte(`{"code": "def f(a, *b):\n    return a\n", "input": "1, 2", "output": "1", "id": "one"}

{"code": "def g():\n    return 1\n", "function": "g", "input": "", "name": "two"}
{"code": "x = 1\n"}
{"code": "x = 2\n", "id": "one"}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range s.Programs {
		got = append(got, p.Name+" "+p.Function+" "+p.Input+" "+p.Output)
	}
	if want := []string{"one f 1, 2 1", "two g  ", "line 4   ", "one (line 5)   "}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if lines := s.Programs[0].driven().Files[0].Lines; lines[len(lines)-1] != "out = f(1, 2)" {
		t.Errorf("%q", lines)
	}
	call, err := s.Programs[0].firstCall()
	if err != nil || call.Line != 1 || len(call.Locals) != 2 || call.Locals[1].Value != "(2,)" {
		t.Errorf("%+v %v", call, err)
	}
	s.First(3)
	if s.Len() != 3 {
		t.Errorf("%d of the first three", s.Len())
	}
	for _, bad := range []string{"{", `{"id": "x"}`, `{"code": "x = 1", "input": "1"}`, `{"dialect": "nd/1"}`, `{"dialect": "nd/1", "text": "x", "actions": ["step_into"], "horizons": [1]}`, `{"dialect": "nd/1", "text": "", "actions": ["step_into"], "horizons": []}`} {
		if _, err := Read([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}

// TestHalves checks that each program and walk belongs to one of the two halves.
func TestHalves(t *testing.T) {
	made := func() *Source {
		s := &Source{Walks: []Walk{{Name: "sample_4"}}}
		for _, name := range []string{"sample_0", "sample_2", "sample_10", "sample_12"} {
			s.Programs = append(s.Programs, Program{Name: name})
		}
		return s
	}
	for half, want := range map[string]string{"": "sample_0 sample_2 sample_10 sample_12 sample_4", HalfEven: "sample_10 sample_12", HalfOdd: "sample_0 sample_2 sample_4"} {
		s := made()
		if err := s.Half(half); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range s.Programs {
			got = append(got, p.Name)
		}
		for _, w := range s.Walks {
			got = append(got, w.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", half, got, want)
		}
	}
	if err := made().Half("1"); err == nil {
		t.Error("a half of another name is accepted")
	}
}

func TestLoad(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"a.py": "x = 1\n", "b/c.py": "y = 1\n", "b/d.txt": "no", "e.jsonl": "\n"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{"": "a.py b/c.py", "a.py": "a.py"} {
		s, err := Load(filepath.Join(folder, path))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range s.Programs {
			names = append(names, p.Name)
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%q: %q", path, names)
		}
	}
	for _, path := range []string{"e.jsonl", "none", "b/d.txt"} {
		if _, err := Load(filepath.Join(folder, path)); err == nil {
			t.Errorf("%s was loaded", path)
		}
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "trajectories.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	packed, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(folder, "train-00000-of-00001.jsonl.zst")
	if err := os.WriteFile(again, packed.EncodeAll(raw, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	var s *Source
	for _, path := range []string{filepath.Join("testdata", "trajectories.jsonl"), again} {
		s, err = Load(path)
		if err != nil || len(s.Walks) != 3 || s.Walks[0].Name != "3-0-0-nd/1" || s.Walks[1].Set != "mini" || s.Walks[1].horizons[1] != 12 {
			t.Errorf("%s: %+v %v", path, s, err)
		}
	}
	s, err = Load(filepath.Join("testdata", "export.jsonl"))
	if err != nil || len(s.Walks) != 1 || len(s.Walks[0].horizons) == 0 || slices.Contains(s.Walks[0].horizons, -1) {
		t.Errorf("%+v %v", s, err)
	}
}

func TestReturns(t *testing.T) {
	p := Program{Function: "f", Text: programOf("def f(x):\n    if x: return 1\n    returned = 2\n    return (\n        returned)\n\ndef g():\n    return 3\n")}
	if got := p.returns(); !slices.Equal(got, []dsl.Location{{Line: 2}, {Line: 4}}) {
		t.Errorf("%v", got)
	}
}

// FuzzRead checks that a file is rejected, or contains programs that can be shown.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"problems.jsonl", "trajectories.jsonl", "export.jsonl"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := Read(raw)
		if err != nil {
			return
		}
		r, err := newRunner(Config{Predictor: &fake{}})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i := range s.Programs {
			p := &s.Programs[i]
			if seen[p.Name] {
				t.Errorf("two programs are %q", p.Name)
			}
			seen[p.Name] = true
			if call, err := p.firstCall(); err == nil && p.Function != "" {
				if _, err := r.called(p.Text, call); err != nil {
					t.Errorf("%q: %v", p.Call(), err)
				}
			}
			p.returns()
		}
		for _, w := range s.Walks {
			if _, err := r.planWalk(w); err != nil {
				t.Errorf("%s: %v", w.Name, err)
			}
		}
	})
}
