package python

import "strings"

// TokenKind is the class of a Token.
type TokenKind uint8

// The kinds of tokens. A formatted string consists of tokens for its beginning, its literal texts,
// its fields and its end.
const (
	NameToken TokenKind = iota + 1 // keywords too
	NumberToken
	StringToken
	FormatStart
	FormatText
	FormatEnd
	OperatorToken
	NewlineToken // the end of a statement's line
	BrokenToken  // what is no Python: a string without an end, a stray character
)

// Token is a piece of a text, text[From:To].
type Token struct {
	Kind     TokenKind
	From, To int
	// Value is the value of a string if it can be read; for other tokens it is their text.
	Value string
}

var tokenKinds = map[tokenKind]TokenKind{
	tokenName: NameToken, tokenNumber: NumberToken, tokenString: StringToken, tokenFStart: FormatStart, tokenFMiddle: FormatText,
	tokenFEnd: FormatEnd, tokenOp: OperatorToken, tokenNewline: NewlineToken, tokenBroken: BrokenToken,
}

// Tokens splits any text into tokens. Space, comments and the like are between them.
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
