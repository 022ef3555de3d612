package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// listSpan is how many lines list shows, listBefore how many of them stand
// before the one it is about.
const (
	listSpan   = 11
	listBefore = 5
)

// List lists source lines: from First to Last, or listSpan lines around First if Last is 0,
// or around the current line with Here, or else the lines after the last listing. Name selects
// a file, a module or a function; "" is the selected frame's file. The module need not be
// imported.
type List struct {
	Name  string `json:"name,omitempty"`
	First int    `json:"first,omitempty"`
	Last  int    `json:"last,omitempty"`
	Here  bool   `json:"here,omitempty"`
}

func (c List) String() string {
	lines := ""
	switch {
	case c.Here:
		return "list ."
	case c.Last > 0:
		lines = fmt.Sprintf("%d, %d", c.First, c.Last)
	case c.First > 0:
		lines = strconv.Itoa(c.First)
	}
	name := escape.Line(c.Name)
	if name != "" && lines != "" {
		name += ":"
	}
	return words("list", name+lines)
}

func (c List) run(ctx context.Context, s *Session) error {
	text, err := s.toList(ctx, c)
	if err != nil {
		return err
	}
	first := c.First - listBefore
	switch {
	case c.Last > 0:
		first = c.First
	case c.First > 0:
	case text.around > 0:
		first = text.around - listBefore
	default:
		first = text.after + 1
	}
	first = max(first, 1)
	last := c.Last
	if last == 0 {
		last = first + listSpan - 1
	}
	if c.Name != "" {
		s.say(escape.Line(s.pathWord(text.path)) + ":")
	}
	if words := s.numbered(text.path, text.lines, first, min(last, len(text.lines))); words != "" {
		s.say(words)
	}
	s.listed = listed{path: text.path, last: min(last, len(text.lines))}
	if len(text.lines) < last {
		s.say("[EOF]")
	}
	return nil
}

// listed records the last listing: a file and the last line shown.
type listed struct {
	path string
	last int // 0 for none
}

// listing is a text to list, around a line or else after one.
type listing struct {
	path          string
	lines         []string
	around, after int
}

// toList returns the text that a command lists.
func (s *Session) toList(ctx context.Context, c List) (text listing, err error) {
	switch {
	case c.Name != "":
		text.path, text.around, err = s.named(ctx, c.Name)
	case s.listed.last > 0 && !c.Here && c.First == 0:
		text.path, text.after = s.listed.path, s.listed.last
	default:
		frame, err := s.frame()
		if err != nil {
			return text, err
		}
		text.around = frame.Line
		text.path, text.lines, err = s.frameSource(frame)
		return text, err
	}
	if err != nil {
		return text, err
	}
	if text.lines, err = s.fileLines(text.path); err != nil {
		err = errorf(NotFound, "%v", err)
	}
	return text, err
}

// named resolves a name: a function of the current file, a file or module, or
// MODULE.FUNCTION. line is the first line of a function, 0 for a file. It runs none of the
// program's code.
func (s *Session) named(ctx context.Context, name string) (path string, line int, err error) {
	if file, err := s.currentFile(); err == nil {
		if f, ok := s.defined(ctx, file, name); ok && (f.QualName == name || strings.HasPrefix(name, "self.")) {
			return file, f.Line, nil
		}
	}
	path, err = s.findFile(ctx, name)
	if err == nil {
		return path, 0, nil
	}
	if file, f, ok := s.functionOf(ctx, name); ok {
		return file, f.Line, nil
	}
	return "", 0, errorf(NotFound, "Error in argument: '%s' is no line, and no file, module or function of that name was found", escape.Line(name))
}

// frameSource returns the lines of a frame's file.
func (s *Session) frameSource(frame statetree.StackFrame) (path string, lines []string, err error) {
	file := s.fileOf(frame)
	if file < 0 {
		return "", nil, errorf(NotFound, "could not get source code")
	}
	f := s.states().Files()[file]
	return f.Path, dsl.SplitLines(string(f.Source)), nil
}

// numbered returns source lines as pdb lists them: number, B for a breakpoint, and in the
// selected frame's file -> for its current line, >> for the line on which it raised.
func (s *Session) numbered(path string, lines []string, first, last int) string {
	current, raised := 0, 0
	if frame, err := s.frame(); err == nil && s.pathOf(frame) == path {
		if current, raised = frame.Line, s.raisedLine(frame); s.selectedBelow() != nil {
			current, raised = s.selectedBelow().at, frame.Line
		}
	}
	var out []string
	for n := first; n <= last; n++ {
		mark := " "
		if len(s.bps.At(path, n)) > 0 {
			mark = "B"
		}
		switch n {
		case current:
			mark += "->"
		case raised:
			mark += ">>"
		}
		out = append(out, listLine(n, mark, lines[n-1]))
	}
	return strings.Join(out, "\n")
}

// pathOf returns the path of a frame's file.
func (s *Session) pathOf(frame statetree.StackFrame) string {
	if i := s.fileOf(frame); i >= 0 {
		return s.states().Files()[i].Path
	}
	return frame.File
}

func listLine(n int, mark, source string) string {
	number := fmt.Sprintf("%3d", n)
	if len(number) < 4 {
		number += " "
	}
	return number + mark + "\t" + strings.TrimRight(source, " \t\f\v")
}

// raisedLine returns the line of a frame that an exception on its way out came from,
// 0 when it is on no such way.
func (s *Session) raisedLine(frame statetree.StackFrame) int {
	t := s.states()
	if frame.Event < 0 {
		return 0
	}
	if r := t.At(frame.Event); r.Event != dsl.Exception && r.Kind != dsl.Unwound && !s.pos.PostMortem {
		return 0
	}
	if e := t.FatalException(frame.Activation); e >= 0 && e <= s.pos.Event {
		return t.At(e).Line
	}
	return 0
}

// ListFunction lists the selected frame's function.
type ListFunction struct{}

func (ListFunction) String() string { return "longlist" }

func (ListFunction) run(ctx context.Context, s *Session) error {
	frame, err := s.frame()
	if err != nil {
		return err
	}
	path, lines, err := s.frameSource(frame)
	if err != nil {
		return err
	}
	first, last := s.extent(ctx, frame, path, len(lines))
	if text := s.numbered(path, lines, first, min(last, len(lines))); text != "" {
		s.say(text)
	}
	return nil
}

// extent returns the first and last line of a frame's function, of the whole file for
// a module.
func (s *Session) extent(ctx context.Context, frame statetree.StackFrame, path string, count int) (first, last int) {
	if frame.Event < 0 { // of a library: all that is known is its text
		if outline, err := s.outline(ctx, path); err == nil {
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
	t := s.states()
	code := t.Code(t.At(frame.Event).Code)
	first, last = code.FirstLine, code.LastLine
	if outline, err := s.outline(ctx, path); err == nil {
		for _, f := range outline.Functions {
			if f.Line == code.FirstLine && f.Name == code.Name {
				return f.Line, f.EndLine
			}
		}
	}
	return max(first, 1), max(last, first)
}

// ShowSource lists the source of an object.
type ShowSource struct {
	Expression string `json:"expression"`
}

func (c ShowSource) String() string { return words("source", c.Expression) }

func (c ShowSource) run(ctx context.Context, s *Session) error {
	arg := c.Expression
	if s.live() {
		ctx, done := s.interruptible(ctx)
		defer done()
		answer, err := s.rec.Ask(ctx, s.selected, trace.VerbSource, arg)
		if err == nil {
			s.say(trimLineEnd(answer.Text))
		}
		return err
	}
	path, err := s.currentFile()
	if err != nil {
		return err
	}
	outline, err := s.outline(ctx, path)
	if err != nil {
		return s.refuse("source "+arg, err.Error())
	}
	f, ok := findFunction(outline, arg)
	if !ok {
		return s.refuse("source "+arg, "it is no function of "+filepath.Base(path))
	}
	lines, err := s.fileLines(path)
	if err != nil {
		return errorf(NotFound, "%v", err)
	}
	var out []string
	for n := f.Line; n <= min(f.EndLine, len(lines)); n++ {
		out = append(out, listLine(n, " ", lines[n-1]))
	}
	s.say(strings.Join(out, "\n"))
	return nil
}
