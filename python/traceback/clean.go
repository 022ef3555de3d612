package traceback

import (
	"strconv"
	"strings"
)

// ansi matches terminal escape sequences: CSI, OSC, and those of two characters.
var ansi = newForm("\x1b(?:\\[[0-?]*[\\x20-\\x2f]*[\\x40-\\x7e]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[()][0-9A-B]|[=>cMNOZ78])|\u009b[0-?]*[\\x20-\\x2f]*[\\x40-\\x7e]")

// split removes escape sequences and returns the lines. A line ends as on Unix or Windows, or with
// a carriage return, as in text pasted from a terminal.
func split(text string) []string {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.ContainsAny(text, "\x1b\u009b") {
		text = ansi.ReplaceAllString(text, "")
	}
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return strings.Split(text, "\n")
}

// escaped finds a traceback inside a string literal of JSON or Python, and returns it with real
// line ends. found is false if there is none.
func escaped(text string) (literal string, found bool) {
	const header = `Traceback (most recent call last):\n`
	at := strings.LastIndex(text, header)
	if at < 0 {
		return "", false
	}
	literal = text[at:]
	if end := strings.IndexByte(literal, '\n'); end >= 0 {
		literal = literal[:end]
	}
	var quote byte
	if at > 0 && strings.IndexByte(`"'`, text[at-1]) >= 0 {
		quote = text[at-1]
	}
	return unescape(literal, quote), true
}

// unescape replaces the escapes of a literal, up to its closing quote. quote is 0 if the kind of
// quote is unknown.
func unescape(literal string, quote byte) string {
	var b strings.Builder
	for i := 0; i < len(literal) && (quote == 0 || literal[i] != quote); i++ {
		if literal[i] != '\\' || i+1 == len(literal) {
			b.WriteByte(literal[i])
			continue
		}
		i++
		switch c := literal[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
		case 'u':
			if n, err := strconv.ParseUint(literal[i+1:min(len(literal), i+5)], 16, 16); err == nil {
				b.WriteRune(rune(n))
				i += 4
			}
		case '"', '\'', '\\', '/':
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// indent returns the number of blanks and tabs at the beginning of a line.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// blank reports whether the line has no visible character.
func blank(line string) bool { return strings.TrimSpace(line) == "" }

// number parses a line number or a count. It returns 0 if text is not a number, or one too large
// for a line number.
func number(text string) int {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return int(n)
}
