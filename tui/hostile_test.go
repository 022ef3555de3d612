package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/npdb/npdb/internal/escape"
)

// hostileProgram writes terminal control sequences wherever a program can write text: its
// source, its output, reprs, keys, attributes, an exception.
const hostileProgram = `import sys
EVIL = ["\x1b]0;PWNED\x07", "\x1b]52;c;UFdORUQ=\x07", "\x1b[31;41;5mPWNED", "\x9b31mPWNED", "\x90PWNED\x9c", "\x1bPPWNED\x1b\\",
        "\u202ePWNED\u202c", "\u2066PWNED\u2069", "P\u200bW\ufeffN\u2060ED", "\x07\x08\x0d\x00PWNED", "\x1b[?1049l", "\x1bcPWNED"]
class Evil:
    def __init__(self, text):
        self.text = text
    def __repr__(self):
        return "Evil " + self.text  # ` + "\u202ePWNED\u2066 and an escape: \x1b]0;PWNED\x07" + `
class Open:
    pass
table = {}
thing = Open()
for text in EVIL:
    table[Evil(text)] = Evil(text)
    thing.__dict__[text] = Evil(text)
    print(text)
    print(text, file=sys.stderr)
evil = Evil("".join(EVIL))
raise ValueError("".join(EVIL))
`

// TestHostileProgram checks that no text of a program reaches the terminal as a control
// sequence.
func TestHostileProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "odd\x1b]0;PWNED\x07\u202e\x1b[31m.py")
	if err := os.WriteFile(path, []byte(hostileProgram), 0o600); err != nil {
		t.Skipf("skipped: the file system takes no such name: %v", err)
	}
	m := show(t.Context(), t, 120, 36, cpythonOf(t, path))
	m.until("<module>:1")
	for _, step := range []struct{ press, comes string }{
		{"c", "post mortem"},
		{"?", "keys"},
		{"\x1b", "post mortem"},
		{"2g\r", "▾"},
		{"jjw", "PWNED"},
		{"_5", "history"},
		{"4", "output"},
		{"6", "breakpoints"},
		{"1b", "Breakpoint 1"},
		{":p evil\r", "Evil"},
		{"+2", "locals"},
	} {
		m.press(step.press)
		m.until(step.comes)
	}
	m.press("yq")
	if err := m.quit(); err != nil {
		t.Error(err)
	}
	m.whole()
	m.mu.Lock()
	defer m.mu.Unlock()
	checkHarmless(t, m.raw.String())
}

// checkHarmless fails if the output to a terminal has a control sequence of the program's,
// or a control character that npdb does not write itself.
func checkHarmless(t *testing.T, raw string) {
	t.Helper()
	if strings.Count(raw, "PWNED") < 5 {
		t.Error("the program's texts did not show: the test tests nothing")
	}
	p := ansi.NewParser()
	for state := byte(0); raw != ""; {
		seq, width, n, next := ansi.DecodeSequence(raw, state, p)
		state, raw = next, raw[n:]
		switch {
		case width > 0:
			for i, r := range seq {
				if _, size := utf8.DecodeRuneInString(seq[i:]); escape.Hostile(r, size) {
					t.Errorf("%q is written as text", seq)
				}
			}
		case strings.Contains(seq, "PWNED") && !isTitle(seq), strings.HasPrefix(seq, "\x1bc"), strings.HasPrefix(seq, "\x1b[31;41;5m"):
			t.Errorf("a text of the program's is a sequence: %q", seq)
		case len(seq) == 1 && !strings.Contains("\r\n\b\t", seq), seq[0] >= 0x80:
			t.Errorf("a control character: %q", seq)
		}
	}
}

// isTitle reports whether a sequence sets the terminal's title to a text without control
// characters.
func isTitle(seq string) bool {
	text, ok := strings.CutPrefix(seq, "\x1b]2;")
	if !ok {
		return false
	}
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\x07"), "\x1b\\")
	return !slices.ContainsFunc([]rune(text), func(r rune) bool { return escape.Hostile(r, utf8.RuneLen(r)) })
}
