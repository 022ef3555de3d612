//go:build unix

package recorder

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/npdb/npdb/internal/pythons"
)

const harvestedText = `
import os
LIMIT = 3

def double(text: str, times: int = 2):
    """A function.

    >>> double('ab')
    'abab'
    """
    out = ''
    for _ in range(min(times, LIMIT)):
        out += text
    return out

def remove(name: str):
    for part in name.split():
        os.remove(part)
    return name

def endless(n: int):
    while True:
        n += 1

def deaf(number: int):
    total = number
    for i in range(3):
        total += len(str(7 ** (10 ** 9)))
    return total

def vowels(text: str):
    count = 0
    for c in text:
        if c in 'aeiou':
            count += 1
    return count
`

// TestHarvest checks that functions that run alone are found, with calls. Functions that have side
// effects, do not end, or hang in C are not found, and do not affect the others.
func TestHarvest(t *testing.T) {
	c := Config{Python: pythons.Between(t, 12, 14)[0].Path, Limits: Limits{Wall: time.Second}}
	w, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "some.py")
	if err := os.WriteFile(path, []byte(harvestedText), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	h := &harvest{out: &out, seen: map[string]bool{}}
	if err := h.file(t.Context(), w, source{"some.py", path}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		var f function
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(f.Source[strings.Index(f.Source, "def ")+4:], "(")
		names = append(names, name)
		if f.Origin != "some.py" || f.Events < 3 || len(f.Calls) == 0 || !strings.HasPrefix(*f.Calls[0], name+"(") {
			t.Errorf("%s comes with %+v", name, f)
		}
	}
	if got := strings.Join(names, " "); got != "double vowels" {
		t.Errorf("found are %q\n%s", got, out.String())
	}
	// The generators accept the results.
	real := filepath.Join(t.TempDir(), "real.jsonl")
	if err := os.WriteFile(real, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Real = real
	if w, err = Start(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for number := range 100 {
		r, err := w.Record(t.Context(), Job{Seed: "real", Number: number, Difficulty: 0.2})
		if failed := (*Failure)(nil); err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		if err == nil && r.Program.Family == "real" {
			return
		}
	}
	t.Error("no program is made of them")
}

// TestHarvestHearsNothing checks that no functions are found if the process's output is incomplete.
func TestHarvestHearsNothing(t *testing.T) {
	w := begin(t, Config{Python: pythons.Between(t, 12, 14)[0].Path, Limits: Limits{Bytes: 8}})
	path := filepath.Join(t.TempDir(), "some.py")
	if err := os.WriteFile(path, []byte("def double(text: str):\n    return text * 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	h := &harvest{out: &out, seen: map[string]bool{}}
	for _, name := range []string{path, path + ".none"} {
		if err := h.file(t.Context(), w, source{"some.py", name}); err != nil || out.Len() > 0 {
			t.Error(name, err, out.String())
		}
	}
}

// TestHarvestWrites checks that invalid functions and duplicates are not written.
func TestHarvestWrites(t *testing.T) {
	var out bytes.Buffer
	h := &harvest{out: &out, seen: map[string]bool{}}
	call := "f()"
	good := function{Source: "def f(): pass\n", Events: 128, Calls: []*string{&call, nil}}
	none, many, long, quiet, busy := good, good, good, good, good
	none.Calls, many.Calls = nil, make([]*string, mostCalls+1)
	long.Source, quiet.Events, busy.Events = strings.Repeat("x", mostOfFunction+1), 0, 129
	for _, f := range []function{{}, none, many, long, quiet, busy, good, good} {
		if err := h.write(f, "some.py"); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := out.String(), `{"origin":"some.py","events":128,"source":"def f(): pass\n","calls":["f()",null]}`+"\n"; got != want {
		t.Errorf("it writes %s, want %s", got, want)
	}
}

// TestHarvestEnds checks that harvesting ends at its time limit, and that its results are kept.
func TestHarvestEnds(t *testing.T) {
	python := pythons.Between(t, 12, 14)[0].Path
	var out bytes.Buffer
	if _, err := Harvest(t.Context(), Config{Python: python}, []string{t.TempDir()}, time.Nanosecond, &out); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Harvest(ctx, Config{Python: python}, nil, time.Minute, &out); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Harvest(t.Context(), Config{Python: python}, []string{filepath.Join(t.TempDir(), "none")}, time.Minute, &out); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
