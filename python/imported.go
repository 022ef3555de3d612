package python

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// importedText lists names of standard modules. Names after "module:" are functions and classes,
// which the states of a module leave out. Names after "module =" are values with the repr
// module.NAME. NAME>=N exists since Python 3.N, NAME<N exists before 3.N.
//
//go:embed imported.txt
var importedText string

// importedName is the entry of one name. It applies to the versions 3.first up to but not including
// 3.last.
type importedName struct {
	hidden      bool
	first, last int
}

// importedNames maps "module.name" to the entries for that name.
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
		e.first, _ = strconv.Atoi(since) // "" counts as 0; TestImportedNames checks the file
		name, before, ends := strings.Cut(name, "<")
		if ends {
			e.last, _ = strconv.Atoi(before)
		}
		names[module+"."+name] = append(names[module+"."+name], e)
	}
	return names
})

// importedAs returns the value that "from module import name" binds: a value that states leave out,
// a value with a known repr, or an unknown value.
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
