package frontend_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/frontend"
)

// FuzzEncodeAnswer checks that the JSON front end writes no terminal control sequences,
// and loses nothing.
func FuzzEncodeAnswer(f *testing.F) {
	for _, s := range []string{"", "\x1b]0;t\a", "\u202e", "\xff", "ok\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		st := &dsl.State{Event: dsl.Line, Locals: []dsl.Local{{Name: s, Value: s}}}
		line := string(frontend.EncodeAnswer(&session.Answer{State: st, Command: &s}))
		if strings.ContainsAny(line, "\n\x1b\u202e\u009b") {
			t.Fatalf("%q", line)
		}
		var back struct {
			Command string
			State   struct{ Locals map[string]string }
		}
		if err := json.Unmarshal([]byte(line), &back); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); utf8.ValidString(s) && (back.Command != want || back.State.Locals[s] != want) {
			t.Fatalf("%q came back as %q", s, back.Command)
		}
	})
}
