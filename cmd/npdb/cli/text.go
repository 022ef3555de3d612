package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/internal/escape"
)

// HelpWidth is the number of columns that help texts use.
const HelpWidth = 80

// Fill breaks the paragraphs of a text into lines of HelpWidth columns. Indented
// paragraphs stay unchanged.
func Fill(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			paragraphs[i] = strings.Join(Wrap(p, HelpWidth), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// Wrap breaks a text at its spaces into lines of at most width bytes.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// EscapeLines escapes control characters in a text from any source, and removes the line
// ends at its end.
func EscapeLines(text string) string { return escape.Text(strings.TrimRight(text, "\n")) }

// Count returns a number with its noun, which is plural unless the number is 1.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return humanize.Comma(int64(n)) + " " + what + "s"
}

// Warn prints the warnings of a configuration on standard error.
func Warn(c *config.Loaded) {
	for _, w := range c.Warnings {
		fmt.Fprintln(os.Stderr, "npdb: "+EscapeLines(w))
	}
}

// HasDialogue reports whether npdb can ask the user: standard error shows the question and
// standard input reads the answer.
func HasDialogue() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd()))
}

// ShortPath returns a path with ~ for the home folder.
func ShortPath(dir string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "/" {
		return dir
	}
	if rest, ok := strings.CutPrefix(dir, home); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return dir
}
