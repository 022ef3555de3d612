package keys

import "slices"

// Action is something that can be done on the screen.
type Action struct {
	Name    string // as the configuration has it: "step"
	Help    string // a sentence
	Group   string // the heading it stands under in help
	Context Context
	// InText marks a global action that also works while text is typed, by keys that type nothing.
	InText bool

	keys []string // in the default profile
	hint hint
}

// hint is an action's place in the footer. Neighbours with the same word share
// it: "S N back". The higher the rank, the longer it stays on a narrow screen;
// without a word it is not shown.
type hint struct {
	word string
	rank int
}

// The groups of help, in order. The first six are those of the commands.
const (
	groupForward  = "Moving forwards"
	groupBackward = "Moving backwards"
	groupStops    = "Breakpoints"
	groupFrames   = "The stack"
	groupLook     = "Looking"
	groupSession  = "The session"
	groupPanes    = "Panes"
	groupScroll   = "Moving about"
	groupText     = "While typing"
	groupStart    = "The start screen"
	groupSettings = "Settings and colors"
)

var groups = []string{
	groupForward, groupBackward, groupStops, groupFrames, groupLook,
	groupSession, groupPanes, groupScroll, groupText, groupStart, groupSettings,
}

func keys(k ...string) []string { return k }

// actions is the table of all actions, from which bindings, help, the footer and docs/keys.md are
// made. Capital letters move backwards.
var actions = []Action{
	{"step", "Go to the next event: into a function that is called, or on in the current one.", groupForward, Global, true, keys("s", "f11"), hint{"step", 90}},
	{"next", "Go to the next line of this function, over the functions it calls.", groupForward, Global, true, keys("n", "f10"), hint{"next", 90}},
	{"return", "Go to the return of this function.", groupForward, Global, false, keys("r", "f"), hint{"return", 50}},
	{"continue", "Go on to the next breakpoint, or to the end of the program.", groupForward, Global, true, keys("c", "f5"), hint{"continue", 60}},
	{"fast-continue", "As continue, with nothing recorded: at the program's own speed, and back moves stop at where it led.", groupForward, Global, false, keys(">"), hint{}},
	{"run-to-cursor", "Run to the line under the cursor.", groupForward, Global, false, keys("t"), hint{"to cursor", 20}},
	{"next-visited", "After previous-visited, show the next state that was shown; at a fork, the branch that was shown last.", groupForward, Global, false, keys("Z"), hint{}},
	{"goto", "Go to event N of the recording, to N% of it, or to a marked state.", groupForward, Global, false, keys("#"), hint{}},

	{"step-back", "Go back to the previous event.", groupBackward, Global, true, keys("S", "shift+f11"), hint{"back", 80}},
	{"next-back", "Go back to the previous line of this function, over the functions it called.", groupBackward, Global, true, keys("N", "shift+f10"), hint{"back", 80}},
	{"return-back", "Go back to the call of this function, where its arguments are.", groupBackward, Global, false, keys("R", "F"), hint{}},
	{"continue-back", "Go back to the previous breakpoint; without breakpoints, to the first state.", groupBackward, Global, true, keys("C", "shift+f5"), hint{}},
	{"infer", "Where a back move stopped because nothing was recorded, ask the model what came before.", groupBackward, Global, false, keys("I"), hint{}},
	{"run-back-to-cursor", "Run back to the line under the cursor.", groupBackward, Global, false, keys("T"), hint{}},
	{"previous-visited", "Show the previous state of the history again. Nothing runs and no model is asked.", groupBackward, Global, false, keys("z"), hint{"revisit", 15}},
	{"previous-candidate", "Show the previous of the states that the backward move may lead to.", groupBackward, Global, false, keys("("), hint{}},
	{"next-candidate", "Show the next of the states that the backward move may lead to.", groupBackward, Global, false, keys(")"), hint{}},
	{"more-candidates", "Ask the model for five more answers to the backward move.", groupBackward, Global, false, keys(";"), hint{}},
	{"take-candidate", "Show the selected candidate.", groupBackward, Candidates, false, keys("enter"), hint{"show", 95}},
	{"candidates", "Open or close the table of candidates: what differs between them, and which of them lead here.", groupBackward, Global, false, keys("|"), hint{}},

	{"toggle-breakpoint", "Set a breakpoint on the line under the cursor, or delete it.", groupStops, Global, true, keys("b", "f9"), hint{"breakpoint", 55}},
	{"edit-breakpoint", "Edit the condition and the count of the breakpoint under the cursor.", groupStops, Global, false, keys("e"), hint{}},
	{"delete-breakpoint", "Delete the selected breakpoint.", groupStops, Breakpoints, false, keys("D", "delete"), hint{"delete", 95}},
	{"enable-breakpoint", "Disable the selected breakpoint, or enable it again.", groupStops, Breakpoints, false, keys("space"), hint{"on/off", 95}},
	{"show-breakpoint", "Show the selected breakpoint's line.", groupStops, Breakpoints, false, keys("enter"), hint{"show", 95}},
	{"break-on-change", "Stop where the value under the cursor changes, forwards or backwards: a watchpoint.", groupStops, Locals, false, keys("M"), hint{"break on change", 9}},

	{"frame-up", "Select the frame above, towards older frames.", groupFrames, Global, false, keys("u"), hint{}},
	{"frame-down", "Select the frame below, towards newer frames.", groupFrames, Global, false, keys("d"), hint{}},
	{"frame-current", "Select the newest frame, and show the current line.", groupFrames, Global, false, keys("H"), hint{}},
	{"select-frame", "Select the frame under the cursor.", groupFrames, Stack, false, keys("enter"), hint{"select", 95}},

	{"expand", "Open or close a nested value; show an array or a data frame as rows and columns.", groupLook, Locals, false, keys("enter"), hint{"expand", 95}},
	{"other-form", "Show an array as a tree, or a list of equally long lists as rows and columns.", groupLook, Locals, false, keys("o"), hint{}},
	{"leave-grid", "Close the array or data frame.", groupLook, Grid, false, keys("esc", "q", "enter"), hint{"close", 95}},
	{"wrap", "Wrap long values, or cut them at the edge.", groupLook, Locals, false, keys("w"), hint{"wrap", 40}},
	{"hidden-names", "Show the hidden names too: dunders, modules, functions and classes.", groupLook, Locals, false, keys("*"), hint{"hidden", 40}},
	{"watch", "Keep the value under the cursor at the top of the locals, in every frame; on a title, type an expression.", groupLook, Locals, false, keys("m"), hint{"watch", 40}},
	{"unwatch", "Stop watching the value under the cursor.", groupLook, Locals, false, keys("D", "delete"), hint{}},
	{"last-change", "Show which line last changed the value under the cursor; again, the change before that.", groupLook, Locals, false, keys("L"), hint{"last change", 8}},
	{"value-history", "List all values of the name or place under the cursor over time.", groupLook, Locals, false, keys("A"), hint{"all values", 7}},
	{"provenance", "List where the value under the cursor came from, back to a literal or an input. Enter goes to a hop; esc closes the list.", groupLook, Locals, false, keys("W"), hint{"where from", 6}},
	{"loop", "Show the iterations of the loop under the cursor as a table: a row for each, a column for each name that changes.", groupLook, Global, false, keys("J"), hint{}},
	{"explain", "Ask a chat model why the program is in this state (command why). Enter on a claim in the list of the history goes to its event.", groupLook, Global, false, keys("Y"), hint{}},
	{"show-iteration", "Go to the beginning of the selected iteration.", groupLook, Iterations, false, keys("enter"), hint{"go to", 95}},
	{"filter-iterations", "Show only iterations for which an expression is true, or that contain a text in quotes.", groupLook, Iterations, false, keys("f", "/"), hint{"filter", 94}},
	{"all-runs", "Show all runs of the loop in this call of the function, or only the present one.", groupLook, Iterations, false, keys("a"), hint{"all runs", 93}},
	{"leave-loop", "Close the table of the loop.", groupLook, Iterations, false, keys("esc", "q"), hint{"close", 92}},
	{"set", "Set the value under the cursor.", groupLook, Locals, false, keys("="), hint{"set", 95}},
	{"line-values", "Show the values of a line's names at its end, or hide them.", groupLook, Global, false, keys("i"), hint{"values", 10}},
	{"compare", "Show prediction and CPython side by side, or close that view. If only one of them runs, the other joins.", groupLook, Global, false, keys("x"), hint{"compare", 22}},
	{"score", "Show the model's accuracy, or the two sides again.", groupLook, Global, false, keys("X"), hint{}},
	{"next-divergence", "Go to the next divergence of prediction and CPython, moving until they diverge if none was shown yet, or of two runs (diff).", groupLook, Global, false, keys("}"), hint{}},
	{"previous-divergence", "Go to the previous divergence of prediction and CPython, or of two runs.", groupLook, Global, false, keys("{"), hint{}},
	{"raw-reply", "Show the model's reply unchanged.", groupLook, Global, false, keys("v"), hint{}},
	{"editor", "Open the editor ($VISUAL, $EDITOR, else vi) at the line under the cursor.", groupLook, Global, false, keys("E"), hint{}},
	{"files", "Open another file or module, imported or not, to look at it and set breakpoints.", groupLook, Global, false, keys("m"), hint{}},
	{"search", "Search the pane. In locals, nested values are searched too.", groupLook, Global, false, keys("/"), hint{"search", 30}},
	{"search-next", "Go to the next match.", groupLook, Global, false, keys("."), hint{}},
	{"search-previous", "Go to the previous match.", groupLook, Global, false, keys(","), hint{}},
	{"copy", "Copy the whole value under the cursor, or the line, to the clipboard.", groupLook, Global, false, keys("y"), hint{}},
	{"show-state", "Show the selected state again.", groupLook, History, false, keys("enter"), hint{"show", 95}},
	{"mark-state", "Give the selected state a name.", groupLook, History, false, keys("m"), hint{"mark", 94}},
	{"compare-state", "Compare the shown state with the selected one, side by side.", groupLook, History, false, keys("="), hint{"compare", 93}},
	{"prune-branch", "Remove the selected state and all states after it from the history.", groupLook, History, false, keys("D", "delete"), hint{"prune", 92}},
	{"restore-branch", "Bring the branch back that was removed last.", groupLook, History, false, keys("U"), hint{}},
	{"show-printer", "Go to the state that printed the line under the cursor.", groupLook, Output, false, keys("enter"), hint{"state that printed this", 95}},
	{"program-input", "Type a line of the program's input.", groupSession, Output, false, keys("i"), hint{}},

	{"command-line", "Type a command, as in pdb.", groupSession, Global, false, keys(":", "ctrl+x"), hint{"command", 70}},
	{"statement", "Type a Python statement.", groupSession, Global, false, keys("!"), hint{}},
	{"record", "Toggle recording of code that next, return and continue pass over.", groupSession, Global, false, keys("&"), hint{}},
	{"restart", "Run the program again from the start. npdb asks first.", groupSession, Global, false, keys("ctrl+r"), hint{}},
	{"confirm", "Yes, to what npdb asks.", groupSession, Question, false, keys("y", "enter"), hint{"yes", 90}},
	{"decline", "No, to what npdb asks.", groupSession, Question, false, keys("n", "esc", "ctrl+c"), hint{"no", 90}},
	{"suspend", "Suspend npdb to the shell; fg resumes it.", groupSession, Global, true, keys("ctrl+z"), hint{}},
	{"mouse", "Switch the mouse off, so that the terminal selects text, or on again.", groupSession, Global, false, keys("%"), hint{}},
	{"settings", "Show the settings, where each comes from, and change them.", groupSession, Global, true, keys("O", "f2"), hint{}},
	{"themes", "Choose the colors from a list; the screen shows each at once.", groupSession, Global, true, keys("P", "f3"), hint{}},
	{"redraw", "Redraw the screen.", groupSession, Global, true, keys("ctrl+l"), hint{}},
	{"cancel", "Cancel what is running, or close what is open.", groupSession, Global, true, keys("esc", "ctrl+c"), hint{}},
	{"quit", "End the session.", groupSession, Global, false, keys("q"), hint{"quit", 75}},
	{"help", "List the keys; type there to filter the list.", groupSession, Global, true, keys("?", "f1"), hint{"help", 100}},
	{"tour-next", "Make the move that the panel of npdb tour asks for.", groupSession, Tour, false, keys("space", "f6"), hint{}},
	{"tour-leave", "Close the panel of npdb tour, and stay in the session.", groupSession, Tour, false, keys("-", "f7"), hint{}},

	{"focus-source", "Go to the source.", groupPanes, Global, false, keys("1"), hint{}},
	{"focus-locals", "Go to the locals.", groupPanes, Global, false, keys("2"), hint{}},
	{"focus-stack", "Go to the call stack.", groupPanes, Global, false, keys("3"), hint{}},
	{"focus-output", "Go to the program's output.", groupPanes, Global, false, keys("4"), hint{}},
	{"focus-history", "Go to the history of shown states.", groupPanes, Global, false, keys("5"), hint{}},
	{"focus-breakpoints", "Go to the list of breakpoints.", groupPanes, Global, false, keys("6"), hint{}},
	{"focus-candidates", "Go to the table of candidates.", groupPanes, Global, false, keys("7"), hint{}},
	{"next-pane", "Go to the next pane.", groupPanes, Global, false, keys("tab"), hint{}},
	{"previous-pane", "Go to the previous pane.", groupPanes, Global, false, keys("shift+tab"), hint{}},
	{"zoom", "Let the pane fill the screen.", groupPanes, Global, false, keys("+"), hint{}},
	{"unzoom", "Show all panes again.", groupPanes, Global, false, keys("_"), hint{}},
	{"shrink", "Make the pane smaller.", groupPanes, Global, false, keys("["), hint{}},
	{"grow", "Make the pane larger.", groupPanes, Global, false, keys("]"), hint{}},

	{"down", "Down a line.", groupScroll, Global, false, keys("j", "down"), hint{}},
	{"up", "Up a line.", groupScroll, Global, false, keys("k", "up"), hint{}},
	{"left", "Scroll to the left.", groupScroll, Global, false, keys("h", "left"), hint{}},
	{"right", "Scroll to the right.", groupScroll, Global, false, keys("l", "right"), hint{}},
	{"page-down", "Down a page.", groupScroll, Global, false, keys("ctrl+f", "pgdown"), hint{}},
	{"page-up", "Up a page.", groupScroll, Global, false, keys("ctrl+b", "pgup"), hint{}},
	{"half-page-down", "Down half a page.", groupScroll, Global, false, keys("ctrl+d"), hint{}},
	{"half-page-up", "Up half a page.", groupScroll, Global, false, keys("ctrl+u"), hint{}},
	{"top", "To the first line.", groupScroll, Global, false, keys("g", "home"), hint{}},
	{"bottom", "To the last line.", groupScroll, Global, false, keys("G", "end"), hint{}},

	{"run-command", "Run the command. An empty line repeats the last one.", groupText, CommandLine, false, keys("enter", "ctrl+j"), hint{"run", 90}},
	{"complete", "Complete the word before the cursor.", groupText, CommandLine, false, keys("tab"), hint{"complete", 80}},
	{"older-command", "Take the command before from the history.", groupText, CommandLine, false, keys("up", "ctrl+p"), hint{"history", 70}},
	{"newer-command", "Take the command after from the history.", groupText, CommandLine, false, keys("down", "ctrl+n"), hint{"history", 70}},
	{"find-command", "Search the history of commands.", groupText, CommandLine, false, keys("ctrl+r"), hint{}},
	{"leave-command-line", "Go back to the panes and keep the typed text.", groupText, CommandLine, false, keys("esc", "ctrl+x"), hint{"leave", 95}},
	{"accept-search", "End the search at the match that is shown.", groupText, Search, false, keys("enter", "ctrl+j"), hint{"accept", 95}},
	{"older-search", "Take the pattern before from the history.", groupText, Search, false, keys("up", "ctrl+p"), hint{}},
	{"newer-search", "Take the pattern after from the history.", groupText, Search, false, keys("down", "ctrl+n"), hint{}},
	{"search-case", "Distinguish capital letters, or ignore case.", groupText, Search, false, keys("alt+c"), hint{"case", 60}},
	{"leave-search", "Go back to where the search began.", groupText, Search, false, keys("esc"), hint{"leave", 90}},
	{"send-input", "Give the line to the program.", groupText, Input, false, keys("enter", "ctrl+j"), hint{"send", 95}},
	{"input-tab", "Type a tab.", groupText, Input, false, keys("tab"), hint{}},
	{"end-input", "End the program's input.", groupText, Input, false, keys("ctrl+d"), hint{"end of input", 80}},
	{"leave-input", "Go back to the panes and keep the typed text.", groupText, Input, false, keys("esc"), hint{"leave", 90}},
	{"help-down", "Scroll down.", groupText, Help, false, keys("down", "ctrl+n"), hint{"scroll", 80}},
	{"help-up", "Scroll up.", groupText, Help, false, keys("up", "ctrl+p"), hint{"scroll", 80}},
	{"help-page-down", "Scroll down a page.", groupText, Help, false, keys("pgdown", "ctrl+f"), hint{}},
	{"help-page-up", "Scroll up a page.", groupText, Help, false, keys("pgup", "ctrl+b"), hint{}},
	{"leave-help", "Close the help.", groupText, Help, false, keys("esc", "enter"), hint{"close", 95}},
	{"show-file", "Show the file under the cursor, or the typed name or path; NAME:LINE goes to a line.", groupText, Files, false, keys("enter", "ctrl+j"), hint{"show", 95}},
	{"leave-files", "Close the list of files.", groupText, Files, false, keys("esc"), hint{"close", 90}},
	{"files-down", "To the next file.", groupText, Files, false, keys("down", "ctrl+n"), hint{"choose", 80}},
	{"files-up", "To the file before.", groupText, Files, false, keys("up", "ctrl+p"), hint{"choose", 80}},
	{"files-page-down", "Down a page.", groupText, Files, false, keys("pgdown", "ctrl+f"), hint{}},
	{"files-page-up", "Up a page.", groupText, Files, false, keys("pgup", "ctrl+b"), hint{}},
	{"open-path", "Debug the program whose path was typed.", groupText, Path, false, keys("enter", "ctrl+j"), hint{"debug", 95}},
	{"complete-path", "Complete the path before the cursor.", groupText, Path, false, keys("tab"), hint{"complete", 80}},
	{"leave-path", "Go back to the list and keep the typed text.", groupText, Path, false, keys("esc", "up", "down"), hint{"leave", 90}},

	{"open-program", "Debug the program under the cursor from its start.", groupStart, Start, false, keys("enter", "space"), hint{"debug", 95}},
	{"resume-program", "Resume the last session of the program under the cursor.", groupStart, Start, false, keys("r"), hint{"resume", 90}},
	{"type-path", "Type the path of a program, or PATH:LINE to begin there. A pasted traceback begins where it ends.", groupStart, Start, false, keys("o", "/", ":"), hint{"open a file", 85}},
	{"begin-at", "Begin at a line of the program under the cursor, with the locals that you give.", groupStart, Start, false, keys("a"), hint{"at a line", 80}},

	{"change-setting", "Change the setting under the cursor to its next value.", groupSettings, Settings, false, keys("enter", "space"), hint{"change", 90}},
	{"leave-settings", "Close the settings.", groupSettings, Settings, false, keys("esc", "q"), hint{"close", 95}},
	{"keep-theme", "Keep the theme under the cursor, and write it into the configuration.", groupSettings, Themes, false, keys("enter", "ctrl+j"), hint{"keep", 95}},
	{"leave-themes", "Go back to the theme from before.", groupSettings, Themes, false, keys("esc"), hint{"back", 90}},
	{"themes-down", "To the next theme.", groupSettings, Themes, false, keys("down", "ctrl+n"), hint{"try", 80}},
	{"themes-up", "To the theme before.", groupSettings, Themes, false, keys("up", "ctrl+p"), hint{"try", 80}},
	{"themes-page-down", "Down a page.", groupSettings, Themes, false, keys("pgdown", "ctrl+f"), hint{}},
	{"themes-page-up", "Up a page.", groupSettings, Themes, false, keys("pgup", "ctrl+b"), hint{}},
}

// paneHints are hints of global actions that only one pane shows.
var paneHints = map[Context]map[string]hint{
	Breakpoints: {"edit-breakpoint": {"edit", 95}},
	Candidates: {
		"next-candidate": {"walk", 94}, "previous-candidate": {"walk", 94},
		"more-candidates": {"5 more", 93}, "candidates": {"close", 92},
	},
}

// Actions returns all actions in the order of help.
func Actions() []Action { return slices.Clone(actions) }
