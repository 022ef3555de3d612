package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// loop returns a recording of a module that calls a function n times.
func loop(n int) *recorder.Recording {
	r := recorded{Source: "def f(k):\n    k += 1\n    return k\n\nfor i in range(9):\n    f(i)\nx = 0\n# the end\n"}
	add := func(event string, line int, function string, act int, value *string) {
		r.Events = append(r.Events, recordedEvent{Event: event, Line: line, Function: function, Activation: act, Value: value})
	}
	value := "0"
	add("line", 1, "", 0, nil)
	for k := range n {
		add("line", 5, "", 0, nil)
		add("line", 6, "", 0, nil)
		add("call", 1, "f", k+1, nil)
		add("line", 2, "f", k+1, nil)
		add("line", 3, "f", k+1, nil)
		add("return", 3, "f", k+1, &value)
	}
	add("line", 7, "", 0, nil)
	add("return", 7, "", 0, &value)
	return r.recording()
}

// likely fails the test if an event with probability p happened an unlikely number of times in n cases.
// That happens by chance for one in two million seeds, and the seed is fixed.
func likely(t *testing.T, what string, count, n int, p float64) {
	t.Helper()
	if d := math.Abs(float64(count) - p*float64(n)); d > 5*math.Sqrt(float64(n)*p*(1-p)) {
		t.Errorf("%s: %d of %d, want a share of %.4f", what, count, n, p)
	}
}

func TestActionsAreDrawn(t *testing.T) {
	r := loop(20)
	for name, s := range map[string]*Settings{"defaults": Defaults(), "paper": Paper()} {
		for _, single := range []float64{0, 0.5, 0.95} {
			for _, back := range []bool{false, true} {
				w := &walk{scene: sceneOf(r), rng: rand.New(rand.NewPCG(1, 2)), s: s, single: single}
				w.at.Event = 60
				const n = 20_000
				counts := map[dsl.Move]int{}
				lines, hit, of := map[int]int{}, 0, 0
				for range n {
					a := w.draw(back)
					counts[a.Move]++
					if !a.Move.TakesLines() {
						continue
					}
					lines[len(a.Lines)]++
					if len(a.Lines) == 1 {
						of++
						if a.Lines[0].Line == 7 || a.Lines[0].Line == 8 || a.Lines[0].Line == 1 {
							hit++
						}
					}
				}
				sum := 0.0
				for _, weight := range s.Actions.list() {
					sum += weight
				}
				for k, weight := range s.Actions.list() {
					m := dsl.StepInto + dsl.Move(k)
					if back {
						m = m.Inverted()
					}
					p := (1 - single) * weight / sum
					if k < 2 {
						p += single / 2
					}
					likely(t, fmt.Sprint(name, " ", single, " ", m), counts[m], n, p)
					delete(counts, m)
				}
				if len(counts) > 0 {
					t.Errorf("%s: also %v", name, counts)
				}
				stops := lines[1] + lines[2] + lines[3]
				if stops == 0 {
					t.Fatalf("no breakpoint is drawn: %v", lines)
				}
				// Two of the chosen lines may be the same.
				if lines[1] < stops/2 || lines[2] < stops/8 || lines[3] < stops/30 || len(lines) > 3 {
					t.Errorf("%s: breakpoints by how many lines they have: %v", name, lines)
				}
				if misses := 1 - s.Hit; of > 0 && hit > of/2 || float64(of-hit) < float64(of)*(1-misses)/2 {
					t.Errorf("%s: %d of %d breakpoints are on lines that do not come, or come once", name, hit, of)
				}
			}
		}
	}
}

// TestLinesAreDrawn checks the lines of breakpoints: lines that will still be reached are chosen with
// equal probability, or else any other line.
func TestLinesAreDrawn(t *testing.T) {
	r := loop(20)
	s := Defaults()
	s.Lines, s.Hit = []float64{1}, 0.7
	w := &walk{scene: sceneOf(r), rng: rand.New(rand.NewPCG(3, 4)), s: s}
	w.at.Event = 60
	for _, test := range []struct {
		back   bool
		coming map[int]bool
	}{{false, map[int]bool{2: true, 3: true, 5: true, 6: true, 7: true}}, {true, map[int]bool{1: true, 2: true, 3: true, 5: true, 6: true}}} {
		counts := map[int]int{}
		const n = 20_000
		for range n {
			counts[w.breakpoint(test.back)[0].Line]++
		}
		const written = 7
		for line := range 9 {
			p := 0.0
			if line > 0 && line != 4 {
				p = 0.3 / written
			}
			if test.coming[line] {
				p += 0.7 / float64(len(test.coming))
			}
			likely(t, fmt.Sprint("line ", line, ", back: ", test.back), counts[line], n, p)
		}
	}
	w.at.Event = r.Tree.Len() - 1 // no line will be reached any more
	for range 100 {
		if line := w.breakpoint(false)[0].Line; line == 4 {
			t.Fatal("a breakpoint on a line without text")
		}
	}
	w.at.Event, w.at.End = r.Tree.Len(), true
	w.breakpoint(false)
	w.at.Event = 0
	w.breakpoint(true)
}

func TestPlansAreDrawn(t *testing.T) {
	r := loop(20)
	s := Defaults()
	s.Question, s.Compacted, s.Inverse, s.Breakpoint, s.Stale = 0.3, 0.4, 0.2, 0.6, 0.25
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 20_000
	var asked, stops, compacted, inverse, walks, deep, stale int
	shares := map[float64]int{}
	for range n {
		p := Draw(rng, s, r)
		shares[p.Single]++
		if p.Ask != NoQuestion {
			asked++
			if p.Ask == AskBreakpoint {
				stops++
			}
			if at := p.Start[len(p.Start)-1]; r.Tree.At(at).Event != dsl.Call {
				t.Fatalf("a question about event %d, which is no call", at)
			}
		} else {
			walks++
			if p.Inverse {
				inverse++
			}
			if len(p.Start) > 0 {
				compacted++
			}
		}
		if len(p.Start) == 0 {
			continue
		}
		stack := r.Tree.Stack(p.Start[len(p.Start)-1])
		if len(stack) != 2 {
			continue
		}
		deep++
		if len(p.Start) < 2 || p.Start[0] != stack[0].Event {
			stale++
			if len(p.Start) == 2 && (p.Start[0] > stack[0].Event || r.Tree.At(p.Start[0]).Activation != 0) {
				t.Fatalf("%v at %+v", p.Start, stack)
			}
		}
	}
	likely(t, "questions", asked, n, 0.3)
	likely(t, "by breakpoints", stops, asked, 0.6)
	likely(t, "compacted", compacted, walks, 0.4)
	likely(t, "inverse", inverse, walks, 0.2)
	for _, share := range s.Single {
		likely(t, fmt.Sprint("programs with ", share.Share, " single steps"), shares[share.Share], n, 0.25)
	}
	// Some of the stale states are the latest ones by chance: 0.2, 0.5 or 0.8 of them, as Seen says.
	likely(t, "stale", stale, deep, 0.25*(0.8+0.5+0.2)/3)
	s.Stale = 1
	for seen, want := range map[float64]int{0: 1, 1: 2} {
		s.Seen = []float64{seen}
		for range 100 {
			if start := s.compacted(rng, r, 9); len(start) != want || start[want-1] != 9 || want == 2 && start[0] != r.Tree.Stack(9)[0].Event {
				t.Fatalf("of %v seen it begins with %v", seen, start)
			}
		}
	}
	own := s.ForProgram(rng)
	for range 10 {
		if p := Draw(rng, own, r); p.Single != own.Single[0].Share || len(own.Single) != 1 {
			t.Errorf("a program has %v single steps, then %v", own.Single, p.Single)
		}
	}
	if len(s.Single) != 4 {
		t.Error("the settings of all programs have changed")
	}
	empty := recorded{}.recording()
	if p := Draw(rng, s, empty); len(p.Start) > 0 || p.Ask != NoQuestion {
		t.Errorf("%+v of a program without a state", p)
	}
}

// TestTurns checks that walks with inverse moves go in both directions, and come back from the end.
func TestTurns(t *testing.T) {
	r := loop(6)
	s := Defaults()
	s.Bytes, s.Return, s.Leave = 1<<20, 0.5, 0
	rng := rand.New(rand.NewPCG(7, 8))
	back, ends, returned := 0, 0, 0
	const n = 300
	for range n {
		one, err := Write(rng, s, r, nil, nil, Plan{Inverse: true, Single: 0.6}, ND1)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(one.Actions[0], "inv_") {
			t.Fatal("it goes back from the first state")
		}
		for k, span := range one.Predict {
			if strings.HasPrefix(one.Actions[k], "inv_") {
				back++
			}
			if strings.HasPrefix(one.Text[span[0]:], "<|end_sep|>") {
				ends++
				if k+1 < len(one.Actions) {
					returned++
					if !strings.HasPrefix(one.Actions[k+1], "inv_") {
						t.Fatalf("from the end by %s", one.Actions[k+1])
					}
				}
			}
		}
	}
	likely(t, "walks that return from the end", returned, ends, 0.5)
	if back < n {
		t.Errorf("%d actions back in %d walks", back, n)
	}
}

// TestRuns checks that a walk changes its direction after one of the numbers of actions in Runs. At an
// end it changes it at once, and the count starts again.
func TestRuns(t *testing.T) {
	r := loop(3) // 21 events
	for _, test := range []struct {
		name   string
		start  []int
		change func(*Settings)
		want   string // one letter for each action: f for forward, b for back
	}{
		{"from the first state", nil, func(s *Settings) { s.Runs = []int{2} }, "ffbbffbbff"},
		{"never back from there", nil, func(s *Settings) { s.Runs, s.Back = []int{3}, 1 }, "fffbbbfffb"},
		{"from the middle", []int{9}, func(s *Settings) { s.Runs = []int{2} }, "bbffbbffbb"},
		{"forward from the middle", []int{9}, func(s *Settings) { s.Runs, s.BackCompacted = []int{2}, 0 }, "ffbbffbbff"},
		{"by the start", []int{1}, func(s *Settings) { s.Runs = []int{4} }, "bbffffbbbb"}, // the second action finds nothing
		{"by the end", []int{19}, func(s *Settings) { s.Runs, s.BackCompacted, s.Return = []int{5}, 0, 1 }, "ffbbbbbfff"},
	} {
		s := Defaults()
		s.Actions, s.Back, s.BackCompacted, s.Leave, s.Bytes = Actions{StepInto: 1}, 0, 1, 0, 1<<20
		test.change(s)
		one, err := Write(rand.New(rand.NewPCG(1, 2)), s, r, nil, nil, Plan{Start: test.start, Inverse: true}, ND1)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, a := range one.Actions[:min(len(one.Actions), len(test.want))] {
			got += map[string]string{"step_into": "f", "inv_step_into": "b"}[a]
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	s := Defaults()
	s.Actions, s.Bytes = Actions{StepInto: 1, StepOver: 1}, 1<<20
	if one, err := Write(rand.New(rand.NewPCG(1, 2)), s, r, nil, nil, Plan{}, ND1); err != nil || !strings.HasSuffix(one.Text, "<|end_sep|>{\"code\": 0}<|frame_sep|>") || strings.Contains(one.Text, "inv_") {
		t.Errorf("a walk without turns: %+v, %v", one, err)
	}
	// A walk that never reaches an end stops at the limit for its number of actions.
	s.Actions, s.Runs = Actions{StepInto: 1}, []int{1}
	if one, err := Write(rand.New(rand.NewPCG(1, 2)), s, r, nil, nil, Plan{Inverse: true}, ND1); err != nil || len(one.Actions) != 3*21+10 {
		t.Errorf("a walk to and fro: %d actions, %v", len(one.Actions), err)
	}
}

// BenchmarkWrite measures how much text is written for recordings, in bytes per second on one core.
func BenchmarkWrite(b *testing.B) {
	all := programs(b)
	recordings := make([]*recorder.Recording, len(all))
	for i, p := range all {
		recordings[i] = p.recording()
	}
	for _, d := range []Dialect{ND1, CWM} {
		b.Run(string(d), func(b *testing.B) {
			s := Defaults()
			s.Compacted, s.Inverse, s.Breakpoint = 0, 0, 0 // features that CWM cannot express
			rng := rand.New(rand.NewPCG(1, 2))
			bytes, i := 0, 0
			for b.Loop() {
				r := recordings[i%len(recordings)]
				i++
				one, err := Write(rng, s, r, nil, nil, Draw(rng, s, r), d)
				if err != nil {
					b.Fatal(err)
				}
				if one != nil {
					bytes += len(one.Text)
				}
			}
			b.SetBytes(int64(bytes / max(i, 1)))
		})
	}
}
