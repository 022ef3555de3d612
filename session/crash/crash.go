// Package crash turns a traceback into the state at which a session begins: the program's file, the
// call stack, the locals that the traceback shows, and the exception.
package crash

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/python"
	"github.com/npdb/npdb/python/traceback"
	"github.com/npdb/npdb/trace"
)

// Map replaces the beginning From of a path by To.
type Map struct{ From, To string }

// ParseMap parses FROM=TO.
func ParseMap(text string) (Map, error) {
	from, to, ok := strings.Cut(text, "=")
	if !ok || from == "" {
		return Map{}, fmt.Errorf("--map %s: write FROM=TO, such as /app=src", text)
	}
	return Map{From: from, To: to}, nil
}

// Finder finds the files of a traceback.
type Finder struct {
	Dir  string // the folder to which paths are relative
	Maps []Map
}

// State holds the program and the state that a traceback describes.
type State struct {
	Script  string // path of the program's file: that of the outermost frame of user code
	Begin   *trace.Beginning
	Notices []string // what the traceback leaves open, and what was chosen
}

// mostRepeated is the maximum number of frames that stand for "Previous line repeated". CPython's own limit
// of recursion is 1000.
const mostRepeated = 1000

// Read reads a traceback and finds its files. The error says what is missing and what to do; that of
// a text that is not a traceback is a *traceback.Error.
func (f Finder) Read(text string) (*State, error) {
	out := &State{Begin: &trace.Beginning{}}
	if !utf8.ValidString(text) {
		text = backslashed(text)
		out.notice("The traceback is not UTF-8; its other bytes are written as \\xNN.")
	}
	t, err := traceback.Parse(text)
	if err != nil {
		return nil, err
	}
	t = out.explained(t)
	if last := t.Frames; len(last) > 0 && last[len(last)-1].Syntax {
		return nil, fmt.Errorf("the traceback is of a %s: %s did not run, so there is no state to begin at", t.Type, last[len(last)-1].File)
	}
	missing := ""
	var kept []foundFrame
	for _, one := range t.Frames {
		path, ok := f.find(one.File)
		switch {
		case !ok:
			missing = one.File
			continue
		case isLibrary(path):
			continue
		}
		if out.Script == "" {
			out.Script = path
		}
		frame := trace.BeginningFrame{File: path, Function: function(one.Function), Line: one.Line}
		for _, l := range one.Locals {
			if l.Cut {
				out.notice("The traceback shortens %s, so its value is unknown.", l.Name)
				continue
			}
			frame.Locals = append(frame.Locals, trace.BeginningLocal{Name: l.Name, Value: l.Repr})
		}
		frame.Complete = false
		for range min(one.Repeated, mostRepeated) + 1 {
			out.Begin.Frames = append(out.Begin.Frames, frame)
		}
		kept = append(kept, foundFrame{one, path})
	}
	if len(out.Begin.Frames) == 0 {
		return nil, f.nothing(missing)
	}
	if err := out.matches(kept); err != nil {
		return nil, err
	}
	out.raise(t)
	return out, nil
}

// explained returns the exception at which the session begins. For an exception group this is the first
// leaf with frames.
func (s *State) explained(t *traceback.Trace) *traceback.Trace {
	if t.Found > 1 {
		s.notice("The text holds %d tracebacks; this is the last one.", t.Found)
	}
	for len(t.Leaves) > 0 {
		next := -1
		for i, leaf := range t.Leaves {
			if len(leaf.Frames) > 0 || len(leaf.Leaves) > 0 {
				next = i
				break
			}
		}
		if next < 0 {
			break
		}
		if n := len(t.Leaves) + t.LeavesOmitted; n > 1 {
			s.notice("%s holds %d exceptions; this is number %d.", t.Type, n, next+1)
		}
		t = t.Leaves[next]
	}
	if earlier := t.Earlier(); earlier != nil && earlier.Type != "" {
		relation := "It was raised while this exception was handled: "
		if t.Cause != nil {
			relation = "Its cause: "
		}
		s.notice("%s%s.", relation, describe(earlier))
	}
	return t
}

// describe names an exception and the line that raised it.
func describe(t *traceback.Trace) string {
	text := t.Type
	if t.Message != "" {
		text += ": " + t.Message
	}
	if n := len(t.Frames); n > 0 && t.Frames[n-1].Line > 0 {
		text += fmt.Sprintf(", at %s:%d", filepath.Base(t.Frames[n-1].File), t.Frames[n-1].Line)
	}
	return text
}

// raise sets the exception of the state. A traceback shows the exception's text but not its arguments,
// so raise assumes the arguments.
func (s *State) raise(t *traceback.Trace) {
	if t.Type == "" {
		s.notice("The traceback ends before the exception, so this session begins at the line, before it runs.")
		return
	}
	repr, sure := exceptionRepr(t.Type, t.Message)
	s.Begin.Raised = &repr
	if !sure {
		s.notice("A traceback does not show an exception's arguments: %s is assumed.", repr)
	}
}

// exceptionRepr returns the repr of an exception from its class and its text. sure is false if other
// arguments may give the same text.
func exceptionRepr(class, message string) (repr string, sure bool) {
	name := class[strings.LastIndex(class, ".")+1:]
	switch {
	case message == "":
		return name + "()", true
	case name == "KeyError": // its text is the repr of the key
		return name + "(" + message + ")", true
	}
	return name + "(" + python.Quote(message) + ")", false
}

// foundFrame is a frame of a traceback whose file was found.
type foundFrame struct {
	traceback.Frame
	path string
}

// matches checks that each frame's line in its file is still the line that the traceback shows. The
// innermost frame must have a line.
func (s *State) matches(frames []foundFrame) error {
	files := map[string][]string{}
	for i, f := range frames {
		innermost := i == len(frames)-1
		if f.Line == 0 && innermost {
			return fmt.Errorf("the traceback does not tell the line of %s in %s", f.Function, f.path)
		}
		if f.Line == 0 {
			continue
		}
		lines, read := files[f.path]
		if !read {
			source, err := plainfile.ReadSource(f.path)
			if err != nil {
				return err
			}
			lines = python.Read(source).Lines()
			files[f.path] = lines
		}
		switch {
		case f.Line > len(lines) && innermost:
			return fmt.Errorf("%s has no line %d: it has changed since the traceback was printed, or --map names the wrong folder", f.path, f.Line)
		case f.Line > len(lines):
			s.notice("%s has no line %d, where %s was: it has changed since the traceback was printed.", f.path, f.Line, f.Function)
		case differs(f.Frame, lines[f.Line-1]):
			s.notice("Line %d of %s is not the line of the traceback: %s. The file has changed since.", f.Line, f.path, strings.TrimSpace(f.Source))
		}
	}
	return nil
}

// differs reports whether a line is not the one that the traceback shows.
func differs(f traceback.Frame, line string) bool {
	printed, now := strings.TrimSpace(f.Source), strings.TrimSpace(line)
	return printed != "" && now != printed && (!f.SourceCut || !strings.HasPrefix(now, printed))
}

// backslashed replaces bytes that are not UTF-8 as Python's backslashreplace does.
func backslashed(text string) string {
	var b strings.Builder
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
			continue
		}
		b.WriteString(text[i : i+size])
	}
	return b.String()
}

func (s *State) notice(format string, a ...any) {
	s.Notices = append(s.Notices, fmt.Sprintf(format, a...))
}

// function returns the name of a frame's code, "" if the traceback does not tell it. Since Python 3.11
// some programs print qualified names.
func function(name string) string {
	if strings.HasPrefix(name, "<") {
		return name
	}
	return name[strings.LastIndex(name, ".")+1:]
}

// find returns the path of a file of a traceback: the path as mapped, or else the longest end of it
// that names a file below the folder.
func (f Finder) find(file string) (path string, ok bool) {
	if file == "" || strings.HasPrefix(file, "<") || strings.HasPrefix(file, "Cell In[") {
		return "", false
	}
	file = strings.ReplaceAll(file, `\`, "/")
	for _, m := range f.Maps {
		if rest, ok := strings.CutPrefix(file, m.From); ok {
			file = m.To + rest
			break
		}
	}
	if isFile(f.at(file)) {
		return f.at(file), true
	}
	parts := strings.Split(strings.Trim(file, "/"), "/")
	for i := 1; i < len(parts); i++ {
		if end := filepath.Join(parts[i:]...); isFile(f.at(end)) {
			return f.at(end), true
		}
	}
	return "", false
}

func (f Finder) at(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(f.Dir, file)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isLibrary reports whether a file belongs to Python or to an installed package.
func isLibrary(path string) bool {
	path = filepath.ToSlash(path)
	for _, folder := range []string{"/site-packages/", "/dist-packages/", "/lib/python3", "/lib64/python3"} {
		if strings.Contains(path, folder) {
			return true
		}
	}
	return false
}

// nothing returns the error for a traceback none of whose files was found. missing is the innermost
// file outside of libraries, or "" if there is none.
func (f Finder) nothing(missing string) error {
	if missing == "" {
		return fmt.Errorf("the traceback has no frame in the program's own files, only in Python's and in packages")
	}
	return fmt.Errorf("%s is not found below %s: run npdb in the program's folder, or name it with --map FROM=TO", missing, f.Dir)
}
