package dsl

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Program is the source text of a program: the context of a trajectory. The first file is the main
// one.
type Program struct{ Files []SourceFile }

// SourceFile is a source file: its name, as in State.File, and its lines without line ends. If a
// program has only one file, texts omit its name.
type SourceFile struct {
	Name  string
	Lines []string
}

// SplitLines splits a source text into lines, which end with \n, \r\n or \r. It drops a byte
// order mark.
func SplitLines(source string) []string {
	source = strings.TrimPrefix(source, "\ufeff")
	var lines []string
	for source != "" {
		i := strings.IndexAny(source, "\r\n")
		if i < 0 {
			return append(lines, source)
		}
		lines = append(lines, source[:i])
		if strings.HasPrefix(source[i:], "\r\n") {
			i++
		}
		source = source[i+1:]
	}
	return lines
}

// book holds a program, the format of its texts, and the index of each of its files.
type book struct {
	*Format
	program *Program
	files   map[string]int // file name → index
}

func newBook(f *Format, p *Program) *book {
	b := &book{Format: f, program: p, files: make(map[string]int, len(p.Files))}
	for i := range p.Files {
		b.files[p.Files[i].Name] = i
	}
	return b
}

func (b *book) several() bool { return len(b.program.Files) > 1 }

// appendPlace writes a line's number: "12", or "a:12" in a program of several files.
func (b *book) appendPlace(dst []byte, l Location) []byte {
	if b.several() {
		dst = append(dst, FileLetter(l.File)...)
		dst = append(dst, ':')
	}
	return strconv.AppendInt(dst, int64(l.Line), 10)
}

// line returns the source text of a line. The second result is false if the program does not have
// the line.
func (b *book) line(l Location) (string, bool) {
	if l.File < 0 || l.File >= len(b.program.Files) || l.Line < 1 || l.Line > len(b.program.Files[l.File].Lines) {
		return "", false
	}
	return b.program.Files[l.File].Lines[l.Line-1], true
}

// location returns the Location of a line in the file with this name. The error is an *EncodeError
// if the context does not contain the file.
func (b *book) location(file string, line int) (Location, error) {
	i, ok := b.files[file]
	if !ok {
		return Location{}, notInContext("the file %q is no part of the context", file)
	}
	return Location{File: i, Line: line}, nil
}

// appendSource writes source with one extra "\" after each "<" that is followed by "|" or "\". So
// the result never contains a token's spelling, and unescapeSource can undo it.
func appendSource(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i+1]...)
		s = s[i+1:]
		if s != "" && (s[0] == '|' || s[0] == '\\') {
			dst = append(dst, '\\')
		}
	}
}

// unescapeSource undoes appendSource. bad is the offset of the first text that appendSource never
// writes, or -1.
func unescapeSource(raw []byte) (s string, bad int) {
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		b.WriteByte(raw[i])
		if raw[i] != '<' || i+1 == len(raw) {
			continue
		}
		switch raw[i+1] {
		case '|':
			return "", i
		case '\\':
			if i+2 == len(raw) || raw[i+2] != '|' && raw[i+2] != '\\' {
				return "", i
			}
			i++
		}
	}
	return b.String(), -1
}

// appendContext writes the context: the program's files and the <|frame_sep|> after them.
func (b *book) appendContext(dst []byte) ([]byte, error) {
	if len(b.program.Files) == 0 {
		return nil, cannotWrite("a program without a file")
	}
	if len(b.program.Files) > maxFiles/26 {
		return nil, cannotWrite("a program of %d files", len(b.program.Files))
	}
	if len(b.files) != len(b.program.Files) {
		return nil, cannotWrite("two files of the program have the same name")
	}
	dst = append(dst, b.Name(ContextStart)...)
	for i := range b.program.Files {
		f := &b.program.Files[i]
		if b.several() {
			if f.Name == "" || !utf8.ValidString(f.Name) {
				return nil, cannotWrite("the name %q of a file is empty or not UTF-8", f.Name)
			}
			dst = append(dst, b.Name(FileSep)...)
			dst = append(appendString(dst, f.Name), '\n')
		}
		for n, line := range f.Lines {
			if !utf8.ValidString(line) {
				return nil, cannotWrite("line %d of %s is not UTF-8", n+1, f.Name)
			}
			if strings.ContainsAny(line, "\r\n") {
				return nil, cannotWrite("line %d of %s has a line end within it", n+1, f.Name)
			}
			dst = append(b.appendPlace(dst, Location{File: i, Line: n + 1}), '|')
			dst = append(appendSource(dst, line), '\n')
		}
	}
	return append(dst, b.Name(FrameSep)...), nil
}
