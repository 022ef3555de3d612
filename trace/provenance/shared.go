package provenance

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/python"
)

// compound are the words with which a line begins that may run only a part of its statements.
var compound = []string{
	"if", "elif", "else", "for", "while", "with", "try", "except", "finally", "def", "class", "match", "case", "async",
}

// straight reports whether a run is one of a line of simple statements, which all run.
func (f *Finder) straight(r run) bool {
	if !r.stored.Shared || r.stored.Line != r.stored.Last {
		return false
	}
	word := f.firstWord(r.file, r.stored.Line)
	return !slices.Contains(compound, word) && word != "@"
}

// firstWord returns the word with which a line begins, or its first character.
func (f *Finder) firstWord(file, number int) string {
	line, _ := f.tree.SourceLine(file, number)
	line = strings.TrimSpace(line)
	end := strings.IndexFunc(line, func(c rune) bool { return c < 'a' || 'z' < c })
	switch {
	case end < 0:
		return line
	case end == 0:
		return line[:1]
	}
	return line[:end]
}

// sharing returns the run of the last statement of a shared line that binds a name. An event shows only
// that one of the line's statements ran.
func (f *Finder) sharing(r run, name string, statements []*python.Stored) run {
	if !f.straight(r) {
		return r
	}
	for _, st := range statements {
		if st.Line == r.stored.Line && st.Last == r.stored.Line && binding(st, name) {
			r.stored = st
		}
	}
	r.earlier = nil
	for _, st := range r.src.All() {
		if st == r.stored {
			break
		}
		if st.Line == r.stored.Line {
			for _, s := range st.Stores {
				r.earlier = append(r.earlier, s.Name)
			}
		}
	}
	return r
}

func binding(st *python.Stored, name string) bool {
	return slices.ContainsFunc(st.Stores, func(s python.Store) bool { return s.Name == name })
}
