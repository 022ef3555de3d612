package dsl_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
)

// onWire returns the parts of want that a text contains: no hidden locals and no activations. The
// lines of the callers may be unknown.
func onWire(t rapid.TB, want, got *dsl.Stop) dsl.Stop {
	w := *want
	w.Activations, w.Whole = nil, got.Whole
	w.Locals = slices.DeleteFunc(slices.Clone(w.Locals), func(l dsl.Local) bool { return l.Hidden })
	if len(w.Locals) == 0 {
		w.Locals = nil
	}
	w.Stack = slices.Clone(w.Stack)
	for i := range w.Depth {
		if i < len(got.Stack) && got.Stack[i].Line == 0 {
			w.Stack[i].Line, w.Stack[i].File = 0, got.Stack[i].File
		} else if w.Stack[i].Line == 0 {
			t.Errorf("the text knows the line of %v, which was unknown", got.Stack[i])
		}
	}
	return w
}

// TestRoundTrip checks that a written trajectory is read unchanged, that the text which was read is
// written unchanged, and that tokens occur only as separators.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, roundTrip)
}

func FuzzRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

func roundTrip(t *rapid.T) {
	want := gen.Trajectories().Draw(t, "trajectory")
	n, err := dsl.ND1.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	wire := n.Text()
	last, asked, err := dsl.ND1.Read(wire)
	if err != nil || asked != nil {
		t.Fatalf("asked %v, %v, in\n%s", asked, err, wire)
	}
	got := last.Trajectory()
	if text := last.Text(); text != wire {
		t.Fatalf("is written\n%s\nwant\n%s", text, wire)
	}
	if !reflect.DeepEqual(got.Program, want.Program) || got.Compacted != want.Compacted || len(got.Steps) != len(want.Steps) {
		t.Fatalf("%d steps of %v, want %d of %v", len(got.Steps), got.Program, len(want.Steps), want.Program)
	}
	for i := range want.Steps {
		w, g := want.Steps[i], got.Steps[i]
		if w.Reply.Stop != nil && g.Reply.Stop != nil {
			stop := onWire(t, w.Reply.Stop, g.Reply.Stop)
			w.Reply.Stop = &stop
		}
		if !reflect.DeepEqual(g, w) {
			t.Fatalf("step %d is %+v %+v, want %+v %+v", i, g, g.Reply.Stop, w, w.Reply.Stop)
		}
	}
	if frames, want := strings.Count(wire, "<|frame_sep|>"), separators(want); frames != want {
		t.Fatalf("%d times <|frame_sep|>, want %d, in\n%s", frames, want, wire)
	}
	if c, err := n.Compact(); err != nil {
		t.Fatal(err)
	} else if _, text := again(t, c.Text()); text != c.Text() {
		t.Fatalf("compacted is\n%s\nbut again\n%s", c.Text(), text)
	}
}

// separators returns the number of <|frame_sep|> in a trajectory: for the context, the mark of a
// compacted text, each action and each reply.
func separators(t dsl.Trajectory) int {
	n := 1
	if t.Compacted {
		n++
	}
	for _, s := range t.Steps {
		n++
		if s.Edit || s.Action.Move != 0 {
			n++
		}
	}
	return n
}
