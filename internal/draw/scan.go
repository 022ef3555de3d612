package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"

	"github.com/npdb/npdb/internal/escape"
)

// TabWidth is the distance between tab stops, counted from the column where a text begins. Python
// and most terminals use the same distance.
const TabWidth = 8

// maxCluster limits the number of bytes of a grapheme cluster that is drawn as one. The longest
// emoji in use has 35. A letter with many marks may be longer; its further marks are escaped.
const maxCluster = 64

const (
	joiner     = '\u200d'
	emojiStyle = "\ufe0f"
	spaces     = "        " // TabWidth spaces
)

// piece is the result of one step of a scanner: text that is safe for a terminal, and drawn as one
// character of width columns.
type piece struct {
	text  string
	width int
	// joins reports whether text might form one grapheme cluster with an adjacent piece that is
	// drawn separately.
	joins bool
}

// scanner splits a line of untrusted text into pieces. For a character that must not reach a
// terminal it yields the characters of its escape sequence, one piece each.
type scanner struct {
	measure Measure
	text    string // the remaining text
	col     int    // columns so far, for tab stops
	queue   string // printable ASCII to yield before the rest of text
}

// next yields the next piece, or false at the end.
func (s *scanner) next() (piece, bool) {
	if s.queue == "" {
		if s.text == "" {
			return piece{}, false
		}
		if c := s.text[0]; c >= 0x20 && c < 0x7f && (len(s.text) == 1 || s.text[1] < utf8.RuneSelf) {
			p := piece{text: s.text[:1], width: 1}
			s.text = s.text[1:]
			s.col++
			return p, true
		}
		if p, ok := s.cluster(); ok {
			s.col += p.width
			return p, true
		}
	}
	p := piece{text: s.queue[:1], width: 1}
	s.queue = s.queue[1:]
	s.col++
	return p, true
}

// cluster reads a cluster that is not a plain ASCII character. It returns false if it only put
// characters into the queue.
func (s *scanner) cluster() (piece, bool) {
	r, size := utf8.DecodeRuneInString(s.text)
	switch {
	case r == '\t':
		s.text = s.text[1:]
		s.queue = spaces[s.col%TabWidth:]
		return piece{}, false
	case r == '\n':
		s.text = s.text[1:]
		s.queue = `\n`
		return piece{}, false
	case escape.Hostile(r, size):
		s.queue = escape.Text(s.text[:size])
		s.text = s.text[size:]
		return piece{}, false
	}
	if inert(r) {
		// Fast path: most non-ASCII text consists of inert characters.
		if next, _ := utf8.DecodeRuneInString(s.text[size:]); inert(next) {
			p := piece{text: s.text[:size], width: ansi.StringWidthWc(s.text[:size])}
			s.text = s.text[size:]
			return p, true
		}
	}
	c, _ := ansi.FirstGraphemeCluster(window(s.text), ansi.GraphemeWidth)
	c = untilHostile(c)
	if r < utf8.RuneSelf {
		return s.onASCII(c), true
	}
	width := ansi.StringWidth(c)
	drawn := c
	if s.measure == Runes && (width != ansi.StringWidthWc(c) || strings.ContainsRune(c, joiner)) {
		drawn, c, width = s.asRunes(c)
	}
	joins := !inertCluster(drawn)
	if joins && (jamoMark(r) || !closed(drawn, width)) {
		// The mark has no letter to combine with, so show its escape sequence.
		s.queue = escape.Rune(r)
		s.text = s.text[size:]
		return piece{}, false
	}
	s.text = s.text[len(c):]
	return piece{drawn, width, joins}, true
}

// onASCII reads a cluster that begins with an ASCII character followed by combining marks. Bubble
// Tea's renderer would treat the character as a separate cell, and lose the marks. So onASCII
// returns the single Unicode character for the letter with its marks or, if there is none, escapes
// the first mark.
func (s *scanner) onASCII(cluster string) piece {
	composed := norm.NFC.String(cluster)
	if width := ansi.StringWidth(composed); composed[0] >= utf8.RuneSelf && width == ansi.StringWidthWc(composed) {
		s.text = s.text[len(cluster):]
		return piece{composed, width, !inertCluster(composed)}
	}
	mark, size := utf8.DecodeRuneInString(cluster[1:])
	if size > 0 {
		s.queue = escape.Rune(mark)
	}
	s.text = s.text[1+size:]
	return piece{text: cluster[:1], width: 1}
}

// asRunes decides how to draw a cluster on a terminal that counts the columns of each character,
// but may draw the cluster as one character. It returns the text drawn, with its width, in place of
// c, the beginning of the cluster. If a character that joins the parts of an emoji is escaped, its
// escape sequence is in the queue.
func (s *scanner) asRunes(cluster string) (drawn, c string, width int) {
	drawn, c = cluster, cluster
	if at := strings.IndexFunc(cluster, joinsEmoji); at > 0 && pictographic(cluster) {
		r, size := utf8.DecodeRuneInString(cluster[at:])
		drawn, c = cluster[:at], cluster[:at+size]
		s.queue = escape.Rune(r)
	}
	// The width of a symbol depends on whether the terminal draws it in color. Without the
	// variation selector that requests color, all terminals agree. They also agree on letters for
	// which Unicode has a single character.
	for _, form := range []string{strings.ReplaceAll(drawn, emojiStyle, ""), norm.NFC.String(drawn)} {
		if ansi.StringWidth(drawn) != ansi.StringWidthWc(drawn) && form != "" {
			drawn = form
		}
	}
	width = ansi.StringWidthWc(drawn)
	if width > maxWidth || strings.ContainsFunc(drawn, jamoMark) {
		_, size := utf8.DecodeRuneInString(cluster)
		drawn, c, s.queue = cluster[:size], cluster[:size], ""
		width = ansi.StringWidthWc(drawn)
	}
	return drawn, c, width
}

// maxWidth is the largest number of columns that Bubble Tea's renderer uses for one cluster.
const maxWidth = 4

// jamoMark reports whether a character is a vowel or a final consonant of a Korean syllable.
// Terminals draw it over or beside the character before it.
func jamoMark(r rune) bool {
	return r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff
}

// joinsEmoji reports whether a character is the zero width joiner or a skin tone (Unicode
// Technical Standard 51, sections 2.2 and 2.4).
func joinsEmoji(r rune) bool {
	return r == joiner || r >= 0x1f3fb && r <= 0x1f3ff
}

// pictographic reports whether a cluster starts with a symbol, not a letter. In Indic
// scripts and Arabic the zero width joiner also joins letters.
func pictographic(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return r >= 0x2000 && r < 0x2e00 || r >= 0x1f000
}

// window returns a prefix of text that contains the whole next cluster, unless that is too long to
// be drawn as one. So a step takes the same time for a text of any length.
func window(text string) string {
	if len(text) <= maxCluster {
		return text
	}
	n := maxCluster
	for n > maxCluster-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// untilHostile returns the part of a cluster before its first unsafe character. The first character
// of the cluster is always safe.
func untilHostile(cluster string) string {
	for i := 0; i < len(cluster); {
		r, size := utf8.DecodeRuneInString(cluster[i:])
		if escape.Hostile(r, size) {
			return cluster[:i]
		}
		i += size
	}
	return cluster
}

// inert reports whether a character never forms a cluster with another inert character or with a
// closed cluster. This is true for most characters.
func inert(r rune) bool {
	switch {
	case r >= 0x20 && r < 0x7f,
		r >= 0xb0 && r < 0x300,     // Latin
		r >= 0x370 && r < 0x483,    // Greek, Cyrillic
		r >= 0x2500 && r < 0x25a0,  // lines, blocks
		r >= 0x3041 && r <= 0x3096, // hiragana
		r >= 0x30a1 && r <= 0x30fa, // katakana
		r >= 0x4e00 && r <= 0x9fff: // Han
		return true
	}
	return false
}

// inertCluster reports whether a cluster is a single inert character.
func inertCluster(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == len(text) && inert(r)
}

// closed reports whether text keeps its cells when it is drawn next to ASCII text. A combining
// mark, half of a flag, and a character that belongs to the following letter do not.
func closed(text string, width int) bool {
	if width == 0 {
		return false
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == len(text) && r >= 0x1f1e6 && r <= 0x1f1ff {
		return false
	}
	return !merges("x", text) && !merges(text, "x")
}

// merges reports whether a terminal would add b to the last cluster of a. a and b are one cluster
// each.
func merges(a, b string) bool {
	c, _ := ansi.FirstGraphemeCluster(a+b, ansi.GraphemeWidth)
	return len(c) != len(a)
}
