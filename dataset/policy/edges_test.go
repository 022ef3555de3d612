package policy

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dataset/recorder"
)

// edge is a walk that leaves nothing to chance, and its text as it follows from the
// format's description.
type edge struct {
	Name      string          `json:"name"`
	Recording recorded        `json:"recording"`
	Settings  json.RawMessage `json:"settings"` // what of Defaults is otherwise; no single steps
	Plan      struct {
		Start   []int    `json:"start"`
		Inverse bool     `json:"inverse"`
		Ask     Question `json:"ask"`
	} `json:"plan"`
	Edit    *recorder.Edit `json:"edit"`
	Edited  *recorded      `json:"edited"`
	Text    []string       `json:"text"` // null for none
	Changed []string       `json:"changed"`
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
	one, err := Write(rand.New(rand.NewPCG(1, 2)), s, e.Recording.recording(), edited, e.Edit, plan, ND1)
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
			// A text that fits exactly is whole; with one byte less it lacks its last step.
			s.Room = 0
			s.Bytes = len(want)
			if got := e.write(t, s); got == nil || got.Text != want {
				t.Errorf("in %d bytes: %+v", s.Bytes, got)
			}
			s.Bytes--
			less := e.write(t, s)
			before := want[:strings.LastIndex(want, "<|debug_sep|>")]
			for strings.LastIndex(before, "<|debug_sep|>set") >= 0 && strings.LastIndex(before, "<|debug_sep|>set") == strings.LastIndex(before, "<|debug_sep|>") {
				before = before[:strings.LastIndex(before, "<|debug_sep|>")] // an edit that nothing follows
			}
			if none := !strings.Contains(before, "<|debug_sep|>"); none != (less == nil) || !none && less.Text != before {
				t.Errorf("in %d bytes: %+v, want %q", s.Bytes, less, before)
			}
		})
	}
}

func excerpts(text string, spans []Span) []string {
	var list []string
	for _, s := range spans {
		list = append(list, text[s[0]:s[1]])
	}
	return list
}
