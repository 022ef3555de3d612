package embedded

import (
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// places is a set of lines at which a state can be. A text writes a line as "12", or as "b:12" if
// there are several files.
type places struct {
	files    []string // the letters of each file; "" if it is the only one
	can      [][]bool // for each file and line, whether the line is in the set
	outlines []python.Outline
}

func newPlaces(p *dsl.Program) places {
	var s places
	for i := range p.Files {
		letters := ""
		if len(p.Files) > 1 {
			letters = dsl.FileLetter(i)
		}
		outline := python.Read([]byte(strings.Join(p.Files[i].Lines, "\n") + "\n")).Outline()
		s.files = append(s.files, letters)
		s.can = append(s.can, executable(p.Files[i].Lines, outline))
		s.outlines = append(s.outlines, outline)
	}
	return s
}

// executable reports for each line whether it can have events. In a source with a syntax error
// these are all lines except blank lines and comments.
func executable(lines []string, o python.Outline) []bool {
	can := make([]bool, len(lines))
	for n, line := range lines {
		line = strings.TrimSpace(line)
		can[n] = len(o.Executable) == 0 && line != "" && line[0] != '#'
	}
	for _, n := range o.Executable {
		can[n-1] = true
	}
	for _, f := range o.Functions {
		can[f.Line-1] = true
	}
	return can
}

// of returns the places in the functions with this name, or in the code outside of functions. If no
// def has the name, as for classes, comprehensions and lambdas, it returns all places.
func (s places) of(function string) places {
	own := places{files: s.files, outlines: s.outlines, can: make([][]bool, len(s.can))}
	for i, o := range s.outlines {
		if len(s.can[i]) == 0 {
			continue // restricted to another file
		}
		own.can[i] = make([]bool, len(s.can[i]))
		if function == "<module>" {
			copy(own.can[i], s.can[i])
		}
		for _, f := range o.Functions { // enclosing functions come before enclosed ones
			switch {
			case f.Name == function:
				copy(own.can[i][f.Line-1:f.EndLine], s.can[i][f.Line-1:f.EndLine])
			case f.BodyLine > f.Line:
				clear(own.can[i][f.BodyLine-1 : f.EndLine])
			}
		}
	}
	if own.none() {
		return s
	}
	return own
}

// begin returns, for each file, the first line of the innermost function with this name around the line.
// In a file without such a function it returns all places.
func (s places) begin(function string, line int) places {
	own := places{files: s.files, outlines: s.outlines, can: make([][]bool, len(s.can))}
	for i, o := range s.outlines {
		first := 0
		for _, f := range o.Functions { // enclosing functions come before enclosed ones
			if f.Name == function && f.Line <= line && line <= f.EndLine {
				first = f.Line
			}
		}
		if own.can[i] = make([]bool, len(s.can[i])); first > 0 && first <= len(s.can[i]) {
			own.can[i][first-1] = true
		}
	}
	if own.none() {
		return s
	}
	return own
}

// within returns the places in one file.
func (s places) within(file int) places {
	can := make([][]bool, len(s.can))
	can[file] = s.can[file]
	return places{files: s.files, can: can, outlines: s.outlines}
}

// several reports whether the program has several files, so that a file's letters precede a line
// number.
func (s places) several() bool { return len(s.files) > 1 }

// none reports whether the set is empty.
func (s places) none() bool {
	return !slices.ContainsFunc(s.can, func(lines []bool) bool { return slices.Contains(lines, true) })
}

// counts reports whether a line is in the set.
func (s places) counts(l dsl.Location) bool {
	return l.File >= 0 && l.File < len(s.can) && l.Line >= 1 && l.Line <= len(s.can[l.File]) && s.can[l.File][l.Line-1]
}

// any reports whether at least one of the lines is in the set.
func (s places) any(lines map[dsl.Location]bool) bool {
	for l := range lines {
		if s.counts(l) {
			return true
		}
	}
	return false
}

// begins reports whether a place in the set, as a text writes it, begins with these characters.
func (s places) begins(text string) bool {
	for i, letters := range s.files {
		if !slices.Contains(s.can[i], true) {
			continue
		}
		if letters == "" {
			return begins(s.can[i], text)
		}
		letters += ":"
		if strings.HasPrefix(letters, text) || strings.HasPrefix(text, letters) && begins(s.can[i], text[len(letters):]) {
			return true
		}
	}
	return false
}

// find parses a place, and reports whether it is in the set.
func (s places) find(text string) (dsl.Location, bool) {
	for i, letters := range s.files {
		digits := text
		if letters != "" {
			var ok bool
			if digits, ok = strings.CutPrefix(text, letters+":"); !ok {
				continue
			}
		}
		if n, ok := number(digits); ok {
			l := dsl.Location{File: i, Line: n}
			return l, s.counts(l)
		}
	}
	return dsl.Location{}, false
}

// has reports whether text is a place in the set.
func (s places) has(text string) bool {
	_, ok := s.find(text)
	return ok
}

// begins reports whether the number of a line in the set begins with these digits.
func begins(can []bool, digits string) bool {
	if digits == "" {
		return slices.Contains(can, true)
	}
	n, ok := number(digits)
	for more := 1; ok && n*more <= len(can); more *= 10 {
		if slices.Contains(can[n*more-1:min((n+1)*more-1, len(can))], true) {
			return true
		}
	}
	return false
}

// number parses a line number as nd/1 writes it.
func number(digits string) (n int, ok bool) {
	if digits == "" || digits[0] == '0' || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// escaped escapes source as nd/1 does, so that it contains no special token.
var escaped = strings.NewReplacer("<|", `<\|`, `<\`, `<\\`)
