//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset"
)

// TestDatasetRounds checks that repeated rounds of a short script write no text twice, and
// that npdb reports the omitted ones.
func TestDatasetRounds(t *testing.T) {
	d := newDatasets(t, pythons.Any(t))
	d.write(t, "short.py", "x = 1\ny = x + 1\n")
	said := d.make(t, "made", "--programs", "short.py", "--count", "30")
	m, err := dataset.Stat(filepath.Join(d.home, "made"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Repeated < 10 || !strings.Contains(said, fmt.Sprintf("\ntrajectories left out, as an earlier one has the text: %d\n", m.Repeated)) {
		t.Errorf("%d: %s", m.Repeated, said)
	}
	texts := map[string]bool{}
	for _, f := range m.Files {
		said, _, err := d.run(t, "cat", filepath.Join("made", f.Name))
		if err != nil {
			t.Fatal(err)
		}
		for raw := range strings.Lines(said) {
			l, err := dataset.ReadLine([]byte(raw))
			if err != nil || texts[l.Text] {
				t.Errorf("%v: once more: %s", err, raw)
			}
			texts[l.Text] = true
		}
	}
	if len(texts) < 2 {
		t.Errorf("%d texts", len(texts))
	}
	for _, command := range []string{"cat", "stat"} { // an invalid path appears in the error
		if _, complained, err := d.run(t, command, "short.py"); err == nil || !strings.Contains(complained, "short.py") {
			t.Errorf("%v %s", err, complained)
		}
	}
}
