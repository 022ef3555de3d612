package embedded

import (
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// abridged is a program without comments and docstrings, with its lines renumbered. The model is asked
// about this form. The programs in its training data had few comments and no docstrings of several
// lines, so both make its replies worse, and they take space in its context window.
type abridged struct {
	whole, short *dsl.Program
	from         [][]int // the line number in whole, for each line of each file of short
}

// abridge returns the program without comments and docstrings, or nil if it has none.
func abridge(p *dsl.Program) *abridged {
	a := &abridged{whole: p, short: &dsl.Program{}}
	less := false
	for _, f := range p.Files {
		kept := python.Read([]byte(strings.Join(f.Lines, "\n") + "\n")).Abridged()
		less = less || !slices.Equal(kept.Lines, f.Lines)
		a.short.Files = append(a.short.Files, dsl.SourceFile{Name: f.Name, Lines: kept.Lines})
		a.from = append(a.from, kept.From)
	}
	if !less {
		return nil
	}
	return a
}

// question returns q for the abridged program. ok is false if a state of the trajectory, or a
// breakpoint of the action, is at a line that was left out.
func (a *abridged) question(q backend.Question) (short backend.Question, ok bool) {
	t := q.At.Trajectory()
	t.Program = a.short
	for i := range t.Steps {
		s := &t.Steps[i]
		s.Action = a.action(s.Action)
		if s.Reply.Stop != nil {
			if s.Reply.Stop, ok = a.stop(s.Reply.Stop, a.shorter, a.short); !ok {
				return q, false
			}
		}
	}
	short = q
	short.Action = a.action(q.Action)
	if len(short.Action.Lines) != len(q.Action.Lines) {
		return q, false // a line was left out, so the question would change
	}
	var err error
	short.At, err = dsl.ND1.Encode(t)
	return short, err == nil
}

// action converts an action to the abridged program. It drops breakpoint lines that were left out.
func (a *abridged) action(whole dsl.Action) dsl.Action {
	short := dsl.Action{Move: whole.Move}
	for _, l := range whole.Lines {
		if l.File >= 0 && l.File < len(a.from) {
			if n, ok := a.shorter(l.File, l.Line); ok {
				short.Lines = append(short.Lines, dsl.Location{File: l.File, Line: n})
			}
		}
	}
	return short
}

// reply converts a reply about the abridged program to the whole program.
func (a *abridged) reply(short dsl.Reply) dsl.Reply {
	if short.Stop != nil {
		if stop, ok := a.stop(short.Stop, a.longer, a.whole); ok {
			short.Stop = stop
		}
	}
	return short
}

// shorter converts a line number of the whole program to the abridged one.
func (a *abridged) shorter(file, line int) (int, bool) {
	i, ok := slices.BinarySearch(a.from[file], line)
	return i + 1, ok
}

// longer converts a line number of the abridged program to the whole one.
func (a *abridged) longer(file, line int) (int, bool) {
	if line < 1 || line > len(a.from[file]) {
		return 0, false
	}
	return a.from[file][line-1], true
}

// stop returns a copy of a state with the lines renumbered by number for program p. It returns
// false if number has none for a line. Line 0 means unknown and is not changed.
func (a *abridged) stop(s *dsl.Stop, number func(file, line int) (int, bool), p *dsl.Program) (*dsl.Stop, bool) {
	other := *s
	other.Stack = slices.Clone(s.Stack)
	renumber := func(name string, line *int) bool {
		if *line == 0 {
			return true
		}
		for i := range p.Files {
			if p.Files[i].Name == name {
				n, ok := number(i, *line)
				*line = n
				return ok
			}
		}
		return false
	}
	for i := range other.Stack {
		if !renumber(other.Stack[i].File, &other.Stack[i].Line) {
			return nil, false
		}
	}
	if !renumber(other.File, &other.Line) {
		return nil, false
	}
	if other.Line > 0 {
		for i := range p.Files {
			if p.Files[i].Name == other.File {
				other.Source = p.Files[i].Lines[other.Line-1]
			}
		}
	}
	return &other, true
}
