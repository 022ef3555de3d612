package dsl_test

import (
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
)

// again reads a text, and returns the trajectory and the text written from it.
func again(t rapid.TB, wire string) (dsl.Trajectory, string) {
	t.Helper()
	last, asked, err := dsl.ND1.Read(wire)
	if err != nil || asked != nil {
		t.Fatalf("asked %v, error %v, in\n%s", asked, err, wire)
	}
	trajectory := last.Trajectory()
	encoded, err := dsl.ND1.Encode(trajectory)
	if err != nil {
		t.Fatal(err)
	}
	return trajectory, encoded.Text()
}

// TestVectorsReadAndWritten checks that every vector's text is read as the actions and events of
// its walk, and is written again byte for byte.
func TestVectorsReadAndWritten(t *testing.T) {
	for _, v := range vectors.All() {
		t.Run(v.Name, func(t *testing.T) {
			trajectory, text := again(t, v.Wire)
			if text != v.Wire {
				t.Errorf("is written\n%s\nwant\n%s", text, v.Wire)
			}
			if lines := dsl.SplitLines(v.Program); !reflect.DeepEqual(trajectory.Program.Files[0].Lines, lines) {
				t.Errorf("program %q, want %q", trajectory.Program.Files[0].Lines, lines)
			}
			if len(trajectory.Steps) != len(v.Actions)+1 {
				t.Fatalf("%d steps, want %d", len(trajectory.Steps), len(v.Actions)+1)
			}
			for i, s := range trajectory.Steps {
				if i > 0 && s.Action.String() != v.Actions[i-1].String() {
					t.Errorf("action %d is %v, want %v", i, s.Action, v.Actions[i-1])
				}
				want := dsl.Landed
				switch v.Events[i] {
				case vectors.End:
					want = dsl.Ended
				case vectors.Start:
					want = dsl.AtStart
				}
				if s.Reply.Outcome != want {
					t.Errorf("step %d leads to %v, want %v", i, s.Reply.Outcome, want)
				}
			}
		})
	}
}

// TestVectorsCutAnywhere checks a text cut at any offset: it is valid up to its last complete step,
// and the error is Truncated, not Malformed.
func TestVectorsCutAnywhere(t *testing.T) {
	for _, v := range vectors.All()[:16] {
		ends := map[int]bool{}
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		for n := last; n != nil; n = n.Parent() {
			ends[n.Len()] = true
		}
		for cut := range v.Wire {
			got, asked, err := dsl.ND1.Read(v.Wire[:cut])
			var fault *dsl.DecodeError
			switch {
			case err == nil && asked == nil:
				if !ends[cut] {
					t.Fatalf("%s: nothing is wrong with the first %d bytes", v.Name, cut)
				}
			case err == nil:
				if prompt, err := got.Prompt(*asked); err != nil || prompt != v.Wire[:cut] {
					t.Fatalf("%s: the first %d bytes are no prompt: %v", v.Name, cut, err)
				}
			case !errors.As(err, &fault) || fault.Kind != dsl.Truncated || fault.Offset != cut:
				t.Fatalf("%s: the first %d bytes: %v", v.Name, cut, err)
			}
		}
	}
}

// TestVectorsStreamed checks that a reply that arrives byte by byte decodes to the same reply, and
// that its fields become known in order and stay unchanged.
func TestVectorsStreamed(t *testing.T) {
	for _, v := range vectors.All() {
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		for n := last; n.Parent() != nil; n = n.Parent() {
			step, _ := n.Step()
			reply := n.Added()
			if step.Action.Move != 0 {
				if reply, err = n.Parent().Reply(step.Action, step.Reply); err != nil {
					t.Fatal(err)
				}
			}
			stream(t, n.Parent().Decode(step.Action), reply, step)
		}
	}
}

func stream(t *testing.T, d *dsl.Decoder, reply string, want dsl.Step) {
	t.Helper()
	var before dsl.Known
	for i := range len(reply) {
		if d.Done() {
			t.Fatalf("done after %d of %d bytes of %q", i, len(reply), reply)
		}
		if err := d.Feed(reply[i : i+1]); err != nil {
			t.Fatalf("%v, in %q", err, reply)
		}
		partial, known := d.Partial()
		if known&before != before || known&(known+1) != 0 {
			t.Fatalf("fields %b after %b", known, before)
		}
		before = known
		if partial.Stop == nil || want.Reply.Stop == nil {
			continue
		}
		if n := len(partial.Stop.Locals); n > 0 && !reflect.DeepEqual(partial.Stop.Locals, want.Reply.Stop.Locals[:n]) {
			t.Fatalf("locals %v, which are none of %v", partial.Stop.Locals, want.Reply.Stop.Locals)
		}
	}
	if err := d.Feed("what the model goes on to say"); err != nil {
		t.Fatal(err)
	}
	got, ok := d.Step()
	if !ok || !reflect.DeepEqual(got, want) || d.Read() != len(reply) {
		t.Fatalf("%q is %+v (%v), want %+v", reply, got, ok, want)
	}
}
