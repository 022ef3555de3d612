package session

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// mostImports limits how many imports are followed to find a function.
const mostImports = 8

// place sets the file and line of a breakpoint to the location that the user gave.
func (fs *files) place(ctx context.Context, b *breakpoint.Breakpoint, at Target) (err error) {
	switch {
	case at.Function != "":
		return fs.placeFunction(ctx, b, at.Function)
	case at.File != "":
		b.File, err = fs.findFile(ctx, at.File)
	default:
		b.File, err = fs.currentFile()
	}
	b.Line = at.Line
	return err
}

// placeFunction sets a breakpoint to the first line of a function's body. It looks for the name in
// the running program, then for a def in the current file, then, for MODULE.FUNCTION, for a def in
// the module's file, which need not be imported.
func (fs *files) placeFunction(ctx context.Context, b *breakpoint.Breakpoint, name string) error {
	if fs.position.live() {
		answer, err := fs.program.rec.Ask(ctx, fs.position.selected, trace.VerbFunction, name)
		if fields := strings.Split(answer.Text, "\n"); err == nil && len(fields) == 3 {
			if n, err := strconv.Atoi(fields[1]); err == nil {
				b.File, b.Line, b.Function = fs.known(fields[0]), n, fields[2]
				return nil
			}
		}
	}
	file, err := fs.currentFile()
	if err != nil {
		return err
	}
	if f, ok := fs.defined(ctx, file, name); ok {
		b.File, b.Line, b.Function = file, f.BodyLine, f.Name
		return nil
	}
	if file, f, ok := fs.functionOf(ctx, name); ok {
		b.File, b.Line, b.Function = file, f.BodyLine, f.Name
		return nil
	}
	return errorf(NotFound, "The specified object '%s' is not a function or was not found along sys.path.", name)
}

// functionOf finds the definition of MODULE.FUNCTION: in the module's file, or in the file from
// which the module imports the name.
func (fs *files) functionOf(ctx context.Context, name string) (file string, f python.Function, ok bool) {
	for dot := strings.LastIndexByte(name, '.'); dot > 0; dot = strings.LastIndexByte(name[:dot], '.') {
		file, err := fs.findFile(ctx, name[:dot])
		if err != nil {
			continue
		}
		if file, f, ok := fs.offered(ctx, file, name[dot+1:], mostImports); ok {
			return file, f, true
		}
	}
	return "", python.Function{}, false
}

// offered finds a function that a file defines or imports. It follows at most the given number of
// imports.
func (fs *files) offered(ctx context.Context, file, name string, imports int) (string, python.Function, bool) {
	f, ok := fs.defined(ctx, file, name)
	if ok && f.QualName == name || imports == 0 {
		return file, f, ok
	}
	lines, err := fs.fileLines(file)
	if err != nil {
		return file, f, ok
	}
	first, _, _ := strings.Cut(name, ".")
	for _, i := range python.Read([]byte(strings.Join(lines, "\n"))).Imports() {
		if i.InFunction || i.TypeChecking || !slices.Contains(i.Names, first) && !slices.Contains(i.Names, "*") {
			continue
		}
		from := ""
		if i.Level == 0 {
			from, _ = fs.findFile(ctx, i.Module)
		} else {
			folder := filepath.Dir(file)
			for range i.Level - 1 {
				folder = filepath.Dir(folder)
			}
			from = moduleIn([]string{folder}, strings.Split(cmp.Or(i.Module, "__init__"), "."))
		}
		if from == "" || from == file {
			continue
		}
		if file, f, ok := fs.offered(ctx, fs.known(from), name, imports-1); ok {
			return file, f, true
		}
	}
	return file, f, ok
}

// defined finds a function that is defined in a file.
func (fs *files) defined(ctx context.Context, file, name string) (python.Function, bool) {
	outline, err := fs.outline(file)
	if err != nil {
		return python.Function{}, false
	}
	return findFunction(outline, strings.TrimPrefix(name, "self."))
}

// outline parses a file and returns its executable lines and functions.
func (fs *files) outline(file string) (python.Outline, error) {
	if f, ok := fs.fileThatRuns(file); ok {
		return python.Read(f.Source).Outline(), nil
	}
	lines, err := readSource(file)
	if err != nil {
		return python.Outline{}, err
	}
	return python.Read([]byte(strings.Join(lines, "\n") + "\n")).Outline(), nil
}

// extent returns the first and last line of a frame's function. For a module it returns 1 and
// count, the number of lines.
func (fs *files) extent(ctx context.Context, frame statetree.StackFrame, path string, count int) (first, last int) {
	if frame.Event < 0 { // library code: only its source is known
		if outline, err := fs.outline(path); err == nil {
			for _, f := range outline.Functions {
				if f.Name == frame.Function && f.Line <= frame.Line && frame.Line <= f.EndLine {
					return f.Line, f.EndLine
				}
			}
		}
		return 1, count
	}
	if frame.Function == "<module>" {
		return 1, count
	}
	t := fs.program.states()
	code := t.Code(t.At(frame.Event).Code)
	first, last = code.FirstLine, code.LastLine
	if outline, err := fs.outline(path); err == nil {
		for _, f := range outline.Functions {
			if f.Line == code.FirstLine && f.Name == code.Name {
				return f.Line, f.EndLine
			}
		}
	}
	return max(first, 1), max(last, first)
}

// inner reports whether a line is in the body of a function that is nested in a frame's function,
// which begins at line first. A nested function of a single line counts as a statement.
func (fs *files) inner(ctx context.Context, frame statetree.StackFrame, path string, first, line int) bool {
	outline, err := fs.outline(path)
	if err != nil {
		return false
	}
	for _, f := range outline.Functions {
		own := f.Name == frame.Function && f.Line == first
		if !own && f.Line >= first && f.Line < f.BodyLine && f.BodyLine <= line && line <= f.EndLine {
			return true
		}
	}
	return false
}

// Places returns completions for the location of a breakpoint: the functions of the current file,
// and the names of the known files followed by a colon.
func (fs *files) Places(ctx context.Context) []string {
	var names []string
	if file, err := fs.currentFile(); err == nil {
		if outline, err := fs.outline(file); err == nil {
			for _, f := range outline.Functions {
				names = append(names, f.QualName)
			}
		}
	}
	for _, f := range fs.program.states().Files() {
		names = append(names, f.Name+":")
	}
	return names
}

// named finds a function of the current file, a file, a module, or MODULE.FUNCTION by name. line is
// the first line of the function, 0 for a file. None of the program's code is run.
func (fs *files) named(ctx context.Context, name string) (path string, line int, err error) {
	if file, err := fs.currentFile(); err == nil {
		if f, ok := fs.defined(ctx, file, name); ok && (f.QualName == name || strings.HasPrefix(name, "self.")) {
			return file, f.Line, nil
		}
	}
	path, err = fs.findFile(ctx, name)
	if err == nil {
		return path, 0, nil
	}
	if file, f, ok := fs.functionOf(ctx, name); ok {
		return file, f.Line, nil
	}
	return "", 0, errorf(NotFound, "Error in argument: '%s' is no line, and no file, module or function of that name was found", escape.Line(name))
}

// findFunction finds a function by its qualified name, or else by the last part of its name.
func findFunction(o python.Outline, name string) (python.Function, bool) {
	for _, f := range o.Functions {
		if f.QualName == name {
			return f, true
		}
	}
	for _, f := range o.Functions {
		if f.Name == name || strings.HasSuffix(f.QualName, "."+name) {
			return f, true
		}
	}
	return python.Function{}, false
}
