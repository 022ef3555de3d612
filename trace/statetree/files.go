package statetree

import "slices"

// File is a source file of the program. Its lines end at \n, \r\n or \r and
// count from 1.
type File struct {
	Path   string // absolute, or "<string>"
	Real   string // the path without symbolic links
	Name   string // displayed name
	Source []byte // UTF-8; must not change afterwards
}

// Code is a code object: a function, or the body of a module or class.
type Code struct {
	File                int
	Name, QualName      string
	FirstLine, LastLine int
	// Names are the names that can have values; a slot is an index into them. For a function
	// (Fast) they are its co_varnames, co_cellvars and co_freevars, and locals come in this
	// order. Otherwise AddName adds them, and locals come in the order in which they were
	// bound.
	Names     []string
	Args      int // number of a function's Names that are arguments, including * and **
	Fast      bool
	Generator bool // a generator, coroutine or async generator
}

// IsModule reports whether a code object is the body of a module.
func (c *Code) IsModule() bool { return c.Name == "<module>" }

// file is a File with its lines and the events on them.
type file struct {
	File
	starts   []int      // offset of each line
	postings []*posting // the events on line n are at index n-1; nil if there are none
}

// AddFile adds a source file and returns its number. Numbers count from 0, the program's
// main file.
func (t *Tree) AddFile(f File) int {
	starts := lineStarts(f.Source)
	t.files = append(t.files, file{File: f, starts: starts, postings: make([]*posting, len(starts))})
	t.held += int64(len(f.Source) + 16*len(starts))
	return len(t.files) - 1
}

// ReplaceSource sets the source of a file that has not run. It leaves a file that has run
// unchanged.
func (t *Tree) ReplaceSource(file int, source []byte) {
	f := &t.files[file]
	if f.hasRun() {
		return
	}
	t.held += int64(len(source) - len(f.Source) - 16*len(f.starts))
	f.Source, f.starts = source, lineStarts(source)
	f.postings = make([]*posting, len(f.starts))
	t.held += int64(16 * len(f.starts))
}

func lineStarts(source []byte) []int {
	var starts []int
	for at := 0; at < len(source); {
		starts = append(starts, at)
		at += lineLength(source[at:], true)
	}
	return starts
}

// lineLength returns the length of the first line, with or without its line end.
func lineLength(source []byte, end bool) int {
	for i, c := range source {
		switch {
		case c != '\n' && c != '\r':
		case !end:
			return i
		case c == '\r' && i+1 < len(source) && source[i+1] == '\n':
			return i + 2
		default:
			return i + 1
		}
	}
	return len(source)
}

// Files returns the files by number.
func (t *Tree) Files() []File {
	t.mu.RLock()
	defer t.done()
	files := make([]File, len(t.files))
	for i := range t.files {
		files[i] = t.files[i].File
	}
	return files
}

// SourceLine returns a line of a file without its line end, or false if there is none.
func (t *Tree) SourceLine(file, line int) (string, bool) {
	t.mu.RLock()
	defer t.done()
	return t.sourceLine(file, line)
}

func (t *Tree) sourceLine(file, line int) (string, bool) {
	if file < 0 || file >= len(t.files) {
		return "", false
	}
	f := &t.files[file]
	if line < 1 || line > len(f.starts) {
		return "", false
	}
	rest := f.Source[f.starts[line-1]:]
	return string(rest[:lineLength(rest, false)]), true
}

// LineCount returns the number of lines of a file.
func (t *Tree) LineCount(file int) int {
	t.mu.RLock()
	defer t.done()
	if file < 0 || file >= len(t.files) {
		return 0
	}
	return len(t.files[file].starts)
}

// HasRun reports whether a file has any event.
func (t *Tree) HasRun(file int) bool {
	t.mu.RLock()
	defer t.done()
	return t.files[file].hasRun()
}

func (f *file) hasRun() bool {
	return slices.ContainsFunc(f.postings, func(p *posting) bool { return p != nil })
}

// linesWithEvents returns the lines that have events, counted from 0.
func (f *file) linesWithEvents() (lines []int) {
	for line, p := range f.postings {
		if p != nil {
			lines = append(lines, line)
		}
	}
	return lines
}

// AddCode adds a code object and returns its number, counted from 0.
func (t *Tree) AddCode(c Code) int {
	c.Names = append([]string(nil), c.Names...)
	t.codes = append(t.codes, c)
	for _, name := range c.Names {
		t.held += int64(len(name)) + 16
	}
	t.held += 128
	return len(t.codes) - 1
}

// AddName adds a new name to the body of a module or class and returns its slot.
func (t *Tree) AddName(code int, name string) (slot int) {
	c := &t.codes[code]
	c.Names = append(c.Names, name)
	t.held += int64(len(name)) + 16
	return len(c.Names) - 1
}

// Code returns a code object by number.
func (t *Tree) Code(i int) Code {
	t.mu.RLock()
	defer t.done()
	return t.codes[i]
}
