package python

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// importedText lists names of standard modules. After "module:" are functions and classes, which
// states of modules leave out; after "module =" values whose text is module.NAME. NAME>=N exists so
// from Python 3.N on, NAME<N before it.
//
//go:embed imported.txt
var importedText string

// importedName represents a line's entry for a name: for the versions from first up to before last.
type importedName struct {
	hidden      bool
	first, last int
}

// importedNames holds the entries of importedText, by module.name.
var importedNames = sync.OnceValue(func() map[string][]importedName {
	names := map[string][]importedName{}
	module, hidden := "", false
	for _, field := range strings.Fields(strings.ReplaceAll(importedText, " =", "=")) {
		if m, ok := strings.CutSuffix(field, ":"); ok {
			module, hidden = m, true
			continue
		}
		if m, ok := strings.CutSuffix(field, "="); ok {
			module, hidden = m, false
			continue
		}
		e := importedName{hidden: hidden, last: 1 << 10}
		name, since, _ := strings.Cut(field, ">=")
		e.first, _ = strconv.Atoi(since) // "" is 0, and a test holds the file against Python
		name, before, ends := strings.Cut(name, "<")
		if ends {
			e.last, _ = strconv.Atoi(before)
		}
		names[module+"."+name] = append(names[module+"."+name], e)
	}
	return names
})

// importedAs returns what "from module import name" binds, as far as states show it.
func importedAs(module, name string, v Version) *imported {
	for _, e := range importedNames()[module+"."+name] {
		if v.Minor < e.first || v.Minor >= e.last {
			continue
		}
		if e.hidden {
			return &imported{hidden: true}
		}
		return &imported{text: module + "." + name}
	}
	return &imported{}
}
