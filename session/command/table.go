package command

import (
	"context"
	"slices"
	"strings"

	"github.com/npdb/npdb/session"
)

// command is a command of the language. parse converts its argument to a session command. run, if
// set, executes it instead, for commands that need more, for instance a question to the user.
type command struct {
	name    string
	aliases []string
	args    string // the arguments, as shown in the usage line
	group   string
	help    string
	resumes bool // the command resumes the program, so it ends a breakpoint's command list
	parse   func(name, arg string) (session.Command, error)
	run     func(i *Interpreter, ctx context.Context, arg string) error
}

// The groups of commands in help.
const (
	groupForward  = "Moving forwards"
	groupBackward = "Moving backwards"
	groupStops    = "Breakpoints"
	groupLook     = "Looking"
	groupFrames   = "The stack"
	groupModel    = "The model"
	groupSession  = "The session"
)

var groups = []string{groupForward, groupBackward, groupStops, groupFrames, groupLook, groupModel, groupSession}

// commands returns the table of all commands, which dispatch, help and the reference page use. It
// is a function, not a variable, because the table refers to help and help to the table.
func commands() []command {
	return slices.Concat(moveCommands(), []command{
		{
			"break",
			[]string{"b"},
			"[([FILE:]LINE | FUNCTION) [, CONDITION]]", groupStops,
			"Without an argument, list all breakpoints. With a line, stop there; with a function, at the first line of its body. The breakpoint stops only if the condition is true. A breakpoint in a library's file makes that file user code.", false, breaks(false), nil,
		},
		{
			"tbreak", nil, "[([FILE:]LINE | FUNCTION) [, CONDITION]]", groupStops,
			"Set a temporary breakpoint, which is deleted when it stops.", false, breaks(true), nil,
		},
		{
			"watch", nil, "EXPRESSION [, CONDITION]", groupStops,
			"Stop when the value of an expression changes (a name, an attribute, an element, len(…), or an operation on them), and show the old and the new value. Forwards it stops after the change, backwards before the line that makes it. Names are those of the selected frame; in a function it also stops at the return, backwards at the call. List, delete, disable, ignore and commands work as for breakpoints. Watchpoints end with the session.", false, watch, nil,
		},
		{
			"catch", nil, "[TYPE] [, CONDITION]", groupStops,
			"Stop where an exception is raised, caught or not, in both directions; with a type, only for that type and its subclasses. StopIteration, StopAsyncIteration and GeneratorExit usually just end loops and generators: catch stops for them only if TYPE names them or they end the program.", false, catch, nil,
		},
		{
			"clear",
			[]string{"cl"},
			"[FILE:LINE | NUMBER ...]", groupStops,
			"Delete breakpoints by number or by line. Without an argument, ask, then delete all.", false, nil, (*Interpreter).clear,
		},
		{
			"disable", nil, "NUMBER [NUMBER ...]", groupStops,
			"Disable breakpoints: they stay listed and do not stop.", false, nil, enable(true),
		},
		{
			"enable", nil, "NUMBER [NUMBER ...]", groupStops,
			"Enable disabled breakpoints.", false, nil, enable(false),
		},
		{
			"ignore", nil, "NUMBER [COUNT]", groupStops,
			"Ignore a breakpoint the next COUNT times. Without a count, stop the next time.", false, ignore, nil,
		},
		{
			"condition", nil, "NUMBER [CONDITION]", groupStops,
			"Set the condition of a breakpoint. Without one, it becomes unconditional.", false, condition, nil,
		},
		{
			"commands", nil, "[NUMBER]", groupStops,
			"Set the commands that run when a breakpoint stops (without a number, the last one that exists). Enter one command per line; end, or a command that moves, finishes the list. silent hides the location. An empty list removes the commands.", false, nil, (*Interpreter).commands,
		},

		{
			"where",
			[]string{"w", "bt"},
			"", groupFrames,
			"Print the stack, the newest frame last. An arrow marks the selected frame.", false, alone(session.ShowStack{}), nil,
		},
		{
			"up",
			[]string{"u"},
			"[COUNT]", groupFrames,
			"Select the frame COUNT levels up, towards older frames.", false, selectFrame(+1), nil,
		},
		{
			"down",
			[]string{"d"},
			"[COUNT]", groupFrames,
			"Select the frame COUNT levels down, towards newer frames. At an exception, the frames below are those that it has left, including library frames at the live edge.", false, selectFrame(-1), nil,
		},
		{
			"args",
			[]string{"a"},
			"", groupFrames,
			"Print the arguments of the current function and their values.", false, alone(session.Arguments{}), nil,
		},
		{
			"retval",
			[]string{"rv"},
			"", groupFrames,
			"Print the return value of the current function.", false, alone(session.ReturnValue{}), nil,
		},
		{
			"exceptions", nil, "[NUMBER]", groupFrames,
			"After an uncaught exception or pdb.post_mortem(), list the chain of exceptions. With a number, select that exception's traceback.", false, exceptions, nil,
		},

		{
			"list",
			[]string{"l"},
			"[[FILE | MODULE | FUNCTION][:][FIRST[, LAST]] | .]", groupLook,
			"List 11 lines around the current line, or continue the previous listing. With . as argument, around the current line again. With one line, 11 lines around it; with two, that range, and if the second is smaller it is a count. With a file, a module or a function, its lines: list later, list pkg/util.py:12, list json.dumps. The module need not be imported, and list does not import it. -> marks the current line, B a breakpoint, >> the line that raised.", false, list, nil,
		},
		{
			"longlist",
			[]string{"ll"},
			"", groupLook,
			"List the whole source of the current function.", false, alone(session.ListFunction{}), nil,
		},
		{
			"source", nil, "EXPRESSION", groupLook,
			"Show the source of an object.", false, about(func(e string) session.Command { return session.ShowSource{Expression: e} }), nil,
		},
		{
			"p", nil, "EXPRESSION", groupLook,
			"Print the value of an expression. Before the live edge npdb evaluates it on the recorded values and marks the result.", false, about(func(e string) session.Command { return session.Evaluate{Expression: e} }), nil,
		},
		{
			"pp", nil, "EXPRESSION", groupLook,
			"Pretty-print the value of an expression.", false, about(func(e string) session.Command { return session.Evaluate{Expression: e, As: session.Pretty} }), nil,
		},
		{
			"whatis", nil, "EXPRESSION", groupLook,
			"Print the type of an expression.", false, about(func(e string) session.Command { return session.Evaluate{Expression: e, As: session.Type} }), nil,
		},
		{
			"display", nil, "[EXPRESSION]", groupLook,
			"Show an expression at each stop in the current frame at which its value has changed; on the screen, above the locals of every frame. Without an argument, list the displayed expressions.", false, always(func(e string) session.Command { return session.Display{Expression: e} }), nil,
		},
		{
			"undisplay", nil, "[EXPRESSION]", groupLook,
			"Stop displaying an expression; without an argument, all of them.", false, always(func(e string) session.Command { return session.Undisplay{Expression: e} }), nil,
		},
		{
			"output", nil, "", groupLook,
			"Print the program's output up to here.", false, alone(session.ShowOutput{}), nil,
		},
		{
			"printed", nil, "[TEXT]", groupLook,
			"List the lines of the program's output that contain a text, or all, each with the event that printed it, which goto goes to. > marks the current event. Of a line that was written in parts, it is the event of the part with the text. An empty line shows later lines.", false, always(func(e string) session.Command { return session.Printed{Text: e} }), nil,
		},
		{
			"last", nil, "EXPRESSION", groupLook,
			"Show the last change of an expression (a name, an attribute, an element, len(…)) before here: the line, the old and the new value, and the goto that leads there. An empty line shows the change before that. last does not move.", false, about(func(e string) session.Command { return session.LastChange{Expression: e} }), nil,
		},
		{
			"history", nil, "[-a] EXPRESSION", groupLook,
			"List the values of an expression over time, each with its event and the line that set it; > marks the current one. Shows the last 20; an empty line shows earlier ones, -a all. Numbers also get a sparkline. In neural mode history follows names through the predicted states.", false, history, nil,
		},
		{
			"logpoint", nil, "[([FILE:]LINE | FUNCTION) [, TEXT]]", groupLook,
			"Print TEXT at a line after the fact: for every recorded event of the line, with the event that goto goes to, and from then on for the events that a forward move passes (at most 20 for each move). {EXPRESSION} in TEXT is a value, {EXPRESSION=} also names it. The program does not stop there. Without an argument, list the logpoints; logpoint -d [N] deletes them. An empty line shows later hits.", false, logpoint, nil,
		},
		{
			"provenance",
			[]string{"prov"},
			"EXPRESSION [via INPUT]", groupLook,
			"List where a value came from, the latest hop first: the assignments, fields, elements, arguments and returns that it passed through, back to a literal, an input or the place where it was made. Each hop has the event that goto goes to. Where a value was computed from several, via follows one of them; it can be repeated. likely marks a hop that the recording does not prove. An empty line shows earlier hops. provenance does not move. In neural mode it follows names through the predicted states, and before them through states that the model infers; the command given again infers further ones.", false, origin, nil,
		},
		{
			"info", nil, "breakpoints | children | program | threads", groupLook,
			"Show the breakpoints, the child processes, the program and the position in its recording, or the threads and where each one is.", false, info, nil,
		},
		{
			"!", nil, "STATEMENT", groupLook,
			"Run a Python statement in the selected frame. Before the live edge npdb asks first, then runs the program again up to this event in another process and goes on there: files, network and input happen again, and the run before is kept. The ! is optional unless the statement begins like a command. $NAME is a variable that lasts until the program continues; $_frame, $_exception and $_retval are the selected frame, the exception and the return value. In neural mode nothing runs: an assignment edits the predicted state.", false, nil, nil,
		},
		{
			"debug", nil, "STATEMENT", groupLook,
			"Debug a Python statement in the selected frame, at the live edge: moves step through the functions it calls. When it is over, the program is where it was. To leave it, go to its end with continue: quit ends the program, after it is given twice.", true, about(func(e string) session.Command { return session.Debug{Statement: e} }), nil,
		},
		{
			"interact", nil, "", groupLook,
			"Start an interactive interpreter in the selected frame, at the live edge. exit() or end of file leaves it.", false, nil, (*Interpreter).interact,
		},

		{
			"save", nil, "FILE", groupSession,
			"Write the recording to FILE: what is recorded so far and, until the session ends, everything that follows. npdb open FILE shows it. A file that is not a recording is not replaced.", true, about(func(e string) session.Command { return session.Save{File: e} }), nil,
		},
		{
			"help",
			[]string{"h", "?"},
			"[COMMAND]", groupSession,
			"List the commands, or explain one.", false, nil, (*Interpreter).help,
		},
		{
			"alias", nil, "[NAME [COMMAND]]", groupSession,
			"Define NAME as a command; %1 to %9 stand for its parameters and %* for all of them. Without a command, show the alias; without a name, all of them.", false, nil, (*Interpreter).alias,
		},
		{
			"unalias", nil, "NAME", groupSession,
			"Delete an alias.", false, nil, (*Interpreter).unalias,
		},
		{
			"record", nil, "[on | off | again]", groupSession,
			"Show or change whether moves record. After record off, next, return, until, continue and advance watch only breakpoints and their landing, and leave a hole; step and goto still record. With --record budget or on-demand a backward move into a hole runs the program again to record it; record again allows that for a program that writes files. Real mode only.", false, record, nil,
		},
		{
			"restart",
			[]string{"run"},
			"[ARGUMENT ...]", groupSession,
			"Run the program again from the start, with new arguments if given. Breakpoints and aliases stay.", true, restart, nil,
		},
		{
			"thread", nil, "[NAME]", groupSession,
			"Run the program again from the start and record the thread with this name, or the first whose name matches a glob such as Worker-*; main is the main thread. The other threads run unrecorded. Without a name, say which thread is recorded. Real mode only.", true, always(func(e string) session.Command { return session.RecordThread{Name: e} }), nil,
		},
		{
			"child", nil, "NUMBER", groupSession,
			"Show a child process, by its number in info children, at its live edge. If it runs, it stops at its next event. From then on it goes on only with moves that you make there. child 0 shows the program again. With --children.", true, child, nil,
		},
		{
			"parent", nil, "", groupSession,
			"Show the program again, after child.", true, alone(session.ShowChild{}), nil,
		},
		{
			"traceback", nil, "[FILE | TEXT]", groupSession,
			"Begin another session, in neural mode, where a traceback ends, as npdb --traceback does. The argument is a file, or the text in one line with \\n. Without it, paste or type the text, then a line with only the word end (on the screen, press Enter after the pasted text). The session before can be resumed.", true, nil, (*Interpreter).traceback,
		},
		{
			"quit",
			[]string{"q", "exit", "EOF"},
			"", groupSession,
			"End the program and quit npdb. After npdb attach the program runs on.", true, alone(session.Quit{}), nil,
		},
		{
			"detach", nil, "", groupSession,
			"Leave a program that called breakpoint() or npdb.set_trace(), or that npdb attach has stopped, and quit npdb. The program runs on at full speed.", true, alone(session.Detach{}), nil,
		},
	}, codeCommands(), historyCommands(), modelCommands())
}

// usageLine returns a command's name, abbreviation and arguments in pdb's format: c(ontinue).
func (c *command) usageLine() string {
	line := c.name
	var others []string
	for _, a := range c.aliases {
		if a != "" && strings.HasPrefix(c.name, a) && line == c.name {
			line = a + "(" + c.name[len(a):] + ")"
			continue
		}
		if a != "EOF" {
			others = append(others, a)
		}
	}
	line = strings.Join(append([]string{line}, others...), " | ")
	if c.args != "" {
		line += " " + c.args
	}
	return line
}
