package session

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// shorten cuts a text for display and says how much is missing.
func shorten(text string, room int) string {
	n := utf8.RuneCountInString(text)
	if n <= room {
		return text
	}
	cut := 0
	for range room {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	return fmt.Sprintf("%s… +%s chars", text[:cut], thousands(n-room))
}

// shortenBoth cuts two texts so that what differs shows: where one has no room, both
// begin a little before the first difference.
func shortenBoth(a, b string, room int) (string, string) {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) <= room {
		return a, b
	}
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	begin := before(x[:same], room)
	rest := 0 // at the ends, alike in both
	for rest < min(len(x), len(y))-same && x[len(x)-1-rest] == y[len(y)-1-rest] {
		rest++
	}
	return cutFrom(x, begin, len(x)-rest, room), cutFrom(y, begin, len(y)-rest, room)
}

// before is where a cut text begins whose first difference follows a part that is
// alike: there if that leaves room, else behind the comma or the space nearest to a
// third of the room before it.
func before(alike []rune, room int) int {
	begin := len(alike) - room/3
	if begin <= 0 {
		return 0
	}
	if part := strings.IndexByte(string(alike[begin:]), ' '); part >= 0 {
		begin += utf8.RuneCountInString(string(alike[begin:])[:part]) + 1
	}
	return begin
}

// cutFrom is a text from a place on, as far as there is room, and not much further
// than what differs.
func cutFrom(text []rune, begin, differs, room int) string {
	end := min(len(text), begin+room, max(differs, begin)+room/3)
	cut := string(text[begin:end])
	if begin > 0 {
		cut = "…" + cut
	}
	if end < len(text) {
		cut += "…"
	}
	if hidden := len(text) - (end - begin); hidden > 0 {
		cut += fmt.Sprintf(" +%s chars", thousands(hidden))
	}
	return cut
}

// thousands writes 1234567 as 1,234,567.
func thousands(n int) string { return humanize.Comma(int64(n)) }
