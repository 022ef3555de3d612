package policy

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/lab/dataset/recorder"
)

// edge is a walk without random choices, with its text according to the description of the format.
type edge struct {
	Name      string          `json:"name"`
	Recording recorded        `json:"recording"`
	Settings  json.RawMessage `json:"settings"` // differences from Defaults; no single steps
	Plan      struct {
		Start   []int    `json:"start"`
		Inverse bool     `json:"inverse"`
		Ask     Question `json:"ask"`
	} `json:"plan"`
	Edit    *recorder.Edit `json:"edit"`
	Edited  *recorded      `json:"edited"`
	Text    []string       `json:"text"` // null if there is none
	Changed []string       `json:"changed"`

	Dialect  Dialect  `json:"dialect"` // "" for nd/1
	Actions  []string `json:"actions"` // for walks with given actions
	Horizons []int    `json:"horizons"`
}

func edges(t *testing.T) []edge {
	t.Helper()
	text, err := os.ReadFile("testdata/edges.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []edge
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

func (e edge) settings(t *testing.T) *Settings {
	s := Defaults()
	s.Actions = Actions{}
	if e.Settings != nil {
		if err := json.Unmarshal(e.Settings, s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (e edge) write(t *testing.T, s *Settings) *Trajectory {
	var edited *recorder.Recording
	if e.Edited != nil {
		edited = e.Edited.recording()
	}
	plan := Plan{Start: e.Plan.Start, Inverse: e.Plan.Inverse, Ask: e.Plan.Ask}
	d := e.Dialect
	if d == "" {
		d = ND1
	}
	one, err := Write(rand.New(rand.NewPCG(1, 2)), s, e.Recording.recording(), edited, e.Edit, plan, d)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

func TestEdges(t *testing.T) {
	for _, e := range edges(t) {
		t.Run(e.Name, func(t *testing.T) {
			s := e.settings(t)
			got := e.write(t, s)
			if e.Text == nil || got == nil {
				if e.Text != nil || got != nil {
					t.Errorf("%+v, want %q", got, e.Text)
				}
				return
			}
			want := strings.Join(e.Text, "")
			if got.Text != want {
				t.Fatalf("the text is\n%s\nwant\n%s", got.Text, want)
			}
			if changed := excerpts(got.Text, got.Changed); !slices.Equal(changed, e.Changed) {
				t.Errorf("to be worked out are %q, want %q", changed, e.Changed)
			}
			if e.Actions != nil && (!slices.Equal(got.Actions, e.Actions) || !slices.Equal(got.Horizons, e.Horizons)) {
				t.Errorf("%q over %v, want %q over %v", got.Actions, got.Horizons, e.Actions, e.Horizons)
			}
			// With less space, the text ends with the last reply that fits completely.
			s.Room = 0
			sizes := []int{1}
			for _, p := range got.Predict {
				sizes = append(sizes, p[1]-1, p[1])
			}
			for _, s.Bytes = range sizes {
				less := e.write(t, s)
				n, cut := 0, Trajectory{}
				for n < len(got.Predict) && got.Predict[n][1] <= s.Bytes {
					n++
				}
				if n == 0 {
					if less != nil {
						t.Fatalf("in %d bytes: %+v", s.Bytes, less)
					}
					continue
				}
				cut.Text, cut.Predict, cut.Actions, cut.Horizons = want[:got.Predict[n-1][1]], got.Predict[:n], got.Actions[:n], got.Horizons[:n]
				for _, c := range got.Changed {
					if c[1] <= len(cut.Text) {
						cut.Changed = append(cut.Changed, c)
					}
				}
				if !reflect.DeepEqual(less, &cut) {
					t.Fatalf("in %d bytes: %+v, want %+v", s.Bytes, less, cut)
				}
			}
		})
	}
}

func TestNoDialect(t *testing.T) {
	_, err := Write(rand.New(rand.NewPCG(1, 2)), Defaults(), loop(1), nil, nil, Plan{}, "nd/2")
	if err == nil || !strings.Contains(err.Error(), "nd/2") {
		t.Error(err)
	}
}

func excerpts(text string, spans []Span) []string {
	var list []string
	for _, s := range spans {
		list = append(list, text[s[0]:s[1]])
	}
	return list
}
