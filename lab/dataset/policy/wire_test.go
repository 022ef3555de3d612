package policy

import (
	"slices"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestWalksOfAnother checks landings, texts and ranges against those of npdb's first writer of training
// data, which was in Python.
func TestWalksOfAnother(t *testing.T) {
	for _, program := range programs(t) {
		r := program.recording()
		for n, want := range program.Walks {
			w := &walk{scene: sceneOf(r), s: Defaults()}
			p := &page{most: 1 << 20}
			if err := p.begin(w, Plan{Start: want.Start}); err != nil {
				t.Fatal(err)
			}
			for _, action := range want.Actions {
				a, err := dsl.ParseAction(action)
				if err != nil {
					t.Fatal(err)
				}
				if err := p.move(w.scene, w.make(a)); err != nil {
					t.Fatal(err)
				}
			}
			if got := p.at.Text(); got != want.Text {
				t.Errorf("%.60q, walk %d: the text is\n%s\nwant\n%s", program.Source, n, got, want.Text)
				continue
			}
			if !slices.Equal(p.Actions, want.Actions) || !slices.Equal(p.Horizons, want.Horizons) {
				t.Errorf("%.60q, walk %d: %q %v, want %q %v", program.Source, n, p.Actions, p.Horizons, want.Actions, want.Horizons)
			}
			if !slices.Equal(p.Predict, want.Predict) {
				t.Errorf("%.60q, walk %d: replies at %v, want %v", program.Source, n, p.Predict, want.Predict)
			}
			if !slices.Equal(p.Changed, want.Changed) {
				t.Errorf("%.60q, walk %d: to be worked out are %v, want %v", program.Source, n, p.Changed, want.Changed)
			}
		}
	}
}
