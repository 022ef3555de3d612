package python

// Typed is the kind of a line that the user types, read as Python.
type Typed uint8

// The kinds of typed lines. A line with several statements has the kind of its first one.
const (
	NotPython  Typed = iota // the line cannot be parsed
	Expression              // an expression
	Assignment              // an assignment, including augmented and annotated ones
	Statement               // another statement
)

// ReadTyped returns the kind of a typed line, without evaluating it.
func ReadTyped(line string) Typed {
	p, err := newStrictParser(line)
	if err != nil {
		return NotPython
	}
	p.program = true
	list := p.statements(false)
	if p.err() != nil || len(list) == 0 {
		return NotPython
	}
	switch list[0].kind {
	case stmtExpr:
		return Expression
	case stmtAssign, stmtAugAssign, stmtAnnAssign:
		return Assignment
	}
	return Statement
}
