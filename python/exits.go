package python

import "strings"

// Exits holds the lines at which a function is left by its own statements, ascending.
type Exits struct {
	// Returns has the lines of the return statements. If there is none, it has the line of the last
	// statement, after which the function returns None.
	Returns []int
	raises  []raiseLine
}

type raiseLine struct {
	line  int
	class string // the last part of its name, "" if the text does not tell it
}

// ReadExits reads the function whose def, with its decorators, begins at a line. Like Read it never
// fails; without such a function there are no lines.
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

// defAt returns the def of a block, at any depth, that begins at a line.
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

// read adds the exits of a block, without those of functions and classes in it.
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

// RaisesOf returns the lines of the raise statements that name the class of an exception, which is
// given as its repr.
func (e Exits) RaisesOf(exception string) []int {
	var lines []int
	for _, r := range e.raises {
		if r.class != "" && r.class == ExceptionName(exception) {
			lines = append(lines, r.line)
		}
	}
	return lines
}

// ExceptionName returns the class in an exception's repr: "ValueError" for "ValueError('x')".
func ExceptionName(repr string) string {
	name, _, _ := strings.Cut(repr, "(")
	return name[strings.LastIndex(name, ".")+1:]
}

// ExceptionMessage returns the message in the repr of an exception with one string as its argument.
func ExceptionMessage(repr string) (message string, ok bool) {
	_, args, _ := strings.Cut(repr, "(")
	text, closed := strings.CutSuffix(args, ")")
	v, literal := ReadPlain(text)
	if !closed || !literal || v.Kind != StrKind {
		return "", false
	}
	return v.Str, true
}

// SameRaised reports whether an exception is the wanted one, both as reprs. A wanted class without
// parentheses stands for any arguments.
func SameRaised(repr, wanted string) bool {
	return repr == wanted || IsName(wanted) && strings.HasPrefix(repr, wanted+"(")
}

// lastStatement returns the statement of a block that stands last in the text.
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
