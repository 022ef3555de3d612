package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
)

var (
	modelFlag = flag.String("model", "", "a model's file to measure in place of the one that is carried")
	setsFlag  = flag.String("sets", "", "what to measure with, as train/sets.py writes it")
	mostFlag  = flag.Int("most", 300, "how many trajectories of each set")
)

// temperatures are those that are tried for the file's header.
var temperatures = func() (all []float64) {
	for t := 0.5; t < 4.1; t *= 1.06 {
		all = append(all, t)
	}
	return all
}()

// tally is what came of the questions of one kind.
type tally struct {
	asked, right, failed int
	took                 time.Duration
	free                 int
	confidence           float64
	loss                 []float64 // by temperature, of "the reply is right"
	bins                 [10]bin
}

// bin holds the answers of about one confidence.
type bin struct{ asked, right, confidence float64 }

// calibration is the expected calibration error: how far confidence and share of right
// answers lie apart, in the mean over answers (Naeini et al., 2015).
func (c *tally) calibration() (e float64) {
	for _, b := range c.bins {
		e += math.Abs(b.confidence - b.right)
	}
	return e / float64(max(c.asked-c.failed, 1))
}

func (c *tally) add(p *prediction) {
	c.asked++
	c.took += p.took
	c.free += p.free
	if p.failed {
		c.failed++
		return
	}
	b := &c.bins[min(int(p.confidence*10), 9)]
	b.asked++
	b.confidence += p.confidence
	if p.right {
		c.right++
		b.right++
	}
	c.confidence += p.confidence
	if c.loss == nil {
		c.loss = make([]float64, len(temperatures))
	}
	for i, s := range p.surprises {
		of := min(max(math.Exp(-s), 1e-6), 1-1e-6)
		if !p.right {
			of = 1 - of
		}
		c.loss[i] -= math.Log(of)
	}
}

func (c *tally) String() string {
	best := 0
	for i, x := range c.loss {
		if x < c.loss[best] {
			best = i
		}
	}
	n := float64(max(c.asked, 1))
	return fmt.Sprintf("%5d asked  %5.1f%% right  %3d failed  confidence %4.2f  off by %.3f  %5.1f tokens  %8v  temperature %.2f", c.asked,
		100*float64(c.right)/n, c.failed, c.confidence/n, c.calibration(), float64(c.free)/n, (c.took / time.Duration(max(c.asked, 1))).Round(10*time.Microsecond), temperatures[best])
}

type prediction struct {
	right, failed bool
	confidence    float64
	took          time.Duration
	free          int
	surprises     []float64
}

// again computes a reply's probability at all temperatures.
func (p *prediction) again(e *engine, at *dsl.Node, a dsl.Action, reply string) {
	prompt, err := at.Prompt(a)
	if err != nil {
		return
	}
	tokens := ours.encode(nil, prompt)
	q := e.pool.take(tokens)
	pending := tokens[len(q.tokens):]
	place := newScene(at, a).begin()
	p.surprises = make([]float64, len(temperatures))
	e.crew.begin()
	defer e.crew.end()
	for rest := ours.encode(nil, reply); ; {
		after := place
		ids, _ := ours.begin(nil, after.determined())
		for _, id := range ids {
			place.token(ours, id)
		}
		pending, rest = append(pending, ids...), rest[len(ids):]
		if len(rest) == 0 {
			return
		}
		for len(pending) > 0 {
			n := min(len(pending), batch)
			e.compute(q, pending[:n])
			pending = pending[n:]
		}
		p.free++
		for i, t := range temperatures {
			d := drawing{calibration: t}
			logits := slices.Clone(e.logits)
			_, share := d.choose(logits, func(id int) bool { return id == rest[0] })
			p.surprises[i] -= math.Log(share)
		}
		if !place.token(ours, rest[0]) {
			return
		}
		pending, rest = append(pending[:0:0], rest[0]), rest[1:]
	}
}

// asked is the model to measure and what it is measured with.
func asked(t *testing.T) (*Predictor, *os.File) {
	t.Helper()
	if *setsFlag == "" {
		t.Skip("there is nothing to measure with: -sets names a file")
	}
	model := []byte(shipped)
	if *modelFlag != "" {
		var err error
		if model, err = os.ReadFile(*modelFlag); err != nil {
			t.Fatal(err)
		}
	}
	p, err := New(model, Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	f, err := os.Open(*setsFlag)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return p, f
}

// documents gives the sets' names and the last places of their trajectories.
func documents(t *testing.T, f *os.File) iter.Seq2[string, *dsl.Node] {
	return func(yield func(string, *dsl.Node) bool) {
		seen := map[string]int{}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			var d struct {
				Set     string
				Numbers []int
			}
			if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
				t.Fatal(err)
			}
			if seen[d.Set]++; seen[d.Set] > *mostFlag {
				continue
			}
			for i := range d.Numbers {
				d.Numbers[i] &= 0x1ff
			}
			last, _, _ := dsl.ND1.Read(ours.decode(d.Numbers))
			if last != nil && !yield(d.Set, last) {
				return
			}
		}
	}
}

// TestMeasure asks a model what is known, and prints what its answers are worth:
//
//	go test ./backend/embedded -run Measure -v -sets FILE [-model FILE]
func TestMeasure(t *testing.T) {
	p, f := asked(t)
	tallies := map[string]*tally{}
	for set, last := range documents(t, f) {
		for n := last; n != nil && n.Parent() != nil; n = n.Parent() {
			step, ok := n.Step()
			if !ok || step.Action.Move == 0 {
				continue
			}
			got := measure(t.Context(), p, n.Parent(), step)
			if got == nil {
				continue
			}
			for _, name := range []string{set + " " + step.Action.Move.String(), "all " + step.Action.Move.String(), "all"} {
				if tallies[name] == nil {
					tallies[name] = &tally{}
				}
				tallies[name].add(got)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		t.Logf("%-40s %v", name, tallies[name])
	}
}

// measure asks one question; nil where the text does not fit the window.
func measure(ctx context.Context, p *Predictor, at *dsl.Node, want dsl.Step) *prediction {
	got, err := p.Predict(ctx, backend.Question{At: at, Action: want.Action}, nil)
	var failure *backend.Error
	if errors.As(err, &failure) && failure.Kind == backend.TooLong && failure.Raw == "" {
		return nil
	}
	if err != nil {
		return &prediction{failed: true}
	}
	m := &prediction{confidence: *got.Confidence, took: got.Took, right: same(got.Step, want)}
	if want.Action.Move != dsl.StepReturn { // which may be a chain
		m.again(p.engine(), at, want.Action, got.Raw)
	}
	return m
}

// same reports whether two steps lead to the same, however their stacks are written.
func same(a, b dsl.Step) bool {
	plain := func(r dsl.Reply) dsl.Reply {
		if r.Stop != nil {
			stop := *r.Stop
			stop.Whole = false
			r.Stop = &stop
		}
		return r
	}
	return reflect.DeepEqual(plain(a.Reply), plain(b.Reply))
}
