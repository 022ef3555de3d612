package session_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// TestCommandsAreJournalled checks that a journal returns each command unchanged.
func TestCommandsAreJournalled(t *testing.T) {
	two := 2
	for _, c := range []session.Command{
		session.Step{Move: dsl.InvStepReturn, Count: 3},
		session.Continue{Inverse: true, Count: 2},
		session.Advance{To: session.Target{File: "/a;;b\n/p.py", Line: 4}},
		session.SetBreakpoint{At: session.Target{Function: "f"}, Condition: "x > '\u202e'", Temporary: true},
		session.SetCommands{Number: 2, Lines: []string{"p x", "c"}, Silent: true},
		session.EnableBreakpoints{Numbers: []int{1, 2}, Off: true},
		session.SelectFrame{By: -session.AllTheWay},
		session.Exceptions{Number: &two},
		session.Evaluate{Expression: "x", As: session.Pretty},
		session.Execute{Statement: "for a in b:\n  c", Forced: true},
		session.SetMode{Mode: session.Both},
		session.Restart{Args: []string{"a b"}},
		session.Rewind{},
	} {
		got, err := session.DecodeCommand(session.EncodeCommand(c))
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%#v is %#v; %v", c, got, err)
		}
	}
}

// FuzzDecodeCommand checks that an invalid entry is an error, and never a different
// command.
func FuzzDecodeCommand(f *testing.F) {
	f.Add([]byte(`{"Step":{"move":"step_over"}}`))
	f.Add([]byte(`{"Step":{"move":"step_sideways"}}`))
	f.Add([]byte(`{"Step":{},"Quit":{}}`))
	f.Add([]byte(`{"Nothing":{}}`))
	f.Add([]byte(`{"Step":{}}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := session.DecodeCommand(json.RawMessage(raw))
		if err != nil {
			return
		}
		if c == nil {
			t.Fatalf("%q is a command that is none", raw)
		}
		_ = c.String()
		again, err := session.DecodeCommand(session.EncodeCommand(c))
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Fatalf("%#v is %#v; %v", c, again, err)
		}
	})
}
