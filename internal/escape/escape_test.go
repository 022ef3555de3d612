package escape

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
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
		if got := Text(tt.in); got != tt.want {
			t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"", "\x1b]0;t\a", "\u202e", "\xff", "ok\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is no UTF-8", got)
		}
		for _, r := range got {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Fatalf("%q lets %U through", got, r)
			}
		}
		if Text(got) != got {
			t.Fatalf("escaping %q twice changes it", s)
		}
	})
}
