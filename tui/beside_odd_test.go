package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/compare"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/session/score"
)

func local(name string, k compare.Kind, predicted, real string) compare.Verdict {
	return compare.Verdict{Field: compare.Local, Name: name, Kind: k, Predicted: predicted, Real: real}
}

// BenchmarkBeside draws two sides with a dictionary of 10,000 entries that differs in one
// entry. It draws them closed and open, at a new stop and after a key that moves the
// cursor.
func BenchmarkBeside(b *testing.B) {
	var table strings.Builder
	for n := range 10_000 {
		fmt.Fprintf(&table, ", 'key %d': [%d, {'half': %.1f}]", n, n, float64(n)/2)
	}
	real := "{" + table.String()[2:] + "}"
	predicted := strings.Replace(real, "'key 1500': [1500", "'key 1500': [15", 1)
	v := compare.Values(predicted, real, compare.All())
	v.Field, v.Name = compare.Local, "table"
	view := session.View{
		Mode: session.Both, Model: &backend.Model{Name: "nd-32b"}, State: &dsl.State{Line: 1, Event: dsl.Line},
		Beside: &nav.Beside{
			State: &dsl.State{Line: 1, Event: dsl.Line}, Verdicts: compare.Verdicts{v}, Score: &score.Score{}, Divergence: &nav.Divergence{Line: 1, Verdict: v},
		},
	}
	for _, open := range []bool{false, true} {
		for _, fresh := range []bool{false, true} {
			b.Run(fmt.Sprintf("open=%v/new=%v", open, fresh), func(b *testing.B) {
				m, err := New(b.Context(), Config{Keys: defaultKeys(b), Theme: npdbTheme})
				if err != nil {
					b.Fatal(err)
				}
				m.w, m.h, m.screen.View = 120, 40, &view
				m.shape.beside, m.shape.focus = true, localsPane
				m.layout = arrange(m.w, m.h, m.shape)
				if open {
					m.beside.Act("expand")
				}
				var took []time.Duration
				for b.Loop() {
					begin := time.Now()
					if fresh {
						again := view
						m.screen.View = &again
					}
					m.View()
					took = append(took, time.Since(begin))
				}
				reportKeys(b, took)
			})
		}
	}
}

// TestBesideRandomGestures checks random keys and mouse events while a model gives odd
// answers beside the run.
func TestBesideRandomGestures(t *testing.T) {
	odd := []string{
		`<|line_sep|>{"a": "[1, {2: '\u001b[2J\u202e'}]", "b": "", "\u0007": "\u65e5\u672c\r"}<|action_sep|>2|x` + "\n<|frame_sep|>",
		`<|line_sep|>{}<|action_sep|>1|x` + "\n<|frame_sep|>",
		saysNothing,
	}
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 2))
			all := gestures(t)
			again := func(w, h int) *driver {
				c := replayed(t, oddRun())
				c.Options.Script = programPath("shop.py") // the program that the model is shown
				c.Mode, c.Neural = session.Both, &nav.Neural{Predictor: &scripted{replies: []string{odd[random.IntN(3)], odd[random.IntN(3)]}}}
				return drive(t, w, h, c)
			}
			d := again(1+random.IntN(100), 1+random.IntN(32))
			var past []byte
			for range 250 {
				what, where := random.IntN(256), random.IntN(1<<16)
				if random.IntN(3) == 0 {
					what = slices.Index(all, []string{"2", "enter", "X", "x", "n", "s", "N", "G", "g", "/", "esc", "j"}[random.IntN(12)])
				}
				past = append(past, byte(what), byte(where>>8), byte(where))
				d.gesture(all, what, where)
				d.settle()
				if err := d.sound(); err != nil {
					t.Fatalf("%v\nafter %q", err, past)
				}
				if d.quit {
					d = again(d.m.w, d.m.h)
				}
			}
		})
	}
}

// TestBesideDraws checks special cases of the drawing. If the two sides are in different
// files, the files are named. Values that cannot be compared do not count as a difference.
// A long value before the change is left out. The names of an older frame are not the ones
// that are compared.
func TestBesideDraws(t *testing.T) {
	before, long := "1", strings.Repeat("9", 60)
	view := &session.View{
		Mode: session.Both, Model: &backend.Model{Name: "nd-32b"}, State: &dsl.State{File: "bank.py", Line: 4, Event: dsl.Line, Source: "a = b"},
		Frames: make([]session.ViewFrame, 2), Selected: 1, Here: 1,
		Locals: []session.ViewLocal{{Local: dsl.Local{Name: "n", Value: "2"}, Was: &before}, {Local: dsl.Local{Name: "m", Value: "3"}, Was: &long}},
		Beside: &nav.Beside{
			State: &dsl.State{File: "lib.py", Line: 4, Event: dsl.Return, Kind: dsl.Yielded, Source: "c = d"}, Score: &score.Score{},
			Verdicts: compare.Verdicts{
				{Field: compare.Line, Kind: compare.Differs, Predicted: "lib.py:4", Real: "bank.py:4"},
				local("n", compare.Same, "2", "2"), local("m", compare.Same, "3", "3"),
				local("big", compare.Incomparable, "[1, … +9 chars not stored", "[1, … +9 chars not stored"),
			},
		},
	}
	screen := func() string {
		m, err := New(t.Context(), Config{Keys: defaultKeys(t), Theme: npdbTheme})
		if err != nil {
			t.Fatal(err)
		}
		m.w, m.h, m.screen.View, m.shape.beside = 100, 40, view, true
		m.layout = arrange(m.w, m.h, m.shape)
		return ansi.Strip(m.View().Content)
	}
	shown := screen()
	for _, want := range []string{"yield lib.py:4  c = d", "→ bank.py:4  a = b", "? ▸ big", "│▌  n    2  was 1 ", "│▌  m    3  "} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not on the screen:\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "was 9") {
		t.Errorf("a value before is cut:\n%s", shown)
	}
	view.Selected = 0
	if shown := screen(); strings.Contains(shown, "▌") {
		t.Errorf("changes of another frame are marked:\n%s", shown)
	}
}
