package session

import (
	"context"
	"errors"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/query"
)

// logText is the text of a logpoint: literal texts and expressions in turn.
type logText []logPart

type logPart struct {
	literal    string
	expression string // "" for the last part
}

// parseLogText parses the text of a logpoint. {EXPR} stands for a value, {EXPR=} also names it,
// and {{ and }} are braces, as in an f-string.
func parseLogText(text string) (logText, error) {
	var parts logText
	var literal strings.Builder
	for at := 0; at < len(text); at++ {
		c := text[at]
		switch {
		case (c == '{' || c == '}') && at+1 < len(text) && text[at+1] == c:
			literal.WriteByte(c)
			at++
		case c == '}':
			return nil, errorf(BadArgument, "logpoint: } without a {; }} stands for the character")
		case c == '{':
			expr, size := untilBrace(text[at+1:])
			if size < 0 {
				return nil, errorf(BadArgument, "logpoint: { without a }; {{ stands for the character")
			}
			at += size + 1
			if named, ok := strings.CutSuffix(strings.TrimRight(expr, " "), "="); ok && !strings.ContainsAny(named[max(len(named)-1, 0):], "=<>!") {
				literal.WriteString(expr)
				expr = named
			}
			if expr = strings.TrimSpace(expr); expr == "" {
				return nil, errorf(BadArgument, "logpoint: {} holds no expression")
			}
			parts = append(parts, logPart{literal.String(), expr})
			literal.Reset()
		default:
			literal.WriteByte(c)
		}
	}
	return append(parts, logPart{literal: literal.String()}), nil
}

// untilBrace returns the text up to the } that closes an expression, and its length; -1 if there
// is none. Braces inside quotes, brackets and other braces belong to the expression.
func untilBrace(text string) (string, int) {
	depth, quote := 0, byte(0)
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case quote != 0 && c == '\\':
			at++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '{' || c == '[' || c == '(':
			depth++
		case c == '}' && depth == 0:
			return text[:at], at
		case c == '}' || c == ']' || c == ')':
			depth--
		}
	}
	return "", -1
}

// check returns an error if an expression cannot be evaluated on recorded values.
func (t logText) check(p *query.Past) error {
	for _, part := range t {
		if part.expression == "" {
			continue
		}
		if _, err := p.Condition(part.expression); err != nil {
			return errorf(BadArgument, "logpoint: %s: %v", part.expression, err)
		}
	}
	return nil
}

// at returns the text as of an event in a scope, and the values in it by expression. A value that
// the recording does not have is shown by the error.
func (t logText) at(ctx context.Context, p *query.Past, s query.Scope, event int) (string, []Logged) {
	var text strings.Builder
	var values []Logged
	for _, part := range t {
		text.WriteString(part.literal)
		if part.expression == "" {
			continue
		}
		l := Logged{Expression: part.expression}
		c, err := p.Condition(part.expression)
		if err == nil {
			l.Value, _, err = p.Value(ctx, c, s, event)
		}
		var raised *python.EvalError
		switch {
		case err == nil:
			text.WriteString(shorten(l.Value, valueAlone))
		case errors.As(err, &raised):
			l.Error = raised.Error()
		default:
			l.Error = err.Error()
		}
		if l.Error != "" {
			text.WriteString("<" + l.Error + ">")
		}
		values = append(values, l)
	}
	return text.String(), values
}
