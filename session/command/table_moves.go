package command

import (
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session"
)

// moveCommands returns the commands that move, forwards and backwards.
func moveCommands() []command {
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
			"step-block",
			[]string{"sb"},
			"[COUNT]", groupForward,
			"Go to the next basic block of the current function, over the functions it calls: to the next body, loop header, elif, except or case, to the line after a compound statement, or to the return or an exception. A breakpoint in what it passes over stops it.", true, step(dsl.StepBlock), nil,
		},
		{
			"step-function",
			[]string{"sf"},
			"[COUNT]", groupForward,
			"Go to the next call or return of any function, or to a breakpoint before it.", true, step(dsl.StepFunction), nil,
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
			"Set the line that runs next, in the newest frame. Not every jump is allowed: not into a loop, nor out of a finally clause. Before the live edge npdb asks first, and runs the program again up to this event (see !).", true, jump, nil,
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
			"reverse-step-block",
			[]string{"rsb"},
			"[COUNT]", groupBackward,
			"Go back to the first line of the current basic block or, from there, of the one that ran before it in the current function, over the functions it calls. A breakpoint in what it passes over stops it.", true, step(dsl.InvStepBlock), nil,
		},
		{
			"reverse-step-function",
			[]string{"rsf"},
			"[COUNT]", groupBackward,
			"Go back to the last call or return of any function, or to a breakpoint after it.", true, step(dsl.InvStepFunction), nil,
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
	}
}
