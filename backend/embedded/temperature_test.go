package embedded

import (
	"bufio"
	"encoding/json"
	"flag"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

var (
	modelFlag = flag.String("model", "", "a model's file to measure in place of the one that is carried")
	setsFlag  = flag.String("sets", "", "what to measure with, as lab/train/sets.py writes it")
	mostFlag  = flag.Int("most", 25, "how many trajectories of each set")
)

// temperatures lists the values that are tried.
var temperatures = func() (all []float64) {
	for t := 0.5; t < 4.1; t *= 1.06 {
		all = append(all, t)
	}
	return all
}()

// fit sums the loss of a move's confidences for each temperature: the cross entropy of the statement
// "the reply is right".
type fit struct {
	asked int
	loss  []float64
}

func (f *fit) add(right bool, surprises []float64) {
	if surprises == nil {
		return
	}
	f.asked++
	if f.loss == nil {
		f.loss = make([]float64, len(temperatures))
	}
	for i, s := range surprises {
		of := min(max(math.Exp(-s), 1e-6), 1-1e-6)
		if !right {
			of = 1 - of
		}
		f.loss[i] -= math.Log(of)
	}
}

// best returns the temperature with the least loss.
func (f *fit) best() float64 {
	best := 0
	for i, x := range f.loss {
		if x < f.loss[best] {
			best = i
		}
	}
	return temperatures[best]
}

// surprises returns the negative log probability of a reply at each temperature, nil if it cannot be
// computed.
func surprises(e *engine, at *dsl.Node, a dsl.Action, reply string) []float64 {
	prompt, err := at.Prompt(a)
	if err != nil {
		return nil
	}
	tokens := ours.encode(nil, prompt)
	if len(tokens)+len(ours.encode(nil, reply)) > e.Size.Window {
		return nil // the reply in its full form exceeds the window
	}
	q := e.pool.take(tokens)
	pending := tokens[len(q.tokens):]
	place := newScene(at, a, python.Version{}).begin()
	found := make([]float64, len(temperatures))
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
			return found
		}
		for len(pending) > 0 {
			n := min(len(pending), batch)
			e.compute(q, pending[:n])
			pending = pending[n:]
		}
		for i, t := range temperatures {
			d := drawing{calibration: t}
			logits := slices.Clone(e.logits)
			_, share := d.choose(logits, func(id int) bool { return id == rest[0] })
			found[i] -= math.Log(share)
		}
		if !place.token(ours, rest[0]) {
			return found
		}
		pending, rest = append(pending[:0:0], rest[0]), rest[1:]
	}
}

// TestTemperatures finds the temperatures for a model's file at which its confidences are calibrated,
// and prints them by move. It is skipped without -sets. npdb eval measures how accurate the model is.
//
//	go test ./backend/embedded -run Temperatures -v -sets FILE [-model FILE]
func TestTemperatures(t *testing.T) {
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
	defer p.Close()
	f, err := os.Open(*setsFlag)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fits, seen := map[dsl.Move]*fit{}, map[string]int{}
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
		for n := last; n != nil && n.Parent() != nil; n = n.Parent() {
			step, ok := n.Step()
			if !ok || step.Action.Move == 0 || step.Action.Move == dsl.StepReturn { // a step_return may be a chain of replies
				continue
			}
			got, err := p.Predict(t.Context(), backend.Question{At: n.Parent(), Action: step.Action}, nil)
			if err != nil {
				continue // no reply, or the question exceeds the window
			}
			if fits[step.Action.Move] == nil {
				fits[step.Action.Move] = &fit{}
			}
			e, err := p.engine()
			if err != nil {
				t.Fatal(err)
			}
			fits[step.Action.Move].add(same(got.Step, step), surprises(e, n.Parent(), step.Action, got.Raw))
		}
	}
	for m := range dsl.Moves() {
		if f := fits[m]; f != nil {
			t.Logf("%-16v temperature %.2f, of %d replies", m, f.best(), f.asked)
		}
	}
}

// same reports whether two steps lead to the same state, even if their stacks are written differently.
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
