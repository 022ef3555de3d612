package python

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// strings parses one or more strings that stand side by side.
func (p *exprParser) strings() exprNode {
	var parts []exprNode
	var kinds [2]bool // of text, of bytes
	for p.tok.kind == wordString {
		opening := strings.ToLower(p.tok.text)
		mark := strings.TrimLeft(opening, "rbuft")
		prefix := opening[:len(opening)-len(mark)]
		if strings.Contains(prefix, "t") {
			panic(refused("t''", "template strings are not made from text"))
		}
		isBytes := strings.Contains(prefix, "b")
		if isBytes {
			kinds[1] = true
		} else {
			kinds[0] = true
		}
		if strings.Contains(prefix, "f") {
			parts = append(parts, p.formatted(mark, strings.Contains(prefix, "r"))...)
		} else {
			parts = append(parts, &constExpr{p.plainString(mark, strings.Contains(prefix, "r"), isBytes)})
		}
		p.next()
	}
	if kinds[0] && kinds[1] {
		p.fail("cannot mix bytes and nonbytes literals")
	}
	return join(parts, kinds[1])
}

// join makes one node of the parts of a string.
func join(parts []exprNode, isBytes bool) exprNode {
	var merged []exprNode
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			merged = append(merged, &constExpr{pyStr(text.String())})
			text.Reset()
		}
	}
	plain := true
	for _, part := range parts {
		if c, ok := part.(*constExpr); ok {
			switch v := c.value.(type) {
			case pyStr:
				text.WriteString(string(v))
			case pyBytes:
				text.WriteString(string(v))
			}
			continue
		}
		if _, ok := part.(*joinedExpr); ok {
			plain = false // f'' without a field is an f-string all the same
			continue
		}
		plain = false
		flush()
		merged = append(merged, part)
	}
	switch {
	case isBytes:
		return &constExpr{pyBytes(text.String())}
	case plain:
		return &constExpr{pyStr(text.String())}
	}
	flush()
	return &joinedExpr{merged}
}

// plainString reads a string up to its closing quotes.
func (p *exprParser) plainString(mark string, raw, isBytes bool) pyValue {
	start := p.pos
	for i := start; ; i++ {
		rest := p.source[i:]
		switch {
		case rest == "" || len(mark) == 1 && (rest[0] == '\n' || rest[0] == '\r'):
			p.unterminated(mark)
		case strings.HasPrefix(rest, mark):
			p.pos = i + len(mark)
			return p.unescape(p.source[start:i], raw, isBytes)
		case rest[0] == '\\':
			i++
			if i >= len(p.source) {
				p.unterminated(mark)
			}
		}
	}
}

func (p *exprParser) unterminated(mark string) {
	if len(mark) == 3 {
		p.fail("unterminated triple-quoted string literal (detected at line 1)")
	}
	p.fail("unterminated string literal (detected at line 1)")
}

// unescape is the value of what stands between the quotes of a string.
func (p *exprParser) unescape(text string, raw, isBytes bool) pyValue {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if isBytes && !pyStr(text).ascii() {
		p.fail("bytes can only contain ASCII literal characters")
	}
	if !raw && strings.IndexByte(text, '\\') >= 0 {
		text = p.escapes(text, isBytes)
	}
	if isBytes {
		return pyBytes(text)
	}
	return pyStr(text)
}

var simpleEscapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

func (p *exprParser) escapes(text string, isBytes bool) string {
	out := make([]byte, 0, len(text))
	put := func(r rune) {
		if isBytes {
			out = append(out, byte(r))
		} else {
			out = appendRune(out, r)
		}
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out = append(out, text[i])
			continue
		}
		i++
		c := text[i] // a backslash is never the last: it would have escaped the quote
		simple, ok := simpleEscapes[c]
		switch {
		case ok:
			out = append(out, simple)
		case c == '\n':
		case c >= '0' && c <= '7':
			end := i + 1
			for end < len(text) && end < i+3 && text[end] >= '0' && text[end] <= '7' {
				end++
			}
			r, _ := strconv.ParseInt(text[i:end], 8, 32)
			put(rune(r))
			i = end - 1
		case c == 'x':
			put(p.hexEscape(text, i, 2, isBytes))
			i += 2
		case c == 'u' && !isBytes:
			put(p.hexEscape(text, i, 4, isBytes))
			i += 4
		case c == 'U' && !isBytes:
			r := p.hexEscape(text, i, 8, isBytes)
			if r > utf8.MaxRune || r < 0 {
				p.fail("(unicode error) 'unicodeescape' codec can't decode bytes: illegal Unicode character")
			}
			put(r)
			i += 8
		case c == 'N' && !isBytes:
			panic(refused(`\N`, "names of characters are not known here"))
		default:
			out = append(out, '\\', c)
		}
	}
	return string(out)
}

// hexEscape is the number that the digits after text[i] write.
func (p *exprParser) hexEscape(text string, i, digits int, isBytes bool) rune {
	end := i + 1 + digits
	if end <= len(text) {
		if r, err := strconv.ParseUint(text[i+1:end], 16, 32); err == nil && !strings.ContainsAny(text[i+1:end], "+_") {
			return rune(min(r, 1<<30))
		}
	}
	if isBytes {
		p.fail(`(value error) invalid \x escape at position %d`, i-1)
	}
	p.fail(`(unicode error) 'unicodeescape' codec can't decode bytes in position %d: truncated \%cXX escape`, i-1, text[i])
	return 0
}

// formatted reads an f-string up to its closing quotes (PEP 498; quotes within
// fields as in PEP 701).
func (p *exprParser) formatted(mark string, raw bool) []exprNode {
	parts := p.fields(mark, raw, false)
	p.pos += len(mark)
	return append(parts, &joinedExpr{})
}

// fields reads text and fields up to the closing quotes, or in a format
// specification up to the brace that closes its field.
func (p *exprParser) fields(mark string, raw, spec bool) []exprNode {
	defer p.nested()()
	var parts []exprNode
	start := p.pos
	text := func() {
		if p.pos > start {
			value := p.unescape(p.source[start:p.pos], raw, false)
			parts = append(parts, &constExpr{value})
		}
	}
	for {
		rest := p.source[p.pos:]
		switch {
		case rest == "" || len(mark) == 1 && (rest[0] == '\n' || rest[0] == '\r'):
			p.unterminated(mark)
		case strings.HasPrefix(rest, mark), spec && rest[0] == '}':
			if spec && rest[0] != '}' {
				p.fail("f-string: expecting '}'")
			}
			text()
			return parts
		case !raw && strings.HasPrefix(rest, `\N{`):
			panic(refused(`\N`, "names of characters are not known here"))
		case rest[0] == '\\' && len(rest) > 1:
			p.pos++
			if c := p.source[p.pos]; c != '{' && c != '}' {
				p.pos++
			}
		case !spec && (strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}")):
			p.pos++
			text()
			p.pos++
			start = p.pos
		case rest[0] == '}':
			p.fail("f-string: single '}' is not allowed")
		case rest[0] == '{':
			text()
			parts = append(parts, p.field(mark, raw)...)
			start = p.pos
		default:
			p.pos++
		}
	}
}

// field reads one field from its opening brace on: {expr!r:spec}, {expr=}.
func (p *exprParser) field(mark string, raw bool) []exprNode {
	outer := p.brackets
	p.brackets = []byte{'{'}
	p.pos++
	begin := p.pos
	p.next()
	if p.is("}") {
		p.fail("f-string: empty expression not allowed")
	}
	node := &formattedExpr{value: p.tupleOf(func() exprNode {
		if p.accept("*") {
			return &starredExpr{p.binary(0)}
		}
		return p.expression()
	})}
	var parts []exprNode
	shown := p.is("=")
	if shown {
		p.next()
		parts = append(parts, &constExpr{pyStr(p.source[begin:p.tok.start])})
	}
	if p.is("!") {
		rest := p.source[p.pos:]
		if rest == "" || !strings.ContainsRune("rsa", rune(rest[0])) {
			p.fail("f-string: invalid conversion character: expected 's', 'r', or 'a'")
		}
		node.conversion = rest[0]
		p.pos++
		p.next()
	}
	switch {
	case p.tok.kind == wordOp && p.tok.text[0] == ':':
		p.pos = p.tok.start + 1
		node.spec = &joinedExpr{p.fields(mark, raw, true)}
		p.pos++
	case p.is("}"):
	default:
		p.fail("f-string: expecting '}'")
	}
	if shown && node.conversion == 0 && node.spec == nil {
		node.conversion = 'r'
	}
	p.brackets = outer
	return append(parts, node)
}
