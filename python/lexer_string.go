package python

import "strings"

// maxFields limits the nesting of f-strings, as CPython's tokenizer does.
const maxFields = 150

// isStringPrefix reports whether a name directly before a quote is a string prefix.
func isStringPrefix(name string) bool {
	if len(name) > 2 {
		return false
	}
	switch strings.ToLower(name) {
	case "r", "b", "u", "f", "t", "rb", "br", "rf", "fr", "rt", "tr":
		return true
	}
	return false
}

// str reads the string at the position, after its prefix.
func (l *lexer) str(prefix string) {
	start, line := l.pos-len(prefix), l.line
	quote := l.text[l.pos : l.pos+1]
	if strings.HasPrefix(l.text[l.pos:], strings.Repeat(quote, 3)) {
		quote = l.text[l.pos : l.pos+3]
	}
	l.pos += len(quote)
	if strings.ContainsAny(prefix, "fFtT") && l.wasted <= 4*len(l.text) {
		l.fstring(start, prefix, quote)
		return
	}
	if l.stringEnd(quote) {
		l.add(tokenString, start, l.pos, line)
		return
	}
	l.brokenString(start, line, faultUnterminated)
}

// brokenString skips the first line of a string without an end.
func (l *lexer) brokenString(start int, line int32, why fault) {
	l.pos, l.line = start, line
	l.comment()
	l.add(tokenBroken, start, l.pos, line)
	l.blame(why, 0)
}

// stringEnd moves past the closing quote. It returns false if there is none.
func (l *lexer) stringEnd(quote string) bool {
	if len(quote) == 3 && l.unclosed[kindOfQuote(quote)] {
		return false
	}
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == '\\': // a quote after a backslash does not close the string, not even a raw one
			l.pos++
			if n := lineEnd(l.text, l.pos); n > 0 {
				l.pos += n
				l.line++
			} else if l.pos < len(l.text) {
				l.pos++
			}
		case c == quote[0] && strings.HasPrefix(l.text[l.pos:], quote):
			l.pos += len(quote)
			return true
		case c == '\n' || c == '\r':
			if len(quote) == 1 {
				return false
			}
			l.pos += lineEnd(l.text, l.pos)
			l.line++
		default:
			l.pos++
		}
	}
	if len(quote) == 3 {
		l.unclosed[kindOfQuote(quote)] = true
	}
	return false
}

func kindOfQuote(quote string) int {
	if quote[0] == '"' {
		return 0
	}
	return 1
}

// fstring reads an f-string as defined by PEP 701: its replacement fields consist of tokens. The
// position is after the opening quote.
func (l *lexer) fstring(start int, prefix, quote string) {
	mark, line := len(l.tokens), l.line
	open, base := len(l.open), l.base
	l.add(tokenFStart, start, l.pos, line)
	raw := strings.ContainsAny(prefix, "rR")
	l.fault = faultUnterminated
	ok := l.fields < maxFields && (len(quote) == 1 || !l.unclosed[kindOfQuote(quote)])
	if ok {
		l.fields++
		ok = l.middle(quote, raw, false)
		l.fields--
	}
	l.open, l.base = l.open[:open], base
	if ok {
		l.add(tokenFEnd, l.pos-len(quote), l.pos, l.line)
		return
	}
	if l.fields > 0 {
		l.pos = len(l.text) // an error in a nested f-string makes the outermost one invalid, so skip the rest
		return
	}
	l.wasted += l.pos - start
	l.tokens = l.tokens[:mark]
	l.brokenString(start, line, l.fault)
}

// middle reads the literal text and the fields of an f-string, up to and including its closing
// quote. If spec is true, it reads those of a format specifier, up to its "}".
func (l *lexer) middle(quote string, raw, spec bool) bool {
	start, line, stray := l.pos, l.line, faultNone
	flush := func() {
		if l.pos > start {
			l.add(tokenFMiddle, start, l.pos, line)
			l.blame(stray, 0)
		}
	}
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		switch {
		case c == '\\' && !raw && strings.HasPrefix(l.text[l.pos:], `\N{`) && strings.IndexByte(l.text[l.pos:min(l.pos+100, len(l.text))], '}') > 0:
			l.pos += strings.IndexByte(l.text[l.pos:], '}') + 1
		case c == '\\':
			l.pos++
			if n := lineEnd(l.text, l.pos); n > 0 {
				l.pos += n
				l.line++
			} else if l.pos < len(l.text) && l.text[l.pos] != '{' && l.text[l.pos] != '}' {
				l.pos++
			}
		case c == quote[0] && strings.HasPrefix(l.text[l.pos:], quote):
			if spec {
				l.fault = faultField
				return false
			}
			flush()
			l.pos += len(quote)
			return true
		case c == '\n' || c == '\r':
			if len(quote) == 1 {
				return false
			}
			l.pos += lineEnd(l.text, l.pos)
			l.line++
		case c == '}' && spec:
			flush()
			return true
		case (c == '{' || c == '}') && !spec && strings.HasPrefix(l.text[l.pos+1:], l.text[l.pos:l.pos+1]):
			l.pos += 2
		case c == '{':
			flush()
			if !l.field(quote, raw) {
				return false
			}
			start, line, stray = l.pos, l.line, faultNone
		case c == '}':
			stray = faultBrace
			l.pos++
		default:
			l.pos++
		}
	}
	return false
}

// field reads a replacement field, {expression!r:specifier}.
func (l *lexer) field(quote string, raw bool) bool {
	l.add(tokenOp, l.pos, l.pos+1, l.line)
	l.pos++
	base := l.base
	l.base = len(l.open)
	if l.fields++; l.fields > maxFields {
		l.fault = faultDeep
		return false
	}
	defer func() {
		l.fields--
		l.open, l.base = l.open[:l.base], base
	}()
	for {
		line := l.line
		if !l.space() || l.line != line && l.statementFollows(l.pos) {
			l.fault = faultField
			return false
		}
		switch c := l.text[l.pos]; {
		case c == '}' && len(l.open) == l.base:
			l.add(tokenOp, l.pos, l.pos+1, l.line)
			l.pos++
			return true
		case c == ':' && len(l.open) == l.base:
			l.add(tokenOp, l.pos, l.pos+1, l.line)
			l.pos++
			if !l.middle(quote, raw, true) {
				return false
			}
			l.open = l.open[:l.base]
		case c == '!' && len(l.open) == l.base && !strings.HasPrefix(l.text[l.pos:], "!="):
			l.add(tokenOp, l.pos, l.pos+1, l.line)
			l.pos++
		case c == quote[0] && len(quote) == 1 && len(l.open) == l.base && l.closesHere():
			l.fault = faultField
			return false
		default:
			l.next()
		}
	}
}

// closesHere reports whether the quote at the position ends an f-string whose field was left open,
// as in f"{x". It is the last quote of its kind on the line.
func (l *lexer) closesHere() bool {
	for _, c := range []byte(l.text[l.pos+1:]) {
		if c == l.text[l.pos] {
			return false
		}
		if c == '\n' || c == '\r' {
			break
		}
	}
	return true
}
