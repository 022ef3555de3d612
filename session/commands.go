package session

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
			"Go to the next line of the current function, over the functions it calls, or to its return. A breakpoint in what it passes over stops it.", true, (*Session).cmdNext,
		},
		{
			"return",
			[]string{"r"},
			"[COUNT]", groupForward,
			"Go to the return of the current function, or to a breakpoint before it.", true, (*Session).cmdReturn,
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
			"fast-continue",
			[]string{"fc"},
			"[COUNT]", groupForward,
			"As continue, and nothing of what lies between is recorded: only breakpoints are watched. From Python 3.12 on the program runs at its own speed then. Recording goes on where it stops; a backward move stops there, too, at the edge of the hole. Real mode only.", true, (*Session).cmdFastContinue,
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
			"Go back to the previous line of the current function, over the functions it called, or to its call. A breakpoint in what it passes over stops it.", true, (*Session).cmdReverseNext,
		},
		{
			"reverse-finish",
			[]string{"rf", "reverse-return"},
			"[COUNT]", groupBackward,
			"Go back to the call of the current function, where its arguments are, or to a breakpoint after it.", true, (*Session).cmdReverseFinish,
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
			"find", nil, "[-r] EXPRESSION", groupForward,
			"Go to the first line after here at which an expression is true, as a breakpoint's condition on every line would be tested; what raises there counts as not. With -r, back to the last line before here. Breakpoints do not stop it.", true, (*Session).cmdFind,
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
			"Without an argument, list all breakpoints. With a line, stop there; with a function, at the first line of its body. The condition is an expression that must be true for the breakpoint to stop. In a library's file it makes that file user code from here on.", false, (*Session).cmdBreak,
		},
		{
			"tbreak", nil, "[([FILE:]LINE | FUNCTION) [, CONDITION]]", groupStops,
			"As break, for a temporary breakpoint: it is deleted when it stops.", false, (*Session).cmdTbreak,
		},
		{
			"watch", nil, "EXPRESSION [, CONDITION]", groupStops,
			"Stop where the value of an expression (a name, an attribute, an element, len(…), what operators make of them) changes, forwards as of the change and backwards before the line that makes it; old and new value are told. Names are those of the selected frame: one of a function's stops where it returns, too, and backwards where it begins. It is listed, deleted, disabled, ignored and given commands as breakpoints are, and ends with npdb.", false, (*Session).cmdWatch,
		},
		{
			"catch", nil, "[TYPE] [, CONDITION]", groupStops,
			"Stop where an exception is raised, also if it will be caught, in both directions; with a type, only where it is of that type or derived from it, by name.", false, (*Session).cmdCatch,
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
			"Select the frame COUNT levels down, towards newer frames. Where an exception has come to, those below are the frames that it has left, of libraries too while the program waits there.", false, (*Session).cmdDown,
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
			"After an uncaught exception, and where the program calls pdb.post_mortem(), list the chain of exceptions; with a number, look at that one's traceback.", false, (*Session).cmdExceptions,
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
			"last", nil, "EXPRESSION", groupLook,
			"Tell where an expression (a name, an attribute, an element, len(…)) was last changed before here, from what to what, and by which line, with the goto that leads there. An empty line goes on with the change before that. It does not move.", false, (*Session).cmdLast,
		},
		{
			"history", nil, "[-a] EXPRESSION", groupLook,
			"List the values that an expression has had as the selected frame sees it, each with its event and the line that made it; > marks the one as of here. The last 20 are shown, an empty line shows earlier ones, -a all. Numbers are drawn as a line too, where the terminal can. In neural mode a name can be followed through the states that were predicted.", false, (*Session).cmdHistory,
		},
		{
			"info", nil, "breakpoints | program | threads", groupLook,
			"Tell about the breakpoints, the program and where in its recording this is, or its other threads.", false, (*Session).cmdInfo,
		},
		{
			"!", nil, "STATEMENT", groupLook,
			"Run a Python statement in the selected frame, at the live edge. The ! can be left out unless the statement begins like a command. $NAME is a variable for the time until the program goes on; $_frame, $_exception and $_retval are the selected frame, what was raised and what is returned. In neural mode nothing runs: an assignment edits the predicted state.", false, (*Session).python,
		},
		{
			"debug", nil, "STATEMENT", groupLook,
			"Run a Python statement in the selected frame as the program's own code is run, and stop in what it calls: moves go through that until it is over. Then the program stands again where it stood, at a line of the live edge.", true, (*Session).cmdDebug,
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
			"Give the last move again and ask the model anew. Where it had answered, another answer is drawn.", true, (*Session).cmdRetry,
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
			"record", nil, "[on | off]", groupSession,
			"Tell whether what runs is recorded, or change it. After record off next, return, until, continue and advance only watch breakpoints and where they land, and leave a hole where the program did more; step and goto record as always. Real mode only.", false, (*Session).cmdRecord,
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
