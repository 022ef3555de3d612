//go:build unix

package policy

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// TestRecorded records programs, some with an edit, and checks the texts of walks against the
// recordings.
func TestRecorded(t *testing.T) {
	w, err := recorder.Start(t.Context(), recorder.Config{Python: pythons.Any(t), Contain: recorder.ContainLimits})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	s := unruly()
	s.Question = 0 // questions contain no edits
	rng := rand.New(rand.NewPCG(1, 2))
	edits, traces := 0, 0
	record := func(p recorder.Program, e *recorder.Edit) *recorder.Recording {
		r, err := w.Record(t.Context(), recorder.Job{Program: &p, Edit: e})
		if failed := (*recorder.Failure)(nil); errors.As(err, &failed) {
			t.Logf("%.40q with %+v: %v", p.Source, e, failed)
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, program := range programs(t) {
		r := record(recorder.Program{Source: program.Source, Entry: program.Entry}, nil)
		if r == nil {
			continue
		}
		for range 3 {
			edit := s.Edit(rng, r)
			if edit == nil {
				continue
			}
			other := record(r.Program, edit)
			one, err := Write(rng, s, r, other, edit, Draw(rng, s, r), ND1)
			if err != nil {
				t.Fatal(err)
			}
			if one == nil {
				continue
			}
			for _, step := range follows(t, one, r, other, edit).Steps {
				if step.Edit {
					edits++
				}
			}
		}
		one, err := Write(rng, s, r, nil, nil, Plan{Single: 0.8}, CWM)
		if err != nil {
			t.Fatal(err)
		}
		if one == nil {
			continue
		}
		trace, err := cwm.Read(one.Text)
		if err != nil {
			t.Fatal(err)
		}
		passed := 0
		follow(t, r, one, trace, &passed)
		traces++
	}
	if edits < 15 || traces < 8 {
		t.Errorf("%d edits and %d traces are written of these programs", edits, traces)
	}
}
