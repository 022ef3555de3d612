package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
)

// SetBreakpoint stops the user's continue at a place, where a condition holds. A
// temporary one is deleted when it stops.
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
	if err := s.checkCondition(ctx, c.Condition); err != nil {
		return err
	}
	if err := s.place(ctx, b, c.At); err != nil {
		return err
	}
	return s.addBreak(ctx, b)
}

// checkCondition refuses a condition that is no expression; "" is none.
func (s *Session) checkCondition(ctx context.Context, condition string) error {
	if condition == "" {
		return nil
	}
	if err := s.checkExpression(ctx, condition); err != nil {
		return errorf(BadArgument, "Invalid condition %s: %s", condition, err)
	}
	return nil
}

// addBreak adds a breakpoint that has its place.
func (s *Session) addBreak(ctx context.Context, b *breakpoint.Breakpoint) error {
	lines, admitted, err := s.admitted(ctx, b)
	if err != nil {
		return err
	}
	b.Anchor = breakpoint.AnchorAt(lines, b.Line)
	if same := s.bps.Again(b); same != nil {
		b = same
		b.Kept, b.Enabled, b.Ignore = false, true, 0
	} else {
		s.bps.Add(b)
	}
	s.save()
	s.sayf("Breakpoint %d at %s:%d", b.Number, escape.Line(s.pathWord(b.File)), b.Line)
	if s.pending(ctx, b.File) {
		s.notice("%s is not imported yet: the breakpoint is pending, and stops once the file runs.", escape.Line(s.cfg.Options.ShownName(b.File)))
	}
	if admitted != "" {
		s.notice("%s", admitted)
	}
	return nil
}

// admitted sees to it that a breakpoint's place can stop a move: the lines of its file,
// and what there is to say about it.
func (s *Session) admitted(ctx context.Context, b *breakpoint.Breakpoint) (lines []string, notice string, err error) {
	if lines, err = s.fileLines(b.File); err != nil {
		return nil, "", errorf(NotFound, "%v", err)
	}
	if err = s.checkLine(ctx, b.File, lines, b.Line); err != nil {
		return nil, "", err
	}
	notice, err = s.nav.Admit(ctx, b.File)
	return lines, notice, err
}

// ListBreakpoints tells of all breakpoints.
type ListBreakpoints struct{}

func (ListBreakpoints) String() string { return "break" }

func (ListBreakpoints) run(ctx context.Context, s *Session) error {
	s.listBreaks(ctx)
	return nil
}

func (s *Session) listBreaks(ctx context.Context) {
	if len(s.bps.List) == 0 {
		return
	}
	lines := []string{"Num Type         Disp Enb   Where"}
	for _, b := range s.bps.List {
		shown := s.told(b)
		shown.Pending = b.OnLine() && s.pending(ctx, b.File)
		lines = append(lines, shown.Describe())
	}
	s.say(strings.Join(lines, "\n"))
}

// told returns a breakpoint as the user is told of it.
func (s *Session) told(b *breakpoint.Breakpoint) *breakpoint.Breakpoint {
	out := *b
	out.File = s.pathWord(b.File)
	return &out
}

// save keeps the breakpoints but those that end with the run; that they cannot be kept is said once.
func (s *Session) save() {
	if s.replaying != nil {
		return // the journal is only being replayed
	}
	kept := slices.DeleteFunc(slices.Clone(s.bps.List), func(b *breakpoint.Breakpoint) bool { return b.Passing || b.Temporary || !b.OnLine() })
	if err := s.kept.Save(kept); err != nil && !s.unkept {
		s.unkept = true
		s.notice("Breakpoints are not kept for the next run: %v", err)
	}
}

// checkExpression returns nil when a text is a Python expression, else the
// interpreter's words.
func (s *Session) checkExpression(ctx context.Context, expr string) error {
	if s.cfg.Evaluator == nil {
		return nil
	}
	// Inside a lambda nothing of it is evaluated.
	_, err := s.cfg.Evaluator.Eval(ctx, "(lambda: ("+expr+"\n)) and None", nil)
	if isSyntaxError(err) {
		return errors.New(syntaxText(err))
	}
	return nil
}

// ClearLine deletes the breakpoints of a line.
type ClearLine struct {
	File string `json:"file"` // path, name or module
	Line int    `json:"line"`
}

func (c ClearLine) String() string { return words("clear", Target{File: c.File, Line: c.Line}) }

func (c ClearLine) run(ctx context.Context, s *Session) error {
	file, err := s.findFile(ctx, c.File)
	if err != nil {
		return err
	}
	found := s.bps.At(file, c.Line)
	if len(found) == 0 {
		return errorf(NotFound, "There is no breakpoint at %s:%d", escape.Line(file), c.Line)
	}
	s.forget(found)
	return nil
}

// ClearAll deletes all breakpoints.
type ClearAll struct{}

func (ClearAll) String() string { return "clear" }

func (ClearAll) run(_ context.Context, s *Session) error {
	s.forget(slices.Clone(s.bps.List))
	return nil
}

// ClearBreakpoints deletes breakpoints by their numbers.
type ClearBreakpoints struct {
	Numbers []int `json:"numbers"`
}

func (c ClearBreakpoints) String() string { return words("clear", numbers(c.Numbers)) }

func (c ClearBreakpoints) run(_ context.Context, s *Session) error {
	return s.eachNumber(c.Numbers, s.remove)
}

// numbers returns numbers as they follow a command.
func numbers(list []int) string { return strings.Trim(fmt.Sprint(list), "[]") }

func (s *Session) forget(list []*breakpoint.Breakpoint) {
	for _, b := range list {
		s.remove(b)
	}
	s.save()
}

func (s *Session) remove(b *breakpoint.Breakpoint) {
	s.bps.Remove(b)
	s.sayf("Deleted %s", s.told(b))
}

// eachNumber does something with each breakpoint of a list of numbers; a number
// that is none does not keep the others from it.
func (s *Session) eachNumber(numbers []int, do func(*breakpoint.Breakpoint)) error {
	var failed []string
	for _, n := range numbers {
		b, err := s.bps.Numbered(n)
		if err != nil {
			failed = append(failed, err.Error())
			continue
		}
		do(b)
	}
	s.save()
	if failed != nil {
		return errorf(NotFound, "%s", strings.Join(failed, "\n*** "))
	}
	return nil
}

// EnableBreakpoints lets breakpoints stop the program, or with Off no more, without
// forgetting them.
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
	return s.eachNumber(c.Numbers, func(b *breakpoint.Breakpoint) {
		b.Enabled = !c.Off
		if c.Off {
			s.sayf("Disabled %s", s.told(b))
			return
		}
		s.sayf("Enabled %s", s.told(b))
		if !b.OnLine() {
			return
		}
		if said, err := s.nav.Admit(ctx, b.File); err != nil {
			s.notice("%v", err)
		} else if said != "" {
			s.notice("%s", said)
		}
	})
}

// IgnoreBreakpoint passes over the next Count times that a breakpoint would stop.
type IgnoreBreakpoint struct {
	Number int `json:"number"`
	Count  int `json:"count,omitempty"`
}

func (c IgnoreBreakpoint) String() string { return words("ignore", c.Number, c.Count) }

func (c IgnoreBreakpoint) run(_ context.Context, s *Session) error {
	b, err := s.bps.Numbered(c.Number)
	if err != nil {
		return err
	}
	b.Ignore = max(c.Count, 0)
	s.save()
	if b.Ignore > 0 {
		s.sayf("Will ignore next %s of breakpoint %d.", plural(b.Ignore, "crossing", "crossings"), b.Number)
	} else {
		s.sayf("Will stop next time breakpoint %d is reached.", b.Number)
	}
	return nil
}

// SetCondition makes a breakpoint stop only where an expression is true; "" has it
// always stop.
type SetCondition struct {
	Number    int    `json:"number"`
	Condition string `json:"condition,omitempty"`
}

func (c SetCondition) String() string { return words("condition", c.Number, c.Condition) }

func (c SetCondition) run(ctx context.Context, s *Session) error {
	if err := s.checkCondition(ctx, c.Condition); err != nil {
		return err
	}
	b, err := s.bps.Numbered(c.Number)
	if err != nil {
		return err
	}
	b.Condition = c.Condition
	s.save()
	if c.Condition == "" {
		s.sayf("Breakpoint %d is now unconditional.", b.Number)
	} else {
		s.sayf("New condition set for breakpoint %d.", b.Number)
	}
	return nil
}

// SetCommands gives a breakpoint lines to run when it stops. Silent hides the location
// then.
type SetCommands struct {
	Number int      `json:"number"`
	Lines  []string `json:"lines,omitempty"`
	Silent bool     `json:"silent,omitempty"`
}

func (c SetCommands) String() string { return words("commands", c.Number) }

func (c SetCommands) run(_ context.Context, s *Session) error {
	b, err := s.bps.Numbered(c.Number)
	if err != nil {
		return err
	}
	b.Commands, b.Silent = c.Lines, c.Silent
	s.save()
	return nil
}

// checkLine refuses lines that no line event can come from, in pdb's words where
// it has some.
func (s *Session) checkLine(ctx context.Context, file string, lines []string, line int) error {
	if line < 1 || line > len(lines) {
		return errorf(BadArgument, "End of file")
	}
	text := strings.TrimSpace(lines[line-1])
	if text == "" || text[0] == '#' {
		return errorf(BadArgument, "Blank or comment")
	}
	outline, err := s.outline(ctx, file)
	if err != nil {
		return nil // a file that cannot be outlined can still be stopped in
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
