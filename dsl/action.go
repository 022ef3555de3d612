package dsl

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Move is the kind of an action, without its operands.
type Move uint8

// The moves of the debugger, each with its inverse. Action.Goal defines the event that each one
// lands on.
const (
	StepInto Move = iota + 1
	StepOver
	StepReturn
	Breakpoint
	Continue
	StepBlock
	StepFunction
	InvStepInto
	InvStepOver
	InvStepReturn
	InvBreakpoint
	InvContinue
	InvStepBlock
	InvStepFunction
)

var moveNames = [...]string{
	StepInto:        "step_into",
	StepOver:        "step_over",
	StepReturn:      "step_return",
	Breakpoint:      "breakpoint",
	Continue:        "continue",
	StepBlock:       "step_block",
	StepFunction:    "step_function",
	InvStepInto:     "inv_step_into",
	InvStepOver:     "inv_step_over",
	InvStepReturn:   "inv_step_return",
	InvBreakpoint:   "inv_breakpoint",
	InvContinue:     "inv_continue",
	InvStepBlock:    "inv_step_block",
	InvStepFunction: "inv_step_function",
}

// Moves returns all moves in order: the forward ones, then their inverses in the same order.
func Moves() iter.Seq[Move] {
	return func(yield func(Move) bool) {
		for m := StepInto; m.valid(); m++ {
			if !yield(m) {
				return
			}
		}
	}
}

func (m Move) valid() bool { return m >= StepInto && m <= InvStepFunction }

// String returns the move's name in nd/1 texts, such as "step_into".
func (m Move) String() string {
	if !m.valid() {
		return fmt.Sprintf("Move(%d)", uint8(m))
	}
	return moveNames[m]
}

// moveNamed returns the move with the given name, or 0 if there is none.
func moveNamed(name string) Move {
	for m := range Moves() {
		if moveNames[m] == name {
			return m
		}
	}
	return 0
}

// Inverse reports whether the move goes backwards.
func (m Move) Inverse() bool { return m >= InvStepInto }

// Inverted returns the move in the other direction: step_over for inv_step_over, and vice versa.
func (m Move) Inverted() Move {
	if m.Inverse() {
		return m - (InvStepInto - StepInto)
	}
	return m + (InvStepInto - StepInto)
}

// Repeats returns the single step that a move repeats until it lands: step_over for step_block,
// step_into for step_function, and their inverses. It returns 0 for other moves.
func (m Move) Repeats() Move {
	switch m {
	case StepBlock:
		return StepOver
	case StepFunction:
		return StepInto
	case InvStepBlock:
		return InvStepOver
	case InvStepFunction:
		return InvStepInto
	}
	return 0
}

// Dies reports whether a forward move from the state from landed on the exception event stop only
// because nothing catches the exception. Otherwise the move would have passed over that event. from
// is nil at the end of the program.
func (m Move) Dies(from, stop *Stop) bool {
	if stop == nil || stop.Event != Exception || m.Inverse() {
		return false
	}
	if from == nil || from.Event == Return && from.Depth == 0 { // the program cannot continue
		return true
	}
	// Suspends and Activation are not set. They do not matter for an exception event, since it ends
	// no activation.
	g := Action{Move: m}.Goal(Moment{Event: from.Event, Depth: from.Depth})
	return g.Own >= 0 || stop.Depth > g.Depth
}

// TakesLines reports whether the move needs a list of lines.
func (m Move) TakesLines() bool { return m == Breakpoint || m == InvBreakpoint }

// Location is a line of a source file. File is an index into Program.Files; 0 is the main file.
// Line counts from 1.
type Location struct {
	File int
	Line int
}

// Action is a request to a debugger: a move, and for the breakpoint moves the lines that stop it.
type Action struct {
	Move  Move
	Lines []Location
}

// String formats the action as in an nd/1 text of a program with one file: "step_over", "breakpoint
// 4,9". A line of any file other than the first is preceded by the file's letter: "b:4".
func (a Action) String() string {
	if !a.Move.TakesLines() {
		return a.Move.String()
	}
	var b strings.Builder
	b.WriteString(a.Move.String())
	for i, l := range a.Lines {
		if i == 0 {
			b.WriteByte(' ')
		} else {
			b.WriteByte(',')
		}
		if l.File > 0 {
			b.WriteString(FileLetter(l.File))
			b.WriteByte(':')
		}
		b.WriteString(strconv.Itoa(l.Line))
	}
	return b.String()
}

// ParseAction parses the result of Action.String. The letter of the first file is accepted too,
// "a:4", as in texts of programs with several files.
func ParseAction(text string) (Action, error) {
	name, operands, some := strings.Cut(text, " ")
	a := Action{Move: moveNamed(name)}
	switch {
	case a.Move == 0:
		return Action{}, fmt.Errorf("%q is no action: %q is no move", text, name)
	case !some:
		return a, nil
	case !a.Move.TakesLines():
		return Action{}, fmt.Errorf("%q is no action: %s takes no lines", text, name)
	}
	for operand := range strings.SplitSeq(operands, ",") {
		letters, line, several := strings.Cut(operand, ":")
		if !several {
			letters, line = "a", operand
		}
		at := Location{File: fileOfLetters(letters)}
		var err error
		if at.Line, err = strconv.Atoi(line); err != nil || at.Line < 1 || at.File < 0 || strconv.Itoa(at.Line) != line {
			return Action{}, fmt.Errorf("%q is no action: %q is no line", text, operand)
		}
		a.Lines = append(a.Lines, at)
	}
	return a, nil
}

// fileOfLetters returns the index of the file with these letters, or a negative number if the
// letters are invalid.
func fileOfLetters(letters string) int {
	place := 0
	for _, c := range []byte(letters) {
		if c < 'a' || c > 'z' || place > maxFiles/26 {
			return -1
		}
		place = 26*place + int(c-'a') + 1
	}
	return place - 1
}

// FileLetter returns the letters for the file with index i, counted from 0: a, b, …, z, aa, ab, …
func FileLetter(i int) string {
	var b []byte
	for i++; i > 0; i = (i - 1) / 26 {
		b = append([]byte{byte('a' + (i-1)%26)}, b...)
	}
	return string(b)
}

// MarshalText returns the move's name, as in nd/1 texts.
func (m Move) MarshalText() ([]byte, error) {
	if !m.valid() {
		return nil, fmt.Errorf("%s is no move", m)
	}
	return []byte(m.String()), nil
}

// UnmarshalText parses a move's name, as in nd/1 texts.
func (m *Move) UnmarshalText(name []byte) error {
	if *m = moveNamed(string(name)); *m == 0 {
		return fmt.Errorf("%q is no move", name)
	}
	return nil
}
