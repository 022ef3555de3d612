package python

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"
)

// declaration is the declaration of an encoding, by PEP 263.
var declaration = regexp.MustCompile(`^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)`)

var byteOrderMark = []byte("\ufeff")

// decodeSource is a source file's text as UTF-8. It is read as its declaration
// says (PEP 263) where that is Latin-1; else as UTF-8, or as Latin-1 if it is
// not that. The byte order mark is left out.
func decodeSource(source []byte) string {
	if rest, ok := bytes.CutPrefix(source, byteOrderMark); ok {
		source = rest
	} else if isLatin1(source) {
		return fromLatin1(source)
	}
	if !utf8.Valid(source) {
		return fromLatin1(source)
	}
	return string(source)
}

// isLatin1 reports whether one of the first two lines declares Latin-1.
func isLatin1(source []byte) bool {
	for range 2 {
		end := bytes.IndexAny(source, "\r\n")
		line := source
		if end >= 0 {
			line = source[:end]
		}
		if found := declaration.FindSubmatch(line); found != nil {
			switch strings.ReplaceAll(strings.ToLower(string(found[1])), "_", "-") {
			case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "8859", "cp819", "l1":
				return true
			}
			return false
		}
		if text := bytes.TrimLeft(line, " \t\f"); end < 0 || len(text) > 0 && text[0] != '#' {
			return false
		}
		source = source[end+lineEnd(string(source[end:min(end+2, len(source))]), 0):]
	}
	return false
}

func fromLatin1(source []byte) string {
	var b strings.Builder
	b.Grow(len(source) + len(source)/8)
	for _, c := range source {
		b.WriteRune(rune(c))
	}
	return b.String()
}
