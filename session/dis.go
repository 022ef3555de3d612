package session

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/npdb/npdb/trace"
)

// Disassemble shows the bytecode of the selected frame's current line, of another line, or of the whole
// function. It needs the running program, because recordings do not contain bytecode.
type Disassemble struct {
	Line int  `json:"line,omitempty"` // 0 means the current line
	All  bool `json:"all,omitempty"`  // all lines of the function
}

func (c Disassemble) String() string {
	switch {
	case c.All:
		return "dis all"
	case c.Line > 0:
		return words("dis", c.Line)
	}
	return "dis"
}

// Bytecode holds the instructions of a line, or of a function.
type Bytecode struct {
	Function, File string
	Line           int  // 0 for all lines
	Live           bool // the position is the live edge, so one instruction is current
	LeftOut        int  // number of instructions after the last one
	Instructions   []Instruction
}

// Instruction is a bytecode instruction. At a line event, the current instruction of the newest frame runs
// next. In an outer frame, the current instruction is the call that has not returned.
type Instruction struct {
	Offset      int
	Line        int // 0 if the instruction belongs to no line
	Name        string
	Argument    int
	HasArgument bool
	Meaning     string // the argument as text, such as a name or a constant
	Target      bool   // a jump leads here
	Current     bool
}

func (c Disassemble) run(ctx context.Context, s *Session) error {
	if s.program.recorded() == nil || s.position.pos.Inferred > 0 {
		return s.position.refuse("dis", "bytecode is what CPython runs, and in neural mode nothing is run (--mode real runs the program)")
	}
	frame, err := s.position.lookedAt()
	if err != nil {
		return err
	}
	b := &Bytecode{Function: frame.Function, File: frame.File, Line: cmp.Or(c.Line, frame.Line), Live: s.position.live()}
	if c.All {
		b.Line = 0
	}
	up, text := s.position.selected, strconv.Itoa(b.Line)
	if !b.Live {
		t := s.program.past().Tree()
		code := t.Code(t.CodeOf(frame.Activation))
		up, text = 0, strings.Join([]string{text, t.Files()[code.File].Real, code.Name, strconv.Itoa(code.FirstLine)}, askField)
	} else {
		text += strings.Repeat(askField, 3)
	}
	if s.program.rec.LiveEdge().End || s.program.rec.Exit() != nil {
		return errorf(ProgramOver, "dis: the program is over, and a recording has no bytecode%s", s.position.runsAgain())
	}
	answer, err := s.program.rec.Ask(ctx, up, trace.VerbDis, text)
	if err != nil {
		return err
	}
	if err := b.read(answer.Text); err != nil {
		return err
	}
	if len(b.Instructions) == 0 {
		return errorf(NotFound, "dis: line %d has no instructions in %s (dis all shows those of all lines)", b.Line, b.Function)
	}
	if b.Line > 0 {
		b.Line = b.Instructions[0].Line
	}
	s.draft.answer.Bytecode = b
	s.draft.say(b.text())
	return nil
}

// The characters between the fields and between the records of the tracer's answers.
const (
	askField  = "\x1f"
	askRecord = "\x1e"
)

// disFields is the number of fields that the tracer sends for each instruction.
const disFields = 7

// read parses the tracer's answer.
func (b *Bytecode) read(text string) error {
	list := strings.Split(text, askRecord)
	name, all, _ := strings.Cut(list[0], askField)
	total, err := strconv.Atoi(all)
	if err != nil {
		return errorf(EngineFailed, "The tracer's reply for dis has no number of instructions.")
	}
	b.Function = name
	for _, one := range list[1:] {
		f := strings.Split(one, askField)
		if len(f) != disFields {
			return errorf(EngineFailed, "The tracer's reply for dis has an instruction of %d fields.", len(f))
		}
		at := Instruction{Name: f[2], HasArgument: f[3] != "", Meaning: f[4], Target: f[5] != "", Current: f[6] != ""}
		at.Offset, _ = strconv.Atoi(f[0])
		at.Line, _ = strconv.Atoi(f[1])
		at.Argument, _ = strconv.Atoi(f[3])
		b.Instructions = append(b.Instructions, at)
	}
	b.LeftOut = max(total-len(b.Instructions), 0)
	return nil
}

// text formats the instructions as the module dis does: -> marks the current one, >> the target of a
// jump.
func (b *Bytecode) text() string {
	var rows []string
	line := -1
	for _, at := range b.Instructions {
		number, mark, target, argument := "", "", "", ""
		if at.Line != line {
			if line = at.Line; len(rows) > 0 {
				rows = append(rows, "")
			}
			number = "-"
			if line > 0 {
				number = strconv.Itoa(line)
			}
		}
		if at.Current {
			mark = "->"
		}
		if at.Target {
			target = ">>"
		}
		if at.HasArgument {
			argument = strconv.Itoa(at.Argument)
		}
		row := fmt.Sprintf("%5s %2s %2s %6d %-28s %6s", number, mark, target, at.Offset, at.Name, argument)
		if at.Meaning != "" {
			row += " (" + at.Meaning + ")"
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	if !b.Live {
		rows = append(rows, "This state is recorded by lines: which instruction ran next is not known.")
	}
	if b.LeftOut > 0 {
		rows = append(rows, fmt.Sprintf("%s more instructions are left out.", thousands(b.LeftOut)))
	}
	return strings.Join(rows, "\n")
}
