package python

import (
	"slices"
	"strings"
)

// Display is a tuple or list display, for example a, b or [a, b].
type Display struct {
	Parts []string // the expressions in it, at least one
	List  bool
}

// ParseDisplay splits a display into its parts. It returns false for any other expression, and for a
// display whose parts cannot be evaluated one by one: one without parts, with a starred part, or with :=.
func ParseDisplay(expr string) (Display, bool) {
	e, err := parseExpression(expr)
	if err != nil || e.kind != nodeTuple && e.kind != nodeList || len(e.kids) == 0 || strings.Contains(expr, ":=") {
		return Display{}, false
	}
	d := Display{List: e.kind == nodeList}
	for _, part := range e.kids {
		text := expr[part.pos:part.end]
		if strings.Contains(text, "\n") {
			text = "(" + text + ")" // without brackets the expression would end with its first line
		}
		d.Parts = append(d.Parts, text)
	}
	starred := slices.ContainsFunc(e.kids, func(part *node) bool { return part.kind == nodeStarred })
	return d, !starred
}

// Repr returns the repr of the display, from the reprs of its parts. separator stands between two of
// them, usually ", ".
func (d Display) Repr(parts []string, separator string) string {
	text := strings.Join(parts, separator)
	switch {
	case d.List:
		return "[" + text + "]"
	case len(parts) == 1:
		return "(" + text + ",)"
	}
	return "(" + text + ")"
}

// Type returns the display's type as Whatis does.
func (d Display) Type() string {
	if d.List {
		return "<class 'list'>"
	}
	return "<class 'tuple'>"
}
