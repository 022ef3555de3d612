package breakpoint

import (
	"errors"
	"fmt"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/python"
)

// Text holds the current lines and outline of a source file.
type Text struct {
	Lines   []string
	Outline python.Outline
}

// ErrCompiled reports that a file is a string that the program compiles at run time, so its text
// cannot be read before.
var ErrCompiled = errors.New("the program compiles this text as it runs")

// Relocate updates the lines of breakpoints in files that were edited, and returns a message for
// each change. read returns the current text of a file. A breakpoint on a function moves to the
// first line of the function's body. A breakpoint on a line moves with the line's text; if that was
// edited, its neighbours identify the line. A breakpoint whose line or function is not found is
// disabled. A breakpoint in a string that the program compiles is left as it is.
func Relocate(list []*Breakpoint, read func(file string) (Text, error)) []string {
	var words []string
	for _, b := range list {
		if !b.OnLine() || b.Anchor.Text == "" && b.Function == "" {
			continue
		}
		at := fmt.Sprintf("Breakpoint %d at %s:%d", b.Number, escape.Line(b.File), b.Line)
		disable := func(why string) {
			if b.Enabled {
				b.Enabled = false
				words = append(words, at+" is disabled: "+why)
			}
		}
		now, err := read(b.File)
		if errors.Is(err, ErrCompiled) {
			continue
		}
		if err != nil {
			disable(err.Error())
			continue
		}
		line, moved := b.lineIn(now)
		if line == 0 {
			why := fmt.Sprintf("its line %q and the lines around it are gone from the edited file", b.Anchor.Text)
			if b.Function != "" {
				why = fmt.Sprintf("the function %s is gone from the edited file", b.Function)
			}
			disable(why)
			continue
		}
		anchor := AnchorAt(now.Lines, line)
		switch {
		case moved == "" && line == b.Line:
		case moved == "":
			words = append(words, fmt.Sprintf("Breakpoint %d moved with its line from %s:%d to line %d", b.Number, escape.Line(b.File), b.Line, line))
		case line == b.Line && anchor.Text == b.Anchor.Text:
		case line == b.Line:
			words = append(words, fmt.Sprintf("%s stays there: its line was edited and reads %q now", at, anchor.Text))
		default:
			words = append(words, fmt.Sprintf("%s moved to line %d, %s", at, line, moved))
		}
		b.Line, b.Anchor = line, anchor
	}
	return words
}

// lineIn returns the line of a breakpoint in the current text of its file, or 0 if it is gone. why
// explains a line whose text is not the one recorded in the anchor.
func (b *Breakpoint) lineIn(now Text) (line int, why string) {
	exact, found := b.Anchor.find(now.Lines, b.Line)
	if b.Function != "" {
		if !found {
			exact = b.Line
		}
		best := 0
		for _, f := range now.Outline.Functions {
			if f.Name != b.Function {
				continue
			}
			// Of several functions with this name, take the one that contains the anchor's line.
			if f.Line <= exact && exact <= f.EndLine && found {
				best = f.BodyLine
				break
			}
			if best == 0 || abs(f.BodyLine-exact) < abs(best-exact) {
				best = f.BodyLine
			}
		}
		if best == 0 && len(now.Outline.Functions) == 0 && found {
			return exact, "" // the file cannot be parsed, or the function is not made by a def
		}
		return best, fmt.Sprintf("the first line of %s", b.Function)
	}
	if found {
		return exact, ""
	}
	line, _ = b.Anchor.edited(now.Lines, now.Outline.Executable, b.Line)
	if line == 0 {
		return 0, ""
	}
	return line, fmt.Sprintf("which stands in its place: its line %q was edited", b.Anchor.Text)
}
