package claims

import (
	"regexp"
	"strconv"
	"strings"
)

// Claim is a statement about a run.
type Claim struct {
	Text  string // as the model wrote it, without backquotes
	Event int    // the number after #; -1 if there is none and the claim is about the shown state
	// File and Line are the claimed place of the event. Line is 0 if the claim has no place, and File is "" if
	// the claim has only a line. Kind and Function are the claimed kind of the event and function, or "".
	File           string
	Line           int
	Kind, Function string
	// Name is an expression, and Value its claimed value. If Name is "", Value is any other text after the
	// event's number.
	Name, Value string
}

var (
	numbered = regexp.MustCompile(`^#(\d{1,9})(?:[ :,]+(.*))?$`)
	begins   = regexp.MustCompile(`^[A-Za-z_]`)
	placed   = regexp.MustCompile(`^(?:at )?(?:(call|line|return|exception)(?: at)? )?(?:line (\d{1,9})|([^\s:=()\[\]{}'"]+):(\d{1,9}))(?: in ([\w<>.]+))?$`)
)

// Parse parses code that was in backquotes as a claim. ok is false if the code is not a claim, for example
// because it is a statement.
func Parse(code string) (c Claim, ok bool) {
	c = Claim{Text: code, Event: -1}
	rest := strings.TrimSpace(code)
	if m := numbered.FindStringSubmatch(rest); m != nil {
		c.Event, _ = strconv.Atoi(m[1]) // at most nine digits
		if rest = strings.TrimSpace(m[2]); rest == "" {
			return c, true
		}
		if m := placed.FindStringSubmatch(rest); m != nil {
			c.Kind, c.File, c.Function = m[1], m[3], m[5]
			c.Line, _ = strconv.Atoi(m[2] + m[4]) // one of the two is empty
			return c, c.Line > 0
		}
	}
	if c.Name, c.Value, ok = equation(rest); !ok && c.Event >= 0 {
		c.Name, c.Value = "", rest
	}
	return c, ok || c.Event >= 0
}

// equation splits "EXPRESSION = VALUE" or "EXPRESSION == VALUE". It rejects an expression with a space outside of
// brackets, because that is more likely a statement.
func equation(text string) (name, value string, ok bool) {
	depth, quote, spaced := 0, byte(0), false
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case quote != 0 && b == '\\':
			i++
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '\'' || b == '"':
			quote = b
		case strings.IndexByte("([{", b) >= 0:
			depth++
		case strings.IndexByte(")]}", b) >= 0:
			depth--
		case b == '=' && depth == 0:
			name, value = strings.TrimSpace(text[:i]), strings.TrimSpace(strings.TrimPrefix(text[i+1:], "="))
			return name, value, begins.MatchString(name) && value != "" && !spaced
		case b != ' ' && depth == 0 && i > 0 && text[i-1] == ' ':
			spaced = true
		}
		if depth == 0 && quote == 0 && strings.IndexByte("<>!+-*/%&|^@:,;", b) >= 0 {
			return "", "", false // an operator, or a statement
		}
	}
	return "", "", false
}
