package python

import "strings"

// TokenKind is the kind of a Token.
type TokenKind uint8

// The kinds of tokens. An f-string consists of tokens for its beginning, its literal texts, its
// fields and its end.
const (
	NameToken TokenKind = iota + 1 // includes keywords
	NumberToken
	StringToken
	FormatStart
	FormatText
	FormatEnd
	OperatorToken
	NewlineToken // the end of a statement's line
	BrokenToken  // invalid: a string without an end, a stray character
)

// Token is a piece of source, text[From:To].
type Token struct {
	Kind     TokenKind
	From, To int
	// Value is the value of a string literal, if it is valid. For other tokens it is their source.
	Value string
}

var tokenKinds = map[tokenKind]TokenKind{
	tokenName: NameToken, tokenNumber: NumberToken, tokenString: StringToken, tokenFStart: FormatStart, tokenFMiddle: FormatText,
	tokenFEnd: FormatEnd, tokenOp: OperatorToken, tokenNewline: NewlineToken, tokenBroken: BrokenToken,
}

// Tokens splits any source into tokens. White space and comments produce no tokens.
func Tokens(text string) []Token {
	all := lex(text)
	out := make([]Token, 0, len(all))
	for _, t := range all {
		kind, ok := tokenKinds[t.kind]
		if !ok {
			continue
		}
		piece := text[t.pos:t.end]
		out = append(out, Token{Kind: kind, From: int(t.pos), To: int(t.end), Value: tokenText(kind, piece)})
	}
	return out
}

func tokenText(kind TokenKind, piece string) string {
	if kind != StringToken {
		return piece
	}
	prefix, quotes := stringParts(piece)
	inside := piece[len(prefix)+len(quotes) : len(piece)-len(quotes)]
	value, err := unescape(inside, strings.Contains(prefix, "r"), strings.Contains(prefix, "b"))
	if err != nil {
		return inside
	}
	return value
}
