package python

import (
	"slices"
	"strings"
)

// strings parses adjacent string literals, which form one constant or one f-string.
func (p *parser) strings() *node {
	start := p.peek()
	if next := p.tokens[p.at+1].kind; start.kind == tokenString && next != tokenString && next != tokenFStart {
		p.at++
		return p.literal(start, stringValue)
	}
	var parts []*node
	joined := false
	for {
		t := p.peek()
		switch t.kind {
		case tokenString:
			p.at++
			parts = append(parts, p.literal(t, stringValue))
			continue
		case tokenFStart:
			p.at++
			joined = true
			prefix, _ := stringParts(p.textOf(t))
			parts = p.fields(parts, strings.Contains(prefix, "r"), false)
			if p.peek().kind != tokenFEnd {
				return p.fail("")
			}
			p.at++
			if p.strict && strings.Contains(prefix, "t") {
				p.wrong(p.newNode(nodeJoined, start), refused("t''", "template strings are not made from text"))
			}
			continue
		}
		isBytes := func(e *node) bool { _, ok := e.value.(pyBytes); return ok }
		isText := func(e *node) bool { _, ok := e.value.(pyStr); return ok || joined }
		if slices.ContainsFunc(parts, isBytes) && slices.ContainsFunc(parts, isText) {
			return p.wrong(p.newNode(nodeJoined, start, parts...), syntaxError("cannot mix bytes and nonbytes literals"))
		}
		parts = p.merged(parts)
		if joined {
			return p.newNode(nodeJoined, start, parts...)
		}
		return parts[0]
	}
}

// merged replaces each run of constants by one constant.
func (p *parser) merged(parts []*node) []*node {
	out := parts[:0]
	for i := 0; i < len(parts); {
		e, end := parts[i], i+1
		for e.kind == nodeConstant && end < len(parts) && parts[end].kind == nodeConstant {
			end++
		}
		if end > i+1 {
			e.last, e.end = parts[end-1].last, parts[end-1].end
			e.text = p.text[e.pos:e.end]
			e.value = concatenated(parts[i:end])
		}
		out = append(out, e)
		i = end
	}
	return out
}

// concatenated returns the concatenated value of str or bytes constants, or nil if they have no
// values.
func concatenated(parts []*node) pyValue {
	var b strings.Builder
	for _, e := range parts {
		switch v := e.value.(type) {
		case pyStr:
			b.WriteString(string(v))
		case pyBytes:
			b.WriteString(string(v))
		}
	}
	switch parts[0].value.(type) {
	case pyStr:
		return pyStr(b.String())
	case pyBytes:
		return pyBytes(b.String())
	}
	return nil
}

// fields parses the inside of an f-string or of a format specifier.
func (p *parser) fields(parts []*node, raw, spec bool) []*node {
	for {
		t := p.peek()
		switch {
		case t.kind == tokenFMiddle:
			p.at++
			parts = append(parts, p.literal(t, func(text string) (pyValue, error) {
				if !spec { // braces are doubled
					text = strings.ReplaceAll(strings.ReplaceAll(text, "{{", "{"), "}}", "}")
				}
				value, err := unescape(text, raw, false)
				return pyStr(value), err
			}))
		case p.accept("{"):
			parts = p.field(parts, t, raw)
		default:
			return parts
		}
	}
}

// field parses {EXPRESSION=!CONVERSION:SPECIFIER}. With "=", the source of the expression is
// literal text too.
func (p *parser) field(parts []*node, open token, raw bool) []*node {
	if p.is("}") {
		p.fail("f-string: empty expression not allowed")
	}
	kids := []*node{p.exprs(p.starExpr)}
	shown, conversion := p.accept("="), ""
	if shown {
		e := p.newNode(nodeConstant, open)
		e.constant, e.value = true, pyStr(p.text[open.end:p.tokens[p.at].pos])
		parts = append(parts, e)
	}
	if p.accept("!") {
		t := p.peek()
		conversion = p.textOf(t)
		if conversion != "r" && conversion != "s" && conversion != "a" || t.pos != p.tokens[p.at-1].end {
			p.fail("f-string: invalid conversion character '" + conversion + "': expected 's', 'r', or 'a'")
		}
		p.at++
	}
	if at := p.peek(); p.accept(":") {
		kids = append(kids, p.newNode(nodeJoined, at, p.merged(p.fields(nil, raw, true))...))
	} else if shown && conversion == "" {
		conversion = "r"
	}
	if !p.accept("}") {
		p.fail("f-string: expecting '}'")
	}
	return append(parts, p.newText(nodeField, conversion, open, kids...))
}
