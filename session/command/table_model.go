package command

import "github.com/npdb/npdb/session"

// modelCommands returns the commands that ask a model or compare it with CPython.
func modelCommands() []command {
	return []command{
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
			"why", nil, "[QUESTION]", groupModel,
			"Let a chat model explain the shown state from source, stack, values, their history and origin, or answer a question about it. A question after an explanation continues the conversation, also at another state; why alone begins a new one. Each event and value that the model names is checked: wrong claims are struck through, with the true value after them. Which model is asked: setting why (docs/why.md).", false, nil, (*Interpreter).why,
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
			"Write the session's nd/1 texts, with truth and predictions, to FILE.jsonl and a report to FILE.md. A FILE that ends in .jsonl or .md writes only that one. A FILE that ends in .html writes the recording as a page for a browser, with the marks. Without FILE, the program and the time name the files. Existing files are not overwritten.", false, always(func(e string) session.Command { return session.Export{File: e} }), nil,
		},
	}
}
