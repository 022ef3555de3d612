package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/score"
)

func TestAppendBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "lines")
	for i := range 50 {
		if err := appendBounded(path, []byte(strings.Repeat(string(rune('a'+i%26)), 9)+"\n"), 100); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil || len(raw) > 100 || len(raw)%10 != 0 || !strings.HasSuffix(string(raw), strings.Repeat(string(rune('a'+i%26)), 9)+"\n") {
			t.Fatalf("after %d lines: %q %v", i+1, raw, err)
		}
	}
	if err := appendBounded(path, []byte(strings.Repeat("x", 300)+"\n"), 100); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(path); err != nil || string(raw) != strings.Repeat("x", 300)+"\n" {
		t.Errorf("%q %v", raw, err)
	}
}

func FuzzDecodeScores(f *testing.F) {
	var one score.Score
	one.Add(1, compare.Verdicts{{Field: compare.Line, Kind: compare.Same}}, 1, nil)
	raw, err := one.MarshalJSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"v":1,"when":"2026-03-01T10:00:00Z","program":"p","model":"m","score":` + string(raw) + `}` + "\n{}\n"))
	f.Add([]byte(`{"v":1,"program":"p","model":"m","against":"o","spent_against":{"answers":1}}` + "\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		kept, damaged := decodeScores(raw)
		if len(kept)+damaged > strings.Count(string(raw), "\n")+1 {
			t.Errorf("%d scores and %d damaged lines", len(kept), damaged)
		}
		for i := range kept {
			if kept[i].Score.Moves() <= 0 && !answered(kept[i].Spent) && !answered(kept[i].SpentAgainst) {
				t.Error("a score of no move and no answer")
			}
		}
	})
}
