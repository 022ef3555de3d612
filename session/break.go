package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
)

// SetBreakpoint sets a breakpoint. If Condition is "", it is unconditional. A temporary breakpoint
// is deleted when it stops the program.
type SetBreakpoint struct {
	At        Target `json:"at"`
	Condition string `json:"condition,omitempty"`
	Temporary bool   `json:"temporary,omitempty"`
}

func (c SetBreakpoint) String() string {
	name := "break"
	if c.Temporary {
		name = "tbreak"
	}
	return conditional(words(name, c.At), c.Condition)
}

func (c SetBreakpoint) run(ctx context.Context, s *Session) error {
	b := &breakpoint.Breakpoint{Temporary: c.Temporary, Enabled: true, Condition: c.Condition}
	if err := s.values.checkCondition(ctx, c.Condition); err != nil {
		return err
	}
	if err := s.files.place(ctx, b, c.At); err != nil {
		return err
	}
	return s.breakpoints.add(ctx, b)
}

// ListBreakpoints lists all breakpoints.
type ListBreakpoints struct{}

func (ListBreakpoints) String() string { return "break" }

func (ListBreakpoints) run(ctx context.Context, s *Session) error {
	s.breakpoints.list(ctx)
	return nil
}

// ClearLine deletes the breakpoints on a line.
type ClearLine struct {
	File string `json:"file"` // path, name or module
	Line int    `json:"line"`
}

func (c ClearLine) String() string { return words("clear", Target{File: c.File, Line: c.Line}) }

func (c ClearLine) run(ctx context.Context, s *Session) error {
	file, err := s.files.findFile(ctx, c.File)
	if err != nil {
		return err
	}
	found := s.breakpoints.table.At(file, c.Line)
	if len(found) == 0 {
		return errorf(NotFound, "There is no breakpoint at %s:%d", escape.Line(file), c.Line)
	}
	s.breakpoints.forget(found)
	return nil
}

// ClearAll deletes all breakpoints.
type ClearAll struct{}

func (ClearAll) String() string { return "clear" }

func (ClearAll) run(_ context.Context, s *Session) error {
	s.breakpoints.forget(slices.Clone(s.breakpoints.table.List))
	return nil
}

// ClearBreakpoints deletes breakpoints by their numbers.
type ClearBreakpoints struct {
	Numbers []int `json:"numbers"`
}

func (c ClearBreakpoints) String() string { return words("clear", numbers(c.Numbers)) }

func (c ClearBreakpoints) run(_ context.Context, s *Session) error {
	return s.breakpoints.eachNumber(c.Numbers, s.breakpoints.remove)
}

// numbers formats numbers as the arguments of a command.
func numbers(list []int) string { return strings.Trim(fmt.Sprint(list), "[]") }

// EnableBreakpoints enables breakpoints. With Off it disables them.
type EnableBreakpoints struct {
	Numbers []int `json:"numbers"`
	Off     bool  `json:"off,omitempty"`
}

func (c EnableBreakpoints) String() string {
	if c.Off {
		return words("disable", numbers(c.Numbers))
	}
	return words("enable", numbers(c.Numbers))
}

func (c EnableBreakpoints) run(ctx context.Context, s *Session) error {
	return s.breakpoints.eachNumber(c.Numbers, func(b *breakpoint.Breakpoint) {
		b.Enabled = !c.Off
		if c.Off {
			s.draft.sayf("Disabled %s", s.breakpoints.told(b))
			return
		}
		s.draft.sayf("Enabled %s", s.breakpoints.told(b))
		if !b.OnLine() {
			return
		}
		if said, err := s.program.nav.Admit(ctx, b.File); err != nil {
			s.draft.notice("%v", err)
		} else if said != "" {
			s.draft.notice("%s", said)
		}
	})
}

// IgnoreBreakpoint ignores the next Count hits of a breakpoint.
type IgnoreBreakpoint struct {
	Number int `json:"number"`
	Count  int `json:"count,omitempty"`
}

func (c IgnoreBreakpoint) String() string { return words("ignore", c.Number, c.Count) }

func (c IgnoreBreakpoint) run(_ context.Context, s *Session) error {
	b, err := s.breakpoints.table.Numbered(c.Number)
	if err != nil {
		return err
	}
	b.Ignore = max(c.Count, 0)
	s.breakpoints.save()
	if b.Ignore > 0 {
		s.draft.sayf("Will ignore next %s of breakpoint %d.", plural(b.Ignore, "crossing", "crossings"), b.Number)
	} else {
		s.draft.sayf("Will stop next time breakpoint %d is reached.", b.Number)
	}
	return nil
}

// SetCondition sets the condition of a breakpoint; "" removes it.
type SetCondition struct {
	Number    int    `json:"number"`
	Condition string `json:"condition,omitempty"`
}

func (c SetCondition) String() string { return words("condition", c.Number, c.Condition) }

func (c SetCondition) run(ctx context.Context, s *Session) error {
	if err := s.values.checkCondition(ctx, c.Condition); err != nil {
		return err
	}
	b, err := s.breakpoints.table.Numbered(c.Number)
	if err != nil {
		return err
	}
	b.Condition = c.Condition
	s.breakpoints.save()
	if c.Condition == "" {
		s.draft.sayf("Breakpoint %d is now unconditional.", b.Number)
	} else {
		s.draft.sayf("New condition set for breakpoint %d.", b.Number)
	}
	return nil
}

// SetCommands sets the command lines that run when a breakpoint stops the program. With Silent, the
// location is not shown then.
type SetCommands struct {
	Number int      `json:"number"`
	Lines  []string `json:"lines,omitempty"`
	Silent bool     `json:"silent,omitempty"`
}

func (c SetCommands) String() string { return words("commands", c.Number) }

func (c SetCommands) run(_ context.Context, s *Session) error {
	b, err := s.breakpoints.table.Numbered(c.Number)
	if err != nil {
		return err
	}
	b.Commands, b.Silent = c.Lines, c.Silent
	s.breakpoints.save()
	return nil
}
