package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
)

// listSpan is the number of lines that list shows. listBefore is how many of them precede the
// wanted line.
const (
	listSpan   = 11
	listBefore = 5
)

// List lists source lines: from First to Last; or listSpan lines around First if Last is 0; with
// Here around the current line; without all of these the lines after the last listing. Name selects
// a file, a module or a function; "" is the selected frame's file. The module need not be imported.
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
	text, err := s.files.toList(ctx, c)
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
		s.draft.say(escape.Line(s.position.pathWord(text.path)) + ":")
	}
	if words := s.breakpoints.numbered(text.path, text.lines, first, min(last, len(text.lines))); words != "" {
		s.draft.say(words)
	}
	s.files.listed = listed{path: text.path, last: min(last, len(text.lines))}
	if len(text.lines) < last {
		s.draft.say("[EOF]")
	}
	return nil
}

// listed records what the last listing showed: its file and its last line.
type listed struct {
	path string
	last int // 0 if nothing was listed
}

// listing is a source file to list: around a line, or from the line after another one.
type listing struct {
	path          string
	lines         []string
	around, after int
}

func listLine(n int, mark, source string) string {
	number := fmt.Sprintf("%3d", n)
	if len(number) < 4 {
		number += " "
	}
	return number + mark + "\t" + strings.TrimRight(source, " \t\f\v")
}

// ListFunction lists the whole function of the selected frame.
type ListFunction struct{}

func (ListFunction) String() string { return "longlist" }

func (ListFunction) run(ctx context.Context, s *Session) error {
	frame, err := s.position.frame()
	if err != nil {
		return err
	}
	path, lines, err := s.position.frameSource(frame)
	if err != nil {
		return err
	}
	first, last := s.files.extent(ctx, frame, path, len(lines))
	if text := s.breakpoints.numbered(path, lines, first, min(last, len(lines))); text != "" {
		s.draft.say(text)
	}
	return nil
}

// ShowSource lists the source of an object. Before the live edge, the object can only be a function
// of the current file.
type ShowSource struct {
	Expression string `json:"expression"`
}

func (c ShowSource) String() string { return words("source", c.Expression) }

func (c ShowSource) run(ctx context.Context, s *Session) error {
	arg := c.Expression
	if s.position.live() {
		ctx, done := s.program.interruptible(ctx)
		defer done()
		answer, err := s.program.rec.Ask(ctx, s.position.selected, trace.VerbSource, arg)
		if err == nil {
			s.draft.say(trimLineEnd(answer.Text))
		}
		return err
	}
	path, err := s.files.currentFile()
	if err != nil {
		return err
	}
	outline, err := s.files.outline(path)
	if err != nil {
		return s.position.refuse("source "+arg, err.Error())
	}
	f, ok := findFunction(outline, arg)
	if !ok {
		return s.position.refuse("source "+arg, "it is no function of "+filepath.Base(path))
	}
	lines, err := s.files.fileLines(path)
	if err != nil {
		return errorf(NotFound, "%v", err)
	}
	var out []string
	for n := f.Line; n <= min(f.EndLine, len(lines)); n++ {
		out = append(out, listLine(n, " ", lines[n-1]))
	}
	s.draft.say(strings.Join(out, "\n"))
	return nil
}
