package command

import "github.com/npdb/npdb/session"

// historyCommands returns the commands that show and change the history, a tree of states.
func historyCommands() []command {
	return []command{
		{
			"branches", nil, "", groupLook,
			"Draw the history: a tree of all states that were shown. > is the shown state. Each state has a number, the command that led there, and what it changed. A move or an edit at an earlier state begins a branch. Names in brackets are marks. Long straight runs are folded.", false, alone(session.ShowBranches{}), nil,
		},
		{
			"mark", nil, "[NAME [#N] [NOTE] | -d NAME]", groupLook,
			"Give the shown state a name, or state #N of the history, and the name a note: a few words on what is to be seen there, which export writes into its report. goto NAME shows the state again, diff NAME compares it with the shown one. mark -d NAME takes the name away; without an argument, mark lists all names with their notes.", false, mark, nil,
		},
		{
			"diff", nil, "NAME | #N | run N | FILE.npdb | off", groupLook,
			"Compare the shown state with a marked state, or with state #N of the history: line, stack, values of locals and return value. With another run of this session, or a recording file: go to the first divergence of the two runs, and show the same moment of the other run beside each state; divergence next and previous go to the others, diff off ends that.", false, about(compared), nil,
		},
		{
			"prune", nil, "NAME | #N | -u", groupLook,
			"Remove a state and all states after it from the history. The shown state and those that lead to it stay. prune -u brings the branch back that was removed last.", false, prune, nil,
		},
	}
}
