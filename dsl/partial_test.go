package dsl_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
)

// TestPartialStays checks that a Reply returned by Partial does not change while more text is fed.
func TestPartialStays(t *testing.T) {
	for _, reply := range []string{
		`<|end_sep|>{"code": 1, "exception": "KeyError('x')"}<|frame_sep|>`,
		`<|line_sep|>{"a": "1"}<|action_sep|>1|line1` + "\n<|frame_sep|>",
	} {
		d := begin(t).Decode(dsl.Action{Move: dsl.StepInto})
		var told, copies []dsl.Reply
		for _, piece := range strings.SplitAfter(reply, "") {
			if err := d.Feed(piece); err != nil {
				t.Fatalf("%s: %v", reply, err)
			}
			r, _ := d.Partial()
			told, copies = append(told, r), append(copies, copied(r))
		}
		if !d.Done() {
			t.Fatalf("%s is not complete", reply)
		}
		for i := range told {
			if !reflect.DeepEqual(told[i], copies[i]) {
				t.Fatalf("%s: after %d bytes it was %+v, and is %+v now", reply, i+1, copies[i], told[i])
			}
		}
	}
}

// copied returns a deep copy of a reply, as far as a decoder writes to it.
func copied(r dsl.Reply) dsl.Reply {
	if r.Exit != nil {
		exit := *r.Exit
		r.Exit = &exit
	}
	if r.Stop != nil {
		stop := *r.Stop
		stop.Stack = append([]dsl.Frame(nil), stop.Stack...)
		stop.Locals = append([]dsl.Local(nil), stop.Locals...)
		r.Stop = &stop
	}
	return r
}
