package python

import (
	"path"
	"path/filepath"
	"strings"
)

// Import is one module in an import statement.
type Import struct {
	Module string   // "a.b"; "" in "from . import x"
	Level  int      // number of dots before the module
	Names  []string // what "from" imports; "*" for everything
	Line   int      // line of the statement
	// InFunction reports whether the statement is in a function, so that it runs later than the
	// file.
	InFunction bool
	// Lazy reports whether it is a lazy import (PEP 810, Python 3.15), which runs when one of its
	// names is read.
	Lazy bool
	// TypeChecking reports whether it is below "if TYPE_CHECKING", so that it never runs.
	TypeChecking bool
}

// Imports returns the modules in the source's import statements, in order.
func (s *Source) Imports() []Import { return s.imports }

// importsOf collects the imports in a list of statements, nested ones included.
func importsOf(list []*stmt) []Import {
	c := importCollector{}
	c.collect(list)
	return c.found
}

type importCollector struct {
	found        []Import
	inFunction   bool
	typeChecking bool
}

func (c *importCollector) collect(list []*stmt) {
	for _, s := range list {
		for _, i := range s.imports {
			i.InFunction, i.TypeChecking = c.inFunction, c.typeChecking
			c.found = append(c.found, i)
		}
		outer := c.inFunction
		c.inFunction = outer || s.kind == stmtDef
		c.collect(s.body)
		for _, b := range s.branches {
			outer := c.typeChecking
			c.typeChecking = outer || b.typeChecking
			c.collect(b.body)
			c.typeChecking = outer
		}
		c.collect(s.orelse)
		c.collect(s.final)
		c.inFunction = outer
	}
}

// Limits of Files. In a larger program the first files matter most.
const (
	MaxFiles      = 64
	MaxFilesBytes = 2 << 20
	maxReads      = 4096 // attempts to read a file; it may not exist
)

// File is a source file of a program.
type File struct {
	Path   string // the path from which it was read
	Name   string // relative to the root of imports, with slashes
	Source []byte
}

// Files returns the program's own files: main, whose content is source, then the files below root
// that it imports, their imports, and so on. They come in the order in which Python would begin to
// run them; files that are imported only inside functions or lazily come last. A package's __init__.py is a
// file too. root is the folder where imports begin: the folder of main for a script, the current
// folder for python -m, where main may be inside a package. read reads a file by its path, which
// begins with root; any error means that the file does not exist.
//
// Files reads only the source, so it misses a module with a computed name, or one that is found
// through a changed sys.path. It returns at most MaxFiles files, of at most MaxFilesBytes in total,
// main not counted.
func Files(root, main string, source []byte, read func(path string) ([]byte, error)) []File {
	name := filepath.Base(main)
	if rel, err := filepath.Rel(root, main); err == nil {
		name = filepath.ToSlash(rel)
	}
	f := &fileFinder{root: root, read: read, known: map[string]bool{name: true}}
	f.files = []File{{Path: main, Name: name, Source: source}}
	for i, c := range name { // the packages that contain main run before it
		if c == '/' {
			f.module(name[:i])
		}
	}
	f.imports(path.Dir(name), Read(source).Imports())
	for len(f.later) > 0 {
		next := f.later[0]
		f.later = f.later[1:]
		f.load(next)
	}
	return f.files
}

// fileFinder follows the imports of a program. Its paths are relative to the root, with slashes.
type fileFinder struct {
	root  string
	read  func(path string) ([]byte, error)
	files []File
	known map[string]bool // whether the file exists, by path
	reads int
	bytes int
	later []pendingImport // imports inside functions, and lazy ones
}

// pendingImport is an import that is still to follow, and the folder of the file that contains it.
type pendingImport struct {
	folder string
	Import
}

func (f *fileFinder) imports(folder string, list []Import) {
	for _, i := range list {
		switch {
		case i.TypeChecking:
		case i.InFunction, i.Lazy:
			f.later = append(f.later, pendingImport{folder, i})
		default:
			f.load(pendingImport{folder, i})
		}
	}
}

// load finds the module of an import, the packages around it, and the modules among the imported
// names.
func (f *fileFinder) load(i pendingImport) {
	at := "."
	if i.Level > 0 {
		at = i.folder
		for range i.Level - 1 {
			if at == "." {
				return // above the root
			}
			at = path.Dir(at)
		}
	} else if first, _, _ := strings.Cut(i.Module, "."); startupModules[first] {
		return
	}
	if i.Module != "" {
		for part := range strings.SplitSeq(i.Module, ".") {
			at = path.Join(at, part)
			if !f.module(at) {
				return
			}
		}
	}
	for _, name := range i.Names {
		if name != "*" {
			f.module(path.Join(at, name))
		}
	}
}

// module finds the file of a package or module. at is its path without ".py". isPackage is false
// for a module: it contains no other modules.
func (f *fileFinder) module(at string) (isPackage bool) {
	if f.file(path.Join(at, "__init__.py"), at) {
		return true
	}
	// Without either file it may be a namespace package (PEP 420).
	return !f.file(at+".py", path.Dir(at))
}

// file adds a file and its imports, unless the path is known already. It reports whether the file
// exists.
func (f *fileFinder) file(name, folder string) bool {
	if exists, ok := f.known[name]; ok {
		return exists
	}
	if len(f.files) >= MaxFiles || f.reads >= maxReads {
		return false
	}
	f.reads++
	file := filepath.Join(f.root, filepath.FromSlash(name))
	source, err := f.read(file)
	f.known[name] = err == nil
	if err != nil {
		return false
	}
	if f.bytes+len(source) > MaxFilesBytes {
		return true
	}
	f.bytes += len(source)
	f.files = append(f.files, File{Path: file, Name: name, Source: source})
	f.imports(folder, Read(source).Imports())
	return true
}

// startupModules are the modules that Python never loads from the program's folder: they are built
// in, or imported before the program begins.
var startupModules = map[string]bool{
	"__future__": true, "_abc": true, "_codecs": true, "_collections": true, "_functools": true, "_imp": true,
	"_io": true, "_operator": true, "_signal": true, "_sre": true, "_stat": true, "_string": true, "_thread": true,
	"_tracemalloc": true, "_warnings": true, "_weakref": true, "abc": true, "atexit": true, "builtins": true,
	"codecs": true, "encodings": true, "errno": true, "faulthandler": true, "gc": true, "genericpath": true,
	"io": true, "itertools": true, "marshal": true, "nt": true, "ntpath": true, "os": true, "posix": true,
	"posixpath": true, "pwd": true, "site": true, "stat": true, "sys": true, "time": true, "winreg": true,
	"zipimport": true,
}
