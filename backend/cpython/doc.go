// Package cpython answers npdb's question by running the program: a predictor
// that is never wrong, to measure others against and to test clients with.
//
// It reads nothing but the text. The program is written to a scratch directory
// and recorded from the text's first state; the text's actions are replayed over
// the recording by the table of moves, whatever states the text shows after
// them; and the last action is answered with the state it leads to. Where the
// text does not determine the answer it says so (dsl.Unknown), with the reason
// as a warning.
//
// # What a text determines
//
// The first state is a program's: the first line of the module, or the call of a
// function whose arguments are all literals (trace.Options.Entry). What a program
// does in a file that the context lacks is not determined, nor what it does once it
// has read its standard input.
//
// A text that begins elsewhere, compacted or after a jump, is one of a program that
// came there from its start, and in which nothing was edited on the way, but that
// the user may have jumped to where it begins: that is considered where the program
// does not come there by itself, and at the head of a loop. The program
// is run to its end, and the events are looked for that are what the text shows
// first: the same event with the same stack, locals and value, in activations that
// have had the states shown of callers. Where several are, the states that the text
// shows later decide between them. The answer is the one that all that are left
// agree on. Under --entry the arguments of the first call have to be in the text, or
// be what they still are: immutable, and of names that the function does not set.
//
// A module that cannot be imported, or is no Python as a whole, is run statement by
// statement for a call under --entry. What a statement that fails would have set, or
// might have changed, is taken away; an answer beyond the use of such a name is
// unknown.
//
// The reply "unknown" leaves the place as it is, and so does "start".
//
// # Runs that differ
//
// A text does not tell what time it is, what comes up at random, where objects lie,
// in what environment and with what arguments a program runs. Where its text gives
// reason to, the program is run again in other circumstances, once or, where chance
// could make two runs alike, three times: an answer is what all agree on. What comes
// from a clock or from random numbers that nothing seeds, as far as the text tells
// (python.Varying), is not answered even then.
//
// # Edits
//
// At an edit, the locals that differ from the program's are assigned in the live
// frame, if their texts are literals (ast.literal_eval), and the program goes on
// from there. An edit that cannot be made whole, such as a changed return value,
// leaves all that follows undetermined. An edit of a list, dict or set may as well
// have changed the object that the name has: both are tried, and an answer is what
// they agree on.
//
// # The end by an exception
//
// The first move of a text that would reach an end by an uncaught exception is
// answered with the exception that a debugger shows then: the state of the
// innermost exception event of the fatal propagation. Any forward move from there
// is answered with the end, and so is any later move of the same text that
// reaches it. That is so of each text: in one that begins later it is shown anew. One
// that begins with that exception tells not whether it was a debugger's stop: both
// are considered.
//
// The program's own breakpoint() and pdb.set_trace() are passed over: the table
// of moves does not know them.
//
// # Drift
//
// With Config.Drift the predictor believes what the text shows, as a model does
// that looks at the last state instead of running the program again, so that a
// wrong value lives on. After each action of the text, in order:
//
//   - Locals that the text shows otherwise than CPython, or that CPython lacks, are
//     assigned if they are literals. Others keep CPython's values, and so do
//     locals that the text does not show.
//   - A return value that is shown otherwise is returned, where the line is
//     "return NAME" and the text of NAME was that of the value. Where it is not, a
//     local of the caller that the next event sets to the returned value is set
//     to the one shown. Else it is lost.
//   - A line event shown on another line of the same activation than the line
//     event that the action leads to is jumped to (as pdb's jump).
//   - A place that is shown otherwise in any other way cannot be gone on from:
//     the answers from there on are unknown.
//
// CPython goes on from what it was made to believe. Backward moves are answered
// from the recording made so, where what was before stays as it was. At an
// exception that nothing caught, and at the end, nothing is believed any more.
package cpython
