package command

import (
	"context"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// command is one command of the language: parse makes it one of the session's, run does
// what needs more than that, such as a question.
type command struct {
	name    string
	aliases []string
	args    string // as usage shows them
	group   string
	help    string
	resumes bool // it moves the program on, so it ends a breakpoint's commands
	parse   func(name, arg string) (session.Command, error)
	run     func(i *Interpreter, ctx context.Context, arg string) error
}

// The groups of help, in their order.
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

// commands returns every command: the one table from which dispatch, help and the
// reference page come. It is a function because help itself reads it.
func commands() []command {
	return []command{
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
			"Without an argument, go on until a line greater than the current one. With a line number, until a line of at least that number. Both stop at the return of the current function and at breakpoints.", true, until(false), nil,
		},
		{
			"continue",
			[]string{"c", "cont"},
			"[COUNT]", groupForward,
			"Go on to the next breakpoint, or to the end of the program. With a count, to the COUNT-th stop.", true, continues(session.Continue{}), nil,
		},
		{
			"fast-continue",
			[]string{"fc"},
			"[COUNT]", groupForward,
			"As continue, and nothing of what lies between is recorded: only breakpoints are watched. From Python 3.12 on the program runs at its own speed then. Recording goes on where it stops; a backward move stops there, too, at the edge of the hole. Real mode only.", true, continues(session.Continue{Unrecorded: true}), nil,
		},
		{
			"advance", nil, "[FILE:]LINE | FUNCTION", groupForward,
			"Go on to a line or the body of a function, as a breakpoint there would stop once; other breakpoints stop it too.", true, advance(false), nil,
		},
		{
			"jump",
			[]string{"j"},
			"LINE", groupForward,
			"Set the line that runs next, in the newest frame at the live edge. Not every jump is allowed: not into a loop, nor out of a finally clause.", true, jump, nil,
		},
		{
			"goto", nil, "N | N%", groupForward,
			"Go to event N of the recording (the first is 0), or to where N percent of it have passed. Beyond the live edge the program runs there. goto 100% is the live edge.", true, goTo, nil,
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
			"Go back to the previous line of the current function, over the functions it called, or to its call. A breakpoint in what it passes over stops it.", true, step(dsl.InvStepOver), nil,
		},
		{
			"reverse-finish",
			[]string{"rf", "reverse-return"},
			"[COUNT]", groupBackward,
			"Go back to the call of the current function, where its arguments are, or to a breakpoint after it.", true, step(dsl.InvStepReturn), nil,
		},
		{
			"reverse-until", nil, "[LINE]", groupBackward,
			"Without an argument, go back until a line smaller than the current one. With a line number, until a line of at most that number. Both stop at the call of the current function and at breakpoints.", true, until(true), nil,
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
			"Go to the first line after here at which an expression is true, as a breakpoint's condition on every line would be tested; what raises there counts as not. With -r, back to the last line before here. Breakpoints do not stop it.", true, find, nil,
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
			"After back, show the next state that was shown.", true, revisit(+1), nil,
		},

		{
			"break",
			[]string{"b"},
			"[([FILE:]LINE | FUNCTION) [, CONDITION]]", groupStops,
			"Without an argument, list all breakpoints. With a line, stop there; with a function, at the first line of its body. The condition is an expression that must be true for the breakpoint to stop. In a library's file it makes that file user code from here on.", false, breaks(false), nil,
		},
		{
			"tbreak", nil, "[([FILE:]LINE | FUNCTION) [, CONDITION]]", groupStops,
			"As break, for a temporary breakpoint: it is deleted when it stops.", false, breaks(true), nil,
		},
		{
			"watch", nil, "EXPRESSION [, CONDITION]", groupStops,
			"Stop where the value of an expression (a name, an attribute, an element, len(…), what operators make of them) changes, forwards as of the change and backwards before the line that makes it; old and new value are told. Names are those of the selected frame: one of a function's stops where it returns, too, and backwards where it begins. It is listed, deleted, disabled, ignored and given commands as breakpoints are, and ends with npdb.", false, watch, nil,
		},
		{
			"catch", nil, "[TYPE] [, CONDITION]", groupStops,
			"Stop where an exception is raised, also if it will be caught, in both directions; with a type, only where it is of that type or derived from it, by name. StopIteration, StopAsyncIteration and GeneratorExit, which normally only end loops and generators, stop it only if TYPE names them or they end the program.", false, catch, nil,
		},
		{
			"clear",
			[]string{"cl"},
			"[FILE:LINE | NUMBER ...]", groupStops,
			"Delete the breakpoints with these numbers, or those of a line; without an argument, all of them, after a question.", false, nil, (*Interpreter).clear,
		},
		{
			"disable", nil, "NUMBER [NUMBER ...]", groupStops,
			"Keep breakpoints from stopping the program, without forgetting them.", false, nil, enable(true),
		},
		{
			"enable", nil, "NUMBER [NUMBER ...]", groupStops,
			"Enable disabled breakpoints.", false, nil, enable(false),
		},
		{
			"ignore", nil, "NUMBER [COUNT]", groupStops,
			"Pass over the next COUNT times that the breakpoint would stop. Without a count, stop the next time.", false, ignore, nil,
		},
		{
			"condition", nil, "NUMBER [CONDITION]", groupStops,
			"Set the condition of a breakpoint. Without one, it becomes unconditional.", false, condition, nil,
		},
		{
			"commands", nil, "[NUMBER]", groupStops,
			"Give a breakpoint (the last one set, without a number) commands to run when it stops. They follow on lines of their own; end finishes the list, and so does a command that moves, such as continue. silent hides the location. An empty list removes them.", false, nil, (*Interpreter).commands,
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
			"Select the frame COUNT levels down, towards newer frames. Where an exception has come to, those below are the frames that it has left, of libraries too while the program waits there.", false, selectFrame(-1), nil,
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
			"Print the value with which the current function returns.", false, alone(session.ReturnValue{}), nil,
		},
		{
			"exceptions", nil, "[NUMBER]", groupFrames,
			"After an uncaught exception, and where the program calls pdb.post_mortem(), list the chain of exceptions; with a number, look at that one's traceback.", false, exceptions, nil,
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
			"Print the value of an expression. Behind the live edge a recorded name shows its recorded value, and what else can be computed from recorded text is marked so.", false, about(func(e string) session.Command { return session.Evaluate{Expression: e} }), nil,
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
			"Show the value of an expression whenever it changed at a stop in the current frame; on the screen, above the locals in every frame. Without an argument, list what is displayed.", false, always(func(e string) session.Command { return session.Display{Expression: e} }), nil,
		},
		{
			"undisplay", nil, "[EXPRESSION]", groupLook,
			"Display an expression no more in the current frame, on the screen in none; without an argument, no expression.", false, always(func(e string) session.Command { return session.Undisplay{Expression: e} }), nil,
		},
		{
			"output", nil, "", groupLook,
			"Print what the program has written up to here.", false, alone(session.ShowOutput{}), nil,
		},
		{
			"last", nil, "EXPRESSION", groupLook,
			"Tell where an expression (a name, an attribute, an element, len(…)) was last changed before here, from what to what, and by which line, with the goto that leads there. An empty line goes on with the change before that. It does not move.", false, about(func(e string) session.Command { return session.LastChange{Expression: e} }), nil,
		},
		{
			"history", nil, "[-a] EXPRESSION", groupLook,
			"List the values that an expression has had as the selected frame sees it, each with its event and the line that made it; > marks the one as of here. The last 20 are shown, an empty line shows earlier ones, -a all. Numbers are drawn as a line too, where the terminal can. In neural mode a name can be followed through the states that were predicted.", false, history, nil,
		},
		{
			"info", nil, "breakpoints | program | threads", groupLook,
			"Tell about the breakpoints, the program and where in its recording this is, or its other threads.", false, info, nil,
		},
		{
			"!", nil, "STATEMENT", groupLook,
			"Run a Python statement in the selected frame, at the live edge. The ! can be left out unless the statement begins like a command. $NAME is a variable for the time until the program goes on; $_frame, $_exception and $_retval are the selected frame, what was raised and what is returned. In neural mode nothing runs: an assignment edits the predicted state.", false, nil, nil,
		},
		{
			"debug", nil, "STATEMENT", groupLook,
			"Run a Python statement in the selected frame as the program's own code is run, and stop in what it calls: moves go through that until it is over. Then the program stands again where it stood, at a line of the live edge.", true, about(func(e string) session.Command { return session.Debug{Statement: e} }), nil,
		},
		{
			"interact", nil, "", groupLook,
			"Start an interactive interpreter in the selected frame, at the live edge. exit() or end of file leaves it.", false, nil, (*Interpreter).interact,
		},

		{
			"raw", nil, "", groupModel,
			"Print what the model wrote: of a question that has just failed, else of the state shown.", false, alone(session.ShowRaw{}), nil,
		},
		{
			"retry", nil, "", groupModel,
			"Give the last move again and ask the model anew. Where it had answered, another answer is drawn.", true, alone(session.Retry{}), nil,
		},

		{
			"mode", nil, "[real | neural | both]", groupModel,
			"Tell where states come from, or change it: both has the model walk beside CPython from here on. From neural mode that runs the program, after a question.", false, nil, (*Interpreter).mode,
		},
		{
			"walk", nil, "[free | guided]", groupModel,
			"Of both modes: a free model goes on from what it said itself, so that it drifts; a guided one is put back on the truth after each move.", false, walk, nil,
		},
		{
			"resync", nil, "", groupModel,
			"Of both modes: put the model on the truth once.", false, alone(session.Resync{}), nil,
		},
		{
			"divergence", nil, "[next | previous | first | onward]", groupModel,
			"Of both modes: show the next stop of the history where prediction and CPython differ, or another one; onward makes moves, where there is none, until they part.", true, divergence, nil,
		},
		{
			"score", nil, "", groupModel,
			"Of both modes: how often the model was right, by action, field and horizon, and whether it was as sure as it was right.", false, alone(session.ShowScore{}), nil,
		},
		{
			"export", nil, "[FILE]", groupModel,
			"Write what the model was asked to FILE.jsonl, the texts of nd/1 with the truth and the predictions, and a report to FILE.md. A FILE that ends in .jsonl or .md is that one only. Without FILE, the names are made from the program's and the time. Files that exist are not overwritten.", false, always(func(e string) session.Command { return session.Export{File: e} }), nil,
		},

		{
			"help",
			[]string{"h", "?"},
			"[COMMAND]", groupSession,
			"List the commands, or tell about one.", false, nil, (*Interpreter).help,
		},
		{
			"alias", nil, "[NAME [COMMAND]]", groupSession,
			"Make NAME stand for a command, in which %1 to %9 are replaced by parameters and %* by all of them. Without a command, show the alias; without a name, all of them.", false, nil, (*Interpreter).alias,
		},
		{
			"unalias", nil, "NAME", groupSession,
			"Forget an alias.", false, nil, (*Interpreter).unalias,
		},
		{
			"record", nil, "[on | off]", groupSession,
			"Tell whether what runs is recorded, or change it. After record off next, return, until, continue and advance only watch breakpoints and where they land, and leave a hole where the program did more; step and goto record as always. Real mode only.", false, record, nil,
		},
		{
			"restart",
			[]string{"run"},
			"[ARGUMENT ...]", groupSession,
			"Run the program again from the start, with new arguments if there are any. Breakpoints and aliases stay.", true, restart, nil,
		},
		{
			"quit",
			[]string{"q", "exit", "EOF"},
			"", groupSession,
			"End the program and leave npdb.", true, alone(session.Quit{}), nil,
		},
	}
}

// byName finds commands by name and alias. It is filled at start, because the
// table refers to help, which refers to the table.
var byName map[string]*command

func init() {
	table := commands()
	byName = make(map[string]*command, 2*len(table))
	for i := range table {
		c := &table[i]
		byName[c.name] = c
		for _, a := range c.aliases {
			byName[a] = c
		}
	}
}

// lookup finds a command; nil means that the line is Python.
func lookup(name string) *command {
	if name == "!" {
		return nil // parseLine leaves statements whole
	}
	return byName[name]
}

// usageLine returns a command with its abbreviation as pdb writes it, c(ontinue) or
// d(own), and its arguments.
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
