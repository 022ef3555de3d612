package dsl_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/gen"
	"pgregory.net/rapid"
)

// TestParts checks which part of a step's text is the reply, and which parts of the reply follow
// neither from the format nor from the text before.
func TestParts(t *testing.T) {
	for name, want := range map[string][][]string{ // for each step its Worked parts; nil for a step without an action
		"exit by a raise":   {nil, {`{"code": 1, "exception": "ValueError('x')"}`}},
		"killed":            {nil, {`{"code": -9}`}},
		"unknown and start": {nil, {}, {}, {"3"}},
		"edit":              {nil, {`"a": "1"`, "3"}, nil, {`"x": "2"`, "1"}, {"2", `"3"`}, {"3", `"None"`}},
		"kinds of return":   {nil, {"1", `"KeyError(1)"`}, {"1", "null"}, {"1", `{"yield": "\u002e\u002e"}`}},
		"two files":         {nil, {"a:2"}, {`"x": "3"`, "b:1"}, {`"x": "3"`, "b:2"}},
		"compacted":         {nil, nil, {"2", `"3"`}},
		"values": {
			nil,
			{`"a": "\u003c|\"}"`, `"b": "\u002e\u002e"`, `"|": "1"`, "2"}, // no name is known yet
			{`"2"`, `"new": "[1, 2]"`, "3"},                               // the first is the value of "|"
		},
	} {
		wire, ok := byHand[name]
		if !ok {
			wire = oneFile + first + act("step_over") + `<|line_sep|>{"a": "\u003c|\"}", "b": "\u002e\u002e", "|": "1"}<|action_sep|>2|    return x + 1` + "\n<|frame_sep|>" +
				act("step_over") + `<|line_sep|>{"a": "..", "b": "..", "|": "2", "new": "[1, 2]"}<|action_sep|>3|a = f(2)` + "\n<|frame_sep|>"
		}
		told, _ := again(t, wire)
		n, err := dsl.ND1.Encode(dsl.Trajectory{Program: told.Program, Compacted: told.Compacted})
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range told.Steps {
			var p dsl.Parts
			before := n
			if n, p, err = n.AppendParts(step); err != nil {
				t.Fatal(err)
			}
			if want[i] == nil {
				if p.Reply != (dsl.Span{}) {
					t.Errorf("%s, step %d: %v answers nothing", name, i, p)
				}
				continue
			}
			var got []string
			for _, s := range p.Worked {
				got = append(got, n.Added()[s.From:s.To])
			}
			if !slices.Equal(got, want[i]) {
				t.Errorf("%s, step %d: to be worked out are %q, want %q", name, i, got, want[i])
			}
			prompt, err := before.Prompt(step.Action)
			if err != nil {
				t.Fatal(err)
			}
			if reply := n.Added()[p.Reply.From:p.Reply.To]; prompt+reply != n.Text() || !strings.HasSuffix(reply, "<|frame_sep|>") {
				t.Errorf("%s, step %d: the reply is %q of %q", name, i, reply, n.Added())
			}
		}
	}
}

// TestPartsOfAnyText checks that AppendParts adds the same text as Append, and that the parts are
// in order and inside the reply.
func TestPartsOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		told := gen.Trajectories().Draw(t, "trajectory")
		n, err := dsl.ND1.Encode(dsl.Trajectory{Program: told.Program, Compacted: told.Compacted})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range told.Steps {
			plain, err := n.Append(step)
			if err != nil {
				t.Fatal(err)
			}
			next, p, err := n.AppendParts(step)
			if err != nil || next.Added() != plain.Added() {
				t.Fatalf("%q, %v; without the parts %q", next.Added(), err, plain.Added())
			}
			n = next
			at := 0
			for _, s := range p.Worked {
				if s.From < at || s.To <= s.From {
					t.Fatalf("%v overlap", p.Worked)
				}
				at = s.To
			}
			if asked := step.Action.Move != 0; asked != (p.Reply.To == len(n.Added())) || asked && len(p.Worked) > 0 && (p.Worked[0].From <= p.Reply.From || at >= p.Reply.To) {
				t.Fatalf("%+v of %q", p, n.Added())
			}
		}
	})
}
