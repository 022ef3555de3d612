package chat

import (
	"reflect"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
)

// TestVectors checks each action in the vectors' walks. Reading the conversation that requests it
// returns the same action, and decoding the written answer returns the same step as nd/1.
func TestVectors(t *testing.T) {
	asked := 0
	for _, v := range vectors.All() {
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		asked += conversations(t, v.Name, last)
	}
	if asked < 500 {
		t.Errorf("only %d questions", asked)
	}
}

// conversations writes and reads the request and the answer of every action up to the node last. It
// returns the number of actions.
func conversations(t *testing.T, name string, last *dsl.Node) (asked int) {
	t.Helper()
	for n := last; n.Parent() != nil; n = n.Parent() {
		step, ok := n.Step()
		if !ok || step.Action.Move == 0 {
			continue
		}
		asked++
		before := n.Parent()
		messages, err := Messages(System, before, step.Action)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		at, action, err := Read(dsl.ND1, messages)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, messages)
		}
		if at.Text() != before.Text() || action.String() != step.Action.String() {
			t.Fatalf("%s: read\n%s\nof\n%s", name, at.Text(), before.Text())
		}
		answer, err := Encode(before, step.Action, step.Reply)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := Decode(before, step.Action, answer)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, answer)
		}
		if !reflect.DeepEqual(step, got) {
			t.Fatalf("%s: %s\nis read as %+v %+v\nwant %+v %+v", name, answer, got, got.Reply.Stop, step, step.Reply.Stop)
		}
	}
	return asked
}
