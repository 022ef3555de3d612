package python

import "strings"

// tokenKind is the kind of a token: the kinds of Python's module token, and some more.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenNewline
	tokenIndent
	tokenDedent
	tokenName // includes keywords
	tokenNumber
	tokenString
	tokenFStart  // f" with its prefix
	tokenFMiddle // literal text of an f-string
	tokenFEnd
	tokenOp
	tokenBroken // an unterminated string, a stray character
)

// token is a piece of the source, text[pos:end]. line and last are the lines of its first and last
// character, counted from 1.
type token struct {
	kind       tokenKind
	fault      fault // the error that CPython's tokenizer would report
	open       byte  // the bracket to which the fault refers
	first      byte  // first byte of an operator or a name, else 0; it speeds up parser.is
	pos, end   int32
	line, last int32
}

const (
	tabSize    = 8   // as in CPython's tokenizer
	maxIndents = 100 // likewise; deeper blocks count as one
)

// lexer splits source code into tokens, in one pass. It continues after errors: only the affected
// lines are lost.
type lexer struct {
	text    string
	pos     int
	line    int32
	tokens  []token
	open    []byte // brackets that are open
	base    int    // how many of them are outside the current field of an f-string
	indents []int  // columns of the open blocks
	fresh   bool   // at the beginning of a logical line
	restart restart

	fields   int     // nesting depth of f-strings and their fields
	wasted   int     // bytes that were read more than once
	unclosed [2]bool // the source has no further triple quote of that kind (" and ')
	fault    fault   // why the current f-string is invalid
}

// restart is a line inside open brackets that may begin a new statement: it begins with a name and
// is indented no deeper than the statement with the brackets. If the brackets are never closed, the
// lexer continues at that line. pos is 0 if there is no such line.
type restart struct {
	pos    int
	line   int32
	tokens int
}

// lex splits text into tokens. The last token is a tokenEnd. Every logical line ends with a
// tokenNewline, and every indent has a dedent.
func lex(text string) []token {
	l := &lexer{text: text, line: 1, fresh: true, indents: []int{0}}
	l.tokens = make([]token, 0, len(text)/5+24)
	for {
		if l.fresh {
			l.indent()
		}
		if l.space() {
			l.next()
		} else if !l.unclose() {
			break
		}
	}
	if !l.fresh {
		l.add(tokenNewline, l.pos, l.pos, l.line)
	}
	for range l.indents[1:] {
		l.add(tokenDedent, l.pos, l.pos, l.line)
	}
	l.add(tokenEnd, l.pos, l.pos, l.line)
	return l.tokens
}

func (l *lexer) add(kind tokenKind, pos, end int, line int32) {
	var first byte
	if kind == tokenOp || kind == tokenName {
		first = l.text[pos]
	}
	l.tokens = append(l.tokens, token{kind: kind, first: first, pos: int32(pos), end: int32(end), line: line, last: l.line})
}

// blame sets the fault of the last token.
func (l *lexer) blame(what fault, open byte) {
	t := &l.tokens[len(l.tokens)-1]
	t.fault, t.open = what, open
}

// breakLast marks the last token as invalid.
func (l *lexer) breakLast(what fault) {
	t := &l.tokens[len(l.tokens)-1]
	t.kind, t.fault, t.first = tokenBroken, what, 0
}

// lineEnd returns the length of the line end at a position, or 0 if there is none.
func lineEnd(text string, pos int) int {
	switch {
	case pos >= len(text):
		return 0
	case text[pos] == '\n':
		return 1
	case text[pos] != '\r':
		return 0
	case pos+1 < len(text) && text[pos+1] == '\n':
		return 2
	}
	return 1
}

// indent reads the beginning of a logical line up to its first token, and opens or closes blocks.
// It skips blank lines and comments.
func (l *lexer) indent() {
	column := 0
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; c {
		case ' ':
			column++
			l.pos++
		case '\t':
			column = (column/tabSize + 1) * tabSize
			l.pos++
		case '\f':
			column = 0
			l.pos++
		case '#':
			l.comment()
		case '\\':
			n := lineEnd(l.text, l.pos+1)
			if n == 0 {
				l.block(column)
				return
			}
			l.pos += 1 + n
			l.line++
		case '\r', '\n':
			l.pos += lineEnd(l.text, l.pos)
			l.line++
			column = 0
		default:
			l.block(column)
			return
		}
	}
}

// block opens or closes blocks until the innermost one has this column. If the column is between
// those of two blocks, which is an error in Python, the line belongs to the inner block.
func (l *lexer) block(column int) {
	l.fresh = false
	for {
		top := l.indents[len(l.indents)-1]
		switch {
		case column > top:
			if len(l.indents) <= maxIndents {
				l.indents = append(l.indents, column)
				l.add(tokenIndent, l.pos, l.pos, l.line)
			}
			return
		case column == top || column > l.indents[len(l.indents)-2]:
			return
		}
		l.indents = l.indents[:len(l.indents)-1]
		l.add(tokenDedent, l.pos, l.pos, l.line)
	}
}

func (l *lexer) comment() {
	if i := strings.IndexAny(l.text[l.pos:], "\r\n"); i >= 0 {
		l.pos += i
	} else {
		l.pos = len(l.text)
	}
}

// space skips white space between tokens, and ends the line. It returns false at the end of the
// source.
func (l *lexer) space() bool {
	for l.pos < len(l.text) {
		switch l.text[l.pos] {
		case ' ', '\t', '\f':
			l.pos++
		case '#':
			l.comment()
		case '\\':
			n := lineEnd(l.text, l.pos+1)
			if n == 0 {
				return true
			}
			l.pos += 1 + n
			l.line++
			if l.pos == len(l.text) {
				l.add(tokenBroken, l.pos, l.pos, l.line)
				l.blame(faultEnd, 0)
			}
		case '\r', '\n':
			n := lineEnd(l.text, l.pos)
			if len(l.open) == 0 && l.fields == 0 {
				l.add(tokenNewline, l.pos, l.pos, l.line)
				l.pos += n
				l.line++
				l.restart.pos = 0
				l.fresh = true
				l.indent()
				continue
			}
			if l.fields == 0 && l.statementFollows(l.pos+n) && l.unclose() {
				continue
			}
			l.pos += n
			l.line++
			if l.fields == 0 && l.restart.pos == 0 && l.mayRestart() {
				l.restart = restart{l.pos, l.line, len(l.tokens)}
			}
		default:
			return true
		}
	}
	return false
}

// unclose handles brackets that a statement left open. It goes back to the line where another
// statement may have begun, or else closes them here. It returns false if no bracket is open.
func (l *lexer) unclose() bool {
	if len(l.open) == 0 || l.fields > 0 {
		return false
	}
	innermost := l.open[len(l.open)-1]
	if r := l.restart; r.pos > 0 && l.wasted <= 4*len(l.text) {
		l.wasted += l.pos - r.pos
		l.tokens = l.tokens[:r.tokens]
		l.pos, l.line = r.pos, r.line
		l.add(tokenBroken, l.pos, l.pos, l.line)
		l.blame(faultUnclosed, innermost)
		l.add(tokenNewline, l.pos, l.pos, l.line)
		l.fresh = true
		l.indent()
	} else {
		l.add(tokenBroken, l.pos, l.pos, l.line)
		l.blame(faultUnclosed, innermost)
	}
	l.open, l.restart.pos = l.open[:0], 0
	return true
}

// mayRestart reports whether the line at the position begins with a name and is indented no deeper
// than the innermost block.
func (l *lexer) mayRestart() bool {
	column := 0
	for _, c := range []byte(l.text[l.pos:]) {
		switch c {
		case ' ':
			column++
		case '\t':
			column = (column/tabSize + 1) * tabSize
		default:
			return (isNameByte(c) && !isDigit(c) || c == '@') && column <= l.indents[len(l.indents)-1]
		}
	}
	return false
}

// statementFollows reports whether the line at a position begins with a keyword that cannot be part
// of an expression, so that it begins a statement.
func (l *lexer) statementFollows(pos int) bool {
	for pos < len(l.text) && (l.text[pos] == ' ' || l.text[pos] == '\t' || l.text[pos] == '\f') {
		pos++
	}
	end := pos
	for end < len(l.text) && end < pos+9 && isNameByte(l.text[end]) {
		end++
	}
	switch l.text[pos:end] {
	case "def", "class", "return", "import", "while", "with", "try", "raise", "assert", "del",
		"global", "nonlocal", "pass", "break", "continue", "elif", "except", "finally":
		return end == len(l.text) || l.text[end] != '='
	}
	return false
}

// isNameByte reports whether c can be part of a name. Every byte of a character beyond ASCII counts
// as one.
func isNameByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// next reads the token at the position, where there is neither white space nor a line end.
func (l *lexer) next() {
	start, c := l.pos, l.text[l.pos]
	switch {
	case c == '"' || c == '\'':
		l.str("")
	case isDigit(c) || c == '.' && start+1 < len(l.text) && isDigit(l.text[start+1]):
		end, wrong := numberEnd(l.text, start)
		l.pos = end
		l.add(tokenNumber, start, l.pos, l.line)
		l.blame(wrong, 0)
	case isNameByte(c):
		var every byte
		for l.pos < len(l.text) && isNameByte(l.text[l.pos]) {
			every |= l.text[l.pos]
			l.pos++
		}
		name := l.text[start:l.pos]
		if l.pos < len(l.text) && (l.text[l.pos] == '"' || l.text[l.pos] == '\'') && isStringPrefix(name) {
			l.str(name)
			return
		}
		l.add(tokenName, start, l.pos, l.line)
		if every >= 0x80 && nameLength(name) < len(name) {
			l.breakLast(faultCharacter)
		}
	default:
		l.op()
	}
}

// op reads an operator or a bracket.
func (l *lexer) op() {
	start := l.pos
	l.pos += opLength(l.text[start:])
	l.add(tokenOp, start, l.pos, l.line)
	switch c := l.text[start]; c {
	case '(', '[', '{':
		l.open = append(l.open, c)
	case ')', ']', '}':
		l.blame(l.closeBracket(c))
	case '$', '?', '`':
		l.breakLast(faultNone)
	case '\\':
		l.breakLast(faultContinuation)
	default:
		if c < ' ' || c == 0x7f {
			l.breakLast(faultCharacter)
		}
	}
}

// closeBracket closes the innermost open bracket of this kind, and all brackets opened after it. If
// there is none, it closes nothing.
func (l *lexer) closeBracket(c byte) (wrong fault, open byte) {
	const few = 16
	opening := byte('(')
	if c != ')' {
		opening = c - 2 // the characters [ and ] and { and } have distance 2
	}
	last := len(l.open) - 1
	if last < l.base {
		return faultUnmatched, 0
	}
	innermost := l.open[last]
	for i := last; i >= max(l.base, last+1-few); i-- {
		if l.open[i] == opening {
			l.open = l.open[:i]
			break
		}
	}
	if innermost != opening {
		return faultMismatched, innermost
	}
	return faultNone, 0
}

func opLength(text string) int {
	if len(text) >= 3 {
		switch text[:3] {
		case "**=", "//=", ">>=", "<<=", "...":
			return 3
		}
	}
	if len(text) >= 2 {
		switch text[:2] {
		case "==", "!=", "<=", ">=", "->", ":=", "**", "//", "<<", ">>",
			"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=":
			return 2
		}
	}
	return 1
}
