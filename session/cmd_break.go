package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/session/breakpoint"
)

func (s *Session) cmdBreak(ctx context.Context, arg string) error {
	return s.setBreak(ctx, arg, false)
}

func (s *Session) cmdTbreak(ctx context.Context, arg string) error {
	return s.setBreak(ctx, arg, true)
}

func (s *Session) setBreak(ctx context.Context, arg string, temporary bool) error {
	if arg == "" {
		s.listBreaks()
		return nil
	}
	b := &breakpoint.Breakpoint{Temporary: temporary, Enabled: true}
	if comma := strings.IndexByte(arg, ','); comma > 0 {
		b.Condition = strings.TrimSpace(arg[comma+1:])
		if b.Condition == "" { // not to stop always where the user began to say when
			return errorf(BadArgument, "Invalid condition : SyntaxError: invalid syntax")
		}
		if err := s.checkExpression(ctx, b.Condition); err != nil {
			return errorf(BadArgument, "Invalid condition %s: %s", b.Condition, err)
		}
		arg = strings.TrimSpace(arg[:comma])
	}
	if err := s.place(ctx, b, arg); err != nil {
		return err
	}
	return s.addBreak(ctx, b)
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
	s.sayf("Breakpoint %d at %s:%d", b.Number, escape.Line(b.File), b.Line)
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
	notice, err = s.walk.admit(ctx, b.File)
	return lines, notice, err
}

// advanceTo goes to a place, or to what stops a move before it.
func (s *Session) advanceTo(ctx context.Context, name, arg string, move func(context.Context) error) error {
	if arg == "" {
		return usage(name, arg)
	}
	b := &breakpoint.Breakpoint{Enabled: true}
	if err := s.place(ctx, b, arg); err != nil {
		return err
	}
	return s.passTo(ctx, b, move)
}

// passTo goes to the place of a breakpoint that is gone when the move is over.
func (s *Session) passTo(ctx context.Context, b *breakpoint.Breakpoint, move func(context.Context) error) error {
	b.Passing = true
	_, admitted, err := s.admitted(ctx, b)
	if err != nil {
		return err
	}
	if admitted != "" {
		s.notice("%s", admitted)
	}
	s.bps.List = append(s.bps.List, b)
	defer s.bps.Remove(b)
	return move(ctx)
}

func (s *Session) cmdAdvance(ctx context.Context, arg string) error {
	return s.advanceTo(ctx, "advance", arg, s.walk.cont)
}

func (s *Session) cmdReverseAdvance(ctx context.Context, arg string) error {
	return s.advanceTo(ctx, "reverse-advance", arg, s.walk.reverseContinue)
}

func (s *Session) listBreaks() {
	if len(s.bps.List) == 0 {
		return
	}
	lines := []string{"Num Type         Disp Enb   Where"}
	for _, b := range s.bps.List {
		lines = append(lines, b.Describe())
	}
	s.say(strings.Join(lines, "\n"))
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

// checkExpression is nil when a text is a Python expression, else the
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

func (s *Session) cmdClear(ctx context.Context, arg string) error {
	if arg == "" {
		question := "Clear all breaks? "
		if s.cfg.Key != nil { // on the screen, where pdb's words alone do not say what to type
			question += "(y/n) "
		}
		s.confirm(question, func() {
			for _, b := range s.bps.List {
				s.sayf("Deleted %s", b)
			}
			s.bps.List = nil
			s.save()
		})
		return nil
	}
	if i := strings.LastIndexByte(arg, ':'); i >= 0 {
		line, err := strconv.Atoi(arg[i+1:])
		if err != nil {
			return errorf(BadArgument, "Invalid line number (%s)", arg[i+1:])
		}
		file, err := s.findFile(ctx, arg[:i])
		if err != nil {
			return err
		}
		return s.clearAt(file, line)
	}
	return s.eachNumber(arg, func(b *breakpoint.Breakpoint) {
		s.forget([]*breakpoint.Breakpoint{b})
	})
}

// clearAt deletes the breakpoints of a line.
func (s *Session) clearAt(file string, line int) error {
	found := s.bps.At(file, line)
	if len(found) == 0 {
		return errorf(NotFound, "There is no breakpoint at %s:%d", escape.Line(file), line)
	}
	s.forget(found)
	return nil
}

func (s *Session) forget(list []*breakpoint.Breakpoint) {
	for _, b := range list {
		s.bps.Remove(b)
		s.sayf("Deleted %s", b)
	}
	s.save()
}

// eachNumber does something with each breakpoint of a list of numbers; a number
// that is none does not keep the others from it.
func (s *Session) eachNumber(arg string, do func(*breakpoint.Breakpoint)) error {
	var failed []string
	kind := BadArgument
	for n := range strings.FieldsSeq(arg) {
		b, err := s.numberedBreak(n)
		if err != nil {
			failed = append(failed, err.Error())
			kind = asError(err).Kind
			continue
		}
		do(b)
	}
	s.save()
	if failed != nil {
		return &Error{Kind: kind, Message: strings.Join(failed, "\n*** ")}
	}
	return nil
}

func (s *Session) cmdDisable(_ context.Context, arg string) error {
	return s.eachNumber(arg, func(b *breakpoint.Breakpoint) {
		b.Enabled = false
		s.sayf("Disabled %s", b)
	})
}

func (s *Session) cmdEnable(ctx context.Context, arg string) error {
	return s.eachNumber(arg, func(b *breakpoint.Breakpoint) {
		b.Enabled = true
		s.sayf("Enabled %s", b)
		if !b.OnLine() {
			return
		}
		if said, err := s.walk.admit(ctx, b.File); err != nil {
			s.notice("%v", err)
		} else if said != "" {
			s.notice("%s", said)
		}
	})
}

func (s *Session) cmdIgnore(_ context.Context, arg string) error {
	args := strings.Fields(arg)
	if len(args) == 0 {
		return errorf(BadArgument, "Breakpoint number expected")
	}
	n := 0
	if len(args) > 1 {
		var err error
		if n, err = strconv.Atoi(args[1]); err != nil || len(args) > 2 {
			return usage("ignore", arg)
		}
	}
	b, err := s.numberedBreak(args[0])
	if err != nil {
		return err
	}
	b.Ignore = max(n, 0)
	s.save()
	if n > 0 {
		s.sayf("Will ignore next %s of breakpoint %d.", plural(n, "crossing", "crossings"), b.Number)
	} else {
		s.sayf("Will stop next time breakpoint %d is reached.", b.Number)
	}
	return nil
}

func (s *Session) cmdCondition(ctx context.Context, arg string) error {
	number, condition, _ := strings.Cut(arg, " ")
	condition = strings.TrimSpace(condition)
	if condition != "" {
		if err := s.checkExpression(ctx, condition); err != nil {
			return errorf(BadArgument, "Invalid condition %s: %s", condition, err)
		}
	}
	b, err := s.numberedBreak(number)
	if err != nil {
		return err
	}
	b.Condition = condition
	s.save()
	if condition == "" {
		s.sayf("Breakpoint %d is now unconditional.", b.Number)
	} else {
		s.sayf("New condition set for breakpoint %d.", b.Number)
	}
	return nil
}

func (s *Session) cmdCommands(_ context.Context, arg string) error {
	if arg == "" {
		arg = strconv.Itoa(s.bps.Last())
	} else if _, err := strconv.Atoi(arg); err != nil {
		return usage("commands", arg)
	}
	b, err := s.numberedBreak(arg)
	if err != nil {
		return errorf(NotFound, "cannot set commands: %s", err)
	}
	s.define(b)
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

// numberedBreak finds a breakpoint by what the user typed; the errors are pdb's.
func (s *Session) numberedBreak(arg string) (*breakpoint.Breakpoint, error) {
	if arg == "" {
		return nil, errorf(BadArgument, "Breakpoint number expected")
	}
	n, err := strconv.Atoi(arg)
	if err != nil {
		return nil, errorf(BadArgument, "Non-numeric breakpoint number %s", arg)
	}
	return s.bps.Numbered(n)
}
