package python

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordKind is the kind of a token of an expression.
type wordKind uint8

const (
	wordEnd wordKind = iota
	wordName
	wordKeyword
	wordNumber
	wordString // its opening: prefix and quotes
	wordOp
	wordNewline // outside brackets
)

// word is a token of an expression: text is source[start:end].
type word struct {
	kind       wordKind
	text       string
	start, end int
}

// keywords are Python's reserved words.
var keywords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(`False None True and as assert async await break class continue def del elif
		else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`) {
		words[word] = true
	}
	return words
}()

// singles are the operators of one character.
const singles = "+-*/%@&|^~<>=()[]{},:.!;"

// scan reads the token at p.pos or after it.
func (p *exprParser) scan() {
	if !p.blank() {
		return
	}
	rest := p.source[p.pos:]
	if rest == "" {
		p.set(wordEnd, 0)
		return
	}
	c := rest[0]
	switch {
	case c == '\n' || c == '\r':
		p.set(wordNewline, 1)
	case c >= '0' && c <= '9', c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		p.set(wordNumber, p.numberLength(rest))
	case stringOpening(rest) > 0:
		p.set(wordString, stringOpening(rest))
	default:
		if n := nameLength(rest); n > 0 {
			p.set(wordName, n)
			if keywords[p.tok.text] {
				p.tok.kind = wordKeyword
			}
			return
		}
		if n := opLength(rest); n > 1 || strings.IndexByte(singles, c) >= 0 {
			p.set(wordOp, n)
			return
		}
		r, _ := utf8.DecodeRuneInString(rest)
		switch {
		case r == 0:
			p.fail("source code cannot contain null bytes")
		case r == '\\':
			p.fail("unexpected character after line continuation character")
		case isPrintable(r):
			p.fail("invalid character '%c' (U+%04X)", r, r)
		}
		p.fail("invalid non-printable character U+%04X", r)
	}
}

func (p *exprParser) set(kind wordKind, size int) {
	p.tok = word{kind, p.source[p.pos : p.pos+size], p.pos, p.pos + size}
	p.pos += size
}

// blank passes over what parts tokens. It is false where an escaped line end
// is the last of the text.
func (p *exprParser) blank() bool {
	for p.pos < len(p.source) {
		switch c := p.source[p.pos]; {
		case c == ' ' || c == '\t' || c == '\f':
			p.pos++
		case (c == '\n' || c == '\r') && len(p.brackets) > 0:
			p.pos++
		case c == '#':
			end := strings.IndexAny(p.source[p.pos:], "\r\n")
			if end < 0 {
				end = len(p.source) - p.pos
			}
			p.pos += end
		case c == '\\' && strings.HasPrefix(p.source[p.pos+1:], "\n"):
			p.pos += 2
		case c == '\\' && strings.HasPrefix(p.source[p.pos+1:], "\r\n"):
			p.pos += 3
		default:
			return true
		}
	}
	return true
}

// stringOpening is the length of the prefix and the quotes that a string begins
// with; 0 where none begins.
func stringOpening(text string) int {
	quote := strings.IndexAny(text[:min(len(text), 3)], `'"`)
	if quote < 0 {
		return 0
	}
	switch strings.ToLower(text[:quote]) {
	case "", "r", "b", "u", "f", "rb", "br", "rf", "fr", "t", "rt", "tr":
	default:
		return 0
	}
	mark := text[quote : quote+1]
	if strings.HasPrefix(text[quote:], strings.Repeat(mark, 3)) {
		return quote + 3
	}
	return quote + 1
}

// nameLength is the length of the identifier that a text begins with (PEP 3131).
func nameLength(text string) int {
	for i, r := range text {
		if r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r) {
			continue
		}
		if i > 0 && (unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc) || unicode.Is(unicode.Other_ID_Continue, r)) {
			continue
		}
		return i
	}
	return len(text)
}
