package python

import (
	"strings"
	"unicode/utf8"
)

const (
	maxNesting = 400  // maximal nesting of brackets and operators in an expression
	maxChain   = 5000 // maximal number of operators of one kind in a row; CPython's compiler has a lower limit
)

const (
	tooNested  = "too many nested parentheses"
	debugBound = "cannot assign to __debug__"
)

// parser parses tokens, and continues after errors. A statement that cannot be parsed becomes a
// stmtBroken with a nodeError. An expression that can be parsed but is an error in CPython is
// wrapped in a nodeError. Callers that need valid Python check the first error.
type parser struct {
	text    string
	tokens  []token
	at      int
	failed  bool  // the statement is invalid; peek returns no more of its tokens
	failure *node // the error of the current statement
	first   *node // the first error of all
	strict  bool  // constants get their values, and an expression that only a running program has a value for is an error
	program bool  // allow await and yield even if strict
	depth   int
	named   []*node       // the targets of x := y so far; nil for those inside a lambda
	defs    []*definition // the enclosing functions, innermost last; nil for a class
	slab    []node
}

func newParser(text string) *parser { return &parser{text: text, tokens: lex(text)} }

// newStrictParser returns a parser for text that the user typed. Like eval() it ignores blanks at
// the beginning.
func newStrictParser(text string) (*parser, error) {
	switch {
	case strings.IndexByte(text, 0) >= 0:
		return nil, syntaxError("source code string cannot contain null bytes")
	case !utf8.ValidString(text):
		return nil, syntaxError("the text is not UTF-8")
	}
	p := newParser(strings.TrimLeft(text, " \t"))
	p.strict = true
	return p, nil
}

// parseExpression parses an expression that eval() would accept. The error is an *EvalError with
// CPython's message for a syntax error, a *RefusedError for valid Python without a value here
// (await, yield), or a *LimitError.
func parseExpression(text string) (*node, error) {
	p, err := newStrictParser(text)
	if err != nil {
		return nil, err
	}
	e := p.exprs(p.test)
	for p.peek().kind == tokenNewline {
		p.at++
	}
	if p.peek().kind != tokenEnd {
		p.fail("")
	}
	return e, p.err()
}

// err returns the first error in the source.
func (p *parser) err() error {
	if p.first == nil {
		return nil
	}
	return p.first.value.(error)
}

// fail marks the statement as invalid from the next token on. words is the error's message; if it
// is "", the message depends on the token.
func (p *parser) fail(words string) *node {
	if p.failed {
		return p.failure
	}
	t := p.tokens[p.at]
	if words == "" {
		words = p.complaint()
	}
	p.failure = p.wrong(&node{kind: nodeError, line: t.line, last: t.last, pos: t.pos, end: t.end}, syntaxError("%s", words))
	p.failed = true
	return p.failure
}

// complaint returns the message for an unexpected token. A strict parser looks for a fault in the
// tokens after it, as CPython does: there the tokenizer's error replaces the parser's.
func (p *parser) complaint() string {
	ahead := p.tokens[p.at:]
	if !p.strict {
		ahead = ahead[:1]
	}
	for _, t := range ahead {
		if t.fault != faultNone {
			return t.complaint(p.text)
		}
	}
	return "invalid syntax"
}

// wrong wraps an expression that can be parsed but is an error in CPython.
func (p *parser) wrong(e *node, err error) *node {
	wrapped := &node{kind: nodeError, line: e.line, last: e.last, pos: e.pos, end: e.end, value: err}
	if e.kind != nodeError {
		wrapped.kids, wrapped.constant = []*node{e}, e.constant
	}
	if p.first == nil && !p.failed {
		p.first = wrapped
	}
	return wrapped
}

var noToken = token{kind: tokenBroken}

// peek returns the next token, or after a failure a token that nothing accepts.
func (p *parser) peek() token {
	if p.failed {
		return noToken
	}
	return p.tokens[p.at]
}

func (p *parser) textOf(t token) string { return p.text[t.pos:t.end] }

// is reports whether the next token is this operator or keyword.
func (p *parser) is(text string) bool {
	t := &p.tokens[p.at]
	return t.first == text[0] && !p.failed && p.text[t.pos:t.end] == text
}

// isAhead is like is, for the n-th token after the next one. It returns false after the last token.
func (p *parser) isAhead(n int, text string) bool {
	if p.failed || p.at+n >= len(p.tokens) {
		return false
	}
	t := p.tokens[p.at+n]
	return t.first == text[0] && p.textOf(t) == text
}

func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail("")
	}
}

// name parses an identifier.
func (p *parser) name() string {
	t := p.peek()
	if t.kind != tokenName || isKeyword(p.textOf(t)) {
		p.fail("")
		return ""
	}
	p.at++
	return p.textOf(t)
}

// bound parses the name of a parameter or a keyword argument.
func (p *parser) bound() string {
	if p.is("__debug__") {
		p.fail(debugBound)
	}
	return p.name()
}

// isKeyword reports whether name is a keyword. The soft keywords match, case, type, lazy and _ count
// as names.
func isKeyword(name string) bool {
	switch name {
	case "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
		"def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
		"is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield":
		return true
	}
	return false
}

// lastLine returns the line of the last character that was parsed.
func (p *parser) lastLine() int32 {
	for i := p.at - 1; i >= 0; i-- {
		if t := p.tokens[i]; t.end > t.pos { // a tokenNewline can be empty
			return t.last
		}
	}
	return 1
}

// statements parses statements up to the dedent that ends a block, or to the end of the source.
func (p *parser) statements(nested bool) []*stmt {
	var list []*stmt
	for {
		switch p.peek().kind {
		case tokenEnd:
			return list
		case tokenDedent:
			if nested {
				return list
			}
			p.at++ // end of an unexpected indent
		case tokenNewline:
			p.at++
		case tokenIndent:
			p.at++
			list = append(list, p.statements(true)...)
			if p.peek().kind == tokenDedent {
				p.at++
			}
		default:
			list = p.statement(list)
		}
	}
}

// statement parses a compound statement or a line of simple statements.
func (p *parser) statement(list []*stmt) []*stmt {
	start := p.at
	s := p.compound()
	switch {
	case s != nil && !p.failed:
		return append(list, s)
	case s == nil && !p.failed:
		if list = p.simpleLine(list); !p.failed {
			return list
		}
	}
	if s != nil && s.kind != stmtDef && s.kind != stmtClass && (s.body != nil || s.branches != nil) {
		list = append(list, s) // only a later clause of it is invalid
		start = p.clause(start)
		s = nil
	}
	return append(list, p.broken(start, s))
}

// clause returns the index of the first token of the current logical line, but at least start.
func (p *parser) clause(start int) int {
	at := p.at
	for at > start {
		switch p.tokens[at-1].kind {
		case tokenNewline, tokenIndent, tokenDedent:
			return at
		}
		at--
	}
	return at
}

// broken returns a stmtBroken for an invalid statement, with its line, the block below it, and the
// name if it is a def or class.
func (p *parser) broken(start int, s *stmt) *stmt {
	exprs := []*node{p.fail("")}
	p.failed, p.depth = false, 0
	p.at = max(p.at, start)
	for !p.atLineEnd() {
		p.at++
	}
	bad := &stmt{}
	if s != nil && (s.kind == stmtDef || s.kind == stmtClass) && s.def.name != "" {
		bad = s
	}
	bad.line, bad.exprs = p.tokens[start].line, exprs
	if p.peek().kind == tokenNewline && p.tokens[p.at+1].kind == tokenIndent {
		bad.body = p.scope(bad, p.indented)
	}
	bad.last = p.lastLine()
	return bad
}

func (p *parser) atLineEnd() bool {
	switch p.peek().kind {
	case tokenNewline, tokenIndent, tokenDedent, tokenEnd:
		return true
	}
	return false
}

// indented parses the block after a line end.
func (p *parser) indented() []*stmt {
	p.at += 2
	list := p.statements(true)
	if p.peek().kind == tokenDedent {
		p.at++
	}
	return list
}

// scope parses a body by calling read. If s is a def or class, it is the enclosing definition
// meanwhile.
func (p *parser) scope(s *stmt, read func() []*stmt) []*stmt {
	switch s.kind {
	case stmtDef:
		p.defs = append(p.defs, s.def)
	case stmtClass:
		p.defs = append(p.defs, nil)
	default:
		return read()
	}
	list := read()
	p.defs = p.defs[:len(p.defs)-1]
	return list
}

// block parses ":" and what follows it: statements on the same line, or an indented block.
func (p *parser) block() []*stmt {
	p.expect(":")
	if p.failed {
		return nil
	}
	if p.peek().kind != tokenNewline {
		start := p.at
		list := p.simpleLine(nil)
		if p.failed {
			list = append(list, p.broken(start, nil))
		}
		return list
	}
	if p.tokens[p.at+1].kind != tokenIndent {
		p.at++ // there is no block
		return nil
	}
	return p.indented()
}
