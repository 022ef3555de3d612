package session

import (
	"context"
	"strings"
)

// command is one command of the debugger. The help's first lines are its usage,
// then a blank line and what it does.
type command struct {
	name    string
	aliases []string
	args    string // as usage shows them
	group   string
	help    string
	resumes bool // it moves the program on, so it ends a breakpoint's commands
	run     func(s *Session, ctx context.Context, arg string) error
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

// commands is every command: the one table from which dispatch, help and the
// reference page come. It is a function because help itself reads it.
func commands() []command {
	return []command{
		{
			"step",
			[]string{"s"},
			"[COUNT]", groupForward,
			"Go to the next event: into a function that is called, or on in the current one.", true, (*Session).cmdStep,
		},
		{
			"next",
			[]string{"n"},
			"[COUNT]", groupForward,
			"Go to the next line of the current function, over the functions it calls, or to its return. Breakpoints inside those are passed over; continue and until stop at them.", true, (*Session).cmdNext,
		},
		{
			"return",
			[]string{"r"},
			"[COUNT]", groupForward,
			"Go to the return of the current function.", true, (*Session).cmdReturn,
		},
		{
			"until",
			[]string{"unt"},
			"[LINE]", groupForward,
			"Without an argument, go on until a line greater than the current one. With a line number, until a line of at least that number. Both stop at the return of the current function and at breakpoints.", true, (*Session).cmdUntil,
		},
		{
			"continue",
			[]string{"c", "cont"},
			"[COUNT]", groupForward,
			"Go on to the next breakpoint, or to the end of the program. With a count, to the COUNT-th stop.", true, (*Session).cmdContinue,
		},
		{
			"advance", nil, "[FILE:]LINE | FUNCTION", groupForward,
			"Go on to a line or the body of a function, as a breakpoint there would stop once; other breakpoints stop it too.", true, (*Session).cmdAdvance,
		},
		{
			"jump",
			[]string{"j"},
			"LINE", groupForward,
			"Set the line that runs next, in the newest frame at the live edge. Not every jump is allowed: not into a loop, nor out of a finally clause.", true, (*Session).cmdJump,
		},
		{
			"goto", nil, "N | N%", groupForward,
			"Go to event N of the recording (the first is 0), or to where N percent of it have passed. Beyond the live edge the program runs there. goto 100% is the live edge.", true, (*Session).cmdGoto,
		},

		{
			"reverse-step",
			[]string{"rs"},
			"[COUNT]", groupBackward,
			"Go back to the previous event.", true, (*Session).cmdReverseStep,
		},
		{
			"reverse-next",
			[]string{"rn"},
			"[COUNT]", groupBackward,
			"Go back to the previous line of the current function, over the functions it called, or to its call.", true, (*Session).cmdReverseNext,
		},
		{
			"reverse-finish",
			[]string{"rf", "reverse-return"},
			"[COUNT]", groupBackward,
			"Go back to the call of the current function, where its arguments are.", true, (*Session).cmdReverseFinish,
		},
		{
			"reverse-until", nil, "[LINE]", groupBackward,
			"Without an argument, go back until a line smaller than the current one. With a line number, until a line of at most that number. Both stop at the call of the current function and at breakpoints.", true, (*Session).cmdReverseUntil,
		},
		{
			"reverse-continue",
			[]string{"rc"},
			"[COUNT]", groupBackward,
			"Go back to the previous breakpoint; without breakpoints, to the first state.", true, (*Session).cmdReverseContinue,
		},
		{
			"reverse-advance", nil, "[FILE:]LINE | FUNCTION", groupBackward,
			"Go back to a line or the body of a function, or to a breakpoint before it.", true, (*Session).cmdReverseAdvance,
		},
		{
			"rewind", nil, "", groupBackward,
			"Go back to the first state.", true, (*Session).cmdRewind,
		},
		{
			"back", nil, "[COUNT]", groupBackward,
			"Show the state again that was shown before this one. Nothing runs and no model is asked.", true, (*Session).cmdBack,
		},
		{
			"forth", nil, "[COUNT]", groupForward,
			"After back, show the next state that was shown.", true, (*Session).cmdForth,
		},

		{
			"break",
			[]string{"b"},
			"[([FILE:]LINE | FUNCTION) [, CONDITION]]", groupStops,
			"Without an argument, list all breakpoints. With a line, stop there; with a function, at the first line of its body. The condition is an expression that must be true for the breakpoint to stop.", false, (*Session).cmdBreak,
		},
		{
			"tbreak", nil, "[([FILE:]LINE | FUNCTION) [, CONDITION]]", groupStops,
			"As break, for a temporary breakpoint: it is deleted when it stops.", false, (*Session).cmdTbreak,
		},
		{
			"clear",
			[]string{"cl"},
			"[FILE:LINE | NUMBER ...]", groupStops,
			"Delete the breakpoints with these numbers, or those of a line; without an argument, all of them, after a question.", false, (*Session).cmdClear,
		},
		{
			"disable", nil, "NUMBER [NUMBER ...]", groupStops,
			"Keep breakpoints from stopping the program, without forgetting them.", false, (*Session).cmdDisable,
		},
		{
			"enable", nil, "NUMBER [NUMBER ...]", groupStops,
			"Enable disabled breakpoints.", false, (*Session).cmdEnable,
		},
		{
			"ignore", nil, "NUMBER [COUNT]", groupStops,
			"Pass over the next COUNT times that the breakpoint would stop. Without a count, stop the next time.", false, (*Session).cmdIgnore,
		},
		{
			"condition", nil, "NUMBER [CONDITION]", groupStops,
			"Set the condition of a breakpoint. Without one, it becomes unconditional.", false, (*Session).cmdCondition,
		},
		{
			"commands", nil, "[NUMBER]", groupStops,
			"Give a breakpoint (the last one set, without a number) commands to run when it stops. They follow on lines of their own; end finishes the list, and so does a command that moves, such as continue. silent hides the location. An empty list removes them.", false, (*Session).cmdCommands,
		},

		{
			"where",
			[]string{"w", "bt"},
			"", groupFrames,
			"Print the stack, the newest frame last. An arrow marks the selected frame.", false, (*Session).cmdWhere,
		},
		{
			"up",
			[]string{"u"},
			"[COUNT]", groupFrames,
			"Select the frame COUNT levels up, towards older frames.", false, (*Session).cmdUp,
		},
		{
			"down",
			[]string{"d"},
			"[COUNT]", groupFrames,
			"Select the frame COUNT levels down, towards newer frames.", false, (*Session).cmdDown,
		},
		{
			"args",
			[]string{"a"},
			"", groupFrames,
			"Print the arguments of the current function and their values.", false, (*Session).cmdArgs,
		},
		{
			"retval",
			[]string{"rv"},
			"", groupFrames,
			"Print the value with which the current function returns.", false, (*Session).cmdRetval,
		},
		{
			"exceptions", nil, "[NUMBER]", groupFrames,
			"After an uncaught exception, list its chain; with a number, look at that exception's traceback.", false, (*Session).cmdExceptions,
		},

		{
			"list",
			[]string{"l"},
			"[FIRST[, LAST] | .]", groupLook,
			"List 11 lines around the current line, or continue the previous listing. With . as argument, around the current line again. With one line, 11 lines around it; with two, that range, and if the second is smaller it is a count. -> marks the current line, B a breakpoint, >> the line that raised.", false, (*Session).cmdList,
		},
		{
			"longlist",
			[]string{"ll"},
			"", groupLook,
			"List the whole source of the current function.", false, (*Session).cmdLonglist,
		},
		{
			"source", nil, "EXPRESSION", groupLook,
			"Show the source of an object.", false, (*Session).cmdSource,
		},
		{
			"p", nil, "EXPRESSION", groupLook,
			"Print the value of an expression. Behind the live edge a recorded name shows its recorded value, and what else can be computed from recorded text is marked so.", false, (*Session).cmdPrint,
		},
		{
			"pp", nil, "EXPRESSION", groupLook,
			"Pretty-print the value of an expression.", false, (*Session).cmdPretty,
		},
		{
			"whatis", nil, "EXPRESSION", groupLook,
			"Print the type of an expression.", false, (*Session).cmdWhatis,
		},
		{
			"display", nil, "[EXPRESSION]", groupLook,
			"Show the value of an expression whenever it changed at a stop in the current frame. Without an argument, list what is displayed.", false, (*Session).cmdDisplay,
		},
		{
			"undisplay", nil, "[EXPRESSION]", groupLook,
			"Display an expression no more in the current frame; without an argument, none.", false, (*Session).cmdUndisplay,
		},
		{
			"output", nil, "", groupLook,
			"Print what the program has written up to here.", false, (*Session).cmdOutput,
		},
		{
			"info", nil, "breakpoints | program | threads", groupLook,
			"Tell about the breakpoints, the program and where in its recording this is, or its other threads.", false, (*Session).cmdInfo,
		},
		{
			"!", nil, "STATEMENT", groupLook,
			"Run a Python statement in the selected frame, at the live edge. The ! can be left out unless the statement begins like a command. In neural mode nothing runs: an assignment edits the predicted state.", false, (*Session).python,
		},
		{
			"interact", nil, "", groupLook,
			"Start an interactive interpreter in the selected frame, at the live edge. exit() or end of file leaves it.", false, (*Session).cmdInteract,
		},

		{
			"raw", nil, "", groupModel,
			"Print what the model wrote: of a question that has just failed, else of the state shown.", false, (*Session).cmdRaw,
		},
		{
			"retry", nil, "", groupModel,
			"Give the last move again. Where the model had answered, another answer is drawn.", true, (*Session).cmdRetry,
		},

		{
			"mode", nil, "[real | neural | both]", groupModel,
			"Tell where states come from, or change it: both has the model walk beside CPython from here on. From neural mode that runs the program, after a question.", false, (*Session).cmdMode,
		},
		{
			"walk", nil, "[free | guided]", groupModel,
			"Of both modes: a free model goes on from what it said itself, so that it drifts; a guided one is put back on the truth after each move.", false, (*Session).cmdWalk,
		},
		{
			"resync", nil, "", groupModel,
			"Of both modes: put the model on the truth once.", false, (*Session).cmdResync,
		},
		{
			"divergence", nil, "[next | previous | first]", groupModel,
			"Of both modes: show the next stop of the history where prediction and CPython differ, or another one.", true, (*Session).cmdDivergence,
		},
		{
			"score", nil, "", groupModel,
			"Of both modes: how often the model was right, by action, field and horizon, and whether it was as sure as it was right.", false, (*Session).cmdScore,
		},
		{
			"export", nil, "[FILE]", groupModel,
			"Write what the model was asked to FILE.jsonl, the texts of nd/1 with the truth and the predictions, and a report to FILE.md. A FILE that ends in .jsonl or .md is that one only. Without FILE, the names are made from the program's and the time. Files that exist are not overwritten.", false, (*Session).cmdExport,
		},

		{
			"help",
			[]string{"h", "?"},
			"[COMMAND]", groupSession,
			"List the commands, or tell about one.", false, (*Session).cmdHelp,
		},
		{
			"alias", nil, "[NAME [COMMAND]]", groupSession,
			"Make NAME stand for a command, in which %1 to %9 are replaced by parameters and %* by all of them. Without a command, show the alias; without a name, all of them.", false, (*Session).cmdAlias,
		},
		{
			"unalias", nil, "NAME", groupSession,
			"Forget an alias.", false, (*Session).cmdUnalias,
		},
		{
			"restart",
			[]string{"run"},
			"[ARGUMENT ...]", groupSession,
			"Run the program again from the start, with new arguments if there are any. Breakpoints and aliases stay.", true, (*Session).cmdRestart,
		},
		{
			"quit",
			[]string{"q", "exit", "EOF"},
			"", groupSession,
			"End the program and leave npdb.", true, (*Session).cmdQuit,
		},
	}
}

// asks reports whether a command moves in a way that a predictor is asked for.
func (c *command) asks() bool {
	switch c.name {
	case "step", "next", "return", "until", "continue", "advance",
		"reverse-step", "reverse-next", "reverse-finish", "reverse-until", "reverse-continue", "reverse-advance":
		return true
	}
	return false
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

// lookupCommand finds a command; nil means that the line is Python.
func lookupCommand(name string) *command {
	if name == "!" {
		return nil // parseLine leaves statements whole
	}
	return byName[name]
}

// usageLine is a command with its abbreviation as pdb writes it, c(ontinue) or
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

// usage is the error for an argument that a command does not take, or for the
// lack of one, in the words of Python 3.14's pdb.
func usage(name, arg string) error {
	if arg == "" {
		return errorf(BadArgument, "Argument is required for this command\nUsage: %s", lookupCommand(name).usageLine())
	}
	return errorf(BadArgument, "Invalid argument: %s\nUsage: %s", arg, lookupCommand(name).usageLine())
}
