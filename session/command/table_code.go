package command

import (
	"strconv"

	"github.com/npdb/npdb/session"
)

// codeCommands returns the commands that show the parts of a function and what happened in them.
func codeCommands() []command {
	return []command{
		{
			"dis", nil, "[LINE | all]", groupLook,
			"Show the bytecode of the current line in the selected frame, of another line of its function, or of the whole function. At the live edge -> marks the current instruction: at a line the one that runs next, in an outer frame the call that has not returned. >> marks where a jump leads. For an earlier event npdb shows the function's bytecode without ->, as long as the program runs. In neural mode there is no bytecode.", false, disassemble, nil,
		},
		{
			"loop", nil, "[-a] [-n ROWS] [[FILE:]LINE] [FILTER]", groupLook,
			"Show the iterations of a loop as a table: for the for or while loop around the line, without one around the current line. Each row is an iteration, with the event of its beginning, which goto goes to, and the values at its end of the names that change; numbers also get a sparkline. FILTER selects iterations: an expression that is true at the end, or a text in quotes that a value contains. The rows are those of one run of the loop, from where it is entered to where it is left, in one call of the function: of the run at the current event, else the last one before it. -a shows all runs in the call, -n that many rows, an empty line later ones. loop does not move.", false, loop, nil,
		},
		{
			"blocks", nil, "[-a] [-n ROWS] [FUNCTION] [--judge [TASK]]", groupLook,
			"Show the runs of a function's basic blocks (lines without a branch) as a table: for each run its event, which goto goes to, the values of the names that the block reads before it, and the values that it changed. Without FUNCTION, those of the selected frame's function. The verdict is contradicts if an assert fails with the values, or a value is certainly not of its annotated type. --judge asks the chat model whether each shown run is correct; TASK says what the function is to do, by default its docstring. The runs are those of one call: that on the stack, else the last one before the current event. -a shows all calls, -n that many rows, an empty line later ones. blocks does not move.", false, blocks, nil,
		},
	}
}

// blocks parses the argument of blocks: -a, -n ROWS, a function, and --judge with a task.
func blocks(name, arg string) (session.Command, error) {
	var c session.Blocks
	for {
		word, rest := nextWord(arg)
		switch {
		case word == "":
			return c, nil
		case word == "-a":
			c.All = true
		case word == "-n":
			number, after := nextWord(rest)
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 {
				return nil, usage(name, arg)
			}
			c.Rows, rest = n, after
		case word == "--judge":
			c.Judge, c.Task = true, rest
			return c, nil
		case c.Function == "" && word[0] != '-':
			c.Function = word
		default:
			return nil, usage(name, arg)
		}
		arg = rest
	}
}

// disassemble parses the argument of dis: nothing, a line, or all.
func disassemble(name, arg string) (session.Command, error) {
	if arg == "" || arg == "all" {
		return session.Disassemble{All: arg == "all"}, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return nil, usage(name, arg)
	}
	return session.Disassemble{Line: n}, nil
}
