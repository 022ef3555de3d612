package htmlpage

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
	"github.com/npdb/npdb/tui/highlight"
)

// file is a source file. Kinds has a word for each line: for each token a letter, which is "a" plus
// the highlight.Kind, and the token's length in UTF-16.
type file struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
	Kinds []string `json:"kinds"`
}

// code is a code object. Uses are the globals that it uses.
type code struct {
	File  int      `json:"file"`
	Name  string   `json:"name"`
	Class string   `json:"class"` // the class that a method belongs to, or ""
	Names []string `json:"names"` // by slot
	Uses  []string `json:"uses"`
	// Fast says that names come in the order of slots, otherwise in that in which they got values.
	Fast      bool `json:"fast"`
	Generator bool `json:"generator"`
}

// codeOf returns the number of a code object on the page.
func (f *follower) codeOf(number int, c statetree.Code) int {
	if n, ok := f.codes[number]; ok {
		return n
	}
	n := len(f.Codes)
	f.codes[number] = n
	shown := code{File: f.fileOf(c.File), Name: escape.Line(c.Name), Fast: c.Fast, Generator: c.Generator}
	for _, name := range c.Names {
		shown.Names = append(shown.Names, escape.Line(name))
	}
	if c.Name != "<module>" {
		scope, _ := f.scopes[c.File].At(c.Name, c.FirstLine)
		shown.Class = escape.Line(scope.Class)
		for _, name := range scope.Globals {
			shown.Uses = append(shown.Uses, escape.Line(name))
		}
	}
	f.Codes = append(f.Codes, shown)
	return n
}

// fileOf returns the number of a file on the page.
func (f *follower) fileOf(number int) int {
	n, ok := f.files[number]
	if !ok {
		n = len(f.files)
		f.files[number] = n
		f.scopes[number] = python.ReadScopes(f.tree.Files()[number].Source)
	}
	return n
}

// programOf returns the source of all files.
func programOf(t *statetree.Tree) *dsl.Program {
	p := &dsl.Program{}
	for _, file := range t.Files() {
		p.Files = append(p.Files, dsl.SourceFile{Name: file.Name, Lines: dsl.SplitLines(string(file.Source))})
	}
	return p
}

// addFiles adds the source of the files that ran, and the breakpoints in them.
func (f *follower) addFiles(breakpoints []dsl.Location) {
	program := f.redact.Program(programOf(f.tree))
	f.Files = make([]file, len(f.files))
	for number, n := range f.files {
		f.Files[n] = shownFile(program.Files[number])
	}
	for _, at := range breakpoints {
		if n, ok := f.files[at.File]; ok {
			f.Breaks = append(f.Breaks, [2]int{n, at.Line})
		}
	}
}

// shownFile splits the lines of a file into tokens.
func shownFile(s dsl.SourceFile) file {
	shown := file{Name: escape.Line(s.Name), Lines: []string{}, Kinds: []string{}}
	for _, tokens := range highlight.Lines(strings.Join(s.Lines, "\n")) {
		var line, kinds strings.Builder
		for _, t := range tokens {
			text := escape.Text(t.Text)
			line.WriteString(text)
			kinds.WriteByte('a' + byte(t.Kind))
			kinds.WriteString(strconv.Itoa(units(text)))
		}
		shown.Lines, shown.Kinds = append(shown.Lines, line.String()), append(shown.Kinds, kinds.String())
	}
	return shown
}

// output is a piece of the program's output. Event is the last event before it.
type output struct {
	Event int    `json:"event"`
	Error bool   `json:"error"`
	Text  string `json:"text"`
}

// colors matches the sequences that set colors on a terminal.
var colors = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// uncolored returns output without colors, with the line ends of the page.
func uncolored(text string) string {
	return strings.ReplaceAll(colors.ReplaceAllString(text, ""), "\r\n", "\n")
}

// mostOutput limits the output of a page, in bytes. The last part is kept.
const mostOutput = 1 << 20

// addOutput adds the program's output up to the last event of the page.
func (f *follower) addOutput(rec Recording) {
	to := f.to
	if to == f.tree.Len() {
		to = -1
	}
	room, cut := mostOutput, false
	for _, o := range slices.Backward(rec.Output(-1, to)) {
		text := f.redact.Plain(o.Text)
		if len(text) > room {
			cut = true
			for room > 0 && !utf8.RuneStart(text[len(text)-room]) {
				room--
			}
			text = text[len(text)-room:]
		}
		if room -= len(text); text != "" {
			f.Output = append(f.Output, output{max(o.Event-f.from, -1), o.Stream == "stderr", escape.Text(uncolored(text))})
		}
	}
	slices.Reverse(f.Output)
	if cut {
		f.Cut = strings.TrimSpace(f.Cut + " Of the output it has the last MiB.")
	}
}
