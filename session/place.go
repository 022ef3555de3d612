package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/trace"
)

// place finds the file and line that a breakpoint's argument names:
// [FILE:]LINE or a function.
func (s *Session) place(ctx context.Context, b *Breakpoint, arg string) error {
	if colon := strings.LastIndexByte(arg, ':'); colon >= 0 {
		file, err := s.findFile(strings.TrimSpace(arg[:colon]))
		if err != nil {
			return err
		}
		b.File = file
		text := strings.TrimSpace(arg[colon+1:])
		if b.Line, err = strconv.Atoi(text); err != nil {
			return errorf(BadArgument, "Bad lineno: %s", text)
		}
		return nil
	}
	if line, err := strconv.Atoi(arg); err == nil {
		b.Line = line
		b.File, err = s.currentFile()
		return err
	}
	return s.placeFunction(ctx, b, arg)
}

// placeFunction finds the first line of a function's body: by the live object of
// that name, else by the def in the current file, else, for MODULE.FUNCTION, by
// the def in that module's file, which need not have been imported.
func (s *Session) placeFunction(ctx context.Context, b *Breakpoint, name string) error {
	if s.live() {
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbFunction, name)
		if path, line, ok := strings.Cut(answer.Text, "\n"); err == nil && ok {
			if n, err := strconv.Atoi(line); err == nil {
				b.File, b.Line = path, n
				b.Function = s.onOneLine(ctx, path, n)
				return nil
			}
		}
	}
	file, err := s.currentFile()
	if err != nil {
		return err
	}
	if s.placeIn(ctx, b, file, strings.TrimPrefix(name, "self.")) {
		return nil
	}
	for dot := strings.LastIndexByte(name, '.'); dot > 0; dot = strings.LastIndexByte(name[:dot], '.') {
		file, err := s.findFile(name[:dot])
		if err == nil && s.placeIn(ctx, b, file, name[dot+1:]) {
			return nil
		}
	}
	return errorf(NotFound, "The specified object '%s' is not a function or was not found along sys.path.", name)
}

// placeIn puts a breakpoint on a function that a file defines; false when it
// defines none of that name.
func (s *Session) placeIn(ctx context.Context, b *Breakpoint, file, name string) bool {
	outline, err := s.outline(ctx, file)
	if err != nil {
		return false
	}
	f, ok := findFunction(outline, name)
	if !ok {
		return false
	}
	b.File, b.Line = file, f.BodyLine
	b.Function = s.onOneLine(ctx, file, f.BodyLine)
	return true
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

// onOneLine is the name of the function whose def and body share a line: the
// statement that defines it has a line event there too, which is no reason to
// stop. It is "" for every other function.
func (s *Session) onOneLine(ctx context.Context, file string, line int) string {
	outline, err := s.outline(ctx, file)
	if err != nil {
		return ""
	}
	for _, f := range outline.Functions {
		if f.BodyLine == line && f.Line == line {
			return f.Name
		}
	}
	return ""
}

// outline is the lines and functions of a file as the program runs it.
func (s *Session) outline(ctx context.Context, file string) (python.Outline, error) {
	if s.cfg.Evaluator == nil {
		return python.Outline{}, errors.New("there is no interpreter to read the source with")
	}
	for _, f := range s.states().Files() {
		if f.Path == file {
			return s.cfg.Evaluator.Outline(ctx, f.Source, file)
		}
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

// currentFile is the path of the selected frame's file; at the end, of the
// program's.
func (s *Session) currentFile() (string, error) {
	files := s.states().Files()
	if len(files) == 0 {
		return "", errorf(ProgramOver, "The recording has no files")
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
func (s *Session) findFile(name string) (string, error) {
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
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return filepath.Abs(path)
		}
	}
	for _, f := range files {
		if strings.HasSuffix(f.Path, string(filepath.Separator)+file) {
			return f.Path, nil
		}
	}
	return "", errorf(NotFound, "'%s' not found from sys.path", name)
}

// fileLines is a file's lines as the program runs it, or else as it is on disk.
func (s *Session) fileLines(path string) ([]string, error) {
	for _, f := range s.states().Files() {
		if f.Path == path {
			return sourceLines(string(f.Source)), nil
		}
	}
	return readSource(path)
}

// sourceOf is a file's lines as the next run will see them: on disk, or in the
// program's text that was given with the options.
func (s *Session) sourceOf(path string) ([]string, error) {
	if path == "<string>" {
		return sourceLines(s.cfg.Options.Code), nil
	}
	return readSource(path)
}
