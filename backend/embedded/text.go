package embedded

import (
	"strings"
	"unicode/utf8"
)

// text is the position in the text between the quotes of a value.
type text struct {
	begun     uint8 // number of bytes so far, at most 3, to recognise ".."
	other     bool  // the value has a byte that is not a dot
	less      bool  // the last byte is an unescaped <
	escape    uint8 // number of bytes of the current escape
	third     byte  // the third of the four digits of a \u escape
	character string
}

func (t *text) whole() bool { return t.escape == 0 && t.character == "" }

func (t *text) dots() bool { return t.begun == 2 && !t.other }

func (t *text) byte(b byte) bool {
	t.begun = min(t.begun+1, 3)
	t.other = t.other || b != '.'
	less := t.less
	t.less = b == '<' && t.escape == 0
	switch {
	case t.escape > 0:
		return t.escaped(b)
	case t.character != "" || b >= utf8.RuneSelf:
		t.character += string([]byte{b})
		if !utf8.FullRuneInString(t.character) {
			return true
		}
		_, size := utf8.DecodeRuneInString(t.character)
		t.character = ""
		return size > 1
	case b == '\\':
		t.escape = 1
		return true
	}
	return b >= 0x20 && b != 0x7f && (b != '|' || !less)
}

// escaped reads a byte of an escape, and reports whether it is allowed. Only the escapes that nd/1
// writes are allowed.
func (t *text) escaped(b byte) bool {
	t.escape++
	switch t.escape {
	case 2:
		if b != 'u' {
			t.escape = 0
		}
		return strings.IndexByte(`"\nrtu`, b) >= 0
	case 3, 4:
		return b == '0'
	case 5:
		t.third = b
		return strings.IndexByte("01237", b) >= 0
	}
	t.escape = 0
	switch t.third {
	case '2':
		return b == 'e'
	case '3':
		return b == 'c'
	case '7':
		return b == 'f'
	}
	return strings.IndexByte("0123456789abcdef", b) >= 0
}
