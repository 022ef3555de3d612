package python

import "strings"

// Exits holds the lines at which a function's own statements leave it, in ascending order.
type Exits struct {
	// Returns are the lines of the return statements. Without any, it is the line of the last
	// statement, after which the function returns None.
	Returns []int
	raises  []raiseLine
}

type raiseLine struct {
	line  int
	class string // last part of the name of its class; "" if the source does not contain it
}

// ReadExits finds the exits of the function whose def, or first decorator, begins at line. Like
// Read it never fails; if there is no such function the result is empty.
func ReadExits(source []byte, line int) Exits {
	def := defAt(newParser(decodeSource(source)).statements(false), int32(line))
	if def == nil || len(def.body) == 0 {
		return Exits{}
	}
	var e Exits
	e.read(def.body)
	if len(e.Returns) == 0 {
		e.Returns = []int{int(lastStatement(def.body).line)}
	}
	return e
}

// defAt returns the def that begins at a line, in this block or nested in it, or nil.
func defAt(body []*stmt, line int32) *stmt {
	for _, s := range body {
		if s.kind == stmtDef && firstLine(s) == line {
			return s
		}
		for _, block := range s.blocks() {
			if found := defAt(block, line); found != nil {
				return found
			}
		}
	}
	return nil
}

// read adds the exits in a block, but not those of nested functions and classes.
func (e *Exits) read(body []*stmt) {
	for _, s := range body {
		switch s.kind {
		case stmtDef, stmtClass:
			continue
		case stmtReturn:
			e.Returns = append(e.Returns, int(s.line))
		case stmtRaise:
			r := raiseLine{line: int(s.line)}
			if len(s.exprs) > 0 {
				class := s.exprs[0]
				if class.kind == nodeCall {
					class = class.kids[0]
				}
				name, _ := class.dotted()
				r.class = name[strings.LastIndex(name, ".")+1:]
			}
			e.raises = append(e.raises, r)
		}
		for _, block := range s.blocks() {
			e.read(block)
		}
	}
}

// RaisesOf returns the lines of the raise statements that name the class of an exception. exception
// is the exception's repr.
func (e Exits) RaisesOf(exception string) []int {
	var lines []int
	for _, r := range e.raises {
		if r.class != "" && r.class == ExceptionName(exception) {
			lines = append(lines, r.line)
		}
	}
	return lines
}

// ExceptionName returns the class name in an exception's repr: "ValueError" for "ValueError('x')".
func ExceptionName(repr string) string {
	name, _, _ := strings.Cut(repr, "(")
	return name[strings.LastIndex(name, ".")+1:]
}

// ExceptionMessage returns the message in an exception's repr. ok is false if the exception does
// not have exactly one string argument.
func ExceptionMessage(repr string) (message string, ok bool) {
	_, args, _ := strings.Cut(repr, "(")
	text, closed := strings.CutSuffix(args, ")")
	v, literal := ReadPlain(text)
	if !closed || !literal || v.Kind != StrKind {
		return "", false
	}
	return v.Str, true
}

// SameRaised reports whether the exception with this repr is the wanted one. wanted is a repr too;
// a class name without parentheses matches any arguments.
func SameRaised(repr, wanted string) bool {
	return repr == wanted || IsName(wanted) && strings.HasPrefix(repr, wanted+"(")
}

// lastStatement returns the statement of a block that comes last in the source, at any depth.
func lastStatement(body []*stmt) *stmt {
	last := body[len(body)-1]
	for _, block := range last.blocks() {
		if len(block) > 0 && last.kind != stmtDef && last.kind != stmtClass {
			if inner := lastStatement(block); inner.line > last.line {
				last = inner
			}
		}
	}
	return last
}
