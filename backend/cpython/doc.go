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
// function whose arguments are all literals (trace.Options.Entry). The recording
// must begin with that very state. A text that begins elsewhere, as a compacted
// one does, lacks what led there, and is not answered. Nor is what a program does
// in a file that the context lacks. A program that reads its standard input finds
// it empty.
//
// The reply "unknown" leaves the place as it is, and so does "start".
//
// # Edits
//
// At an edit, the locals that differ from the program's are assigned in the live
// frame, if their texts are literals (ast.literal_eval), and the program goes on
// from there. An edit that cannot be made whole, such as a changed return value,
// leaves all that follows undetermined.
//
// # The end by an exception
//
// The first move of a text that would reach an end by an uncaught exception is
// answered with the exception that a debugger shows then: the state of the
// innermost exception event of the fatal propagation. Any forward move from there
// is answered with the end, and so is any later move of the same text that
// reaches it.
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
