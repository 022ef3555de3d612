package policy

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/cwm"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// TestAnyTrace checks that each text in the Code World Model's format contains the states to which its
// actions lead.
func TestAnyTrace(t *testing.T) {
	s := Defaults()
	s.Compacted, s.Inverse, s.Breakpoint = 0, 0, 0
	rng := rand.New(rand.NewPCG(1, 2))
	written, ended, passed, cut := 0, 0, 0, 0
	for _, program := range programs(t) {
		r := program.recording()
		for range 40 {
			s.Bytes = s.Room + 1000 + rng.IntN(20_000)
			one, err := Write(rng, s, r, nil, nil, Draw(rng, s, r), CWM)
			if err != nil {
				t.Fatal(err)
			}
			if one == nil {
				continue
			}
			written++
			trace, err := cwm.Read(one.Text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, one.Text)
			}
			if len(one.Text) > s.Bytes || len(one.Actions) != len(one.Predict) || len(one.Actions) != len(one.Horizons) {
				t.Fatalf("%d bytes of %d: %+v", len(one.Text), s.Bytes, one)
			}
			if trace.Ended {
				ended++
			} else {
				cut++
			}
			follow(t, r, one, trace, &passed)
		}
	}
	if written < 200 || ended < 30 || passed < 200 || cut < 30 {
		t.Errorf("%d texts, %d to the end and %d not, %d calls passed over", written, ended, cut, passed)
	}
}

// follow checks a trace against the events of its recording.
func follow(t *testing.T, r *recorder.Recording, one *Trajectory, trace *cwm.Trace, passed *int) {
	frames := trace.Frames[1:] // the first one is part of the prompt
	at := 0
	if r.Program.Entry != "" {
		at = -1
	}
	for k, action := range one.Actions {
		span := one.Predict[k]
		reply := one.Text[span[0]:span[1]]
		if k == len(frames) {
			if !trace.Ended || reply != "<|end_of_text|>" || action != "step_into" {
				t.Fatalf("the last reply is %q to %s", reply, action)
			}
			continue
		}
		f := frames[k]
		if asked := action == "step_into"; asked == strings.HasPrefix(reply, "<|action_sep|>") || !strings.HasSuffix(reply, "<|frame_sep|>") {
			t.Fatalf("%q replies to %s", reply, action)
		}
		if k > 0 && span[0] < one.Predict[k-1][1] {
			t.Fatalf("%v", one.Predict)
		}
		if one.Horizons[k] < 0 { // in main
			if !strings.HasSuffix(f.Source, r.Program.Entry) {
				t.Fatalf("%+v is of main", f)
			}
			continue
		}
		before := at
		if action == "step_into" {
			at++
		} else {
			*passed++
			act, returned := r.Tree.At(at).Activation, false
			for !returned {
				at++
				returned = r.Tree.At(at).Activation == act && r.Tree.At(at).Event == dsl.Return
			}
		}
		state := r.Tree.State(at)
		value := "None"
		if state.Value != nil {
			value = *state.Value
		}
		if one.Horizons[k] != at-before || f.Event != state.Event || f.Source != state.Source || (f.Event == dsl.Return || f.Event == dsl.Exception) && f.Value != value {
			t.Fatalf("%s leads over %d events to %+v, event %d is %+v", action, one.Horizons[k], f, at, state)
		}
		for i, l := range f.Locals {
			if len(f.Locals) != len(state.Locals) || l != state.Locals[i] {
				t.Fatalf("%+v at event %d with %+v", f.Locals, at, state.Locals)
			}
		}
	}
	if len(frames) > len(one.Actions) || trace.Ended && at != r.Tree.Len()-1 {
		t.Fatalf("%d frames for %d actions, up to event %d of %d", len(frames), len(one.Actions), at, r.Tree.Len())
	}
}

// TestCallsArePassedOver checks that calls are passed over with the frequency of step_over.
func TestCallsArePassedOver(t *testing.T) {
	s := Defaults()
	s.Bytes = 1 << 20
	s.Actions.StepOver = 3
	r := loop(200)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, single := range []float64{0, 0.6, 1} {
		one, err := Write(rng, s, r, nil, nil, Plan{Single: single}, CWM)
		if err != nil {
			t.Fatal(err)
		}
		over := 0
		for _, a := range one.Actions {
			if a == "step_return" {
				over++
			}
		}
		// A call is passed over at the line that calls, or else at the call itself.
		p := single/2 + (1-single)*3/4
		likely(t, "calls passed over", over, 200, 1-(1-p)*(1-p))
	}
	weighted := *s
	weighted.Actions = Actions{StepInto: 1, StepOver: 3, StepReturn: 1, Breakpoint: 1, Continue: 1}
	if p, want := (Plan{Single: 0.5}).over(&weighted), (0.25+0.5*3/7)/(0.5+0.5*4/7); math.Abs(p-want) > 1e-9 {
		t.Errorf("with weights it is %v, want %v", p, want)
	}
	s.Actions.StepInto, s.Actions.StepOver = 0, 0
	if p := (Plan{Single: 0.2}).over(s); p != 0.5 {
		t.Errorf("%v where neither is drawn", p)
	}
}
