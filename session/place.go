package session

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// place finds the file and line of what a breakpoint is to stand on.
func (s *Session) place(ctx context.Context, b *breakpoint.Breakpoint, at Target) (err error) {
	switch {
	case at.Function != "":
		return s.placeFunction(ctx, b, at.Function)
	case at.File != "":
		b.File, err = s.findFile(ctx, at.File)
	default:
		b.File, err = s.currentFile()
	}
	b.Line = at.Line
	return err
}

// placeFunction finds the first line of a function's body: by the live object of
// that name, else by the def in the current file, else, for MODULE.FUNCTION, by
// the def in that module's file, which need not have been imported.
func (s *Session) placeFunction(ctx context.Context, b *breakpoint.Breakpoint, name string) error {
	if s.live() {
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbFunction, name)
		if fields := strings.Split(answer.Text, "\n"); err == nil && len(fields) == 3 {
			if n, err := strconv.Atoi(fields[1]); err == nil {
				b.File, b.Line, b.Function = s.known(fields[0]), n, fields[2]
				return nil
			}
		}
	}
	file, err := s.currentFile()
	if err != nil {
		return err
	}
	if f, ok := s.defined(ctx, file, name); ok {
		b.File, b.Line, b.Function = file, f.BodyLine, f.Name
		return nil
	}
	if file, f, ok := s.functionOf(ctx, name); ok {
		b.File, b.Line, b.Function = file, f.BodyLine, f.Name
		return nil
	}
	return errorf(NotFound, "The specified object '%s' is not a function or was not found along sys.path.", name)
}

// functionOf finds MODULE.FUNCTION by its def in the module's file, or in the file that the
// module imports the name from.
func (s *Session) functionOf(ctx context.Context, name string) (file string, f python.Function, ok bool) {
	for dot := strings.LastIndexByte(name, '.'); dot > 0; dot = strings.LastIndexByte(name[:dot], '.') {
		file, err := s.findFile(ctx, name[:dot])
		if err != nil {
			continue
		}
		if file, f, ok := s.offered(ctx, file, name[dot+1:], mostImports); ok {
			return file, f, true
		}
	}
	return "", python.Function{}, false
}

// mostImports limits how many imports a name is followed through.
const mostImports = 8

// offered finds a function that a file defines or imports, through at most imports imports.
func (s *Session) offered(ctx context.Context, file, name string, imports int) (string, python.Function, bool) {
	f, ok := s.defined(ctx, file, name)
	if ok && f.QualName == name || imports == 0 {
		return file, f, ok
	}
	lines, err := s.fileLines(file)
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
			from, _ = s.findFile(ctx, i.Module)
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
		if file, f, ok := s.offered(ctx, s.known(from), name, imports-1); ok {
			return file, f, true
		}
	}
	return file, f, ok
}

// defined finds a function that a file defines.
func (s *Session) defined(ctx context.Context, file, name string) (python.Function, bool) {
	outline, err := s.outline(ctx, file)
	if err != nil {
		return python.Function{}, false
	}
	return findFunction(outline, strings.TrimPrefix(name, "self."))
}

// findFunction finds a function by its qualified name, else by its last part.
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

// outline returns the lines and functions of a file as the program runs it.
func (s *Session) outline(ctx context.Context, file string) (python.Outline, error) {
	if s.cfg.Evaluator == nil {
		return python.Outline{}, errors.New("there is no interpreter to read the source with")
	}
	if f, ok := s.fileThatRuns(file); ok {
		return s.cfg.Evaluator.Outline(ctx, f.Source, file)
	}
	lines, err := readSource(file)
	if err != nil {
		return python.Outline{}, err
	}
	return s.cfg.Evaluator.Outline(ctx, []byte(strings.Join(lines, "\n")+"\n"), file)
}

func isSyntaxError(err error) bool {
	var raised *python.EvalError
	if errors.As(err, &raised) {
		return raised.Type == "SyntaxError"
	}
	var syntax *python.SyntaxError
	return errors.As(err, &syntax)
}

func syntaxText(err error) string {
	var raised *python.EvalError
	if errors.As(err, &raised) {
		return raised.Type + ": " + raised.Message
	}
	var syntax *python.SyntaxError
	if errors.As(err, &syntax) {
		return "SyntaxError: " + syntax.Message
	}
	return err.Error()
}

// currentFile returns the path of the selected frame's file; at the end, of the
// program's.
func (s *Session) currentFile() (string, error) {
	files := s.states().Files()
	if len(files) == 0 {
		return "", errorf(ProgramOver, "Nothing that ran is user code, so there is no file here: a breakpoint by path, such as b /path/to/file.py:12, and a restart make one")
	}
	frame, err := s.frame()
	if err != nil {
		return files[0].Path, nil
	}
	if i := s.fileOf(frame); i >= 0 {
		return files[i].Path, nil
	}
	return frame.File, nil
}

// findFile finds a file by path, name or module: among the program's files, then
// in its folder and the current one.
func (s *Session) findFile(ctx context.Context, name string) (string, error) {
	if info, err := os.Stat(name); filepath.IsAbs(name) && err == nil && info.Mode().IsRegular() {
		return s.known(name), nil
	}
	file := name
	if !strings.HasSuffix(file, ".py") && !strings.HasPrefix(file, "<") {
		file = strings.ReplaceAll(file, ".", string(filepath.Separator)) + ".py"
	}
	files := s.states().Files()
	for _, f := range files {
		if f.Path == name || f.Name == name || f.Path == file || f.Name == file {
			return f.Path, nil
		}
	}
	dirs := []string{"."}
	if len(files) > 0 {
		dirs = []string{filepath.Dir(files[0].Path), "."}
	}
	for _, dir := range dirs {
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, file)
		}
		for _, path := range []string{path, strings.TrimSuffix(path, ".py") + "/__init__.py"} {
			if info, err := os.Stat(path); err == nil && !info.IsDir() {
				path, err := filepath.Abs(path)
				return s.known(path), err
			}
		}
	}
	for _, f := range files {
		if strings.HasSuffix(f.Path, string(filepath.Separator)+file) {
			return f.Path, nil
		}
	}
	if path := s.module(ctx, name); path != "" {
		return s.known(path), nil
	}
	return "", errorf(NotFound, "'%s' not found from sys.path", escape.Line(name))
}

// known returns the path by which the program's files have a file that symbolic links may
// lead to by several paths; else the path itself.
func (s *Session) known(path string) string {
	if i := nav.SameFile(s.states().Files(), path); i >= 0 {
		return s.states().Files()[i].Path
	}
	return path
}

// fileLines returns a file's lines as the program runs it, or else as it is on disk.
func (s *Session) fileLines(path string) ([]string, error) {
	if f, ok := s.fileThatRuns(path); ok {
		return dsl.SplitLines(string(f.Source)), nil
	}
	return readSource(path)
}

// fileThatRuns returns a file as the program runs it. It returns false for a file that is known
// only because of a breakpoint, because that may be edited until it is imported.
func (s *Session) fileThatRuns(path string) (statetree.File, bool) {
	files := s.states().Files()
	i := slices.IndexFunc(files, func(f statetree.File) bool { return f.Path == path })
	if i < 0 || s.rec != nil && i > 0 && !s.rec.Tree().HasRun(i) && isFile(path) {
		return statetree.File{}, false
	}
	return files[i], true
}

// sourceOf returns a file's lines as the next run will see them: on disk, or in the
// program's text that was given with the options.
func (s *Session) sourceOf(path string) ([]string, error) {
	if path == "<string>" {
		return dsl.SplitLines(s.cfg.Options.Code), nil
	}
	if strings.HasPrefix(path, "<") {
		return nil, breakpoint.ErrCompiled
	}
	return readSource(path)
}

// textOf reads a file as the next run will see it, with its lines and functions.
func (s *Session) textOf(path string) (breakpoint.Text, error) {
	lines, err := s.sourceOf(path)
	if err != nil {
		return breakpoint.Text{}, err
	}
	return breakpoint.Text{Lines: lines, Outline: python.Read([]byte(strings.Join(lines, "\n"))).Outline()}, nil
}

// readSource reads a source file's lines from disk. Bytes that are no UTF-8 are
// taken for Latin-1, the encoding that such a file is most likely to declare.
func readSource(path string) ([]string, error) {
	raw, err := plainfile.ReadSource(path)
	if err != nil {
		return nil, err
	}
	if utf8.Valid(raw) {
		return dsl.SplitLines(string(raw)), nil
	}
	runes := make([]rune, len(raw))
	for i, c := range raw {
		runes[i] = rune(c)
	}
	return dsl.SplitLines(string(runes)), nil
}

// Places returns what a breakpoint can be set at by name: the functions of the current file,
// and the program's files, with a colon behind them.
func (s *Session) Places(ctx context.Context) []string {
	var names []string
	if file, err := s.currentFile(); err == nil {
		if outline, err := s.outline(ctx, file); err == nil {
			for _, f := range outline.Functions {
				names = append(names, f.QualName)
			}
		}
	}
	for _, f := range s.states().Files() {
		names = append(names, f.Name+":")
	}
	return names
}

// Names returns how a Python name or attribute can go on: at the live edge the program
// tells, elsewhere the names that are known.
func (s *Session) Names(ctx context.Context, prefix string) []string {
	if s.live() {
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbComplete, prefix)
		if err == nil {
			return strings.Fields(answer.Text)
		}
	}
	frame, err := s.frame()
	if err != nil || strings.Contains(prefix, ".") {
		return nil
	}
	var names []string
	stack := s.allFrames(ctx)
	for _, l := range s.scope(stack, slices.Index(stack, frame), s.pos.Event) {
		if strings.HasPrefix(l.Name, prefix) {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
