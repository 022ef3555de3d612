package session

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/trace"
	"github.com/npdb/npdb/trace/statetree"
)

// listSpan is how many lines list shows, listBefore how many of them stand
// before the one it is about.
const (
	listSpan   = 11
	listBefore = 5
)

func (s *Session) cmdList(_ context.Context, arg string) error {
	s.last = "list" // an empty line lists on, whatever this one's argument
	frame, err := s.frame()
	if err != nil {
		return err
	}
	first, last, err := s.listRange(arg, frame.Line)
	if err != nil {
		return err
	}
	path, lines, err := s.frameSource(frame)
	if err != nil {
		return err
	}
	if text := s.numbered(path, lines, first, min(last, len(lines)), frame); text != "" {
		s.say(text)
	}
	s.listed = min(last, len(lines))
	if len(lines) < last {
		s.say("[EOF]")
	}
	return nil
}

// listRange reads list's argument: the first and last line to show.
func (s *Session) listRange(arg string, current int) (first, last int, err error) {
	bad := errorf(BadArgument, "Error in argument: '%s'", arg)
	switch {
	case arg == "." || arg == "" && s.listed == 0:
		first = max(1, current-listBefore)
	case arg == "":
		first = s.listed + 1
	case strings.Contains(arg, ","):
		a, b, _ := strings.Cut(arg, ",")
		if first, err = strconv.Atoi(strings.TrimSpace(a)); err != nil || first < 1 {
			return 0, 0, bad
		}
		if last, err = strconv.Atoi(strings.TrimSpace(b)); err != nil {
			return 0, 0, bad
		}
		if last < first {
			last += first // it is a count
		}
		return first, last, nil
	default:
		if first, err = strconv.Atoi(arg); err != nil {
			return 0, 0, bad
		}
		first = max(1, first-listBefore)
	}
	return first, first + listSpan - 1, nil
}

// frameSource is the lines of a frame's file.
func (s *Session) frameSource(frame statetree.StackFrame) (path string, lines []string, err error) {
	file := s.fileOf(frame)
	if file < 0 {
		return "", nil, errorf(NotFound, "could not get source code")
	}
	f := s.states().Files()[file]
	return f.Path, dsl.SplitLines(string(f.Source)), nil
}

// numbered is source lines as pdb lists them: number, B for a breakpoint, -> for
// the current line of the frame, >> for the line on which it raised.
func (s *Session) numbered(path string, lines []string, first, last int, frame statetree.StackFrame) string {
	current, raised := frame.Line, 0
	if b := s.selectedBelow(); b != nil {
		current, raised = b.at, frame.Line
	} else {
		raised = s.raisedLine(frame)
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

func listLine(n int, mark, source string) string {
	number := fmt.Sprintf("%3d", n)
	if len(number) < 4 {
		number += " "
	}
	return number + mark + "\t" + strings.TrimRight(source, " \t\f\v")
}

// raisedLine is the line of a frame that an exception on its way out came from,
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

func (s *Session) cmdLonglist(ctx context.Context, arg string) error {
	if arg != "" {
		return usage("longlist", arg)
	}
	frame, err := s.frame()
	if err != nil {
		return err
	}
	path, lines, err := s.frameSource(frame)
	if err != nil {
		return err
	}
	first, last := s.extent(ctx, frame, path, len(lines))
	if text := s.numbered(path, lines, first, min(last, len(lines)), frame); text != "" {
		s.say(text)
	}
	return nil
}

// extent is the first and last line of a frame's function, of the whole file for
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

func (s *Session) cmdSource(ctx context.Context, arg string) error {
	if arg == "" {
		return usage("source", arg)
	}
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
		return s.walk.refuse("source "+arg, err.Error())
	}
	f, ok := findFunction(outline, arg)
	if !ok {
		return s.walk.refuse("source "+arg, "it is no function of "+filepath.Base(path))
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
