package session

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
)

func TestEscape(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text\n\ttab é 日本 🎉", "plain text\n\ttab é 日本 🎉"},
		{"\x1b[2J", `\x1b[2J`},
		{"a\rb\x00\x7f", `a\x0db\x00\x7f`},
		{"\u009b31m", `\x9b31m`},
		{"\u202eevil\u2066", `\u202eevil\u2066`},
		{"\u2028\ufeff\U000e0041", `\u2028\ufeff\U000e0041`},
		{"bad \xff\xc3", `bad \xff\xc3`},
		{"👩\u200d👧", "👩\u200d👧"},
	}
	for _, tt := range tests {
		if got := Escape(tt.in); got != tt.want {
			t.Errorf("Escape(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "\x1b]0;t\a", "\u202e", "\xff", "ok\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is no UTF-8", got)
		}
		for _, r := range got {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%q lets %U through", got, r)
			}
		}
		if Escape(got) != got {
			t.Fatalf("escaping %q twice changes it", s)
		}
		// The JSON face lets nothing of it through either, and loses nothing.
		st := &dsl.State{Event: dsl.Line, Locals: []dsl.Local{{Name: s, Value: s}}}
		line := string(EncodeAnswer(&Answer{State: st, Command: &s}))
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
