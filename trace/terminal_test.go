//go:build unix

package trace

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What has to be typed depends on the mode that the program has set.
func TestTyped(t *testing.T) {
	lines := unix.Termios{Iflag: unix.ICRNL, Lflag: unix.ICANON}
	keys := unix.Termios{Iflag: unix.ICRNL}
	raw := unix.Termios{}
	for _, mode := range []*unix.Termios{&lines, &keys, &raw} {
		mode.Cc[unix.VEOF] = 4
	}
	long := strings.Repeat("x", longestLine)
	for _, c := range []struct {
		name string
		mode unix.Termios
		text string
		eof  bool
		want string
	}{
		{"a line", lines, "a\n", false, "a\n"},
		{"lines of another system", lines, "a\r\nb\r\n", false, "a\nb\n"},
		{"no whole line", lines, "a\nb", false, "a\nb\x04"},
		{"nothing", lines, "", false, ""},
		{"the end", lines, "", true, "\x04"},
		{"a line, then the end", lines, "a\n", true, "a\n\x04"},
		{"no whole line, then the end", lines, "a", true, "a\x04\x04"},
		{"the longest line", lines, long[1:] + "\n", false, long[1:] + "\n"},
		{"a longer line", lines, long + "\n", false, long + "\x04\n"},
		{"a long piece", lines, long + "y", false, long + "\x04y\x04"},
		{"a key", keys, "q", false, "q"},
		{"Enter, made a line end by the terminal", keys, "q\n", false, "q\n"},
		{"Enter", raw, "q\n", false, "q\r"},
		{"the key for the end", raw, long + "q", true, long + "q\x04"},
	} {
		if got := string(typed(c.text, c.eof, &c.mode)); got != c.want {
			t.Errorf("%s: %q is typed as %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
