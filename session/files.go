package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/session/breakpoint"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace/statetree"
)

// files finds source files by name, and reads their lines and functions.
type files struct {
	cfg      *Config
	program  *program
	position *position

	listed listed // the last listing that list showed
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

// currentFile returns the path of the selected frame's file. At the end it returns the program's
// main file.
func (fs *files) currentFile() (string, error) {
	files := fs.program.states().Files()
	if len(files) == 0 {
		return "", errorf(ProgramOver, "Nothing that ran is user code, so there is no file here: a breakpoint by path, such as b /path/to/file.py:12, and a restart make one")
	}
	frame, err := fs.position.frame()
	if err != nil {
		return files[0].Path, nil
	}
	if i := fs.position.fileOf(frame); i >= 0 {
		return files[i].Path, nil
	}
	return frame.File, nil
}

// findFile finds a file by path, name or module: first among the files of the recording, then in
// the program's folder and the working folder, then as an importable module.
func (fs *files) findFile(ctx context.Context, name string) (string, error) {
	if info, err := os.Stat(name); filepath.IsAbs(name) && err == nil && info.Mode().IsRegular() {
		return fs.known(name), nil
	}
	file := name
	if !strings.HasSuffix(file, ".py") && !strings.HasPrefix(file, "<") {
		file = strings.ReplaceAll(file, ".", string(filepath.Separator)) + ".py"
	}
	files := fs.program.states().Files()
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
				return fs.known(path), err
			}
		}
	}
	for _, f := range files {
		if strings.HasSuffix(f.Path, string(filepath.Separator)+file) {
			return f.Path, nil
		}
	}
	if path := fs.program.module(ctx, name); path != "" {
		return fs.known(path), nil
	}
	return "", errorf(NotFound, "'%s' not found from sys.path", escape.Line(name))
}

// known returns the path under which a file is recorded, if path leads to the same file by symbolic
// links. Otherwise it returns path.
func (fs *files) known(path string) string {
	if i := nav.SameFile(fs.program.states().Files(), path); i >= 0 {
		return fs.program.states().Files()[i].Path
	}
	return path
}

// fileLines returns the lines of a file: those that the program runs if it has run the file, else
// those on disk.
func (fs *files) fileLines(path string) ([]string, error) {
	if f, ok := fs.fileThatRuns(path); ok {
		return dsl.SplitLines(string(f.Source)), nil
	}
	return readSource(path)
}

// fileThatRuns returns a file as the program runs it. It returns false if only a breakpoint made
// the file known, because the user may edit the file until it is imported.
func (fs *files) fileThatRuns(path string) (statetree.File, bool) {
	files := fs.program.states().Files()
	i := slices.IndexFunc(files, func(f statetree.File) bool { return f.Path == path })
	if i < 0 || fs.program.rec != nil && i > 0 && !fs.program.rec.Tree().HasRun(i) && isFile(path) {
		return statetree.File{}, false
	}
	return files[i], true
}

// sourceOf returns the lines of a file as the next run will see them: from disk, or from -c.
func (fs *files) sourceOf(path string) ([]string, error) {
	if path == "<string>" {
		return dsl.SplitLines(fs.cfg.Options.Code), nil
	}
	if strings.HasPrefix(path, "<") {
		return nil, breakpoint.ErrCompiled
	}
	return readSource(path)
}

// textOf returns the lines and functions of a file as the next run will see them.
func (fs *files) textOf(path string) (breakpoint.Text, error) {
	lines, err := fs.sourceOf(path)
	if err != nil {
		return breakpoint.Text{}, err
	}
	return breakpoint.Text{Lines: lines, Outline: python.Read([]byte(strings.Join(lines, "\n"))).Outline()}, nil
}

// readSource reads the lines of a source file from disk. A file that is not UTF-8 is read as
// Latin-1, the encoding that such a file most likely declares.
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

// toList finds the file and lines for a list command.
func (fs *files) toList(ctx context.Context, c List) (text listing, err error) {
	switch {
	case c.Name != "":
		text.path, text.around, err = fs.named(ctx, c.Name)
	case fs.listed.last > 0 && !c.Here && c.First == 0:
		text.path, text.after = fs.listed.path, fs.listed.last
	default:
		frame, err := fs.position.frame()
		if err != nil {
			return text, err
		}
		text.around = frame.Line
		text.path, text.lines, err = fs.position.frameSource(frame)
		return text, err
	}
	if err != nil {
		return text, err
	}
	if text.lines, err = fs.fileLines(text.path); err != nil {
		err = errorf(NotFound, "%v", err)
	}
	return text, err
}

// checkLine returns an error if no line event can occur on a line. The error has pdb's words if pdb
// refuses the line too.
func (fs *files) checkLine(ctx context.Context, file string, lines []string, line int) error {
	if line < 1 || line > len(lines) {
		return &Error{Kind: BadArgument, Message: "End of file", Bare: true}
	}
	text := strings.TrimSpace(lines[line-1])
	if text == "" || text[0] == '#' {
		return errorf(BadArgument, "Blank or comment")
	}
	outline, err := fs.outline(file)
	if err != nil {
		return nil // the file cannot be parsed; allow the breakpoint
	}
	after := 0
	for _, n := range outline.Executable {
		if n == line {
			return nil
		}
		if n > line && (after == 0 || n < after) {
			after = n
		}
	}
	if strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, "'''") {
		return errorf(BadArgument, "Blank or comment")
	}
	hint := ""
	if after > 0 {
		hint = fmt.Sprintf("; the next one that does is %d", after)
	}
	return errorf(BadArgument, "Line %d of %s starts no statement%s", line, filepath.Base(file), hint)
}

// admitted checks that a breakpoint's line can be reached, and makes the file user code. It returns
// the file's lines and a message about what was changed.
func (fs *files) admitted(ctx context.Context, b *breakpoint.Breakpoint) (lines []string, notice string, err error) {
	if lines, err = fs.fileLines(b.File); err != nil {
		return nil, "", errorf(NotFound, "%v", err)
	}
	if err = fs.checkLine(ctx, b.File, lines, b.Line); err != nil {
		return nil, "", err
	}
	notice, err = fs.program.nav.Admit(ctx, b.File)
	return lines, notice, err
}
