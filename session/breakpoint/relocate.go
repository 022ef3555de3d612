package breakpoint

import (
	"errors"
	"fmt"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/python"
)

// Text holds the present lines of a source file.
type Text struct {
	Lines   []string
	Outline python.Outline
}

// ErrCompiled reports that a file is a string that the program compiles as it runs, so its
// text is not known before.
var ErrCompiled = errors.New("the program compiles this text as it runs")

// Relocate moves breakpoints with their lines in files that were edited, and returns
// what it did in words. read returns a file as it is now. A breakpoint on a function goes
// where the function's body begins now. One on a line goes where the line's text is; if
// that was edited, where the text around it is. Only one that finds neither is disabled.
// One in a string that the program compiles does not change.
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

// lineIn returns the line that a breakpoint stands on in a file as it is now, 0 for none,
// and why if it is not the line of its text.
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
			if f.Line <= exact && exact <= f.EndLine && found { // of several it is the one that holds the line
				best = f.BodyLine
				break
			}
			if best == 0 || abs(f.BodyLine-exact) < abs(best-exact) {
				best = f.BodyLine
			}
		}
		if best == 0 && len(now.Outline.Functions) == 0 && found {
			return exact, "" // a file that cannot be outlined, or a function made otherwise
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
