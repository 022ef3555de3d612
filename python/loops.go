package python

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Loop is a for or while statement.
type Loop struct {
	Kind       string // "for", "async for" or "while"
	Line, Last int    // the lines of the header
	Block      [2]int // the lines of the body
	// First are the lines on which the body's first statement begins. In Python 3.9 they begin the
	// iterations of while True, whose header has no events.
	First [2]int
	// Nested are the lines of the body's first statement if that is a loop, else 0.
	Nested [2]int
	// Names are what the loop assigns: names in the order of the text, then attributes of names such
	// as "self.total". Targets are the names that the header of for assigns.
	Names, Targets []string
	Function       string // the name of the code around it; "<module>" for the module's
	Around         [2]int // the lines of that code
}

// OneLine reports whether the body begins on a line of the header.
func (l *Loop) OneLine() bool { return l.Block[0] <= l.Last }

// Loops are the loops of a source text.
type Loops struct {
	list  []Loop
	codes [][2]int // the lines of functions and classes
}

// ReadLoops reads a source text. Like Read it never fails, and takes linear time.
func ReadLoops(source []byte) *Loops {
	text := decodeSource(source)
	r := &loopReader{lines: dsl.SplitLines(text), found: &Loops{}}
	r.block(newParser(text).statements(false), "<module>", [2]int{1, len(r.lines)})
	return r.found
}

// At returns the innermost loop around a line, in the function or class body that has the line.
func (l *Loops) At(line int) (Loop, bool) {
	around := l.Around(line)
	if len(around) == 0 {
		return Loop{}, false
	}
	return around[len(around)-1], true
}

// Around returns the loops around a line in the function or class body that has the line, the outermost
// first.
func (l *Loops) Around(line int) (around []Loop) {
	inside := func(lines [2]int) bool { return lines[0] <= line && line <= lines[1] }
	body := 0 // where the innermost function or class body around the line begins
	for _, code := range l.codes {
		if inside(code) && code[0] < line {
			body = max(body, code[0])
		}
	}
	for _, loop := range l.list {
		if inside([2]int{loop.Line, loop.Block[1]}) && loop.Line >= body {
			around = append(around, loop)
		}
	}
	return around
}

// Lines returns the lines of the loops in the innermost function or class body around a line.
func (l *Loops) Lines(line int) []int {
	around := [2]int{}
	for _, code := range l.codes {
		if code[0] <= line && line <= code[1] && code[0] > around[0] {
			around = code
		}
	}
	var lines []int
	for _, loop := range l.list {
		if loop.Around == around || around[0] == 0 && loop.Function == "<module>" {
			lines = append(lines, loop.Line)
		}
	}
	return lines
}

type loopReader struct {
	lines []string
	found *Loops
}

// block reads the loops of a block in the code with a name and lines.
func (r *loopReader) block(body []*stmt, function string, around [2]int) {
	for _, s := range body {
		name, lines := function, around
		if s.def != nil {
			name, lines = s.def.name, [2]int{int(firstLine(s)), int(s.last)}
			r.found.codes = append(r.found.codes, lines)
		}
		if (s.kind == stmtFor || s.kind == stmtWhile) && len(s.body) > 0 {
			r.found.list = append(r.found.list, r.loop(s, name, lines))
		}
		for _, block := range s.blocks() {
			r.block(block, name, lines)
		}
	}
}

func (r *loopReader) loop(s *stmt, function string, around [2]int) Loop {
	first := s.body[0]
	l := Loop{
		Kind: "while", Line: int(s.line), Last: headerEnd(s), Block: lines(s.body),
		First: [2]int{int(firstLine(first)), headerEnd(first)}, Function: function, Around: around,
	}
	if first.kind == stmtFor || first.kind == stmtWhile {
		l.Nested = [2]int{int(first.line), int(first.last)}
	}
	if s.kind == stmtFor {
		l.Kind = "for"
		if strings.HasPrefix(strings.TrimLeft(r.lines[l.Line-1], " \t\f"), "async") {
			l.Kind = "async for"
		}
	}
	assigned := newFunctionReader(nil)
	for _, t := range s.targets {
		assigned.target(t)
	}
	l.Targets = slices.Clone(assigned.order)
	assigned.binds([]*stmt{s})
	l.Names = slices.DeleteFunc(assigned.order, func(name string) bool { return assigned.defined[name] })
	l.Names = attributes([]*stmt{s}, l.Names)
	return l
}

// attributes returns the attributes of names, such as "self.total", that statements assign.
func attributes(body []*stmt, found []string) []string {
	for _, s := range body {
		if s.def != nil {
			continue
		}
		for _, t := range s.targets {
			found = t.attributes(found)
		}
		for _, block := range s.blocks() {
			found = attributes(block, found)
		}
	}
	return found
}

// attributes appends the attributes of names in a target.
func (e *node) attributes(found []string) []string {
	if e == nil {
		return found
	}
	switch e.kind {
	case nodeAttribute:
		if name, ok := e.dotted(); ok && !slices.Contains(found, name) {
			found = append(found, name)
		}
	case nodeTuple, nodeList, nodeStarred:
		for _, k := range e.kids {
			found = k.attributes(found)
		}
	}
	return found
}
