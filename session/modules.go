package session

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// ModuleGroup classifies a source file by its relation to the program.
type ModuleGroup uint8

// The groups of modules.
const (
	OfProgram ModuleGroup = iota // one of the files of the recording
	InFolder                     // another file below the program's folder
	Imported                     // an imported module
	OnPath                       // a module in a folder of sys.path, not imported
)

// Module is a source file that can be shown to the user.
type Module struct {
	Name  string // the name by which Look finds it
	Path  string
	Group ModuleGroup
}

// mostModules limits the list of modules, mostDepth the depth of folders below the program's that
// are searched.
const (
	mostModules = 10000
	mostDepth   = 8 // levels of folders below the program's
)

// imports holds the imported modules and sys.path, as the program last reported them.
type imports struct {
	imported []Module
	folders  []string // the folders of sys.path
}

// Modules returns the source files that can be shown: those of the recording, those in the
// program's folder, the imported modules, and those in the folders of sys.path. The last two are
// known only if the program waits at the live edge, or reported them before it ended. None of the
// program's code is run.
func (fs *files) Modules(ctx context.Context) []Module {
	fs.program.askImports(ctx)
	var list []Module
	known := map[string]bool{}
	add := func(m Module) {
		if !known[m.Path] && len(list) < mostModules {
			known[m.Path] = true
			list = append(list, m)
		}
	}
	files := fs.program.states().Files()
	for _, f := range files {
		add(Module{f.Name, f.Path, OfProgram})
	}
	if len(files) > 0 && filepath.IsAbs(files[0].Path) {
		modulesIn(filepath.Dir(files[0].Path), mostDepth, func(name, path string) { add(Module{name, path, InFolder}) })
	}
	for _, m := range fs.program.told.imported {
		add(m)
	}
	for _, folder := range fs.program.told.folders {
		modulesIn(folder, 0, func(name, path string) { add(Module{name, path, OnPath}) })
	}
	return list
}

// askImports asks the program for its imports, if it still runs.
func (pr *program) askImports(ctx context.Context) {
	if !pr.waits() {
		return
	}
	answer, err := pr.rec.Ask(ctx, 0, trace.VerbModules, "")
	if err != nil {
		return
	}
	pr.told = imports{}
	for line := range strings.SplitSeq(answer.Text, "\n") {
		switch name, path, ok := strings.Cut(line, "\t"); {
		case !ok:
		case name == "":
			pr.told.folders = append(pr.told.folders, path)
		default:
			pr.told.imported = append(pr.told.imported, Module{name, path, Imported})
		}
	}
	slices.SortStableFunc(pr.told.imported, func(a, b Module) int { return cmp.Compare(a.Name, b.Name) })
}

// modulesIn calls found for each module and package in a folder, and in the folders below it down
// to depth levels.
func modulesIn(folder string, depth int, found func(name, path string)) {
	// On an error, for instance a missing folder of sys.path, there are none.
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		if name, ok := strings.CutSuffix(e.Name(), ".py"); ok && !e.IsDir() {
			if name != "__init__" {
				found(name, path)
			}
			continue
		}
		name := e.Name()
		if !isFolder(e, path) || strings.ContainsAny(name, ".-") || foreign[name] || isFile(filepath.Join(path, "pyvenv.cfg")) {
			continue
		}
		if init := filepath.Join(path, "__init__.py"); isFile(init) {
			found(name, init)
		}
		if depth > 0 {
			modulesIn(path, depth-1, func(inner, path string) { found(name+"."+inner, path) })
		}
	}
}

// foreign holds names of folders that contain no modules of the program.
var foreign = map[string]bool{"__pycache__": true, "__pypackages__": true, "node_modules": true}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(e fs.DirEntry, path string) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// module returns the path of a module that the program could import, "" if there is none. If the
// program has ended, the imports that it last reported are used.
func (pr *program) module(ctx context.Context, name string) string {
	name = strings.TrimSuffix(name, ".py")
	if pr.waits() {
		answer, err := pr.rec.Ask(ctx, 0, trace.VerbModule, name)
		if err != nil {
			return ""
		}
		return answer.Text
	}
	for _, m := range pr.told.imported {
		if m.Name == name {
			return m.Path
		}
	}
	return moduleIn(pr.told.folders, strings.Split(name, "."))
}

// moduleIn returns the path of the module that an import would find in the folders, "" if there is
// none. parts are the parts of its dotted name.
func moduleIn(folders, parts []string) string {
	if slices.Contains(parts, "") {
		return ""
	}
	var portions []string
	for _, folder := range folders {
		start := filepath.Join(folder, parts[0])
		switch init := filepath.Join(start, "__init__.py"); {
		case isFile(init) && len(parts) > 1:
			return moduleIn([]string{start}, parts[1:])
		case isFile(init):
			return init
		case isFile(start+".py") && len(parts) == 1:
			return start + ".py"
		case isFile(start + ".py"):
			return ""
		}
		portions = append(portions, start)
	}
	if len(portions) == 0 || len(parts) == 1 {
		return ""
	}
	return moduleIn(portions, parts[1:])
}

// pending reports whether a breakpoint in a file cannot be hit yet because the program has not
// imported the file.
func (pr *program) pending(ctx context.Context, file string) bool {
	if pr.recorded() == nil || !pr.waits() || strings.HasPrefix(file, "<") {
		return false
	}
	t := pr.rec.Tree()
	if i := slices.IndexFunc(t.Files(), func(f statetree.File) bool { return f.Path == file }); i >= 0 && t.HasRun(i) {
		return false
	}
	answer, err := pr.rec.Ask(ctx, 0, trace.VerbImported, file)
	return err == nil && answer.Text == ""
}

// Text is a source file to show to the user.
type Text struct {
	Path, Name string
	Source     []byte
	Line       int  // the requested line or a function's first line, 0 for none
	Pending    bool // the program has not imported the file yet
	Edited     bool // the file on disk differs from Source, which the program runs
}

// Look returns the source of a file, a module or a function, found by name. If the program has run
// the file, it is the source that was run, else the file on disk.
func (fs *files) Look(ctx context.Context, name string) (Text, error) {
	path, line, err := fs.named(ctx, name)
	if err != nil {
		return Text{}, errorf(NotFound, "No file, module or function named %s was found.", name)
	}
	text := Text{Path: path, Name: fs.cfg.Options.ShownName(path), Line: line, Pending: fs.program.pending(ctx, path)}
	now, err := readSource(path)
	if f, ok := fs.fileThatRuns(path); ok {
		text.Name, text.Source = f.Name, f.Source
		text.Edited = err == nil && !slices.Equal(now, dsl.SplitLines(string(f.Source)))
		return text, nil
	}
	if err != nil {
		return Text{}, errorf(NotFound, "%v", err)
	}
	text.Source = []byte(strings.Join(now, "\n") + "\n")
	return text, nil
}
