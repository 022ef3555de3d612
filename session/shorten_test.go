package session_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/session"
)

func TestShorten(t *testing.T) {
	for _, tt := range []struct {
		text string
		room int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc… +1 chars"},
		{"éèà!", 2, "éè… +2 chars"},
	} {
		if got := session.Shorten(tt.text, tt.room); got != tt.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", tt.text, tt.room, got, tt.want)
		}
	}
}

// TestShortenBoth checks that two long texts show the parts that differ, and how much is
// omitted.
func TestShortenBoth(t *testing.T) {
	list := strings.Repeat("1, ", 100)
	for _, tt := range []struct{ a, b, wantA, wantB string }{
		{"[1, 2]", "[1, 3]", "[1, 2]", "[1, 3]"},
		{"[" + list + "2, " + list + "]", "[" + list + "three, " + list + "]", "…1, 1, 1, 2, 1, 1, 1,… +585 chars", "…1, 1, 1, three, 1, 1, 1,… +585 chars"},
		{"[" + list + "2]", "[" + list + "2, 3]", "…1, 1, 2] +295 chars", "…1, 1, 2, 3] +295 chars"},
		{"'" + strings.Repeat("日本", 30) + "'", "'" + strings.Repeat("日本", 29) + "'", "…日本日本日本日本日本日本' +49 chars", "…日本日本日本日本日本' +49 chars"},
		{strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("a", 30) + "… +10 chars", strings.Repeat("b", 30) + "… +10 chars"},
		{"7", "[" + list + "]", "7", "[" + strings.Repeat("1, ", 9) + "1,… +272 chars"},
	} {
		if a, b := session.ShortenBoth(tt.a, tt.b, 30); a != tt.wantA || b != tt.wantB {
			t.Errorf("%s and\n%s:\ngot  %s\nand  %s\nwant %s\nand  %s", tt.a, tt.b, a, b, tt.wantA, tt.wantB)
		}
	}
}
