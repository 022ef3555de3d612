package policy

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/trace/statetree"
	"pgregory.net/rapid"
)

// unruly returns settings with which rare features are frequent.
func unruly() *Settings {
	s := Defaults()
	s.Bytes = 30_000
	s.Inverse, s.Compacted, s.Stale, s.Question, s.Edits = 0.5, 0.5, 0.5, 0.2, 1
	return s
}

// edited returns a recording that imitates one made with an edit: from the edit until its activation
// ends, the name has the new value.
func edited(r recorded, e *recorder.Edit) *recorder.Recording {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	var other recorded
	if err := json.Unmarshal(text, &other); err != nil {
		panic(err)
	}
	for i := e.At; i < len(other.Events); i++ {
		for k, l := range other.Events[i].Locals {
			if l[0] == e.Name && other.Events[i].Activation == other.Events[e.At].Activation {
				other.Events[i].Locals[k][1] = e.Literal
			}
		}
	}
	return other.recording()
}

// TestAnyWalk checks that every text can be parsed as its walk, that each step lands where the State
// Tree says and shows that state, and that the text's ranges are right.
func TestAnyWalk(t *testing.T) {
	all := programs(t)
	var seen struct{ edits, compacted, back, none int }
	rapid.Check(t, func(t *rapid.T) {
		program := all[rapid.IntRange(0, len(all)-1).Draw(t, "program")]
		r, seed := program.recording(), rapid.Uint64().Draw(t, "seed")
		s := unruly().ForProgram(rand.New(rand.NewPCG(seed, 1)))
		s.Bytes = rapid.SampledFrom([]int{1500, 4000, s.Bytes}).Draw(t, "bytes") + rapid.IntRange(0, 400).Draw(t, "more")
		write := func() (*Trajectory, *recorder.Edit, *recorder.Recording) {
			rng := rand.New(rand.NewPCG(seed, 2))
			edit := s.Edit(rng, r)
			var other *recorder.Recording
			if edit != nil {
				other = edited(program.recorded, edit)
			}
			one, err := Write(rng, s, r, other, edit, Draw(rng, s, r), ND1)
			if err != nil {
				t.Fatal(err)
			}
			return one, edit, other
		}
		one, edit, other := write()
		if again, _, _ := write(); !reflect.DeepEqual(one, again) {
			t.Fatalf("the same seed gives %+v and %+v", one, again)
		}
		if one == nil {
			seen.none++
			return
		}
		if len(one.Text) > s.Bytes || len(one.Actions) == 0 || len(one.Actions) != len(one.Predict) || len(one.Actions) != len(one.Horizons) {
			t.Fatalf("%d bytes of %d: %+v", len(one.Text), s.Bytes, one)
		}
		told := follows(t, one, r, other, edit)
		if told.Compacted {
			seen.compacted++
		}
		for _, step := range told.Steps {
			if step.Edit {
				seen.edits++
			}
			if step.Action.Move.Inverse() {
				seen.back++
			}
		}
	})
	if seen.edits < 5 || seen.compacted < 20 || seen.back < 20 || seen.none > 50 {
		t.Errorf("of a hundred walks %+v", seen)
	}
}

// follows parses a text and follows it through its recordings.
func follows(t rapid.TB, one *Trajectory, r, other *recorder.Recording, edit *recorder.Edit) dsl.Trajectory {
	t.Helper()
	last, asked, err := dsl.ND1.Read(one.Text)
	if err != nil || asked != nil || last.Text() != one.Text {
		t.Fatalf("%v, %v in\n%s", err, asked, one.Text)
	}
	told := last.Trajectory()
	var places []place // the positions at which the text can be, according to the states that it shows
	n := 0
	for _, step := range told.Steps {
		var next []place
		switch passed := one.Horizons[min(n, len(one.Horizons)-1)]; {
		case step.Edit:
			if at := (place{r: other, i: edit.At}); at.shows(step.Reply) {
				next = append(next, at)
			}
		case step.Action.Move == 0: // the last given state is the start
			for i := range r.Tree.Len() {
				if at := (place{r: r, i: i}); at.shows(step.Reply) && (told.Compacted || i == 0) {
					next = append(next, at)
				}
			}
		default:
			for _, at := range places {
				if at, events := at.move(step.Action); at.shows(step.Reply) && events == passed {
					next = append(next, at)
				}
			}
			if one.Actions[n] != step.Action.String() {
				t.Fatalf("action %d is %s, was said to be %s", n, step.Action, one.Actions[n])
			}
			n++
		}
		if places = next; len(places) == 0 {
			t.Fatalf("%+v leads to no such state, or over another number of events, in\n%s", step, one.Text)
		}
	}
	if n != len(one.Actions) {
		t.Fatalf("%d actions, %d were said", n, len(one.Actions))
	}
	replies(t, one, last)
	return told
}

// place is a position in a walk. It is advanced only by statetree.Tree.Land, independently of the code
// under test.
type place struct {
	r     *recorder.Recording
	i     int  // the event, or the number of events at the end
	dead  bool // at a post-mortem stop
	died  bool // there was a post-mortem stop
	stays bool // the last move found nothing
}

func (p place) move(a dsl.Action) (place, int) {
	p.stays = false
	n := p.r.Tree.Len()
	out := p.r.Tree.Land(p.i, a)
	switch {
	case out.Boundary == statetree.AtStart:
		p.stays = true
		return p, 0
	case a.Move.Inverse(), out.Boundary == statetree.NoBoundary && !p.dead:
		events := max(p.i-out.Event, out.Event-p.i)
		p.i, p.dead = out.Event, false
		return p, events
	case p.i < n && !p.died && p.r.Fatal >= 0:
		events := max(p.i-p.r.Fatal, p.r.Fatal-p.i)
		p.i, p.dead, p.died = p.r.Fatal, true, true
		return p, events
	}
	events := max(n-1-p.i, 0)
	p.i, p.dead = n, false
	return p, events
}

// shows reports whether a reply shows the state at the place.
func (p place) shows(reply dsl.Reply) bool {
	switch reply.Outcome {
	case dsl.AtStart:
		return p.stays
	case dsl.Ended:
		return p.i == p.r.Tree.Len() && reflect.DeepEqual(*reply.Exit, p.r.Exit)
	case dsl.Unknown:
		return false
	}
	if p.stays || p.i == p.r.Tree.Len() {
		return false
	}
	state, got := *p.r.Tree.State(p.i), reply.Stop.State
	got.File = state.File
	if len(state.Locals) == 0 {
		state.Locals = got.Locals[:len(got.Locals):len(got.Locals)]
		if len(got.Locals) > 0 {
			return false
		}
	}
	for k, f := range p.r.Tree.Stack(p.i) {
		if k >= len(reply.Stop.Stack) {
			return false
		}
		if shown := reply.Stop.Stack[k]; shown.Function != f.Function || shown.Line != f.Line && shown.Line != 0 {
			return false
		}
	}
	return reflect.DeepEqual(state, got) && len(reply.Stop.Stack) == state.Depth+1
}

// replies checks the ranges of a text: the text before a reply must be a prompt, and the reply must lead
// to the next node.
func replies(t rapid.TB, one *Trajectory, n *dsl.Node) {
	k := len(one.Predict)
	changed := one.Changed
	for ; n.Parent() != nil; n = n.Parent() {
		step, ok := n.Step()
		if !ok || step.Edit || step.Action.Move == 0 {
			continue
		}
		k--
		span := one.Predict[k]
		prompt, err := n.Parent().Prompt(step.Action)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := n.Parent().Reply(step.Action, step.Reply)
		if err != nil || one.Text[:span[0]] != prompt || one.Text[span[0]:span[1]] != reply {
			t.Fatalf("reply %d is %q, %v, was said to be at %v: %q", k, reply, err, span, one.Text[span[0]:span[1]])
		}
		worked := 0
		for len(changed) > 0 && changed[len(changed)-1][0] > span[0] {
			last := changed[len(changed)-1]
			if text := one.Text[last[0]:last[1]]; last[1] >= span[1] || strings.Contains(text, "<|") || text == `".."` {
				t.Fatalf("%v %q is no part of the reply at %v", last, text, span)
			}
			changed, worked = changed[:len(changed)-1], worked+1
		}
		if some := step.Reply.Outcome != dsl.AtStart; some != (worked > 0) {
			t.Fatalf("of %q are %d parts to be worked out", reply, worked)
		}
	}
	if k != 0 || len(changed) > 0 {
		t.Fatalf("%d replies and %d parts too many", k, len(changed))
	}
}
