//go:build unix

package recorder_test

import (
	"testing"

	"github.com/npdb/npdb/dataset/recorder"
	"github.com/npdb/npdb/internal/pythons"
)

// What the generators try and end is nothing that the program does.
func TestTrials(t *testing.T) {
	w, err := recorder.Start(t.Context(), recorder.Config{Python: pythons.Between(t, 12, 14)[0].Path})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for number, difficulty := range map[int]float64{2: 0.832, 19: 0.342, 38: 0.630, 59: 0.716, 81: 0.801} {
		if _, err := w.Record(t.Context(), recorder.Job{Seed: "1", Number: number, Difficulty: difficulty}); err != nil {
			t.Errorf("program %d: %v", number, err)
		}
	}
}
