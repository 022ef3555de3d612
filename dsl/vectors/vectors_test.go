package vectors

import (
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

func TestRead(t *testing.T) {
	const line = `{"name": "n", "program": "x = 1\n", "actions": ["breakpoint 3,4", "inv_step_into"], "events": [0, "end", "start"], "wire": "w"}`
	got, err := read([]byte(line + "\n" + line))
	v := Vector{
		Name: "n", Program: "x = 1\n", Events: []Event{0, End, Start}, Wire: "w",
		Actions: []Action{
			{dsl.Action{Move: dsl.Breakpoint, Lines: []dsl.Location{{Line: 3}, {Line: 4}}}},
			{dsl.Action{Move: dsl.InvStepInto}},
		},
	}
	if want := []Vector{v, v}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("is read as %+v, %v", got, err)
	}
	for old, wrong := range map[string]string{
		"inv_step_into": "inv_step_up", `[0, "end", "start"]`: `[0, "end"]`, `"end"`: `"over"`, "}": "",
	} {
		if got, err := read([]byte(strings.Replace(line, old, wrong, 1))); err == nil {
			t.Errorf("with %s for %s it is read as %+v", wrong, old, got)
		}
	}
}

func TestAll(t *testing.T) {
	if all := All(); len(all) < 56+9 {
		t.Errorf("there are %d vectors", len(all))
	}
}
