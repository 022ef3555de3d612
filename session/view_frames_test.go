package session_test

import (
	"fmt"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// The frames of a recursion are told apart by the first name that differs.
func TestTellApart(t *testing.T) {
	locals := [][]dsl.Local{
		{{Name: "n", Value: "9"}},
		{{Name: "self", Value: "Tree()"}, {Name: "f", Value: "1", Hidden: true}, {Name: "n", Value: "3"}},
		{{Name: "self", Value: "Tree()"}, {Name: "f", Value: "2", Hidden: true}, {Name: "n", Value: "2"}},
		{{Name: "x", Value: "1"}},
		{{Name: "self", Value: "Tree()"}, {Name: "f", Value: "3", Hidden: true}, {Name: "n", Value: "1"}, {Name: "m", Value: "0"}},
		{{Name: "a", Value: "1"}},
		{{Name: "a", Value: "1"}, {Name: "b", Value: "1"}},
		nil,
	}
	frames := make([]session.ViewFrame, len(locals))
	for i, name := range []string{"<module>", "walk", "walk", "key", "walk", "same", "same", "walk"} {
		frames[i].Function, frames[i].Path = name, "/p.py"
	}
	frames[7].Path = "/q.py" // another function of the same name
	session.TellApart(frames, func(i int) []dsl.Local { return locals[i] })
	for i, want := range []string{"", "n=3", "n=2", "", "n=1", "", "", ""} {
		got := ""
		if l := frames[i].Tells; l != nil {
			got = fmt.Sprintf("%s=%s", l.Name, l.Value)
		}
		if got != want {
			t.Errorf("frame %d, %s: %q, not %q", i, frames[i].Function, got, want)
		}
	}
}
