package align

import (
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

// statements says which statement and which loops each line of a source text belongs to.
type statements struct {
	first []int32 // by line: the first line of its statement, if lines are grouped, else the line
	loop  []int32 // by line: index plus one of the innermost loop around it, its header included
	soft  []bool  // by line: whether versions of Python differ in having events there
	loops []loop
}

// loop is a for or while statement.
type loop struct {
	header int32
	outer  int32 // index plus one of the loop around it, or 0
}

// readStatements reads a source text. grouped makes first the first line of a line's statement, since
// versions of Python have events on different lines of a statement.
func readStatements(source []byte, grouped bool) *statements {
	lines := sourceLines(source)
	s := &statements{first: make([]int32, len(lines)+1), loop: make([]int32, len(lines)+1), soft: make([]bool, len(lines)+1)}
	for i := range s.first {
		s.first[i] = int32(i)
		s.soft[i] = grouped && i > 0 && softLine(lines[i-1])
	}
	all := python.ReadStores(source).All()
	body := map[int]int{} // by scope: the first line of its body
	for _, st := range all {
		if at := body[st.Scope]; at == 0 || st.Line < at {
			body[st.Scope] = st.Line
		}
	}
	for _, st := range all {
		last := st.Last
		if slices.ContainsFunc(st.Stores, func(store python.Store) bool { return store.Kind == python.Defined }) {
			last = max(last, body[st.Line]-1)
		}
		if grouped {
			for line := max(st.Line, 1); line <= min(last, len(lines)); line++ {
				if s.first[line] == int32(line) {
					s.first[line] = int32(st.Line)
					s.soft[line] = s.soft[min(st.Line, line)]
				}
			}
		}
		if st.Block[0] == 0 || st.Block[1] >= len(s.loop) || st.Line < 1 || st.Line >= len(s.loop) {
			continue
		}
		outer := s.loop[st.Line]
		s.loops = append(s.loops, loop{int32(st.Line), outer})
		for line := st.Line; line <= st.Block[1]; line++ {
			s.loop[line] = int32(len(s.loops))
		}
	}
	return s
}

// softWords begin statements of which versions of Python differ in having events: they do nothing, or
// control returns to them when their block ends.
var softWords = map[string]bool{
	"try": true, "finally": true, "else": true, "pass": true, "continue": true, "break": true, "with": true, "global": true,
	"nonlocal": true, "def": true, "class": true, "async": true, "return": true, "assert": true, "except": true,
}

// annotated is a statement that only annotates a name.
var annotated = regexp.MustCompile(`^[A-Za-z_]\w*\s*:[^=]*$`)

// softLine reports whether versions of Python may differ in having an event on a line.
func softLine(text string) bool {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, func(r rune) bool { return r == ' ' || r == ':' || r == '(' || r == '#' || r == '\t' })
	word := text
	if end >= 0 {
		word = text[:end]
	}
	switch {
	case softWords[word], text == "", text[0] == '@', text[0] == '"', text[0] == '\'', text[0] == '#', word == "...", annotated.MatchString(text):
		return true
	case word == "while":
		condition := strings.TrimSpace(strings.TrimPrefix(text, "while"))
		return strings.HasPrefix(condition, "True") || strings.HasPrefix(condition, "False") || strings.HasPrefix(condition, "1:")
	}
	return false
}

// statement returns the first line of the statement on a line.
func (s *statements) statement(line int) int {
	if line < 0 || line >= len(s.first) {
		return line
	}
	return int(s.first[line])
}

// around returns the innermost loop around a line, as an index plus one, or 0.
func (s *statements) around(line int) int32 {
	if line < 0 || line >= len(s.loop) {
		return 0
	}
	return s.loop[line]
}

// isSoft reports whether versions of Python differ in having events on a line.
func (s *statements) isSoft(line int) bool { return line >= 0 && line < len(s.soft) && s.soft[line] }
