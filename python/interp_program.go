package python

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python/supported"
)

// Program is a parsed program. Interpreters and Routines can share it: it never changes, and
// several goroutines may use it.
type Program struct {
	version   Version
	files     []*sourceFile
	ambiguous bool            // an object's repr may look like a literal
	yields    bool            // the program contains generators
	writes    bool            // the program's classes may define __repr__
	declared  map[string]bool // names in global and nonlocal statements
	stored    map[string]bool // see storedAttributes
	classes   map[string]int  // number of class statements, by name
	wild      func() bool     // see the variable wild
	importing bool            // functions may import modules of the program, or modules may be imported by computed names
}

// sourceFile is a parsed file of a program.
type sourceFile struct {
	name  string // as in states
	path  string // the name with slashes
	index int    // index in dsl.Program.Files
	lines []string
	code  *code // the code object of the module
	lazy  bool  // annotations are strings: from __future__ import annotations

	blocks func() *Blocks
	err    error // why the interpreter does not support the file; an *EvalError if it is not valid Python
}

// dynamic matches source that may import modules by computed names.
var dynamic = regexp.MustCompile(`\b(importlib|__import__|exec|eval|runpy|pkgutil|unittest|pytest|django)\b`)

// ReadProgram parses a program. The error is a *RefusedError if the interpreter does not support
// the program at all.
func ReadProgram(p *dsl.Program, v Version) (*Program, error) {
	switch {
	case v == (Version{}):
		v = Version{3, 12}
	case supported.TooOld(v.Major, v.Minor) || supported.Unknown(v.Major, v.Minor):
		return nil, refused("", "the events of Python "+v.String())
	}
	out := &Program{version: v, declared: map[string]bool{}, stored: map[string]bool{}, classes: map[string]int{}}
	for i, f := range p.Files {
		file, err := out.read(f)
		if err != nil {
			return nil, err
		}
		file.index = i
		out.files = append(out.files, file)
	}
	out.ambiguous = slices.ContainsFunc(out.files, out.hasLiteralLike)
	out.wild = sync.OnceValue(func() bool {
		return slices.ContainsFunc(out.files, func(f *sourceFile) bool { return slices.ContainsFunc(f.lines, wild.MatchString) })
	})
	return out, nil
}

// read parses one file.
func (p *Program) read(f dsl.SourceFile) (*sourceFile, error) {
	text := strings.Join(f.Lines, "\n") + "\n"
	parser := newParser(text)
	parser.strict, parser.program = true, true
	body := parser.statements(false)
	if name := cmp.Or(parser.unfollowedName(), unfollowedImport(body)); parser.err() == nil && name != "" {
		return nil, refused(name, "changes what runs without a line that says so")
	}
	out := &sourceFile{name: f.Name, path: strings.ReplaceAll(f.Name, `\`, "/"), lines: f.Lines}
	out.blocks = sync.OnceValue(func() *Blocks { return BlocksOf(text) })
	out.code = &code{kind: moduleCode, name: "<module>", body: body, first: 1, file: out}
	switch err := parser.err(); {
	case err != nil:
		out.err = err
	case p.version.Minor < 10 && hasConstantIf(body):
		out.err = refused("", "conditions that the compiler leaves out")
	case hasUnfollowed(body):
		out.err = refused("", "match statements and except*")
	}
	out.lazy = slices.ContainsFunc(body, func(s *stmt) bool {
		return slices.ContainsFunc(s.imports, func(i Import) bool {
			return i.Module == "__future__" && slices.Contains(i.Names, "annotations")
		})
	})
	p.yields = p.yields || strings.Contains(text, "yield")
	p.writes = p.writes || strings.Contains(text, "__str__") || strings.Contains(text, "__repr__") || strings.Contains(text, "__format__")
	p.importing = p.importing || dynamic.MatchString(text) || slices.ContainsFunc(importsOf(body), func(i Import) bool {
		root, _, _ := strings.Cut(i.Module, ".")
		return i.InFunction && (i.Level > 0 || !standardModules[root])
	})
	declaredIn(body, p.declared)
	storedAttributes(body, p.stored)
	countClasses(body, p.classes)
	return out, nil
}

// file returns the file with this name in states, or nil. If the program has only one file, states
// need not name it.
func (p *Program) file(name string) *sourceFile {
	for _, f := range p.files {
		if f.name == name || len(p.files) == 1 {
			return f
		}
	}
	return nil
}

// location returns the position of a state in the program.
func (p *Program) location(s *dsl.Stop) dsl.Location {
	at := dsl.Location{Line: s.Line}
	if f := p.file(s.File); f != nil {
		at.File = f.index
	}
	return at
}

// interpreter returns an interpreter that has not begun. file is the name of the file that runs as
// __main__.
func (p *Program) interpreter(ctx context.Context, file string) (*Interpreter, error) {
	main := p.file(file)
	switch {
	case main == nil:
		return nil, refused("", "a program without the file "+file)
	case main.err != nil:
		return nil, main.err
	case len(main.code.body) == 0:
		return nil, refused("", "a program without a statement")
	}
	in := &Interpreter{
		program: p, version: p.version, file: main, ev: newEvaluation(ctx), codes: map[any]*code{},
		objects: map[*instance]bool{}, unsure: map[pyValue]bool{}, lost: map[pyValue]bool{},
	}
	in.ev.interp, in.ev.changes, in.ev.values = in, true, map[string]pyValue{}
	return in, nil
}

// inPackage reports whether a folder is a package: it contains an __init__.py.
func (p *Program) inPackage(folder string) bool {
	return folder != "." && p.at(path.Join(folder, "__init__.py")) != nil
}

// imports reports whether an import in a file is an import of a module of the program.
func (p *Program) imports(f *sourceFile, i Import) bool {
	at := strings.ReplaceAll(i.Module, ".", "/")
	if i.Level > 0 {
		folder := path.Dir(f.path)
		for range i.Level - 1 {
			folder = path.Dir(folder)
		}
		at = path.Join(folder, at)
	}
	return slices.ContainsFunc(p.files, func(f *sourceFile) bool {
		return at == "." || f.path == at+".py" || strings.HasPrefix(f.path, at+"/") ||
			f.outside() && (strings.HasSuffix(f.path, "/"+at+".py") || strings.HasSuffix(f.path, "/"+at+"/__init__.py"))
	})
}

// outside reports whether a file is outside the program's folder.
func (f *sourceFile) outside() bool {
	return strings.HasPrefix(f.path, "../") || strings.HasPrefix(f.path, "/") || strings.Contains(f.path, ":")
}

// at returns the file with this path, or nil.
func (p *Program) at(path string) *sourceFile {
	i := slices.IndexFunc(p.files, func(f *sourceFile) bool { return f.path == path })
	if i < 0 {
		return nil
	}
	return p.files[i]
}

// moduleName returns the name under which a file is imported: the names of the enclosing packages
// (folders with an __init__.py) and the file's name. It is "" for an __init__.py outside of any
// package.
func (p *Program) moduleName(f *sourceFile) string {
	folder, base := path.Split(f.path)
	folder = path.Clean(folder)
	name, _, _ := strings.Cut(base, ".")
	if name == "__init__" {
		name = ""
	}
	for p.inPackage(folder) {
		if name != "" {
			name = "." + name
		}
		name = path.Base(folder) + name
		folder = path.Dir(folder)
	}
	return name
}
