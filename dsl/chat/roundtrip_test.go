package chat

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
	"github.com/npdb/npdb/dsl/vectors"
)

// TestRoundTrip checks random trajectories: a conversation that was written is read back unchanged,
// and each answer decodes to the step from which it was written.
func TestRoundTrip(t *testing.T) { rapid.Check(t, roundTrip) }

func FuzzRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(roundTrip)) }

func roundTrip(t *rapid.T) {
	at, err := dsl.ND1.Encode(gen.Trajectories().Draw(t, "trajectory"))
	if err != nil {
		t.Fatal(err)
	}
	// Read the text first: hidden locals and activations are not part of it.
	if at, _, err = dsl.ND1.Read(at.Text()); err != nil {
		t.Fatal(err)
	}
	a := dsl.Action{Move: dsl.StepOver}
	messages, err := Messages("", at, a)
	if err != nil {
		t.Fatal(err)
	}
	got, asked, err := Read(dsl.ND1, messages)
	if err != nil {
		t.Fatalf("%v, in\n%s", err, messages)
	}
	if got.Text() != at.Text() || !reflect.DeepEqual(got.Trajectory(), at.Trajectory()) || !reflect.DeepEqual(asked, Asked{Action: a}) {
		t.Fatalf("read, and asked %v\n%s\nof\n%s", asked, got.Text(), at.Text())
	}
}

// TestLaterConversationsBeginWithEarlierOnes checks that a conversation begins with all messages of
// an earlier one and the answer to it, so that a server's prefix cache stays valid.
func TestLaterConversationsBeginWithEarlierOnes(t *testing.T) {
	edited := inside + `<|debug_sep|>step_over<|frame_sep|><|return_sep|>{"x": "..", "y": ".."}<|action_sep|>3|    return y` + "\n" + `<|arg_sep|>"3"<|frame_sep|>` +
		`<|debug_sep|>set<|frame_sep|><|line_sep|><|stack_sep|>[["<module>", 4], ["f", 3]]{"x": "2", "y": "30"}<|action_sep|>3|    return y` + "\n<|frame_sep|>" +
		"<|debug_sep|>inv_continue<|frame_sep|><|unknown_sep|><|frame_sep|>"
	wires := []string{edited}
	for _, v := range vectors.All() {
		wires = append(wires, v.Wire)
	}
	for _, wire := range wires {
		var before, answered []Message
		nodes := []*dsl.Node{}
		for n := gen.Standing(t, wire); n.Parent() != nil; n = n.Parent() {
			nodes = append(nodes, n)
		}
		slices.Reverse(nodes)
		for _, n := range nodes {
			step, _ := n.Step()
			if step.Action.Move == 0 {
				continue
			}
			asked, err := Messages(System, n.Parent(), step.Action)
			if err != nil {
				t.Fatal(err)
			}
			if len(asked) < len(answered) || !slices.Equal(asked[:len(answered)], answered) || len(asked) != len(before)+2 && before != nil {
				t.Fatalf("%s\ncomes after\n%s", asked, answered)
			}
			answer, err := Encode(n.Parent(), step.Action, step.Reply)
			if err != nil {
				t.Fatal(err)
			}
			before, answered = asked, append(asked, Message{"assistant", answer})
		}
	}
}

// FuzzDecode checks that any answer is rejected with an *Error, or decodes to a step that can be
// appended. Encoding and decoding that step returns it again.
func FuzzDecode(f *testing.F) {
	var places []*dsl.Node
	for _, wire := range []string{inside, gen.SeveralFiles, vectors.All()[3].Wire} {
		for n := gen.Standing(f, wire); n.Parent() != nil; n = n.Parent() {
			places = append(places, n)
		}
	}
	compacted, err := places[0].Compact()
	if err != nil {
		f.Fatal(err)
	}
	places = append(places, compacted)
	for i, n := range places {
		step, ok := n.Step()
		if !ok {
			continue
		}
		answer, err := answered(n.Parent(), step)
		if err != nil {
			f.Fatal(err)
		}
		for move := range uint8(dsl.InvStepFunction) {
			f.Add(answer, uint8(i), move)
		}
	}
	f.Add(`{"outcome":"state","event":"call","line":"1","function":"f","locals":{"x":1}}`, uint8(0), uint8(0))
	f.Add("<think>{</think>```json\n{\"outcome\":\"end\",\"exit_code\":\"1\",\"value\":\"\\ud83d\\ude00\"}\n```", uint8(1), uint8(1))
	f.Add(`{"outcome":"state","event":"line","line":2,"stack":[{"function":"f","line":null}],"names":["x"],"locals":[{"name":"x","value":true}]} {"outcome":1}`, uint8(2), uint8(4))
	f.Fuzz(func(t *testing.T, answer string, place, move uint8) {
		at := places[int(place)%len(places)]
		a := dsl.Action{Move: dsl.Move(int(move)%int(dsl.InvStepFunction) + 1)}
		if a.Move.TakesLines() {
			a.Lines = []dsl.Location{{Line: 2}}
		}
		step, err := Decode(at, a, answer)
		if err != nil {
			if fault := (*Error)(nil); !errors.As(err, &fault) || fault.Message == "" {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if _, err := at.Append(step); err != nil {
			t.Fatalf("%q was read, and %v", answer, err)
		}
		text, err := Encode(at, a, step.Reply)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Decode(at, a, text); err != nil || !reflect.DeepEqual(again, step) {
			t.Fatalf("%q is read as %+v %+v, written %q and read as %+v %+v, %v", answer, step, step.Reply.Stop, text, again, again.Reply.Stop, err)
		}
	})
}

// FuzzRead checks that any conversation that Read accepts can be written, and is then read as the
// same one.
func FuzzRead(f *testing.F) {
	for _, wire := range append(wires(f), inside, gen.SeveralFiles) {
		messages, err := Messages("", gen.Standing(f, wire), dsl.Action{Move: dsl.InvBreakpoint, Lines: []dsl.Location{{Line: 1}}})
		if err != nil {
			f.Fatal(err)
		}
		text, err := json.Marshal(messages)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	listed, err := json.Marshal(AskStates([]Message{{"user", "PROGRAM\n1|x\nSTATE {\"outcome\": \"end\", \"exit_code\": 1}\nCOMMAND inv_step_over"}}, 3))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(listed)
	f.Add([]byte(`[{"role": "user", "content": "PROGRAM\nFILE a: \"x\"\na:1|y\nSTATE {\"outcome\": \"end\", \"exit_code\": 1}\nCOMMAND continue"}]`))
	f.Add([]byte(`[{"role": "user", "content": "PROGRAM\nSTATE {}"}, {"role": "assistant", "content": "{}"}, {"role": "user", "content": "COMMAND continue"}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var messages []Message
		if json.Unmarshal(text, &messages) != nil {
			return
		}
		at, a, err := Read(dsl.ND1, messages)
		if err != nil {
			if fault := (*Error)(nil); !errors.As(err, &fault) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		written, err := Messages("", at, a.Action)
		if err != nil {
			t.Fatal(err)
		}
		if a.States > 0 {
			written = AskStates(written, a.States)
		}
		again, asked, err := Read(dsl.ND1, written)
		if err != nil || again.Text() != at.Text() || !reflect.DeepEqual(asked, a) || !reflect.DeepEqual(again.Trajectory(), at.Trajectory()) {
			t.Fatalf("%s is written\n%s\nand read as %v, %v", text, written, asked, err)
		}
	})
}

// wires returns nd/1 texts of some of the vectors' walks, each whole and compacted.
func wires(t testing.TB) (texts []string) {
	for _, v := range vectors.All()[:8] {
		compacted, err := gen.Standing(t, v.Wire).Compact()
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, v.Wire, compacted.Text())
	}
	return texts
}
