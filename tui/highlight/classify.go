package highlight

import "strings"

// The kinds of open brackets: openCall begins the arguments of a call.
const (
	openOther = iota
	openCall
)

// classifier distinguishes names that the lexer does not: attributes, names of arguments,
// variables after "raise X from".
type classifier struct {
	open   []uint8
	last   *Token // the previous token except white space and comments; nil at a statement's start
	before *Token // the token before last
	inFrom bool   // in the expression after "raise X from"
}

// statements are words that begin a statement and never continue an expression, so that a bracket
// still open before them was never closed.
var statements = map[string]bool{
	"def": true, "class": true, "return": true, "import": true, "while": true,
	"with": true, "try": true, "raise": true, "pass": true, "del": true, "global": true,
}

// softKeywords are keywords only at the beginning of certain statements (PEP 634); variables named
// match are common.
var softKeywords = map[string]bool{"match": true, "case": true}

// heads reports whether the tokens after match or case make it a keyword: an expression and a
// colon.
func heads(rest []Token) bool {
	var expression bool
	for _, t := range rest {
		text := strings.TrimSpace(t.Text)
		switch {
		case text == "":
		case t.Kind == Punctuation && text == ":":
			return expression
		case !expression && (t.Kind == Operator && text != "-" && text != "*" || t.Kind == Punctuation && text != "(" && text != "[" && text != "{"):
			return false
		default:
			expression = true
		}
	}
	return false
}

func classify(lines [][]Token) {
	c := &classifier{}
	for _, line := range lines {
		continues := c.last != nil && c.last.Text == `\`
		if len(c.open) == 0 && !continues {
			c.last, c.before, c.inFrom = nil, nil, false
		}
		first := true
		for i := range line {
			t := &line[i]
			text := strings.TrimSpace(t.Text)
			if text == "" || t.Kind == Comment {
				continue
			}
			if first && t.Kind == Keyword && statements[text] {
				c.open, c.last, c.inFrom = c.open[:0], nil, false
			}
			if t.Kind == Keyword && softKeywords[text] && (!c.begins() || !heads(line[i+1:])) {
				t.Kind = Name
			}
			first = false
			c.token(t, i > 0 && &line[i-1] == c.last)
		}
	}
}

// token classifies the next token. touches reports that no space precedes it.
func (c *classifier) token(t *Token, touches bool) {
	switch t.Kind {
	case Keyword:
		if t.Text == "from" {
			c.inFrom = !c.begins()
		}
	case Module:
		switch {
		case c.inFrom && t.Text == ".":
			t.Kind = Operator
		case c.inFrom:
			t.Kind = Name
			c.name(t, touches)
		}
	case Name, Builtin, Function, Class:
		c.name(t, touches)
	case Operator:
		if t.Text == "=" && len(c.open) > 0 && c.open[len(c.open)-1] == openCall &&
			c.last != nil && (c.last.Kind == Name || c.last.Kind == Builtin || c.last.Kind == Class) &&
			c.before != nil && c.before.Kind == Punctuation && (c.before.Text == "(" || c.before.Text == ",") {
			c.last.Kind = Argument
		}
	case Punctuation:
		c.punctuation(t)
	}
	c.before, c.last = c.last, t
}

// begins reports whether a statement begins here.
func (c *classifier) begins() bool {
	return c.last == nil || c.last.Kind == Punctuation && (c.last.Text == ":" || c.last.Text == ";")
}

func (c *classifier) name(t *Token, touches bool) {
	switch {
	case c.last == nil:
	case touches && c.last.Kind == Number: // the j of 1j
		t.Kind = Number
	case c.last.Text == "." && c.last.Kind == Operator:
		t.Kind = Attribute
	}
}

func (c *classifier) punctuation(t *Token) {
	switch t.Text {
	case "(":
		open := uint8(openOther)
		if c.last != nil {
			switch c.last.Kind {
			case Name, Attribute, Builtin, Class, Decorator, Module:
				open = openCall
			case Punctuation:
				if c.last.Text == ")" || c.last.Text == "]" {
					open = openCall
				}
			}
		}
		c.open = append(c.open, open)
	case "[", "{":
		c.open = append(c.open, openOther)
	case ")", "]", "}":
		if len(c.open) > 0 {
			c.open = c.open[:len(c.open)-1]
		}
	}
}
