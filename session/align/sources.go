package align

import (
	"path"
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace/statetree"
)

// sources pairs the files, lines and code objects of two runs.
type sources struct {
	files [2][]file
	codes [2][]code
	// imported are the names that import statements bind, comprised those of comprehensions.
	imported, comprised map[string]bool
}

// file is a source file of one run.
type file struct {
	other int   // its counterpart in the other run, or -1
	lines []int // by line, from 0: the line of the counterpart, from 1, or 0
	text  *statements
	names map[string]bool // identifiers in the text; nil until asked
	vary  *python.Varying // nil until asked
}

// code is a code object of one run.
type code struct {
	statetree.Code
	other     int // its counterpart in the other run, or -1
	qualified string
	slots     []int // by slot: the counterpart's slot of the same name, or -1; nil if there is no counterpart
}

// newSources reads the sources of two runs. lenient makes it group the lines of a statement.
func newSources(runs [2]Run, lenient bool) *sources {
	s := &sources{imported: map[string]bool{}, comprised: map[string]bool{}}
	s.pairFiles(runs)
	for k, r := range runs {
		files := r.Tree.Files()
		for n := range files {
			s.files[k][n].text = readStatements(files[n].Source, lenient)
			s.readNames(files[n].Source)
		}
		s.codes[k] = readCodes(r.Tree)
	}
	s.pairCodes()
	return s
}

// readNames reads which names a file imports, and which its comprehensions bind.
func (s *sources) readNames(source []byte) {
	for _, st := range python.ReadStores(source).All() {
		for _, store := range st.Stores {
			if store.Kind == python.Imported {
				s.imported[store.Name] = true
			}
		}
	}
	for _, c := range python.Comprehensions(source) {
		for _, name := range c.Vars {
			s.comprised[name] = true
		}
	}
}

// ofVersion reports whether the value of a name depends on the version of Python: the iterator of a
// generator expression, and what is imported.
func (s *sources) ofVersion(name string) bool {
	return strings.HasPrefix(name, ".") || s.imported[name]
}

// pairFiles pairs the files of two runs: those with the same name, the two main files, then those whose
// paths have the longest end in common.
func (s *sources) pairFiles(runs [2]Run) {
	files := [2][]statetree.File{runs[0].Tree.Files(), runs[1].Tree.Files()}
	for k := range s.files {
		s.files[k] = make([]file, len(files[k]))
		for n := range s.files[k] {
			s.files[k][n].other = -1
		}
	}
	join := func(a, b int) {
		s.files[0][a].other, s.files[1][b].other = b, a
		x, y := sourceLines(files[0][a].Source), sourceLines(files[1][b].Source)
		to := pairLines(x, y)
		s.files[0][a].lines, s.files[1][b].lines = make([]int, len(x)), make([]int, len(y))
		for i, j := range to {
			if j >= 0 {
				s.files[0][a].lines[i], s.files[1][b].lines[j] = j+1, i+1
			}
		}
	}
	if len(files[0]) > 0 && len(files[1]) > 0 {
		join(0, 0)
	}
	for _, alike := range []func(a, b *statetree.File) bool{
		func(a, b *statetree.File) bool { return a.Path == b.Path },
		func(a, b *statetree.File) bool { return a.Name == b.Name },
		func(a, b *statetree.File) bool { return path.Base(a.Name) == path.Base(b.Name) },
	} {
		for a := range files[0] {
			for b := range files[1] {
				if s.files[0][a].other < 0 && s.files[1][b].other < 0 && alike(&files[0][a], &files[1][b]) {
					join(a, b)
				}
			}
		}
	}
}

func sourceLines(source []byte) []string {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(source))
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// readCodes returns the code objects of a tree with their qualified names, which Python before 3.11
// does not report.
func readCodes(t *statetree.Tree) []code {
	files := t.Files()
	names := make([]map[int]string, len(files))
	for n := range files {
		names[n] = map[int]string{}
		for _, f := range python.Read(files[n].Source).Functions() {
			names[n][f.Line] = f.QualName
		}
	}
	codes := make([]code, t.Codes())
	for n := range codes {
		c := code{Code: t.Code(n), other: -1}
		c.qualified = c.QualName
		if name, ok := names[c.File][c.FirstLine]; ok && !strings.HasPrefix(c.Name, "<") {
			c.qualified = name
		}
		codes[n] = c
	}
	return codes
}

// pairCodes pairs code objects: those of one name on paired lines, then those with the same qualified
// name.
func (s *sources) pairCodes() {
	type key struct {
		file, line int
		name       string
	}
	for _, byLine := range []bool{true, false} {
		at := map[key][]int{}
		for n := range s.codes[1] {
			c := &s.codes[1][n]
			if c.other >= 0 || s.files[1][c.File].other < 0 {
				continue
			}
			k := key{s.files[1][c.File].other, 0, c.qualified}
			if byLine {
				k.name, k.line = c.Name, s.lineIn(1, c.File, c.FirstLine)
			}
			at[k] = append(at[k], n)
		}
		for n := range s.codes[0] {
			c := &s.codes[0][n]
			if c.other >= 0 || byLine && s.lineIn(0, c.File, c.FirstLine) == 0 && !c.IsModule() {
				continue
			}
			k := key{c.File, 0, c.qualified}
			if byLine {
				k.name, k.line = c.Name, c.FirstLine
			}
			if list := at[k]; len(list) > 0 {
				c.other, at[k] = list[0], list[1:]
				s.codes[1][list[0]].other = n
			}
		}
	}
	for k := range s.codes {
		for n := range s.codes[k] {
			if c := &s.codes[k][n]; c.other >= 0 {
				c.slots = slotsIn(c.Names, s.codes[1-k][c.other].Names)
			}
		}
	}
}

// lineIn returns the other run's line for a line of run k, or 0.
func (s *sources) lineIn(k, file, line int) int {
	lines := s.files[k][file].lines
	if line < 1 || line > len(lines) {
		return 0
	}
	return lines[line-1]
}

// slotsIn returns for each name its index in others, or -1.
func slotsIn(names, others []string) []int {
	at := make(map[string]int, len(others))
	for i, name := range others {
		if _, twice := at[name]; !twice {
			at[name] = i
		}
	}
	slots := make([]int, len(names))
	for i, name := range names {
		slots[i] = -1
		if other, ok := at[name]; ok {
			slots[i] = other
		}
	}
	return slots
}

// mentions reports whether the text of a file has a name. A name that only one version of a source has
// is not a difference of the runs.
func (s *sources) mentions(k int, t *statetree.Tree, file int, name string) bool {
	f := &s.files[k][file]
	if f.names == nil {
		f.names = map[string]bool{}
		for _, token := range python.Tokens(string(t.Files()[file].Source)) {
			if token.Kind == python.NameToken {
				f.names[token.Value] = true
			}
		}
	}
	return f.names[name]
}

// varying returns what varies from run to run according to the text of a file.
func (s *sources) varying(k int, t *statetree.Tree, file int) *python.Varying {
	f := &s.files[k][file]
	if f.vary == nil {
		f.vary = python.ReadVarying(t.Files()[file].Source)
	}
	return f.vary
}

// functions returns the qualified names of the code objects for which ran is true, without repetition.
func (s *sources) functions(k int, ran func(code int) bool) (names []string) {
	for n := range s.codes[k] {
		if name := s.codes[k][n].qualified; ran(n) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
