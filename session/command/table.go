package command

import (
	"context"
	"strings"

	"github.com/npdb/npdb/dsl"
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
	return append([]command{
		{
			"step",
			[]string{"s"},
			"[COUNT]", groupForward,
			"Go to the next event: into a function that is called, or on in the current one.", true, step(dsl.StepInto), nil,
		},
		{
			"next",
			[]string{"n"},
			"[COUNT]", groupForward,
			"Go to the next line of the current function, over the functions it calls, or to its return. A breakpoint in what it passes over stops it.", true, step(dsl.StepOver), nil,
		},
		{
			"return",
			[]string{"r"},
			"[COUNT]", groupForward,
			"Go to the return of the current function, or to a breakpoint before it.", true, step(dsl.StepReturn), nil,
		},
		{
			"until",
			[]string{"unt"},
			"[LINE]", groupForward,
			"Continue to a line after the current one or, with a number, to that line or a later one. Stops at the return of the current function and at breakpoints.", true, until(false), nil,
		},
		{
			"continue",
			[]string{"c", "cont"},
			"[COUNT]", groupForward,
			"Continue to the next breakpoint or to the end of the program. With a count, to the COUNT-th stop.", true, continues(session.Continue{}), nil,
		},
		{
			"fast-continue",
			[]string{"fc"},
			"[COUNT]", groupForward,
			"Continue without recording: npdb watches breakpoints only, and from Python 3.12 on the program runs at full speed. Recording resumes at the stop. The unrecorded part is a hole; backward moves stop at its edge, where infer asks the model what came before. Real mode only.", true, continues(session.Continue{Unrecorded: true}), nil,
		},
		{
			"advance", nil, "[FILE:]LINE | FUNCTION", groupForward,
			"Continue to a line or to the first line of a function, as with a temporary breakpoint there. Other breakpoints stop too.", true, advance(false), nil,
		},
		{
			"jump",
			[]string{"j"},
			"LINE", groupForward,
			"Set the line that runs next, in the newest frame at the live edge. Not every jump is allowed: not into a loop, nor out of a finally clause.", true, jump, nil,
		},
		{
			"goto", nil, "N | N% | #N | NAME", groupForward,
			"Go to event N of the recording (the first is 0), or to N percent of it. goto 100% is the live edge. Beyond it, the program runs on to the event. With #N or the name of a mark, show that state of the history again (see branches).", true, goTo, nil,
		},

		{
			"reverse-step",
			[]string{"rs"},
			"[COUNT]", groupBackward,
			"Go back to the previous event.", true, step(dsl.InvStepInto), nil,
		},
		{
			"reverse-next",
			[]string{"rn"},
			"[COUNT]", groupBackward,
			"Go back to the previous line of the current function, or to its call. Steps over calls, and stops at breakpoints in them.", true, step(dsl.InvStepOver), nil,
		},
		{
			"reverse-finish",
			[]string{"rf", "reverse-return"},
			"[COUNT]", groupBackward,
			"Go back to the call of the current function, where its arguments are, or to a breakpoint after it.", true, step(dsl.InvStepReturn), nil,
		},
		{
			"reverse-until", nil, "[LINE]", groupBackward,
			"Go back to a line before the current one or, with a number, to that line or an earlier one. Stops at the call of the current function and at breakpoints.", true, until(true), nil,
		},
		{
			"reverse-continue",
			[]string{"rc"},
			"[COUNT]", groupBackward,
			"Go back to the previous breakpoint; without breakpoints, to the first state.", true, continues(session.Continue{Inverse: true}), nil,
		},
		{
			"reverse-advance", nil, "[FILE:]LINE | FUNCTION", groupBackward,
			"Go back to a line or the body of a function, or to a breakpoint before it.", true, advance(true), nil,
		},
		{
			"find", nil, "[-r] EXPRESSION", groupForward,
			"Go to the next line at which an expression is true; with -r, back to the last one. An expression that raises counts as false, and so does one that is not known; npdb reports those lines. If find finds nothing, it stays where it is. Breakpoints do not stop it.", true, find, nil,
		},
		{
			"rewind", nil, "", groupBackward,
			"Go back to the first state.", true, alone(session.Rewind{}), nil,
		},
		{
			"back", nil, "[COUNT]", groupBackward,
			"Show the state again that was shown before this one. Nothing runs and no model is asked.", true, revisit(-1), nil,
		},
		{
			"forth", nil, "[COUNT]", groupForward,
			"Undo back. If nothing is left to undo, show the state that was shown after this one; where several branches begin here, the one that was shown last.", true, revisit(+1), nil,
		},

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
			"Set the commands that run when a breakpoint stops (without a number, the last one set). Enter one command per line; end, or a command that moves, finishes the list. silent hides the location. An empty list removes the commands.", false, nil, (*Interpreter).commands,
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
			"info", nil, "breakpoints | program | threads", groupLook,
			"Show the breakpoints, the program and the position in its recording, or the other threads.", false, info, nil,
		},
		{
			"!", nil, "STATEMENT", groupLook,
			"Run a Python statement in the selected frame, at the live edge. The ! is optional unless the statement begins like a command. $NAME is a variable that lasts until the program continues; $_frame, $_exception and $_retval are the selected frame, the exception and the return value. In neural mode nothing runs: an assignment edits the predicted state.", false, nil, nil,
		},
		{
			"debug", nil, "STATEMENT", groupLook,
			"Debug a Python statement in the selected frame, at the live edge: moves step through the functions it calls. When it is over, the program is where it was.", true, about(func(e string) session.Command { return session.Debug{Statement: e} }), nil,
		},
		{
			"interact", nil, "", groupLook,
			"Start an interactive interpreter in the selected frame, at the live edge. exit() or end of file leaves it.", false, nil, (*Interpreter).interact,
		},

		{
			"raw", nil, "", groupModel,
			"Print the model's reply: the one that just failed, or else the one behind the shown state.", false, alone(session.ShowRaw{}), nil,
		},
		{
			"peek", nil, "MOVE", groupModel,
			"Ask the model where a move leads, without making it: peek n, peek rs, peek c. Locals that differ from the current ones have a star. If you then make the move, npdb compares the guess with the truth, and score counts it.", false, nil, (*Interpreter).peek,
		},
		{
			"infer", nil, "[MOVE]", groupModel,
			"At the edge of a hole, where the recording does not know what came before: ask the model where a backward move leads (infer rs, infer rn, infer rf, infer rc), without an argument the move that has just stopped there. The inferred states are a branch of the history: candidates lists the pasts, backward moves go on from there, goto #N returns. When a later run records the past, npdb compares it with the first candidate, and score counts it.", true, nil, (*Interpreter).infer,
		},
		{
			"candidates",
			[]string{"ca"},
			"[N | +N | next | previous]", groupModel,
			"List the states that may have come before: the pasts that a backward move found, each with its probability and whether it leads here. A number shows another one, as a branch of the history; next and previous go through them. +N asks the model for N more answers.", false, candidates, nil,
		},
		{
			"verify", nil, "[text | model | run | off]", groupModel,
			"Show or change how the pasts that backward moves infer are verified: text follows the program's text. Where that does not decide, model asks the model where the past leads, which proves nothing, and run runs the program in a sandbox, after asking you. off verifies nothing.", false, nil, (*Interpreter).verify,
		},
		{
			"retry", nil, "", groupModel,
			"Repeat the last move with a new request to the model. If it had answered, npdb samples another answer.", true, alone(session.Retry{}), nil,
		},

		{
			"mode", nil, "[real | neural | both]", groupModel,
			"Show or change where states come from. both puts the model beside CPython. Leaving neural mode runs the program; npdb asks first.", false, nil, (*Interpreter).mode,
		},
		{
			"walk", nil, "[free | guided]", groupModel,
			"In both mode: a free model continues from its own predictions and may drift; a guided one is reset to the truth after each move.", false, walk, nil,
		},
		{
			"resync", nil, "", groupModel,
			"In both mode: reset the model to the truth, once.", false, alone(session.Resync{}), nil,
		},
		{
			"divergence", nil, "[next | previous | first | onward]", groupModel,
			"In both mode: show the next, previous or first divergence of the history. onward moves until prediction and CPython diverge.", true, divergence, nil,
		},
		{
			"score", nil, "", groupModel,
			"In both mode: show the model's accuracy by action, part and horizon, and its calibration. In neural mode with --compute check: how many parts of its states follow from the program's text or contradict it.", false, alone(session.ShowScore{}), nil,
		},
		{
			"export", nil, "[FILE]", groupModel,
			"Write the session's nd/1 texts, with truth and predictions, to FILE.jsonl and a report to FILE.md. A FILE that ends in .jsonl or .md writes only that one. Without FILE, the program and the time name the files. Existing files are not overwritten.", false, always(func(e string) session.Command { return session.Export{File: e} }), nil,
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
			"record", nil, "[on | off]", groupSession,
			"Show or change whether moves record. After record off, next, return, until, continue and advance watch only breakpoints and their landing, and leave a hole; step and goto still record. Real mode only.", false, record, nil,
		},
		{
			"restart",
			[]string{"run"},
			"[ARGUMENT ...]", groupSession,
			"Run the program again from the start, with new arguments if given. Breakpoints and aliases stay.", true, restart, nil,
		},
		{
			"traceback", nil, "[FILE | TEXT]", groupSession,
			"Begin another session, in neural mode, where a traceback ends, as npdb --traceback does. The argument is a file, or the text in one line with \\n. Without it, paste or type the text, then a line with only the word end (on the screen, press Enter after the pasted text). The session before can be resumed.", true, nil, (*Interpreter).traceback,
		},
		{
			"quit",
			[]string{"q", "exit", "EOF"},
			"", groupSession,
			"End the program and quit npdb.", true, alone(session.Quit{}), nil,
		},
	}, historyCommands()...)
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
